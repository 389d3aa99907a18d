"""Regular expressions over everything that the store has.

Comes in: an expression of Python's ``re``, and the rest of a query. Goes out: hits as `search` gives them.
The expression sees the words as found, of one remark or layer at a time, without blanks, punctuation and signs of the
copy; ``^`` and ``$`` are where these begin and end. Nothing is folded: a class or a range means what it says.

An expression can take longer than the world lasts, so another process looks, and is ended when its time is over.
"""

from __future__ import annotations

import multiprocessing
import re
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from itertools import islice
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from yanli.corpus.folding import fold_search, is_word
from yanli.corpus.index import Segment
from yanli.corpus.search import Built, Found, Hit, Index, Query, check_numbers
from yanli.corpus.units import LAYERS
from yanli.errors import Finding, RiteError
from yanli.signals import deaf

if TYPE_CHECKING:
    from yanli.corpus.index import Ranges

SECONDS = 10.0
LONGEST = 1000
"""Characters that an expression has at most."""


# Python's own parser of expressions has no types and no public name; what it gives is only used to look at less.
parser: Any = import_module("re._parser")


class _Task(msgspec.Struct, frozen=True):
    """What the other process is to do."""

    folder: str
    built: tuple[Built, ...]
    query: Query


def search_regex(index: Index, query: Query, seconds: float = SECONDS) -> Found:
    """Find what matches the expression ``query.words``; ``as_written`` has no meaning here.

    Raises RiteError: ``bad-query`` for what is no expression, ``too-slow`` when ``seconds`` were not enough.
    """
    if not query.words or len(query.words) > LONGEST:
        raise _error("bad-query", f"an expression has from 1 to {LONGEST} characters, not {len(query.words)}")
    check_numbers(query)
    if any("\ud800" <= each <= "\udfff" for each in query.words + (query.speaker or "")):
        raise _error("bad-query", f"{query.words!r} and {query.speaker!r}: what is asked for is not all text")
    try:
        re.compile(query.words)
    except (re.error, OverflowError, RecursionError) as reason:
        raise _error("bad-query", f"{query.words!r} is no regular expression: {reason}") from reason
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe(duplex=False)
    task = _Task(str(index.folder.absolute()), index.built, query)
    process = context.Process(target=_answer, args=(there, msgspec.msgpack.encode(task)), daemon=True)
    with deaf():
        process.start()
    there.close()
    try:
        if not here.poll(seconds):
            raise _error("too-slow", f"{query.words!r} was not done in {seconds:g} seconds; say more of what is wanted")
        return msgspec.msgpack.decode(here.recv_bytes(), type=Found)
    except EOFError as reason:
        raise _error("bad-query", f"{query.words!r} could not be looked for") from reason
    finally:
        here.close()
        process.kill()
        process.join()


def _answer(answer: Connection, told: bytes) -> None:
    """Do the task and send what was found (in the other process)."""
    task = msgspec.msgpack.decode(told, type=_Task)
    with Index(Path(task.folder), task.built) as index:
        wanted = list(islice(_hits(index, task.query), task.query.skip + task.query.limit))
    total = len(wanted) if len(wanted) < task.query.skip + task.query.limit else None
    answer.send_bytes(
        msgspec.msgpack.encode(Found(hits=tuple(wanted[task.query.skip :]), total=total, left_out=index.left_out))
    )
    answer.close()


def _hits(index: Index, query: Query) -> Iterator[Hit]:
    """Everything that matches, in the order of hits: all units of all segments by layer, work and place."""
    expression = re.compile(query.words)
    runs = needed(query.words)
    streams = [
        (least, number, _starts(segment, layer, runs, index.ranges(segment, query)))
        for number, segment in enumerate(index.segments)
        for layer, (_, _, least) in segment.layers.items()
    ]
    past = ("", 0)
    for place, number in index.merged(streams):
        segment = index.segments[number]
        name, speaker, remark, first, last = segment.unit(segment.unit_at(place.position))
        words = segment.words(first, last)
        for match in expression.finditer(words):
            if match.start() == match.end():
                continue
            at, end = first + match.start(), first + match.end()
            here = (name + "\0" + LAYERS[place.layer].value, segment.offset(at))
            if here[0] == past[0] and here[1] < past[1] and remark < 0:
                continue  # a long text was cut here, and this was found before the cut
            past = (here[0], segment.offset(end - 1) + 1)
            yield Hit(
                name=name,
                start=here[1],
                end=past[1],
                layer=LAYERS[place.layer],
                words=match[0],
                before=words[max(match.start() - query.context, 0) : match.start()],
                after=words[match.end() : match.end() + query.context],
                speaker=speaker or None,
                remark=None if remark < 0 else remark,
            )


def _starts(segment: Segment, layer: int, runs: Sequence[str], ranges: Ranges | None) -> Iterator[int]:
    """Where the units of a layer begin that lie in these ranges (all, if None) and have all these words."""
    import numpy as np

    starts = segment.column("start")
    low, high = starts.searchsorted(segment.layers[layer][:2])
    held = np.ones(high - low, np.bool_)
    starts = starts[low:high]
    if ranges is not None:
        firsts, ends = ranges
        spots = firsts.searchsorted(starts, "right").astype(np.int64) - 1
        held &= (spots >= 0) & (starts < ends[spots]) if len(firsts) else False
    for run in runs:
        found = segment.look(run, fold_search(run), None).asked()
        there = np.zeros(len(held), np.bool_)
        first, last = found.searchsorted(segment.layers[layer][:2])
        there[starts.searchsorted(found[first:last], "right") - 1] = True
        held &= there
    yield from starts[held].tolist()


def needed(expression: str) -> tuple[str, ...]:
    """Words that stand in whatever an expression matches, as far as that is plain: they say where to look at all."""
    return tuple(sorted(dict.fromkeys(_runs(parser.parse(expression)))))


def _runs(sequence: Iterable[tuple[Any, Any]]) -> Iterator[str]:
    """Give the words that a part of an expression cannot do without, those one behind another together."""
    run = ""
    for kind, told in sequence:
        character = chr(told) if kind is parser.LITERAL else ""
        if character and character == character.lower() == character.upper() and is_word(character):
            run += character
            continue
        if run:
            yield run
        run = ""
        repeats = kind in {parser.MAX_REPEAT, parser.MIN_REPEAT, parser.POSSESSIVE_REPEAT}
        if kind is parser.SUBPATTERN or (repeats and told[0] > 0):
            yield from _runs(told[-1])
    if run:
        yield run


def _error(code: str, cause: str) -> RiteError:
    return RiteError(Finding(code=code, cause=cause))
