"""The sources: reading editions, collating them, spelling and folding.

Comes in: text files. Goes out: layers of words, differences between them, spellings; anchored to offsets in a rite's
canonical text. Knows nothing of performances.
"""
