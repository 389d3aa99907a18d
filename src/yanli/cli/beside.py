"""The command that shows a clause with all its layers: show."""

from __future__ import annotations

from typing import Annotated

import typer

from yanli.cli.options import Json, Output, RiteName, to_json, write
from yanli.cli.stores import Db, store_beside, warn_of_unread


def show(
    rite: RiteName,
    *,
    clause: Annotated[str, typer.Option("--clause", metavar="WORDS", help="Words of the clause, or of several.")],
    nth: Annotated[int, typer.Option("--nth", metavar="N", min=1, help="Where words stand more than once.")] = 1,
    db: Db = None,
    acts: Annotated[bool, typer.Option("--acts/--no-acts", help="With the acts of the score.")] = True,
    json_: Json = False,
    output: Output = None,
) -> None:
    """Show a clause with all its layers: acts, variants, 鄭注, 賈疏, later commentators, each with work and place.

    Examples: yanli show 鄉射禮 --clause 主人坐取爵于上篚以降; yanli show 大射儀 --clause 公升 --json
    """
    from yanli.notation.rite import find_words, load_rite
    from yanli.render.beside import layers_of, layers_text

    loaded = load_rite(rite)
    touched = find_words(loaded, clause, nth)
    store = store_beside(db, loaded)
    try:
        warn_of_unread(store, loaded.slug)
        found = layers_of(loaded, touched, store)
    finally:
        if store is not None:
            store.close()
    write(to_json(found) if json_ else layers_text(found, acts=acts), output)


COMMANDS = (show,)
