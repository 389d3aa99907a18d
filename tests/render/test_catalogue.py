"""The rites, their disputes, general statements and variants."""

from pathlib import Path

import pytest

from yanli.corpus.variants import rite_variants
from yanli.errors import RiteError
from yanli.notation.rite import load_rite
from yanli.render.catalogue import (
    catalogue,
    catalogue_text,
    cruxes_of,
    cruxes_text,
    is_covered,
    rules_of,
    rules_text,
    variants_of,
    variants_text,
)

RITE = "xiangshe"


def test_the_rites_add_up() -> None:
    found = catalogue()
    assert RITE in {rite.slug for rite in found}
    for rite in found:
        assert rite.fault is None
        assert sum(section.clauses for section in rite.sections) == rite.clauses
        assert sum(section.characters for section in rite.sections) == rite.characters
        assert 0 <= rite.coverage <= 1
        assert rite.name in catalogue_text(found)


def test_a_bare_remark_covers_nothing(tmp_path: Path) -> None:
    path = tmp_path / "bare.pu"
    path.write_text("## 甲 · one\n\n主人戒賓\n    ※ 無事\n無介\n    註 例 無介\n", encoding="utf-8")
    assert [is_covered(clause) for clause in load_rite(path).clauses] == [False, True]


def test_cruxes(small: Path) -> None:
    (crux,) = cruxes_of(str(small))
    assert (crux.name, crux.question) == ("面", "此問：所面")
    assert [(reading.names, reading.default) for reading in crux.readings] == [(["鄭玄"], True), (["敖繼公"], False)]
    assert crux.readings[1].lines == ["主人 立 洗南 東面"]
    assert [(place.clause, place.text) for place in crux.places] == [("small.1.1", "主人坐取爵于洗南")]


def test_every_crux_of_the_rite_is_listed_with_every_place() -> None:
    rite = load_rite(RITE)
    found = cruxes_of(RITE)
    assert [crux.name for crux in found] == list(rite.cruxes)
    for crux in found:
        assert len(crux.places) == len(rite.cruxes[crux.name].sites)
        assert sum(reading.default for reading in crux.readings) == 1, crux.name
    text = cruxes_text(found)
    assert all(f"\n{crux.name}\n" in text for crux in found)


def test_rules(small: Path) -> None:
    (rule,) = rules_of(str(small))
    assert (rule.name, rule.checked, rule.places[0].text) == ("無介", False, "無介")
    assert "無介" in rules_text([rule])


def test_variants_on_record_stand_where_their_words_stand() -> None:
    known = rite_variants(RITE)
    found = variants_of(RITE)
    assert len(found.variants) + len(found.lost) == len(known.variants)
    assert sum(found.graphic.values()) == sum(shape.count for shape in known.shapes)
    for each in found.variants:
        assert each.places
        if each.words and len(each.words) < 3:
            assert all(each.words[0] in (place.text or "") for place in each.places), each.context
    assert all(leaf.first.clause and leaf.last.clause and leaf.characters for leaf in found.lost)
    assert "佚葉" in variants_text(found)


def test_a_live_collation_finds_what_is_on_record(shared: Path) -> None:
    witness = rite_variants(RITE).witnesses[0]
    path = shared / "witnesses" / witness.file
    if not path.is_file():
        pytest.skip(f"needs {witness.file}")
    live, record = variants_of(RITE, path), variants_of(RITE)
    ours = [each for each in record.variants if witness.siglum in each.witnesses and each.kind in "異文脫衍倒"]
    assert sum(len(each.places) for each in ours) == len(live.variants)
    assert live.graphic[witness.siglum] == record.graphic[witness.siglum]
    assert [leaf.pages for leaf in live.lost] == [
        leaf.pages for leaf in record.lost if witness.siglum in leaf.witnesses
    ]


def test_a_file_that_is_no_witness(tmp_path: Path) -> None:
    path = tmp_path / "other.txt"
    path.write_text("道可道非常道", encoding="utf-8")
    with pytest.raises(RiteError):
        variants_of(RITE, path)
    with pytest.raises(RiteError):
        variants_of(RITE, tmp_path / "absent.txt")
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(RiteError):
        variants_of(RITE, path)


def test_a_rite_without_variants(small: Path) -> None:
    with pytest.raises(RiteError):
        variants_of(str(small))
