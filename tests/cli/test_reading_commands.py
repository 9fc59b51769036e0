"""show, sql, info and check."""

from __future__ import annotations

import csv
import io
import json
import shutil
from pathlib import Path
from typing import Any

import duckdb
import pytest

import ragduck

README = Path(__file__).parents[1] / "data" / "shop" / "README.md"


@pytest.fixture
def broken_store(shop_store: Path, tmp_path: Path) -> Path:
    store = tmp_path / "broken.duckdb"
    shutil.copy(shop_store, store)
    with duckdb.connect(str(store)) as connection:
        connection.execute("delete from source_documents where file_path = 'README.md'")
    return store


def test_show_prints_the_lines_of_the_file(invoke: Any, shop_store: Path) -> None:
    result = invoke("show", shop_store, "README.md:1-4")

    assert result.stdout.splitlines() == README.read_text(encoding="utf-8").splitlines()[:4]
    assert "README.md:1-4" in result.stderr


def test_show_finds_an_object_by_its_node_key(invoke: Any, shop_store: Path) -> None:
    result = invoke("show", shop_store, "dbo.Invoice_Create|PROC", "--json")

    stretches = json.loads(result.stdout)
    assert [stretch["chunk_part"] for stretch in stretches] == [0, 1]
    assert "CREATE PROCEDURE [dbo].[Invoice_Create]" in stretches[0]["text"]


def test_sql_table_aligns_columns_and_counts_rows(invoke: Any, shop_store: Path) -> None:
    result = invoke("sql", shop_store, "select 'a' as name, 5 as n union all select 'bcd', 10 order by n")

    assert result.stdout.splitlines() == ["name   n", "────  ──", "a      5", "bcd   10"]
    assert result.stderr == "2 rows\n"


def test_sql_table_counts_wide_letters_as_two_columns(invoke: Any, shop_store: Path) -> None:
    result = invoke("sql", shop_store, "select '漢字' as t, 1 as n")

    assert result.stdout.splitlines()[2] == "漢字  1"


def test_sql_table_cuts_long_values_but_csv_does_not(invoke: Any, shop_store: Path) -> None:
    table = invoke("sql", shop_store, "select repeat('x', 500) as t")
    text = invoke("sql", shop_store, "select repeat('x', 500) as t", "--format", "csv")

    assert table.stdout.splitlines()[2] == "…" + "x" * 79
    assert text.stdout == "t\n" + "x" * 500 + "\n"


def test_sql_json_holds_every_type(invoke: Any, shop_store: Path) -> None:
    statement = """
        select 1.5 as number, 'nan'::double as nothing, date '2026-01-02' as day, [1, null] as list,
            map {1: 'x'} as map,            '\\xff'::blob as bytes, {'a': true} as record, 12345678901234567890 as big
    """

    result = invoke("sql", shop_store, statement, "--json")

    assert json.loads(result.stdout) == [
        {
            "number": 1.5,
            "nothing": None,
            "day": "2026-01-02",
            "list": [1, None],
            "map": {"1": "x"},
            "bytes": "ff",
            "record": {"a": True},
            "big": 12345678901234567890,
        }
    ]


def test_sql_csv_keeps_lines_and_quotes(invoke: Any, shop_store: Path) -> None:
    result = invoke("sql", shop_store, "select 'a\n\"b\",c' as t, [1, 2] as l", "--format", "csv")

    assert list(csv.reader(io.StringIO(result.stdout))) == [["t", "l"], ['a\n"b",c', "[1, 2]"]]


def test_sql_csv_without_rows_has_its_header(invoke: Any, shop_store: Path) -> None:
    result = invoke("sql", shop_store, "select id, kind from documents where false", "--format", "csv")

    assert result.stdout == "id,kind\n"


def test_sql_reads_the_statement_from_stdin(invoke: Any, shop_store: Path) -> None:
    result = invoke("sql", shop_store, "-", "--json", stdin="select 'zażółć' as t".encode())

    assert json.loads(result.stdout) == [{"t": "zażółć"}]


def test_sql_takes_a_statement_that_begins_with_a_comment(invoke: Any, shop_store: Path) -> None:
    result = invoke("sql", shop_store, "-- The answer.\nselect 42 as n", "--json")

    assert json.loads(result.stdout) == [{"n": 42}]


def test_sql_error_keeps_the_suggestion_of_the_engine(invoke: Any, shop_store: Path) -> None:
    result = invoke("sql", shop_store, "select * from documentz")

    assert "Did you mean" in result.stderr
    assert "LINE 1" not in result.stderr


def test_info_tells_what_the_file_is(invoke: Any, shop_store: Path) -> None:
    result = invoke("info", shop_store)

    for words in ("duckdb version", "hashing", "shop", "regular_code", "PROC", "bm25 k1"):
        assert words in result.stdout


def test_info_counts_agree_with_the_tables(invoke: Any, shop_store: Path) -> None:
    with ragduck.open(shop_store) as store:
        chunks = store.sql("select count(*) as n from documents")[0]["n"]

    facts = json.loads(invoke("info", shop_store, "--json").stdout)

    assert facts["totals"]["chunks"] == chunks
    assert sum(facts["chunks_by"]["data_type"].values()) == chunks
    assert facts["size_bytes"] == shop_store.stat().st_size
    assert facts["model"]["model"] == "hashing"
    assert [snapshot["repo"] for snapshot in facts["snapshots"]] == ["shop"]
    assert facts["snapshots"][0]["chunks"] == chunks
    assert {row["field"] for row in facts["search"]["fts_fields"]} == {"content", "parts", "name", "path"}


def test_check_finds_nothing_in_a_fresh_store(invoke: Any, shop_store: Path) -> None:
    result = invoke("check", shop_store)

    assert result.exit_code == 0
    assert result.stdout == ""
    assert result.stderr.endswith("nothing wrong\n")


def test_check_prints_what_is_wrong(invoke: Any, broken_store: Path) -> None:
    result = invoke("check", broken_store)

    assert result.exit_code == 1
    assert "orphan_chunks: " in result.stdout


def test_check_json_lists_every_check(invoke: Any, broken_store: Path) -> None:
    result = invoke("check", broken_store, "--json")

    checks = {row["name"]: row for row in json.loads(result.stdout)}
    assert result.exit_code == 1
    assert not checks["orphan_chunks"]["passed"]
    assert checks["orphan_chunks"]["rows"]
    assert checks["duplicate_ids"]["passed"]
