"""Which form a kind of thing has on a drawing, and how it stands: ``rites/lexicon/moulds.toml``.

Comes in: kinds of things (鹿中, 笙磬). Goes out: moulds, and the way a thing is drawn facing. It knows no rite; what no
table names has a mould of its own name, which is drawn as a plain box.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final

import msgspec

from yanli.errors import Finding, RiteError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from yanli.performance.world import Thing
    from yanli.venue import Layout, Spot

CUP: Final = "爵"
MAT: Final = "席"
TARGET: Final = "侯"
ARROW: Final = "矢"
STICK: Final = "算"
FLAG: Final = "旌"
TABLE: Final = "moulds.toml"
SOUTH: Final = 180.0
_QUARTER: Final = 90.0


class Mould(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How things of a kind look; the fields are those of the table, lengths in 尺, ``front`` in degrees from north.

    ``name`` is the mould, ``kind`` what it was asked for.
    """

    name: str = ""
    kind: str = ""
    ends: tuple[str, ...] = ()
    ground: tuple[float, float] | None = None
    stands: bool = False
    gives: tuple[str, ...] = ()
    upon: str | None = None
    called: str | None = None
    laid: tuple[str, ...] = ()
    front: float = SOUTH
    look: str = ""

    @property
    def set_up(self) -> bool:
        """Whether it is set up where it stands, and merely kept elsewhere."""
        return self.stands or self.ground is not None

    @property
    def holds(self) -> frozenset[str]:
        """The places that mean in or on a thing of this kind; empty for what holds nothing."""
        if not self.set_up or self.name == MAT:
            return frozenset()
        return frozenset({self.kind, self.name, *self.gives})


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    store: tuple[str, ...]
    moulds: dict[str, Mould]


@cache
def _table() -> _Table:
    try:
        text = files("yanli").joinpath("rites", "lexicon", TABLE).read_text(encoding="utf-8")
        return msgspec.convert(tomllib.loads(text), _Table)
    except (FileNotFoundError, tomllib.TOMLDecodeError, msgspec.ValidationError) as fault:
        raise RiteError(Finding(code="bad-table", cause=f"rites/lexicon/{TABLE}: {fault}")) from None


def stores() -> tuple[str, ...]:
    """Places where things are kept out of sight before they are brought out. Raises RiteError for a bad table."""
    return _table().store


@cache
def mould_of(kind: str) -> Mould:
    """The mould of a kind: that whose ending it bears, the longest if several fit. Raises RiteError for a bad table."""
    best = (0, "")
    for name, mould in _table().moulds.items():
        length = max((len(end) for end in mould.ends or (name,) if kind.endswith(end)), default=0)
        best = max(best, (length, name), key=lambda one: one[0])
    if not best[0]:
        return Mould(name=kind, kind=kind, look=kind)
    found = _table().moulds[best[1]]
    return msgspec.structs.replace(found, name=best[1], kind=kind, look=found.look or best[1])


def covering(kind: str, kinds: Iterable[str]) -> tuple[str, ...]:
    """Those of some kinds with which a kind is not seen by itself where they lie: the mat under a second one."""
    mould = mould_of(kind)
    if mould.upon is None or kind == mould.upon:
        return ()
    same = mould.name == mould.upon
    return tuple(one for one in kinds if (one == mould.upon if same else mould_of(one).name == mould.upon))


def upright(layout: Layout, spot: Spot) -> bool:
    """Whether a place that faces nowhere is deeper from north to south than it is broad, as its rule has it."""
    if spot.facing is not None:
        return False
    size = layout.size(spot.name)
    return size is not None and size[1] > size[0]


def way_of(layout: Layout, thing: Thing) -> float | None:
    """The way a thing is drawn facing, in degrees: its own, or that of its place; None where neither says any."""
    if thing.facing is not None:
        return thing.facing
    return _QUARTER if upright(layout, thing.spot) else thing.spot.facing


def quarters(mould: Mould, way: float | None) -> int:
    """By how many quarters clockwise the mark of a mould is turned, so that it faces that way."""
    return 0 if way is None else round((way - mould.front) / _QUARTER) % 4
