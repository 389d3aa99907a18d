"""One answer, made in a process of its own that may not grow or last beyond its bounds.

Comes in: a ``Wish`` and the limits. Goes out: a ``Reply``: an HTTP status and finished bytes, whether it could be had
or not. Nothing here is known to the process that talks with browsers, so that whatever happens here does not harm it.
"""

from __future__ import annotations

import gc
import gzip
import sys
import traceback
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from yanli.errors import YanliError
from yanli.notation.rite import Rite, load_rite
from yanli.server.faults import BROKEN, LARGE, Refused, explained, refused
from yanli.server.limits import MEBIBYTE, Limits
from yanli.server.questions import Choosing, Wish

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.connection import Connection

    from yanli.performance.perform import Performance

# Between the least and the most that gzip can do: the most takes three times as long for a hundredth less.
LEVEL = 6
# Rites that were loaded before the process was made, by slug.
READY: dict[str, Rite] = {}


class Reply(msgspec.Struct, frozen=True, kw_only=True):
    """An HTTP status and the body, JSON under gzip."""

    status: int
    body: bytes


def serve_one(pipe: Connection, wish: bytes, limits: Limits) -> None:
    """Answer and be gone: the whole life of a child process. It keeps the bounds that its system can keep."""
    import signal

    # Ctrl-C goes to all processes of a terminal; it is the server that ends its children.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.set_threshold(200_000, 20, 100)
    free = _bound(limits)
    try:
        reply = make_reply(msgspec.msgpack.decode(wish, type=Wish), limits)
    except MemoryError:
        free()
        cause = f"所問過大 this takes more memory than {limits.memory} MiB"
        reply = _reply(refused(LARGE, "too-large", cause, known=f"{limits.memory} MiB"))
    pipe.send_bytes(msgspec.msgpack.encode(reply))
    pipe.close()


def make_reply(wish: Wish, limits: Limits) -> Reply:
    """Answer. Whatever Yanli can explain is told; what it cannot is written to the log and told without its inside."""
    try:
        content = ANSWERS[wish.kind](wish, limits)
        if len(content) > limits.answer * MEBIBYTE:
            cause = f"所答過大 the answer is longer than {limits.answer} MiB; ask for less"
            return _reply(refused(LARGE, "too-large", cause, known=f"{limits.answer} MiB"))
        return Reply(status=200, body=gzip.compress(content, LEVEL, mtime=0))
    except Refused as fault:
        return _reply(fault)
    except YanliError as fault:
        return _reply(explained(fault, _places(wish)))
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001 - a slip of ours must not look like one of the reader's, nor show our inside
        traceback.print_exc(file=sys.stderr)
        return _reply(refused(BROKEN, "broken", "演禮自誤 Yanli failed; its log tells more"))


def _reply(fault: Refused) -> Reply:
    return Reply(status=fault.status, body=gzip.compress(fault.body(), LEVEL, mtime=0))


def _places(wish: Wish) -> tuple[Path, ...]:
    from importlib.resources import files

    root = Path(str(files("yanli").joinpath("rites")))
    corpus = str(Path(wish.corpus).parent) if wish.corpus else ""
    return (*(Path(place) for place in (wish.folder, corpus) if place), root)


def _bound(limits: Limits) -> Callable[[], None]:
    """Bound memory and time of this process; goes out: what lifts that of memory again."""
    try:
        import resource
    except ImportError:  # where there is none, the server's clock alone ends a process
        return lambda: None
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    wanted = limits.memory * MEBIBYTE
    if most == resource.RLIM_INFINITY or wanted < most:
        resource.setrlimit(resource.RLIMIT_AS, (wanted, most))
    # Should the server die, nobody looks at the clock any more.
    seconds = int(limits.seconds) + 2
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    return lambda: resource.setrlimit(resource.RLIMIT_AS, (most, most))


# ── the answers ─────────────────────────────────────────────────────────────────────────────────────────────────────


def load(wish: Wish) -> Rite:
    """The rite that is asked for."""
    if wish.folder:
        return load_rite(Path(wish.folder))
    return READY.get(wish.rite) or load_rite(wish.rite)


def played(rite: Rite, choosing: Choosing, limits: Limits) -> Performance:
    """Play a rite, if no more people are asked for than is allowed. Raises Refused, and YanliError."""
    from yanli.performance.perform import perform
    from yanli.performance.stage import open_stage
    from yanli.rehearsal import fates_for, scenario_for

    scenario = scenario_for(rite, sets=choosing.sets, readings=choosing.readings, school=choosing.school)
    stage = open_stage(rite, scenario)
    people = len(stage.cast.persons)
    if people > limits.people:
        cause = f"人數過多 too many people: {people} in this scenario; this server plays with at most {limits.people}"
        raise refused(LARGE, "too-many-people", cause, known=str(limits.people))
    return perform(stage, fates_for(stage, scenario))


def _rites(wish: Wish, limits: Limits) -> bytes:
    del limits
    from yanli.render.catalogue import catalogue

    return msgspec.json.encode(catalogue(*([Path(wish.folder)] if wish.folder else [])))


def _stage(wish: Wish, limits: Limits) -> bytes:
    from yanli.render.staging import stage_json

    return stage_json(played(load(wish), wish.choosing, limits))


def _difference(wish: Wish, limits: Limits) -> bytes:
    from yanli.render.difference import difference

    rite = load(wish)
    one, other = (played(rite, choosing, limits) for choosing in (wish.choosing, wish.against or Choosing()))
    return msgspec.json.encode(difference(one, other))


def _events(wish: Wish, limits: Limits) -> bytes:
    performance = played(load(wish), wish.choosing, limits)
    events = performance.chosen(wish.first, wish.last, wish.actor)
    return msgspec.json.encode([performance.data(event) for event in events])


def _state(wish: Wish, limits: Limits) -> bytes:
    performance = played(load(wish), wish.choosing, limits)
    return msgspec.json.encode(performance.state(wish.after or "", wish.nth))


def _why(wish: Wish, limits: Limits) -> bytes:
    from yanli.render.why import why_event

    found = why_event(played(load(wish), wish.choosing, limits), wish.event)
    if found.file is not None:
        # Of a score of somebody's own the name is told, not where on this machine it lies.
        found = msgspec.structs.replace(found, file="/".join(Path(found.file).parts[-2:]))
    return msgspec.json.encode(found)


def _notes(wish: Wish, limits: Limits) -> bytes:
    del limits
    from yanli.corpus.store import Store
    from yanli.notation.rite import find_words
    from yanli.render.staging_notes import notes_json

    rite = load(wish)
    clauses = None if wish.clause is None else find_words(rite, wish.clause, wish.nth)
    with Store.open(Path(wish.corpus), make=False) as store:
        return notes_json(rite, store, clauses)


ANSWERS: dict[str, Callable[[Wish, Limits], bytes]] = {
    "rites": _rites,
    "stage": _stage,
    "difference": _difference,
    "events": _events,
    "state": _state,
    "why": _why,
    "notes": _notes,
}


def make_ready() -> None:
    """Load what every answer needs, once, in the process from which the others are made."""
    from yanli.lexicon import load_lexicon
    from yanli.notation.rite import list_rites

    for name in ("yanli.rehearsal", "yanli.render.staging", "yanli.render.difference", "yanli.render.why"):
        __import__(name)
    load_lexicon()
    for head in list_rites():
        try:
            READY[head.slug] = load_rite(head.slug)
        except YanliError:
            # Who asks for it will be told.
            continue
    gc.collect()
    gc.freeze()
