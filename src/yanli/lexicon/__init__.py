"""The lexicon: what the words of a rite are.

Comes in: the tables in ``rites/lexicon/`` and a rite's own ``lexicon.toml``. Goes out: a ``Lexicon`` that says of any
word which classes it belongs to and what is known of it, and, apart from it, how a word is read aloud (``readings``).
After it no entry has an unknown field, and no word two meanings that were not granted in writing.
"""

from yanli.lexicon.entries import Entry, Facing, Garment, Measure, Music, Number, Place, Role, Small, Thing
from yanli.lexicon.load import load_lexicon
from yanli.lexicon.lookup import Class, Lexicon, PlaceWord

__all__ = [
    "Class",
    "Entry",
    "Facing",
    "Garment",
    "Lexicon",
    "Measure",
    "Music",
    "Number",
    "Place",
    "PlaceWord",
    "Role",
    "Small",
    "Thing",
    "load_lexicon",
]
