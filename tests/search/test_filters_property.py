"""Filters select what a few lines of Python select."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import ragduck
from ragduck.errors import UsageError
from ragduck.search.fields import (
    KIND_ALIASES,
    KNOWN_FIELDS,
    LIST_FIELDS,
    NUMBER_FIELDS,
    TEXT_FIELDS,
)
from ragduck.search.filters import clause_of
from ragduck.search.globs import glob_test
from ragduck.store import Database, open_database

KEYS = ("dbo.Invoice|TABLE", "dbo.Order|TABLE", "csharp:Shop.OrderService|TYPE")
Row = Mapping[str, Any]


@pytest.fixture(scope="module")
def database(shop_store: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """The sample shop with something in the list columns, which the graph fills."""
    path = tmp_path_factory.mktemp("lists") / "lists.duckdb"
    shutil.copy(shop_store, path)
    with duckdb.connect(str(path)) as connection:
        for number, name in enumerate(sorted(LIST_FIELDS)):
            connection.execute(
                f"update documents set {name} = if(chunk_no % 7 = $number, null, "
                "list_filter($keys::varchar[], lambda key, place: chunk_no % (place + 1) = 0))",
                {"number": number, "keys": list(KEYS)},
            )
    with open_database(path) as opened:
        yield opened


@pytest.fixture(scope="module")
def rows(database: Database) -> list[dict[str, Any]]:
    columns = sorted(TEXT_FIELDS | NUMBER_FIELDS | LIST_FIELDS)
    return database.rows(f"select {', '.join(columns)} from documents order by chunk_no")


def selected(database: Database, filters: Mapping[str, Any]) -> set[str]:
    clause = clause_of(filters)
    found = database.rows(f"select node_id from documents where {clause.sql}", clause.parameters)
    return {row["node_id"] for row in found}


def qualifies(row: Row, filters: Mapping[str, Any]) -> bool:
    return all(
        any(holds(row, field, value) for value in (values if isinstance(values, list) else [values]))
        for field, values in filters.items()
    )


def holds(row: Row, field: str, value: Any) -> bool:
    column = {"name_prefix": "name", "path_glob": "source_file", "db_key_in": "db_key", "cs_key_in": "cs_key"}
    stored = row[column.get(field, field)]
    if value is None or stored is None:
        return value is None and stored is None
    if field in LIST_FIELDS:
        return value in stored
    if field == "name_prefix":
        return stored.startswith(value)
    if field == "path_glob":
        return fnmatchcase(stored, value)
    if field == "kind":
        return stored == KIND_ALIASES.get(value.upper(), value.upper())
    return stored == (float(value) if field in NUMBER_FIELDS else value)


def values_for(field: str, row: Row) -> st.SearchStrategy[Any]:
    """Values as they occur in a row, near it, and any."""
    column = {"name_prefix": "name", "path_glob": "source_file", "db_key_in": "db_key", "cs_key_in": "cs_key"}
    stored = row[column.get(field, field)]
    if field in NUMBER_FIELDS:
        return st.sampled_from([stored, str(stored), 0, 1, 1.5, -1, None])
    if field in LIST_FIELDS:
        return st.sampled_from([*KEYS, "nothing", None])
    if field == "node_key":  # short names mean nodes, too: tests/graph_store/test_chunk_lists.py
        return st.sampled_from([stored, *KEYS, "nothing", None])
    text = stored if isinstance(stored, str) else ""
    near = [text, text[:3], text.lower(), text + " ", text.replace("_", "%")]
    if field == "path_glob":
        near += globs_near(text)
    return st.one_of(
        st.sampled_from([*near, None]), st.text(st.characters(exclude_categories=["Cs"]), max_size=4)
    )


def globs_near(path: str) -> list[str]:
    folder, _, name = path.rpartition("/")
    return [
        "*", f"{folder}/*", f"*/{name}", f"{name[:2]}*", "*.cs", "*.[cs]*", "*.[!c]*", path[:-1] + "?",
        "?" * len(path), path.replace("o", "[n-p]"), "*Zam?wienie*", "*W[a-z]hrung*", "src/*/*.cs",
    ]  # fmt: skip


@st.composite
def filter_dicts(draw: st.DrawFn, rows: list[dict[str, Any]]) -> dict[str, Any]:
    row = draw(st.sampled_from(rows))
    fields = draw(st.lists(st.sampled_from(sorted(KNOWN_FIELDS)), max_size=3, unique=True))
    filters: dict[str, Any] = {}
    for field in fields:
        value = values_for(field, row)
        filters[field] = draw(st.one_of(value, st.lists(value, max_size=4)))
    return filters


def test_filters_equal_a_plain_python_filter(database: Database, rows: list[dict[str, Any]]) -> None:
    @settings(deadline=None, max_examples=300)
    @given(filter_dicts(rows))
    @example({})
    @example({"kind": "procedure"})
    @example({"path_glob": "*Zam?wienie*"})
    @example({"path_glob": ["*\\*", "[", "[!", "[]", "[z-a]*", "[!z-a]*", "[.r-]*", "*.[!-c]*", "S[h-]*"]})
    def check(filters: dict[str, Any]) -> None:
        expected = {row["node_id"] for row in rows if qualifies(row, filters)}

        assert selected(database, filters) == expected

    check()


@pytest.mark.parametrize("field", sorted(KNOWN_FIELDS))
def test_each_field_can_be_filtered_by_a_stored_value(
    database: Database, rows: list[dict[str, Any]], field: str
) -> None:
    column = {"name_prefix": "name", "path_glob": "source_file", "db_key_in": "db_key", "cs_key_in": "cs_key"}
    stored = [row[column.get(field, field)] for row in rows]
    value = next(each for each in stored if each)
    given_value = value[0] if isinstance(value, list) else value

    found = selected(database, {field: given_value})

    assert found == {row["node_id"] for row in rows if qualifies(row, {field: given_value})}
    assert found


@pytest.mark.parametrize("field", ["source_file", "db_key_in", "kind", "start_line", "calls", "name_prefix"])
def test_a_hundred_alternatives_select_what_each_does(
    database: Database, rows: list[dict[str, Any]], field: str
) -> None:
    column = {"name_prefix": "name", "db_key_in": "db_key"}.get(field, field)
    values = [row[column][0] if isinstance(row[column], list) else row[column] for row in rows if row[column]]
    many = [*values[:100], *map(str, range(100)), None]

    assert selected(database, {field: many}) == {
        row["node_id"] for row in rows if qualifies(row, {field: many})
    }


@pytest.mark.parametrize("field", sorted(KNOWN_FIELDS))
def test_a_field_without_values_matches_nothing(database: Database, field: str) -> None:
    assert selected(database, {field: []}) == set()


@pytest.mark.parametrize(
    "value", ["'; drop table documents; --", "' or true or '", "$f0_0", "%", "\\", '"', "\0", "€" * 900]
)
@pytest.mark.parametrize("field", ["name", "name_prefix", "path_glob", "calls"])
def test_hostile_values_are_only_values(
    database: Database, rows: list[dict[str, Any]], field: str, value: str
) -> None:
    assert selected(database, {field: value}) == set()


def test_search_returns_only_what_the_filters_leave(
    shop_store: Path, database: Database, rows: list[dict[str, Any]]
) -> None:
    @settings(deadline=None, max_examples=40)
    @given(filter_dicts([{**row, **{name: [] for name in LIST_FIELDS}} for row in rows]))
    def check(filters: dict[str, Any]) -> None:
        filters = {name: value for name, value in filters.items() if name not in LIST_FIELDS}
        expected = {row["node_id"] for row in rows if qualifies(row, filters)}
        answer = store.search("invoice", mode="semantic", top_k=1000, filters=filters)

        assert {result["node_id"] for result in answer.results} <= expected
        assert answer.status.qualifying == len(expected)

    with ragduck.open(shop_store) as store:
        check()


@pytest.mark.parametrize(
    ("filters", "said"),
    [
        ({"shema": "dbo"}, "shema"),
        ({"start_line": "many"}, "start_line"),
        ({"name": 3}, "name"),
        ({"path_glob": "?" * 100_000}, "path_glob"),
        ({"importance_score": True}, "importance_score"),
    ],
)
def test_filters_that_make_no_sense_are_refused(filters: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        clause_of(filters)


def test_a_misspelt_field_is_answered_with_the_one_that_was_meant() -> None:
    with pytest.raises(UsageError) as refused:
        clause_of({"shema": "dbo"})

    assert "did you mean schema?" in str(refused.value.hint)


@settings(deadline=None, max_examples=300)
@given(
    st.lists(st.sampled_from([*"*?[]!-abzó.\\/^&~|"]), max_size=8).map("".join),
    st.text("abzó./-\\[]!^\n", max_size=6),
)
def test_a_glob_matches_what_fnmatchcase_matches(glob: str, path: str) -> None:
    condition, value = glob_test(glob, column="path", parameter="$glob")

    found = duckdb.execute(f"select {condition} from (select $path as path)", {"path": path, "glob": value})

    assert found.fetchall() == [(fnmatchcase(path, glob),)]
