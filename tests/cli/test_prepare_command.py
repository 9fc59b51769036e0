from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import ragduck
from ragduck.cli.arguments import byte_size


def test_summary_goes_to_stderr_with_the_next_command(invoke: Any, notes: Path, tmp_path: Path) -> None:
    store = tmp_path / "my store.duckdb"

    result = invoke("prepare", notes, "-o", store, "--embed-model", "none")

    assert result.exit_code == 0
    assert result.stdout == ""
    assert "1 file, 1 chunk, 0 edges, no vectors" in result.stderr
    assert result.stderr.splitlines()[-1] == f"next: ragduck search '{store}' \"your question\""


def test_summary_counts_skipped_files_by_reason(invoke: Any, notes: Path, tmp_path: Path) -> None:
    (notes / "a.bin").write_bytes(bytes(range(256)))

    result = invoke("prepare", notes, "-o", tmp_path / "new.duckdb", "--embed-model", "none")

    assert "skipped 1 file: 1 binary" in result.stderr


def test_summary_does_not_count_what_git_keeps_for_itself(invoke: Any, notes: Path, tmp_path: Path) -> None:
    (notes / ".git").write_text("gitdir: nowhere\n")

    result = invoke("prepare", notes, "-q", "-o", tmp_path / "new.duckdb", "--embed-model", "none", "--json")
    told = invoke("prepare", notes, "-o", tmp_path / "new.duckdb", "--embed-model", "none")

    assert [file["path"] for file in json.loads(result.stdout)["sources"][0]["skipped"]] == [".git"]
    assert "skipped" not in told.stderr


def test_info_counts_the_same_skipped_files(invoke: Any, notes: Path, tmp_path: Path) -> None:
    (notes / ".git").write_text("gitdir: nowhere\n")
    (notes / "a.bin").write_bytes(bytes(range(256)))
    invoke("prepare", notes, "-o", tmp_path / "new.duckdb", "--embed-model", "none")

    result = invoke("info", tmp_path / "new.duckdb", "--json")

    assert json.loads(result.stdout)["snapshots"][0]["skipped"] == 1


def test_json_report_lists_skipped_files(invoke: Any, notes: Path, tmp_path: Path) -> None:
    (notes / "large.md").write_text("# Large\n\n" + "text " * 1000)

    result = invoke(
        "prepare",
        notes,
        "-o",
        tmp_path / "new.duckdb",
        "--embed-model",
        "none",
        "--json",
        "--max-file-size",
        "1k",
    )

    report = json.loads(result.stdout)
    assert [file["path"] for file in report["sources"][0]["skipped"]] == ["large.md"]
    assert report["counts"]["files"] == 1


def test_quiet_says_nothing(invoke: Any, notes: Path, tmp_path: Path) -> None:
    result = invoke("prepare", notes, "-o", tmp_path / "new.duckdb", "--embed-model", "none", "--quiet")

    assert result.exit_code == 0
    assert result.output == ""


def test_include_and_exclude_choose_files(invoke: Any, notes: Path, tmp_path: Path) -> None:
    (notes / "a.sql").write_text("create table a (b int);\n")
    (notes / "b.sql").write_text("create table b (c int);\n")
    store = tmp_path / "new.duckdb"

    invoke("prepare", notes, "-o", store, "--embed-model", "none", "--include", "*.sql", "--exclude", "b.*")

    with ragduck.open(store) as opened:
        assert opened.sql("select file_path from source_documents") == [{"file_path": "a.sql"}]


def test_repository_branch_and_database_can_be_named(invoke: Any, notes: Path, tmp_path: Path) -> None:
    (notes / "a.sql").write_text("create table dbo.a (b int);\n")
    store = tmp_path / "new.duckdb"

    invoke(
        "prepare", notes, "-o", store, "--embed-model", "none",
        "--repo", "sales", "--branch", "next", "--database", "SalesDb",
    )  # fmt: skip

    with ragduck.open(store) as opened:
        rows = opened.sql("select repo, branch, db_key from documents where kind = 'TABLE'")
    assert rows == [{"repo": "sales", "branch": "next", "db_key": "SalesDb::dbo.a"}]


def test_second_folder_is_added_to_the_store(
    invoke: Any, notes: Path, notes_store: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "b.md").write_text("# Garden\n\nTomatoes.\n")

    invoke("prepare", other, "-o", notes_store)

    with ragduck.open(notes_store) as opened:
        assert [snapshot.repo for snapshot in opened.snapshots()] == ["notes", "other"]


@pytest.mark.parametrize(
    ("text", "size"), [("500", 500), ("500k", 500_000), ("2MB", 2_000_000), ("1 g", 10**9)]
)
def test_sizes_are_read_as_people_write_them(text: str, size: int) -> None:
    assert byte_size(text) == size
