"""Folders and bundles whose names are no text: prepared like others, named with marks in the place of such bytes."""

from __future__ import annotations

import json
import os
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

import ragduck

ODD = os.fsdecode(b"rel\xff")

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="names of files are text there")


@pytest.fixture(params=["folder", "bundle"])
def source(request: pytest.FixtureRequest, tmp_path: Path, bundle_of_one_table: bytes) -> Path:
    """A folder of one file, or a zip of one table."""
    if request.param == "folder":
        folder = tmp_path / ODD
        folder.mkdir()
        (folder / "a.md").write_text("# Orders\n")
        return folder
    file = tmp_path / f"{ODD}.zip"
    file.write_bytes(bundle_of_one_table)
    return file


@pytest.fixture
def bundle_of_one_table(tmp_path: Path) -> bytes:
    """A bundle as small as can be."""
    record: dict[str, Any] = {
        "key": "dbo.A|TABLE",
        "kind": "TABLE",
        "schema": "dbo",
        "name": "A",
        "file": "a.sql",
    }
    with zipfile.ZipFile(tmp_path / "made", "w") as archive:
        archive.writestr(
            "sql_code_bundle/docs/sql_bodies.jsonl",
            json.dumps(record | {"body": "CREATE TABLE dbo.A (Id INT)"}),
        )
    return (tmp_path / "made").read_bytes()


def test_name_that_is_no_text_is_marked_and_known_again(source: Path, tmp_path: Path) -> None:
    store = tmp_path / "a.duckdb"
    ragduck.prepare(source, store, embed_model=None)
    again = ragduck.prepare(source, store, embed_model=None)
    with ragduck.open(store) as opened:
        [snapshot] = opened.sql("select root from snapshots")

    assert snapshot["root"] == source.name.replace(ODD, "rel?")
    assert again.unchanged
