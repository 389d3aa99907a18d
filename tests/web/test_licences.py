"""What is shipped says under which licences, and has their words."""

import email
import tarfile
import tomllib
from pathlib import Path

from hatchling.builders.sdist import SdistBuilder

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
SCHEMA = "tests/corpus/schema"


def test_the_schema_of_the_tests_has_its_licence_where_licences_are_listed() -> None:
    beside = (ROOT / SCHEMA / "LICENSE").read_text(encoding="utf-8")
    listed = (ROOT / "LICENSES" / "BSD-2-Clause.txt").read_text(encoding="utf-8")
    terms = beside[beside.index("Copyright 2021 TEI Consortium") :]
    assert "Redistributions of source code must retain" in terms
    assert listed.endswith(terms)
    assert "BSD-2-Clause" in PROJECT["license"].split(" AND ")


def test_the_archive_of_sources_has_the_schema_and_its_licence(tmp_path: Path, vendor: Path, lean: Path) -> None:
    # The archive is made of what `make web` has built too.
    assert vendor.is_dir()
    assert lean.is_dir()
    (path,) = SdistBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"])
    with tarfile.open(path) as opened:
        names = {name.split("/", 1)[1] for name in opened.getnames()}
        held = opened.extractfile(f"{path.removesuffix('.tar.gz').rsplit('/', 1)[1]}/PKG-INFO")
        assert held is not None
        told = email.message_from_bytes(held.read())
    assert {f"{SCHEMA}/tei_all.rng.xz", f"{SCHEMA}/LICENSE", "LICENSES/BSD-2-Clause.txt"} <= names
    assert told["License-Expression"] == PROJECT["license"]
    assert {"LICENSES/BSD-2-Clause.txt", "LICENSE"} <= set(told.get_all("License-File") or ())
