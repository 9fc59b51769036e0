"""Turn filters into a WHERE clause that is applied before anything is scored."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ragduck.search.fields import LIST_FIELDS, Filters, FilterValue, values_of

EQUALITIES = {"db_key_in": "db_key", "cs_key_in": "cs_key"}
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

    def joined(self, other: Clause) -> Clause:
        """Return the clause that holds when both hold."""
        parts = [clause.sql for clause in (self, other) if not clause.is_open]
        return Clause(" and ".join(parts) or "true", self.parameters | other.parameters)


def clause_of(filters: Filters, *, key: str = "f") -> Clause:
    """Return the clause for filters: alternatives within a field, all fields together.

    A field with no values matches nothing, as an empty set of allowed keys from a graph walk should. Names of
    bound values begin with ``key``, so that clauses of different keys can be joined.
    """
    clause = Clause()
    for number, (name, values) in enumerate(values_of(filters).items()):
        clause = clause.joined(_field_clause(name, values, key=f"{key}{number}"))
    return clause


def _field_clause(name: str, values: Sequence[FilterValue], *, key: str) -> Clause:
    present = [value for value in values if value is not None]
    column = EQUALITIES.get(name, name)
    tests = [_test(column, present, key)] if present else []
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


def _test(column: str, values: Sequence[FilterValue], key: str) -> Clause:
    if column in LIST_FIELDS:
        return Clause(f'list_has_any("{column}", ${key}::varchar[])', {key: list(values)})
    template = _TEMPLATES.get(column)
    if template is None and len(values) > MAX_BOUND_ONE_BY_ONE:
        return Clause(f'"{column}" in (select unnest(${key}))', {key: list(values)})
    names = [f"{key}_{number}" for number in range(len(values))]
    parameters: dict[str, object] = dict(zip(names, values, strict=True))
    if template is None:
        return Clause(f'"{column}" in ({", ".join(f"${name}" for name in names)})', parameters)
    return Clause(" or ".join(template(f"${name}") for name in names), parameters)


_TEMPLATES: dict[str, Callable[[str], str]] = {
    "name_prefix": lambda value: f'starts_with("name", {value})',
    "path_glob": lambda value: f'"source_file" glob {value}',
}
