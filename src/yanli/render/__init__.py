"""What people read: scripts, tables, plans, answers, all drawn from one performance.

Comes in: a ``Performance`` or a ``Rite``. Goes out: values, and strings made of them. It knows no rule of any rite and
no rite's name; nothing here changes what was played. Chinese stands first, English second.
"""
