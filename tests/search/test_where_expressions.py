"""Where expressions: comparisons of columns work, everything else is refused before it runs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ragduck
from ragduck.errors import UsageError
from ragduck.library import Store
from ragduck.search.expressions import ALLOWED_CLASSES, clause_of_expression
from ragduck.store import Database, open_database

# What is allowed, and the same in Python.
ALLOWED: dict[str, Any] = {
    "schema = 'dbo'": lambda row: row["schema"] == "dbo",
    "class = 'InvoiceService'": lambda row: row["class"] == "InvoiceService",
    "\"name\" = 'ReadById'": lambda row: row["name"] == "ReadById",
    "NAME = 'ReadById'": lambda row: row["name"] == "ReadById",
    "end_line - start_line > 20": lambda row: row["end_line"] - row["start_line"] > 20,
    "start_line between 2 and 9 and not kind = 'TABLE'": lambda row: (
        2 <= row["start_line"] <= 9 and row["kind"] is not None and row["kind"] != "TABLE"
    ),
    "name like 'Order%' or name ilike 'INVOICE%'": lambda row: (
        (row["name"] or "").startswith("Order") or (row["name"] or "").lower().startswith("invoice")
    ),
    "source_file glob '*.md'": lambda row: row["source_file"].endswith(".md"),
    "kind in ('TABLE', 'VIEW')": lambda row: row["kind"] in ("TABLE", "VIEW"),
    "kind is null": lambda row: row["kind"] is None,
    "kind is distinct from 'TABLE'": lambda row: row["kind"] != "TABLE",
    "case when kind = 'TABLE' then true else false end": lambda row: row["kind"] == "TABLE",
    "cast(start_line as varchar) = '1'": lambda row: row["start_line"] == 1,
    "start_line::varchar = '1'": lambda row: row["start_line"] == 1,
    "try_cast(name as integer) is null": lambda row: not (row["name"] or "").isdigit(),
    "lower(name) = 'readbyid'": lambda row: (row["name"] or "").lower() == "readbyid",
    "regexp_matches(name, '^Re.d')": lambda row: (row["name"] or "").startswith(("Read",)),
    "coalesce(kind, '-') = '-'": lambda row: row["kind"] is None,
    "list_contains(['TABLE'], kind)": lambda row: row["kind"] == "TABLE",
    "metadata_->>'kind' = 'TABLE'": lambda row: row["kind"] == "TABLE",
    "name = 'a -- b' or name = '/* c */' or true": lambda row: True,
    "name not like 'x%' escape '!'": lambda row: row["name"] is not None and not row["name"].startswith("x"),
}

REFUSED = [
    "(select 1) = 1", "exists (select 1)", "exists (from documents)", "name in (select name from documents)",
    "name = any (select name from documents)", "name = (values ('a'))",
    "read_text('/etc/passwd') is not null", "name in (from read_csv('/etc/passwd'))", "glob('*') is null",
    "getenv('HOME') is not null", "current_setting('threads') = '1'", "set_config('a', 'b') = 'c'",
    "pragma_version() is not null", "version() = 'x'", "query('select 1') = 1", "getvariable('x') is null",
    "nextval('a') = 1", "random() > 0.5", "now() > '2020-01-01'", "current_date > '2020-01-01'",
    "current_user = 'x'", "error('boom') = 1", "sleep_ms(10) is null", "repeat('x', 1000000000) = 'x'",
    "lpad(name, 1000000000, 'x') = 'x'", "count(*) > 1", "sum(start_line) > 3", "max(name) = 'a'",
    "list(name) = []", "row_number() over () = 1", "lower(name) over () = 'a'", "sum(start_line) over () > 1",
    "start_line = $x", "start_line = ?", "start_line = $top_k", "start_line = $1",
    "true) union select 1 --", "true) union select 1 from (select 1", "true); drop table documents; --",
    "true; drop table documents", "true) or (true", "1=1) group by (1", "1=1) ; select (1", "true limit 1",
    "true order by 1", "true group by all", "true qualify true", "true -- comment", "true /* comment */",
    "/* a */ true", "list_filter(calls, x -> x = 'a') = []", "list_filter(calls, lambda x: x = 'a') = []",
    "[x for x in calls] = []", "columns('na.*') = 'x'", "* = 1", "documents.* = 1", "unnest(calls) = 'x'",
    "name = 'a' collate nocase", "other.lower(name) = 'x'", "name.getenv() = 'x'", "default", "nosuch = 1",
    "documents = 1", "name = ", "= 'a'", "name = 'a", '"name = 1', "(", ")", "()", " ", "where true",
    "select true", "drop table documents", "name == 'a' ; ", "$$", "1 = 1 and", "name = 'a' name = 'b'",
]  # fmt: skip


@pytest.fixture(scope="module")
def database(shop_store: Path) -> Iterator[Database]:
    with open_database(shop_store) as opened:
        yield opened


@pytest.fixture(scope="module")
def store(shop_store: Path) -> Iterator[Store]:
    with ragduck.open(shop_store) as opened:
        yield opened


@pytest.mark.parametrize("expression", ALLOWED)
def test_an_allowed_expression_selects_what_python_does(database: Database, expression: str) -> None:
    rows = database.rows("select * exclude (embedding, metadata_) from documents")
    expected = {row["node_id"] for row in rows if ALLOWED[expression](row)}

    clause = clause_of_expression(expression, rows=database.rows)
    found = database.rows(f"select node_id from documents where {clause.sql}", clause.parameters)

    assert {row["node_id"] for row in found} == expected


@pytest.mark.parametrize("expression", REFUSED)
def test_what_is_no_plain_comparison_is_refused_before_it_runs(database: Database, expression: str) -> None:
    asked: list[str] = []

    def rows(sql: str, parameters: dict[str, object]) -> list[dict[str, Any]]:
        asked.append(sql)
        return database.rows(sql, parameters)

    with pytest.raises(UsageError) as refused:
        clause_of_expression(expression, rows=rows)

    assert set(asked) <= {"select json_serialize_sql($sql) as tree"}
    assert refused.value.hint


@pytest.mark.parametrize(
    "expression",
    [
        "(" * 5000 + "true" + ")" * 5000,
        "(" * 2400 + "true" + ")" * 2400,
        "(" * 80 + "true" + ")" * 80,
        "not " * 1200 + "true",
        "1" + "+1" * 2400 + " > 0",
        "1" + "+1" * 600 + " > 0",
        "- " * 500 + "1 < 0",
        "(" * 2500,
        "lower(" * 800,
        "case when " * 150 + "true" + " then true end" * 150,
        "true or " * 600 + "true",
        "[" * 2400 + "]" * 2400 + " = []",
        "'" * 4999,
        "x" * 5001,
        "(with a as " * 40,
        "exists (with a as (with a as (with a as (with a as (with a as (with a as (with a as (with a as (",
    ],
    ids=lambda expression: f"{expression[:10]} {len(expression)}",
)
def test_deep_nesting_works_or_is_refused_but_never_breaks(store: Store, expression: str) -> None:
    with suppress(UsageError):
        assert store.search("invoice", mode="bm25", where=expression).status.returned <= 10


@pytest.mark.parametrize(
    "expression",
    ["name", "name = 1", "name + 1 > 3", "name = [1]", "regexp_matches(name, '(')", "cast(name as integer) = 1",
     "name::nosuchtype is null"],
)  # fmt: skip
def test_an_expression_that_the_engine_cannot_answer_is_a_usage_error(store: Store, expression: str) -> None:
    with pytest.raises(UsageError):
        store.search("invoice", mode="bm25", where=expression)


@pytest.mark.parametrize("expression", ["kind =", "true; drop table nodes", "select 1"])
def test_what_is_no_condition_is_refused_in_words_of_ragduck(store: Store, expression: str) -> None:
    with pytest.raises(UsageError) as refused:
        store.search("invoice", mode="bm25", where=expression)

    assert refused.value.message == f"where {expression!r} is no expression: it must be one condition"


@pytest.mark.parametrize("expression", ["true", "true or true", "name is null or true", "not false"])
def test_an_expression_never_widens_what_the_filters_leave(store: Store, expression: str) -> None:
    answer = store.search("invoice", filters={"source_file": "README.md"}, where=expression, top_k=100)

    assert {result["source_file"] for result in answer.results} == {"README.md"}


FRAGMENTS = st.sampled_from([
    "name", "kind", "start_line", "'a'", "1", "null", "true", "=", "<>", "<", "and", "or", "not", "(", ")", ",",
    "in", "like", "between", "is", "+", "-", "--", "/*", "*/", ";", "select", "from", "documents", "union",
    "where", "lower(", "sum(", "over ()", "read_text('/etc/passwd')", "getenv('HOME')", "$x", "?", "::", "int",
    "case", "when", "then", "end", "[", "]", "{", "}", "->", "lambda", "x", ":", "\n", "'", '"', "e'", "$$",
    "exists", "with", "a", "as (", "*", "columns(*)", "limit", "group by", "order by", "current_user", "collate",
    "filter", "drop",
    "table", "\\", "\0", "é", "main.", ".",
])  # fmt: skip


def test_no_sequence_of_words_reaches_beyond_the_row(database: Database) -> None:
    """Whatever passes is one condition: it selects the same with and without another condition beside it."""

    @settings(deadline=None, max_examples=300)
    @given(st.lists(FRAGMENTS, max_size=9).map(" ".join))
    def check(expression: str) -> None:
        try:
            clause = clause_of_expression(expression, rows=database.rows)
        except UsageError:
            return
        tree = json.loads(
            database.rows(
                "select json_serialize_sql($sql) as tree",
                {"sql": f"select 1 from documents where true and {clause.sql} and false"},
            )[0]["tree"]
        )
        condition = tree["statements"][0]["node"]["where_clause"]

        assert condition["type"] == "CONJUNCTION_AND"
        assert classes_in(condition) <= ALLOWED_CLASSES

    check()


def classes_in(tree: Any) -> set[str]:
    if isinstance(tree, list):
        return set().union(*map(classes_in, tree))
    if not isinstance(tree, dict):
        return set()
    below = set().union(*(classes_in(value) for key, value in tree.items() if key != "value"))
    return below | ({tree["class"]} if "class" in tree else set())


def test_the_engine_describes_expressions_as_the_check_expects(database: Database) -> None:
    sql = (
        "select 1 from documents where (name = 'a' and start_line between 1 and 2 or lower(kind) = 'b' "
        "and (case when kind is null then true end) and start_line::varchar = '1')"
    )

    tree = json.loads(database.rows("select json_serialize_sql($sql) as tree", {"sql": sql})[0]["tree"])
    node = tree["statements"][0]["node"]

    needed = {"COLUMN_REF", "CONSTANT", "COMPARISON", "CONJUNCTION", "FUNCTION", "BETWEEN", "CASE", "CAST"}
    assert needed <= classes_in(node["where_clause"]) <= ALLOWED_CLASSES
    assert (node["type"], node["from_table"]["type"]) == ("SELECT_NODE", "BASE_TABLE")
    assert {"modifiers", "group_expressions", "group_sets", "having", "qualify", "sample", "cte_map"} <= set(
        node
    )
