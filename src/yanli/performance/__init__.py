"""From a program to a performance (演).

Comes in: a program, a cast, a layout, the arrows' fates. Goes out: a timeline of events, each with what it changed, and
the findings of what could not be done. What can no longer occur: an act without an origin, a thing with two holders.
Nothing in this room reads a clock, a file or a source of chance.
"""
