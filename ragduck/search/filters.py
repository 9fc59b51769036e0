"""Turn filters into a WHERE clause that is applied before anything is scored."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ragduck.resources import sql_text
from ragduck.search.fields import LIST_FIELDS, Filters, FilterValue, values_of
from ragduck.search.globs import glob_test

EQUALITIES = {"db_key_in": "db_key", "cs_key_in": "cs_key"}
INDEXED = frozenset({"node_id", "node_key"})
BY_NAME = LIST_FIELDS | {"node_key"}
OF_DATABASE = frozenset({"reads_from", "writes_to", "fk_dependencies"})  # lists of what is no code
KIND = re.compile(r"[A-Z_]+")
LANGUAGE = re.compile(r"[a-z]+:")
END_OF_NAME, ANY_END_OF_NAME = 3, 9  # ranks of node_names: a member counts as much as a type, or less
FILTERS = "true -- filters"
MAX_BOUND_ONE_BY_ONE = 64  # longer lists are bound as one array


@dataclass(frozen=True, slots=True)
class Clause:
    """A boolean SQL expression over `documents` and the values it binds."""

    sql: str = "true"
    parameters: dict[str, object] = field(default_factory=dict)

    @property
    def is_open(self) -> bool:
        """Whether every chunk passes."""
        return self.sql == "true"

    @property
    def of_chunks(self) -> str:
        """The same of a table that has no more of chunks than their numbers."""
        return "true" if self.is_open else f"chunk_no in (select chunk_no from documents where {self.sql})"

    def joined(self, other: Clause) -> Clause:
        """Return the clause that holds when both hold."""
        parts = [clause.sql for clause in (self, other) if not clause.is_open]
        return Clause(" and ".join(parts) or "true", self.parameters | other.parameters)


def filtered(sql: str, condition: str) -> str:
    """Put a condition where the SQL has room for filters."""
    return sql.replace(FILTERS, condition)


def clause_of(filters: Filters, *, key: str = "f", by_name: bool = False) -> Clause:
    """Return the clause for filters: alternatives within a field, all fields together.

    A field with no values matches nothing, as an empty set of allowed keys from a graph walk should. Names of
    bound values begin with ``key``, so that clauses of different keys can be joined. With ``by_name`` keys of nodes
    may be written as people do, which takes a store's graph to look them up in.
    """
    clause = Clause()
    for number, (name, values) in enumerate(values_of(filters).items()):
        clause = clause.joined(_field_clause(name, values, key=f"{key}{number}", by_name=by_name))
    return clause


def _is_whole_key(text: str) -> bool:
    """Say whether a name is a key with its language or schema, and its kind."""
    name, _, kind = text.rpartition("|")
    return KIND.fullmatch(kind) is not None and (LANGUAGE.match(name) is not None or "." in name.strip("."))


def _field_clause(name: str, values: Sequence[FilterValue], *, key: str, by_name: bool) -> Clause:
    present = [value for value in values if value is not None]
    column = EQUALITIES.get(name, name)
    is_short = (not _is_whole_key(str(value)) for value in present)
    has_names = by_name and column in BY_NAME and any(is_short)
    tests = [_test(column, present, key, has_names=has_names)] if present else []
    if len(present) < len(values):
        tests.append(Clause(f'"{_column(column)}" is null'))
    if not tests:
        return Clause("false")
    return Clause(
        "(" + " or ".join(test.sql for test in tests) + ")",
        {name: value for test in tests for name, value in test.parameters.items()},
    )


def _column(name: str) -> str:
    return {"name_prefix": "name", "path_glob": "source_file"}.get(name, name)


def _test(column: str, values: Sequence[FilterValue], key: str, *, has_names: bool) -> Clause:
    keys = _named_keys(column, key) if has_names else f"${key}::varchar[]"
    if column in LIST_FIELDS:  # a name may mean thousands, and comparing lists takes their lengths multiplied
        entries = f'select chunk_no, unnest("{column}") as entry from documents'
        wanted = f"select chunk_no from ({entries}) where entry in (select unnest({keys}))"
        return Clause(f"chunk_no in ({wanted})", {key: list(values)})
    if column in _TESTS:
        tests = [_TESTS[column](str(value), f"{key}_{number}") for number, value in enumerate(values)]
        parameters = {name: value for test in tests for name, value in test.parameters.items()}
        return Clause(" or ".join(test.sql for test in tests), parameters)
    if column in INDEXED:  # apart: DuckDB goes by an index only where nothing else is asked of the table
        wanted = f'select chunk_no from documents where "{column}" in (select unnest({keys}))'
        return Clause(f"chunk_no in ({wanted})", {key: [str(value) for value in values]})
    if len(values) > MAX_BOUND_ONE_BY_ONE:
        return Clause(f'"{column}" in (select unnest(${key}))', {key: list(values)})
    names = [f"{key}_{number}" for number in range(len(values))]
    listed = ", ".join(f"${name}" for name in names)
    return Clause(f'"{column}" in ({listed})', dict(zip(names, values, strict=True)))


def _named_keys(column: str, key: str) -> str:
    """Return the bound keys, with those of the nodes that they mean where people wrote them in short."""
    data_type = "'db_code'" if column in OF_DATABASE else "null"
    widest = END_OF_NAME if column in LIST_FIELDS else ANY_END_OF_NAME
    named = sql_text("search/keys_of_names.sql").replace("$names", f"${key}")
    meant = named.replace("$data_type", data_type).replace("$widest", str(widest))
    return f"list_concat(${key}::varchar[], (\n{meant}))"


def _has_prefix(prefix: str, key: str) -> Clause:
    return Clause(f'starts_with("name", ${key})', {key: prefix})


def _matches_glob(glob: str, key: str) -> Clause:
    condition, value = glob_test(glob, column="source_file", parameter=f"${key}")
    return Clause(condition, {key: value})


_TESTS: dict[str, Callable[[str, str], Clause]] = {
    "name_prefix": _has_prefix,
    "path_glob": _matches_glob,
}
