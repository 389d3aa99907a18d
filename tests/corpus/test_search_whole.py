"""Search over all sources and witnesses finds what a plain look at every text finds, whatever is asked."""

from __future__ import annotations

import random
from bisect import bisect_right
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from opencc import OpenCC

from yanli.corpus import search as search_module
from yanli.corpus import units as units_module
from yanli.corpus.folding import fold_search, is_word
from yanli.corpus.model import Layer
from yanli.corpus.reading import read_file
from yanli.corpus.search import Index, Query
from yanli.corpus.store import Store, pack
from yanli.corpus.units import LAYERS

SHARED = Path(__file__).resolve().parents[3] / "shared"
ASKED = 250
# The canon, and each remark, go on over whatever stands between their parts; what has no remark is not asked for here.
ALONE = (Layer.heading, Layer.sign, Layer.lemma)


class Stretch(NamedTuple):
    """Words that go together: whose and where they are, as found and folded, and the offset of each in its text."""

    layer: int
    name: str
    speaker: str | None
    words: str
    folded: str
    offsets: list[int]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Store, list[Stretch]]]:
    paths = sorted(SHARED.glob("*/*.txt"))
    if not paths:
        pytest.skip(f"{SHARED} is not here: this test needs the texts that the project was made from")
    stretches: list[Stretch] = []
    with Store.open(tmp_path_factory.mktemp("library") / "s") as store:
        for path in paths:
            data = path.read_bytes()
            text = read_file(data, path.name)
            store.add(pack(data, text))
            together: dict[tuple[int, str | None, int | None], list[int]] = {}
            for piece in text.pieces:
                if piece.layer is Layer.canon or (piece.remark is not None and piece.layer not in ALONE):
                    key = (LAYERS.index(piece.layer), piece.speaker, piece.remark)
                    own = together.setdefault(key, [])
                    own += [at for at in range(piece.start, piece.end) if is_word(text.text[at])]
            for (layer, speaker, _), offsets in together.items():
                words = "".join(text.text[at] for at in offsets)
                stretches.append(Stretch(layer, path.name, speaker, words, fold_search(words), offsets))
        yield store, [each for each in stretches if each.words]


def looked_up(
    stretches: list[Stretch], words: str, layers: tuple[Layer, ...], work: str, speaker: str | None
) -> list[tuple[str, int, int]]:
    """Where these words stand, in whatever shape: work, first offset and that behind the last, in no order."""
    wanted, numbers = fold_search(words), {LAYERS.index(layer) for layer in layers}
    found: list[tuple[str, int, int]] = []
    for each in stretches:
        if (
            (numbers and each.layer not in numbers)
            or (work and each.name != work)
            or (speaker and each.speaker != speaker)
        ):
            continue
        at = each.folded.find(wanted)
        while at >= 0:
            found.append((each.name, each.offsets[at], each.offsets[at + len(words) - 1] + 1))
            at = each.folded.find(wanted, at + 1)
    return sorted(found)


def questions(stretches: list[Stretch]) -> Iterator[tuple[str, tuple[Layer, ...], str, str | None]]:
    """Words of random places, some in simplified script, some mixed up; now of all, now of a layer, work or speaker."""
    chance = random.Random(20261201)  # noqa: S311 - nothing secret, only the same every time
    simplified = OpenCC("t2s").convert
    ends: list[int] = []
    for each in stretches:
        ends.append((ends[-1] if ends else 0) + len(each.words))
    for number in range(ASKED):
        each = stretches[bisect_right(ends, chance.randrange(ends[-1]))]
        at = chance.randrange(len(each.words))
        words = each.words[at : at + chance.choice((1, 2, 3, 4, 8, 13))]
        if number % 5 == 3:
            words = simplified(words)
        elif number % 5 == 4:
            words = "".join(chance.sample(words, len(words)))
        layers = (LAYERS[each.layer],) if number % 2 else ()
        yield words, layers, each.name if number % 3 == 1 else "", each.speaker if number % 7 == 2 else None


@pytest.mark.parametrize(("segment", "overlap"), [(16 << 20, 256), (4000, 40)])
def test_everything_is_found_and_nothing_else(
    library: tuple[Store, list[Stretch]], monkeypatch: pytest.MonkeyPatch, segment: int, overlap: int
) -> None:
    store, stretches = library
    monkeypatch.setattr(search_module, "SEGMENT", segment)
    monkeypatch.setattr(units_module, "OVERLAP", overlap)
    (search_module.folder_of(store) / "segments.json").unlink(missing_ok=True)
    plain = {layer for layer in Layer if layer not in ALONE}
    asked = 0
    with Index.open(store) as index:
        assert len(index.segments) == 1 if segment > 1_000_000 else len(index.segments) > 50
        for words, layers, work, speaker in questions(stretches):
            query = Query(
                words=words, layers=layers, works=(work,) if work else (), speaker=speaker, limit=100_000, context=0
            )
            hits = [
                hit
                for hit in index.search(query).hits
                if hit.layer in plain and (hit.layer is Layer.canon or hit.remark is not None)
            ]
            expected = looked_up(stretches, words, layers, work, speaker)
            assert sorted((hit.name, hit.start, hit.end) for hit in hits) == expected, words
            order = [(not hit.exact, LAYERS.index(hit.layer), hit.name) for hit in hits]
            assert order == sorted(order), words
            assert [hit.exact for hit in hits] == [hit.words == words for hit in hits]
            asked += bool(expected)
    assert asked > ASKED // 2
