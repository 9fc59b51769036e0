"""`ragduck export parquet`, `graphml` and `graph-csv` write, tell what they wrote, and explain refusals."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ragduck.cli.export import export
from ragduck.errors import UsageError


def run(*arguments: object) -> Result:
    return CliRunner().invoke(export, [str(argument) for argument in arguments])


def test_parquet_tells_tables_rows_and_notes(shop_store: Path, tmp_path: Path) -> None:
    done = run("parquet", shop_store, tmp_path / "out")

    assert done.exit_code == 0
    assert done.stdout == ""
    assert "18 tables, " in done.stderr
    assert "note: conversations and traces are left out; --history takes them along" in done.stderr


def test_parquet_reports_as_json(teams_store: Path, tmp_path: Path) -> None:
    done = run("parquet", teams_store, tmp_path / "out", "--repo", "billing", "--json", "-q")

    report = json.loads(done.stdout)
    assert done.stderr == ""
    assert report["tables"]["nodes"] == 2
    assert report["rows"] == sum(report["tables"].values())


def test_parquet_takes_history_along(teams_store: Path, tmp_path: Path) -> None:
    run("parquet", teams_store, tmp_path / "out", "--history")

    assert (tmp_path / "out" / "turns" / "part-0.parquet").is_file()


def test_graphml_tells_nodes_and_edges(teams_store: Path, tmp_path: Path) -> None:
    done = run("graphml", teams_store, tmp_path / "g.graphml", "--branch", "main", "--branch", "2024")

    assert done.exit_code == 0
    assert "20 nodes, 11 edges, " in done.stderr


def test_graph_csv_reports_as_json(teams_store: Path, tmp_path: Path) -> None:
    done = run("graph-csv", teams_store, tmp_path / "g", "--repo", "shop", "--branch", "main", "--json")

    report = json.loads(done.stdout)
    assert (report["nodes"], report["edges"], report["merged_edges"]) == (9, 4, 1)
    assert "1 more merged into equal rows" in done.stderr


@pytest.mark.parametrize("form", ["parquet", "graphml", "graph-csv"])
def test_an_unknown_branch_is_a_usage_error(teams_store: Path, tmp_path: Path, form: str) -> None:
    done = run(form, teams_store, tmp_path / "out", "--branch", "mian")

    assert isinstance(done.exception, UsageError)
    assert not list(tmp_path.iterdir())
