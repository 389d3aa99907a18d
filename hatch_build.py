"""What is shipped has its page: no wheel and no archive of sources is made before `make web` has built that.

Comes in: the tree that is being built. An install for developing (`pip install -e .`) stays possible without the page,
since everything but the stage works without it. Errors: the build ends with a message naming `make web`.
"""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

WEB = "src/yanli/web"
# Each is written last of its folder, so where it is, the folder is whole.
BUILT = ("vendor/importmap.json", "fonts/fonts.json", "lean/lean.json")
EDITABLE = "editable"


class PageHook(BuildHookInterface[Any]):
    """Looks whether the page was built."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - hatch gives it
        """End the build, unless the page is there or the install is for developing (``version`` is "editable")."""
        lost = [name for name in BUILT if not (Path(self.root) / WEB / name).is_file()]
        if lost and version != EDITABLE:
            self.app.abort(
                "The page of the stage is not built, and without it `yanli serve` and `yanli stage` show nothing: "
                f"{', '.join(lost)} not found in {WEB}. Run `make web` first, then build again. "
                "演臺之頁未造，請先行 `make web`。"
            )
