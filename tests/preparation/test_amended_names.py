"""Chunks of files that did not change lose their nodes, or get them back, in a store that is amended."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import duckdb
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import ragduck
from tests.preparation import test_amended_corners as corners
from tests.preparation.test_amended_corners import Same, prepared, put, was_amended

pytestmark = pytest.mark.skipif(duckdb.__version__.startswith("1."), reason="amends nothing")
cache, source, require_same = corners.cache, corners.source, corners.require_same
_small_ones_too = corners._small_ones_too

MADE = "create procedure dbo.{0} as\nbegin\n    select Id from dbo.Orders;\nend\nGO\n"
ADDED, DROPPED = "Migrator/DbScripts/2020-01-01_Orders.sql", "Migrator/DbScripts/2020-01-02_Orders.sql"
SCRIPTS = {
    ADDED: "create table dbo.Orders (Id int)\nGO\n" + MADE.format("Order_READ"),
    DROPPED: "drop procedure dbo.Order_Read\nGO\n",
    "Migrator/DbScripts/2020-01-03_Orders.sql": MADE.format("Order_Count"),
}
CALLS = """using Dapper;
namespace Shop;
public class Repository
{{
    public void Read(System.Data.SqlClient.SqlConnection connection)
    {{
        connection.Execute("[dbo].[{0}]", commandType: System.Data.CommandType.StoredProcedure);
    }}
}}
"""
MIGRATION = """using Microsoft.EntityFrameworkCore.Migrations;
namespace Shop;
public partial class Init{0}
{{
    protected override void Up(MigrationBuilder b) {{ b.Sql("drop table Orders"); }}
}}
"""
CONTEXT = """using Microsoft.EntityFrameworkCore;
namespace Shop;
public partial class Context{0}
{{
}}
"""
SETS = "namespace Shop;\npublic partial class Context\n{\n    public DbSet<Order> Orders { get; set; }\n}\n"
ORDER = "namespace Shop;\npublic class Order\n{\n    public int Id { get; set; }\n}\n"
Edit = Callable[[str], Mapping[str, str]]


def a_call(way: str) -> Mapping[str, str]:
    return {"Repository.cs": CALLS.format("Order_Read" if way == "named" else "Order_Count")}


def a_migration(way: str) -> Mapping[str, str]:
    return {"Init.cs": MIGRATION.format(" : Migration" if way == "named" else "")}


def a_context(way: str) -> Mapping[str, str]:
    return {"Context.cs": CONTEXT.format(" : DbContext" if way == "named" else "")}


def a_script(way: str) -> Mapping[str, str]:
    return {DROPPED: SCRIPTS[DROPPED] if way == "named" else "select 1\nGO\n"}


EDITS = (a_call, a_migration, a_context, a_script)
NAMED = {name: text for edit in EDITS for name, text in edit("named").items()}
OTHERS = {
    **SCRIPTS,
    "Init.Designer.cs": "namespace Shop;\npublic partial class Init\n{\n    public int Id { get; set; }\n}\n",
    "Sets.cs": SETS,
    "Order.cs": ORDER,
}


def chunks(store: Path, file: str) -> dict[str, str]:
    """Return by their names the nodes of the chunks of a file."""
    with ragduck.open(store) as opened:
        return {row["name"]: row["node_key"] for row in opened.sql(
            f"select name, node_key from documents where source_file = '{file}'"
        )}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("first", ["named", "unnamed"])
@pytest.mark.parametrize("edit", EDITS)
def test_chunks_lose_their_nodes_and_get_them_back(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, require_same: Same, edit: Edit, first: str
) -> None:
    put(source, NAMED | OTHERS | edit(first))
    store = prepared(source, tmp_path / "s.duckdb")
    ways = ("unnamed", "named") if first == "named" else ("named", "unnamed")

    for way in ways:
        put(source, edit(way))
        prepared(source, store)

        assert was_amended(store)
        require_same(store)
        monkeypatch.setattr("ragduck.store.amendable.SMALLEST", 0)


def test_a_dropped_procedure_has_a_node_while_code_names_it(source: Path, tmp_path: Path) -> None:
    put(source, SCRIPTS | a_call("named"))
    store = prepared(source, tmp_path / "s.duckdb")
    named = chunks(store, ADDED)

    put(source, a_call("unnamed"))
    prepared(source, store)
    unnamed = chunks(store, ADDED)
    put(source, a_call("named"))
    prepared(source, store)

    assert was_amended(store)
    assert named["Order_READ"] == "dbo.Order_Read|PROC"
    assert unnamed["Order_READ"] == f"file:{ADDED}|FILE"
    assert chunks(store, ADDED) == named


def test_chunks_whose_names_the_cache_lost_are_written_with_all(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, require_same: Same
) -> None:
    put(source, NAMED | OTHERS)
    store = prepared(source, tmp_path / "s.duckdb")
    put(source, a_call("unnamed"))
    monkeypatch.setattr("ragduck.preparation.reading.chunks_in_cache", lambda *_, **__: None)

    prepared(source, store)

    assert not was_amended(store)
    require_same(store)


@pytest.mark.slow
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(
    rounds=st.lists(
        st.lists(st.tuples(st.sampled_from(EDITS), st.sampled_from(("named", "unnamed"))), max_size=2),
        min_size=2,
        max_size=5,
    )
)
def test_whatever_is_named_the_rows_are_those_of_a_store_written_whole(
    source: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    require_same: Same,
    rounds: list[list[tuple[Edit, str]]],
) -> None:
    put(source, NAMED | OTHERS)
    store = prepared(source, tmp_path / "s.duckdb")
    for edits in rounds:
        for edit, way in edits:
            put(source, edit(way))
        prepared(source, store)

        require_same(store)
        monkeypatch.setattr("ragduck.store.amendable.SMALLEST", 0)
