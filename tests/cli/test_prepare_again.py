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
