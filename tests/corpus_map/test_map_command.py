"""`ragduck map` as people type it, where no extra is needed: few points, or a map that is stored already."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import ragduck
from ragduck.cli.commands import ragduck as command

FEW = ("--sample", "9")


def run(*arguments: object) -> Result:
    return CliRunner().invoke(command, ["map", *map(str, arguments)])


def test_map_is_stored_and_drawn(own_store: Path) -> None:
    result = run(own_store, *FEW)

    with ragduck.open(own_store) as store:
        points = store.sql("select count(*) as n from map_points")[0]["n"]
    assert result.exit_code == 0
    assert points == 9
    assert own_store.with_name("notes.map.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    assert "9 chunks, principal components" in result.stderr
    assert "left out by --sample" in result.stderr


def test_json_tells_what_was_made(own_store: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"

    result = run(own_store, *FEW, "--level", "file", "-o", page, "--quiet", "--json")

    told = json.loads(result.stdout)
    assert result.stderr == ""
    assert (told["level"], told["points"], told["page"]) == ("file", 9, str(page))
    assert told["page_bytes"] == page.stat().st_size
    assert told["links"] == {"file": 6}


def test_stored_map_is_drawn_without_the_extra(
    own_store: Path, give_map: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    give_map(own_store)
    monkeypatch.setitem(sys.modules, "umap", None)
    before = own_store.read_bytes()

    result = run(own_store, "--json", "--quiet")

    assert json.loads(result.stdout)["stored_already"]
    assert own_store.read_bytes() == before


def test_other_settings_make_another_map(own_store: Path) -> None:
    run(own_store, *FEW)

    result = run(own_store, *FEW, "--no-links", "--json", "--quiet")

    told = json.loads(result.stdout)
    assert not told["stored_already"]
    assert told["links"] == {}


def test_missing_extra_is_said_with_the_command_that_brings_it(
    own_store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "umap", None)

    result = CliRunner().invoke(command, ["map", str(own_store)], standalone_mode=False)

    assert result.exception is not None
    assert getattr(result.exception, "hint", "") == 'in the folder of ragduck: pip install -e ".[map]"'


@pytest.mark.parametrize(
    ("arguments", "message", "code"),
    [
        (("--repo", "other"), "the store holds no repository 'other'", 2),
        (("--branch", "other"), "the store holds no branch 'other'", 2),
        (("--n-neighbors", "1"), "--n-neighbors is 1, not 2 to 200", 2),
        (("--level", "word"), "Invalid value for '--level'", 2),
        (("-o", "no/such/folder/x.html"), "there is no folder", 2),
    ],
)
def test_wrong_argument_is_refused_in_two_lines(
    shop_store: Path, arguments: tuple[str, ...], message: str, code: int
) -> None:
    result = run(shop_store, *arguments)

    assert result.exit_code == code
    assert message in result.stderr
    assert "hint: " in result.stderr


def test_store_is_never_replaced_by_the_page(own_store: Path) -> None:
    result = run(own_store, *FEW, "-o", own_store)

    assert result.exit_code == 2
    assert "is a database: -o would replace it" in result.stderr


def test_store_without_vectors_is_told_how_to_get_them(tmp_path: Path) -> None:
    source = tmp_path / "notes"
    source.mkdir()
    (source / "a.md").write_text("# A\n")
    ragduck.prepare(source, tmp_path / "n.duckdb", embed_model=None)

    result = run(tmp_path / "n.duckdb")

    assert result.exit_code == 1
    assert "has no vectors" in result.stderr
    assert "--model static" in result.stderr


def test_link_to_a_store_stays_a_link(own_store: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.duckdb"
    link.symlink_to(own_store)

    result = run(link, *FEW, "-o", tmp_path / "x.html")

    assert result.exit_code == 0
    assert link.is_symlink()
