"""The command that reckons and draws a target: target."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from yanli.cli.options import Json, Output, to_json, write

if TYPE_CHECKING:
    from fractions import Fraction

DRAWN = ".svg"


def target(
    *,
    range_: Annotated[
        str | None,
        typer.Option("--range", metavar="LENGTH", help="The range, as 50弓, 七十弓, 300尺, 30米; else 50弓."),
    ] = None,
    kind: Annotated[
        str | None, typer.Option("--kind", metavar="KIND", help="皮侯, 采侯 or 獸侯; else plain cloth.")
    ] = None,
    rank: Annotated[
        str | None,
        typer.Option("--rank", metavar="RANK", help="Whose, with --kind: 天子, 諸侯, 大夫 or 士; else the first."),
    ] = None,
    domain: Annotated[
        str | None, typer.Option("--domain", metavar="DOMAIN", help="Where it makes a difference: 畿內 or 畿外.")
    ] = None,
    three: Annotated[
        bool, typer.Option("--three", help="The three targets that hang one by another, with their heights.")
    ] = False,
    chi: Annotated[
        str, typer.Option("--chi", metavar="CHI", help="How long the 尺 is: 周尺, 漢尺 … or metres, as 0.231米.")
    ] = "周尺",
    metres: Annotated[bool, typer.Option("--metres", help="Metres first in the drawing, 尺 below.")] = False,
    english: Annotated[bool, typer.Option("--en", help="The drawing in English.")] = False,
    json_: Json = False,
    output: Output = None,
) -> None:
    """Reckon a target from its range; with -o FILE.svg draw it to scale, every measure at its line.

    Examples: yanli target --range 50弓; yanli target --range 30米 --kind 獸侯 --rank 士 -o target.svg;
    yanli target --three --en -o three.svg
    """
    from yanli.errors import Finding, ScenarioError
    from yanli.render.target import Asked, target_svg
    from yanli.render.target_sheet import Measures
    from yanli.render.target_text import target_data, target_text, three_data, three_text
    from yanli.render.target_three import three_svg
    from yanli.venue.exact import read_range
    from yanli.venue.target import find_faces, hang, target_measures, usual_range

    length = _chi(chi)
    drawn = output is not None and output.suffix.lower() == DRAWN and not json_
    if three:
        told_with = (("--range", range_), ("--kind", kind), ("--rank", rank), ("--domain", domain))
        given = [name for name, value in told_with if value is not None]
        if given:
            cause = f"--three takes no {given[0]}: the words give the three targets their ranges (大侯九十參七十干五十)"
            raise ScenarioError(Finding(code="not-together", cause=cause))
        heights, told = hang(), Measures(length, english, metres)
        if drawn:
            write(three_svg(heights, told), output)
        else:
            write(to_json(three_data(heights)) if json_ else three_text(heights, told), output)
        return
    if kind is None and (rank is not None or domain is not None):
        cause = "--rank and --domain tell whose target of a kind: --kind 皮侯, 采侯 or 獸侯 is expected too"
        raise ScenarioError(
            Finding(code="not-together", cause=cause, nearest=("--kind 皮侯", "--kind 采侯", "--kind 獸侯"))
        )
    distance, modern = read_range(range_, length) if range_ is not None else (usual_range(), False)
    found = find_faces(kind, rank, domain, distance) if kind is not None else ()
    asked = Asked(
        measures=target_measures(distance),
        face=found[0] if found else None,
        told=Measures(length, english, modern or metres),
    )
    if drawn:
        write(target_svg(asked), output)
    elif json_:
        write(to_json(target_data(asked)), output)
    else:
        others = [face.row for face in found[1:] if face.range in {None, distance}]
        write(target_text(asked, others), output)


def _chi(words: str) -> Fraction:
    """How many metres one 尺 has, exactly; a named one by the table of buildings."""
    from fractions import Fraction

    from yanli.venue import read_chi
    from yanli.venue.target import chi_lengths

    return Fraction(str(read_chi(words, dict(chi_lengths()))))


COMMANDS = (target,)
