"""The room: a building, the places in it by their rules, and the ways between them.

Comes in: ``rites/lexicon/buildings.toml``, a rite's ``places.toml`` and the keys of a scenario. Goes out: a
:class:`Layout` with spots, rows, routes and misfits, all in 尺. It knows no rite: every name of a place is data.

>>> open_layout("xiangshe", {"所": "序"}).spot("洗")
Spot(name='洗', x=30.0, y=-20.0, zone='庭', facing=None)
"""

from yanli.venue.building import Building, build, keys_of
from yanli.venue.layout import Layout, UnknownPlace
from yanli.venue.measure import read_chi, read_length
from yanli.venue.opening import open_layout
from yanli.venue.spot import FACINGS, Leg, Misfit, PlaceName, Route, Row, Spot, facing_name

__all__ = [
    "FACINGS",
    "Building",
    "Layout",
    "Leg",
    "Misfit",
    "PlaceName",
    "Route",
    "Row",
    "Spot",
    "UnknownPlace",
    "build",
    "facing_name",
    "keys_of",
    "open_layout",
    "read_chi",
    "read_length",
]
