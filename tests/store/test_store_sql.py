"""Store.sql reads, and refuses with a clear line whatever would write or reach outside the file."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

import ragduck
from ragduck.errors import UsageError
from ragduck.library import Store

ANSWERED = [
    "select count(*) as n from documents",
    "from documents limit 1",
    "from documents",
    "with top as (select 1 as one) select * from top",
    "with recursive r as (select 1 as n union all select n + 1 from r where n < 3) select * from r",
    "values (1), (2)",
    "describe documents",
    "describe select 1",
    "show tables",
    "show all tables",
    "summarize fts_terms",
    "explain select 1",
    "explain analyze select 1",
    "table snapshots",
    "select table_name, comment from duckdb_tables()",
    "select * from information_schema.tables",
    "pivot snapshots on repo in ('shop') using count(*)",
    "unpivot (select 1 as a, 2 as b) on a, b",
    "select 1;",
    "-- a comment\nselect 1 -- another",
    "select 'Zażółć' as gęślą",
    "select ';' as semicolon",
    "from bm25('invoice')",
    "select unnest(words('PlaceOrder x'))",
]

WRITES = [
    "insert into snapshots values ('a')", "update documents set text = ''", "delete from documents",
    "create table t (a int)", "create temp table t (a int)", "create view v as select 1",
    "create or replace macro words(a) as a", "create schema s", "create sequence s", "create type t as int",
    "create secret (type s3)", "create index i on documents (repo)", "drop table documents",
    "drop macro words", "alter table documents add column a int", "truncate documents",
    "comment on table documents is ''",
    "merge into snapshots using (select 1) on true when matched then delete",
    "attach '/tmp/other.duckdb' as other", "attach ':memory:' as other", "detach shop", "use memory",
    "copy documents to '/tmp/out.csv'", "copy documents to '/tmp/out.parquet' (format parquet)",
    "copy (select 1) to '/tmp/out.csv'", "copy documents from '/etc/passwd'", "export database '/tmp/out'",
    "import database '/tmp/out'", "install httpfs", "load httpfs", "force install httpfs",
    "set threads = 1", "set enable_external_access = true", "set variable a = 1", "reset threads",
    "pragma threads = 1", "call pragma_version()", "call duckdb_tables()", "checkpoint",
    "vacuum", "analyze", "begin", "commit", "rollback", "prepare p as select 1", "execute p", "deallocate p",
]  # fmt: skip

OUTSIDE = [
    "select * from read_csv('/etc/passwd')", "select * from read_csv_auto('/etc/passwd')",
    "select * from read_text('/etc/passwd')", "select * from read_blob('/etc/passwd')",
    "select * from read_json('/etc/passwd')", "select * from read_parquet('x.parquet')",
    "select * from glob('/etc/*')", "select * from '/etc/passwd'", "select * from 'file.parquet'",
    "select * from 'file.csv'", "from 'https://example.org/a.parquet'", "select * from sniff_csv('/etc/passwd')",
    "select * from parquet_metadata('x.parquet')", "with a as (from read_text('/etc/passwd')) from a",
    "explain analyze select * from read_text('/etc/passwd')", "describe select * from '/etc/passwd'",
    "describe '/etc/passwd'", "summarize '/etc/passwd'", "select getenv('HOME')",
    "select * from query('select * from read_text(''/etc/passwd'')')", "select * from query_table('local_rows')",
    "select * from local_rows", "select (select content from read_text('/etc/passwd'))",
    "select * from duckdb_secrets('/tmp')", "select * from sqlite_scan('/tmp/a', 'b')",
]  # fmt: skip


@pytest.fixture(scope="module")
def store(shop_store: Path) -> Iterator[Store]:
    with ragduck.open(shop_store) as opened:
        yield opened


@pytest.mark.parametrize("statement", ANSWERED)
def test_a_reading_statement_is_answered(store: Store, statement: str) -> None:
    assert store.sql(statement)


@pytest.mark.parametrize("statement", WRITES)
def test_a_statement_that_is_no_question_is_refused(store: Store, statement: str) -> None:
    with pytest.raises(UsageError) as refused:
        store.sql(statement)

    assert "\n" not in refused.value.message
    assert refused.value.hint


@pytest.mark.parametrize("statement", OUTSIDE)
def test_what_lies_outside_the_file_is_out_of_reach(store: Store, statement: str) -> None:
    local_rows = [{"secret": 1}]

    with pytest.raises(UsageError) as refused:
        store.sql(statement)

    assert local_rows
    assert refused.value.hint


@pytest.mark.parametrize(
    "statements",
    ["select 1; select 2", "select 1; drop table documents", "; ;", "", "   ", "-- nothing", ";"],
)
def test_anything_but_one_statement_is_refused(store: Store, statements: str) -> None:
    with pytest.raises(UsageError, match="one statement"):
        store.sql(statements)


def test_values_are_bound_by_name(store: Store) -> None:
    rows = store.sql("select $a as a, $b as b", {"a": "'; drop table documents; --", "b": 3})

    assert rows == [{"a": "'; drop table documents; --", "b": 3}]


@pytest.mark.parametrize("parameters", [None, {}, {"b": 1}, {"a": 1, "b": 2}])
def test_a_missing_or_superfluous_value_is_a_usage_error(
    store: Store, parameters: dict[str, object] | None
) -> None:
    with pytest.raises(UsageError):
        store.sql("select $a", parameters)


@pytest.mark.parametrize(
    "statement",
    ["selec 1", "select", "select * from nowhere", "select nosuch from documents", "select 1/", "select 'a'::int",
     "select error('boom')", "select " + "(" * 300, "select '", "\0", "select '\udcff'"],
    ids=lambda statement: repr(statement[:20]),
)  # fmt: skip
def test_a_mistake_in_the_statement_is_a_usage_error(store: Store, statement: str) -> None:
    with pytest.raises(UsageError) as refused:
        store.sql(statement)

    assert refused.value.message


def test_a_table_keeps_columns_of_one_name(store: Store) -> None:
    table = store.table("select 1 as a, 2 as a")

    assert (table.columns, table.rows) == (("a", "a"), ((1, 2),))


@pytest.mark.parametrize("end", ["", ";", " -- a comment", ", 'ą;' as text ; /* ą */ ;"])
def test_times_with_a_zone_come_back_in_utc(store: Store, end: str) -> None:
    noon = "'2024-05-01 12:00:00+02'::timestamptz"

    table = store.table(f"select {noon} as at, 1 as n, null::timestamptz as n, [{noon}] as list{end}")

    (row,) = table.rows
    assert table.columns[:4] == ("at", "n", "n", "list")
    assert row[:3] == (datetime(2024, 5, 1, 10, tzinfo=UTC), 1, None)
    assert isinstance(row[3], str)


@pytest.mark.parametrize("begin", ["; ", "/* ; */ ;; "])
def test_a_statement_may_follow_a_semicolon(store: Store, begin: str) -> None:
    (row,) = store.table(f"{begin}select '2024-05-01 12:00:00+02'::timestamptz as at").rows

    assert row == (datetime(2024, 5, 1, 10, tzinfo=UTC),)


def test_a_statement_with_times_that_have_a_zone_has_its_values(store: Store) -> None:
    table = store.table(
        "select now() as at, count(*) as n from documents where name = $name", {"name": "none"}
    )

    assert table.columns == ("at", "n")
    assert table.rows[0][1] == 0


def test_refused_statements_leave_the_file_as_it_was(shop_store: Path) -> None:
    before = hashlib.sha256(shop_store.read_bytes()).hexdigest()
    folder = sorted(shop_store.parent.iterdir())

    with ragduck.open(shop_store) as opened:
        for statement in (*WRITES, *OUTSIDE):
            with pytest.raises(UsageError):
                opened.sql(statement)

    assert hashlib.sha256(shop_store.read_bytes()).hexdigest() == before
    assert sorted(shop_store.parent.iterdir()) == folder


def test_the_store_still_answers_after_a_refused_statement(store: Store) -> None:
    with pytest.raises(UsageError):
        store.sql("select error('boom')")

    assert store.search("invoice", mode="bm25").results
