"""The card by which shooting is judged (五物): to print, and to write on in the field.

Comes in: the table of the five things. Goes out: text, in Chinese and English, with a box for each archer and thing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from yanli.render.columns import table, wrap
from yanli.tables.load import find_table, sources

if TYPE_CHECKING:
    from yanli.tables.model import Cell, Table

TABLE = "five-things"
MEANS, PLACE = "義", "次"
PAGE = 100
BOX = "□"
LINES = 12


def judging_data() -> dict[str, Any]:
    """The five things in their order: name, English, and what each scholar says that it means, with his words."""
    found = find_table(TABLE)
    return {
        "title": {"zh": found.zh, "en": found.en},
        "things": [
            {"thing": row, "en": found.say(row), "means": [_said(found, cell) for cell in _means(cells[MEANS])]}
            for row, cells in found.rows.items()
        ],
    }


def _means(cell: Cell) -> list[tuple[str, str, str, str, str]]:
    """By whom, what, in English, in which words, where."""
    told = [(cell.by, cell.is_, cell.en, cell.words, cell.source)]
    return told + [(each.by, each.is_, each.en, each.words, each.source) for each in cell.readings]


def _said(found: Table, told: tuple[str, str, str, str, str]) -> dict[str, str]:
    by, value, english, said, source = told
    where = sources()[source].zh if source in sources() else source
    return {"by": by, "by_en": found.say(by), "is": value, "en": english, "words": said, "source": where}


def judging_card(lines: int = LINES) -> str:
    """The card: the five things with what they mean, and so many lines on which archers are written and marked."""
    found = judging_data()
    out = [
        f"{found['title']['zh']} · {found['title']['en']}",
        "",
        "日 date ____________　所 place ____________　詢者 judge ____________",
        "",
    ]
    for number, each in enumerate(found["things"], 1):
        out.append(f"{number}　{each['thing']}　{each['en']}")
        for told in each["means"]:
            text = f"{told['by']} {told['by_en']}：{told['is']}　{told['en']}"
            out += [f"    {line}" for line in wrap(text, PAGE - 4)]
    rows = [("射者 archer", *(each["thing"] for each in found["things"]))]
    rows += [("_" * 24, *(BOX for _ in found["things"])) for _ in range(lines)]
    return "\n".join([*out, "", *table(rows), ""])
