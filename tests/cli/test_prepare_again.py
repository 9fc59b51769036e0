"""`ragduck prepare` on a store that is there: what was parsed, waiting, no cache."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def cached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAGDUCK_CACHE_DIR", str(tmp_path / "cache"))


@pytest.mark.parametrize(("option", "parsed"), [((), 1), (("--no-cache",), 2)])
def test_the_report_counts_files_that_were_parsed_anew(
    invoke: Any, cached: None, notes: Path, tmp_path: Path, option: tuple[str, ...], parsed: int
) -> None:
    arguments = ("prepare", notes, "-o", tmp_path / "s.duckdb", "--embed-model", "none", "--json", "--wait")
    invoke(*arguments)
    (notes / "new.md").write_text("# New\n\nwords\n", encoding="utf-8")

    result = invoke(*arguments, *option)

    assert json.loads(result.stdout)["parsed"] == parsed
    assert f"2 files, 2 chunks, {parsed} parsed anew" in result.stderr


@pytest.mark.parametrize("value", ["soon", "nan"])
def test_a_time_to_wait_that_is_none_is_refused(invoke: Any, notes: Path, value: str) -> None:
    result = invoke("prepare", notes, "-o", "s.duckdb", f"--wait={value}")

    assert result.exit_code != 0
    assert "is no number of seconds" in str(result.exception) + result.output


def test_what_was_woken_for_it_ends_with_a_run_that_fails(
    invoke: Any, notes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ends: list[str] = []
    monkeypatch.setattr("ragduck.preparation.processes.end_processes", lambda: ends.append("woken"))
    arguments = ("-o", tmp_path / "s.duckdb", "--embed-model", "none")
    assert invoke("prepare", notes, *arguments).exit_code == 0
    assert ends == []

    assert invoke("prepare", tmp_path / "nowhere", *arguments).exit_code == 1

    assert ends == ["woken"]


def test_the_report_of_a_run_that_changes_nothing_tells_what_the_store_holds(
    invoke: Any, tmp_path: Path
) -> None:
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "a.sql").write_text("create proc dbo.Tell as select Id from dbo.Parcel;\n")
    (tmp_path / "shop" / "b.md").write_text("# Notes\n\nwords\n")
    (tmp_path / "shop" / "c.bin").write_bytes(b"\0\1\2")
    arguments = ("prepare", tmp_path / "shop", "-o", tmp_path / "s.duckdb", "--embed-model", "none", "--json")
    first = json.loads(invoke(*arguments).stdout)

    again = json.loads(invoke(*arguments).stdout)

    assert again["unchanged"]
    assert again["sources"] == [{**first["sources"][0], "parsed": 0}]
    assert again["sources"][0]["undefined_objects"] == 1


def test_problems_that_only_an_earlier_run_saw_are_null(invoke: Any, tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "A.cs").write_text("class A { void B( { } }\n")
    arguments = ("prepare", tmp_path / "shop", "-o", tmp_path / "s.duckdb", "--embed-model", "none", "--json")
    first = json.loads(invoke(*arguments).stdout)

    again = json.loads(invoke(*arguments).stdout)

    assert first["sources"][0]["problems"]
    assert again["sources"][0]["problems"] is None
