"""Bundles as sources of a store: prepared, checked, searched, and written back."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import ragduck
from ragduck.exports.roslyn import export_roslyn

CHUNKS = "regular_code_bundle/chunks.json"
BODIES = "sql_code_bundle/docs/sql_bodies.jsonl"
ROWS = {
    "chunks": "select id, text, signature, node_key, file_type, data_type, source_file, start_line from documents",
    "nodes": "select node_key, role, source_file, start_line, end_line, project, is_external from nodes",
    "edges": "select from_key, to_key, relation, detail, source_file, line from edges",
}


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory, shop_and_fake: tuple[Any, Any]) -> dict[str, Path]:
    """Both bundles in one store, the first written back and prepared again."""
    folder = tmp_path_factory.mktemp("bundles")
    shop, fake = shop_and_fake
    given = shop.zipped(folder / "given/develop.zip")
    other = fake.zipped(folder / "given/Release_FAKE_4.60.zip", top="Release_FAKE_4.60/")
    ragduck.prepare([given, other], folder / "first.duckdb", embed_model=None)
    export_roslyn(folder / "first.duckdb", folder / "develop.zip", repo="shop")
    ragduck.prepare(folder / "develop.zip", folder / "second.duckdb", embed_model=None)
    return {
        "given": given,
        "first": folder / "first.duckdb",
        "written": folder / "develop.zip",
        "second": folder / "second.duckdb",
    }


@pytest.fixture(scope="module")
def store(places: dict[str, Path]) -> Iterator[ragduck.Store]:
    """The store of both bundles."""
    with ragduck.open(places["first"]) as opened:
        yield opened


def rows_of(path: Path, name: str) -> set[tuple[Any, ...]]:
    with ragduck.open(path) as opened:
        return {tuple(row.values()) for row in opened.sql(f"{ROWS[name]} where repo = 'shop'")}


def test_store_of_bundles_passes_every_check(store: ragduck.Store) -> None:
    assert [result.name for result in store.check() if not result.passed] == []


def test_bundles_lie_side_by_side(store: ragduck.Store) -> None:
    found = store.sql("select repo, branch, commit_sha from snapshots order by repo")

    assert [tuple(row.values()) for row in found] == [
        ("Fake", "Release_FAKE_4.60", "efghf411"),
        ("shop", "develop", "abc123"),
    ]


def test_filter_for_database_code_finds_the_procedures(store: ragduck.Store) -> None:
    found = store.search("place order", mode="bm25", filters={"data_type": "db_code", "kind": "PROC"})

    assert [hit["id"] for hit in found.results] == ["sql:shop::dbo.Order_Place:part=0"]


def test_walk_leads_from_method_to_table(store: ragduck.Store) -> None:
    found = store.neighbourhood(["csharp:Shop.Services.OrderService.Place|METHOD"], depth=2, direction="out")

    assert "dbo.Customer|TABLE" in {node.node_key for node in found.nodes}


@pytest.mark.parametrize("name", ROWS)
def test_store_of_what_was_written_is_the_same(places: dict[str, Path], name: str) -> None:
    assert rows_of(places["second"], name) == rows_of(places["first"], name)


def files_of(path: Path) -> dict[str, str]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name).decode("utf-8-sig") for name in archive.namelist()}


def test_members_are_written_as_they_were_read(places: dict[str, Path]) -> None:
    same = (
        "Member",
        "Type",
        "Signature",
        "ProjectName",
        "BaseType",
        "ImplementedInterfaces",
        "Branch",
        "HeadSha",
    )
    given, written = (
        {
            (*(str(record[name]) for name in same), " ".join(record["Text"].split()))
            for record in json.loads(files_of(places[place])[CHUNKS])
        }
        for place in ("given", "written")
    )

    assert {record[2] for record in written - given} == {
        "Shop.Services.IOrderService.void IOrderService.Place()"
    }
    assert len(given) == len(written)


def test_calls_are_written_as_they_were_read(places: dict[str, Path]) -> None:
    def calls(place: str) -> set[tuple[str, str]]:
        files = files_of(places[place])
        names = {record["Id"]: record["Signature"] for record in json.loads(files[CHUNKS])}
        told = json.loads(files["regular_code_bundle/dependencies.json"])
        return {
            (names[int(caller)], names[called])
            for caller, targets in told.items()
            for called in targets
            if int(caller) in names and called in names
        }

    lost = calls("given") - calls("written")

    assert calls("written") <= calls("given")
    assert {(caller.split(".")[-1], called.split(".")[-1]) for caller, called in lost} == {
        ("Place(int id)", "Place()")  # overloads share a node, which does not call itself
    }


def test_bodies_are_written_as_they_were_read(places: dict[str, Path]) -> None:
    same = ("key", "kind", "name", "namespace", "typeFullName", "methodFullName", "bodyOrigin", "lineNumber",
            "schema", "createsTables", "addsColumns", "renamesColumns", "addsForeignKeys", "dropsTables")  # fmt: skip
    given, written = (
        [
            {name: record.get(name) for name in same} | {"body": record["body"].strip()}
            for record in map(json.loads, files_of(places[place])[BODIES].splitlines())
        ]
        for place in ("given", "written")
    )
    del given[-1]  # the second row of a join

    def key(record: dict[str, Any]) -> str:
        return str(record["key"])

    assert sorted(written, key=key) == sorted(given, key=key)


def test_graph_is_written_as_it_was_read_up_to_the_repairs(places: dict[str, Path]) -> None:
    def edges(place: str) -> set[tuple[str, ...]]:
        text = files_of(places[place])["sql_code_bundle/graph/edges.csv"]
        return {tuple(row[:3]) for row in csv.reader(io.StringIO(text))}

    assert edges("given") - edges("written") == {
        ("dbo.Customer|TABLE", "dbo.Customer|TABLE", "ForeignKey"),
        ("dbo.Order_Place|PROC", "dbo.Order|TABLE_OR_VIEW", "ReadsFrom"),
        ("dbo.Order_Place|PROC", "dbo.Customer|TABLE_OR_VIEW", "ReadsFrom"),
        ("csharp:Shop.Data.AddAudit|MIGRATION", "dbo.Audit|TABLE", "SchemaChange"),
        ("csharp:Shop.Services.OrderService.Load|METHOD", "dbo.Order|TABLE_OR_VIEW", "ReadsFrom"),
        ("csharp:Shop.Services.OrderService.Load|METHOD", "dbo.Customer|TABLE_OR_VIEW", "ReadsFrom"),
    }
    assert edges("written") - edges("given") == {
        ("dbo.Order_Place|PROC", "dbo.Customer|TABLE", "ReadsFrom"),
        ("csharp:Shop.Data.AddAudit|MIGRATION", "sales.Audit|TABLE", "SchemaChange"),
        ("csharp:Shop.Data.AddAudit|MIGRATION", "sales.Order|TABLE", "SchemaChange"),
        ("csharp:Shop.Services.OrderService.Load|METHOD", "dbo.Order|TABLE", "ReadsFrom"),
        ("csharp:Shop.Services.OrderService.Load|METHOD", "dbo.Customer|TABLE", "ReadsFrom"),
    }


def test_preparing_the_same_bundle_again_changes_nothing(places: dict[str, Path]) -> None:
    assert ragduck.prepare(places["written"], places["second"], embed_model=None).unchanged


def test_database_that_is_named_reaches_the_keys(tmp_path: Path, shop_and_fake: tuple[Any, Any]) -> None:
    bundle = shop_and_fake[0].zipped(tmp_path / "develop.zip")
    report = ragduck.prepare(bundle, tmp_path / "named.duckdb", embed_model=None, database="ShopDb")
    with ragduck.open(tmp_path / "named.duckdb") as opened:
        found = opened.sql("select distinct db_key from documents where kind = 'PROC'")

    assert found == [{"db_key": "ShopDb::dbo.Order_Place"}]
    assert not any("--database" in note for source in report.sources for note in source.notes)
