"""The fields that a question may be filtered by, and how a value is compared with each."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from ragduck.errors import UsageError

TEXT_FIELDS = frozenset({
    "node_id", "id", "object_id",
    "doc_id", "repo", "branch", "project", "data_type", "file_type", "file_class", "source_file",
    "element_type", "element_name", "kind", "schema", "name", "db_key", "class", "member", "cs_key",
    "member_kind", "visibility", "signature", "node_key", "content_hash",
})  # fmt: skip
NUMBER_FIELDS = frozenset({"start_line", "end_line", "chunk_part", "chunk_total", "importance_score"})
LIST_FIELDS = frozenset({
    "reads_from", "writes_to", "calls", "called_by", "fk_dependencies", "used_by_csharp",
})  # fmt: skip
MAX_GLOB = 1000  # characters; paths are shorter
PATTERN_FIELDS = frozenset({"name_prefix", "path_glob", "db_key_in", "cs_key_in"})
KNOWN_FIELDS = TEXT_FIELDS | NUMBER_FIELDS | LIST_FIELDS | PATTERN_FIELDS

# Names of other tools for what `kind` holds.
KIND_ALIASES: Mapping[str, str] = MappingProxyType({
    "PROCEDURE": "PROC",
    "FUNCTION": "FUNC",
    "FOREIGNKEY": "FOREIGN_KEY",
})  # fmt: skip

FilterValue = str | int | float | None
Filters = Mapping[str, FilterValue | Sequence[FilterValue]]


def values_of(filters: Filters) -> dict[str, list[FilterValue]]:
    """Return each field's alternatives as a list, checked and with kinds spelt as the store spells them.

    Raises UsageError for an unknown field or a value that cannot be compared with the field.
    """
    checked: dict[str, list[FilterValue]] = {}
    for field, given in filters.items():
        _require_known(field)
        values = (
            [given] if given is None or isinstance(given, (str, int, float)) else _alternatives(field, given)
        )
        checked[field] = [_value(field, value) for value in values]
    return checked


def _alternatives(field: str, given: Sequence[FilterValue]) -> list[FilterValue]:
    if isinstance(given, Mapping) or not isinstance(given, Iterable):
        raise UsageError(
            f"filter {field} is {given!r:.80}", hint=f"give a value or a list: {{{field!r}: ['…']}}"
        )
    return list(given)


def _require_known(field: str) -> None:
    if field in KNOWN_FIELDS:
        return
    close = difflib.get_close_matches(field, sorted(KNOWN_FIELDS), n=1)
    meant = f"did you mean {close[0]}? " if close else ""
    raise UsageError(
        f"unknown filter field {field!r}", hint=f"{meant}known fields: {', '.join(sorted(KNOWN_FIELDS))}"
    )


def _value(field: str, value: FilterValue) -> FilterValue:
    if value is None:
        return None
    if field in NUMBER_FIELDS:
        return _number(field, value)
    if not isinstance(value, str):
        raise UsageError(f"filter {field} takes text, not {value!r}", hint=f'write {field}="{value}"')
    if field == "path_glob" and len(value) > MAX_GLOB:
        raise UsageError(
            f"filter path_glob is {len(value):,} characters long", hint="write a shorter pattern"
        )
    if field == "kind":
        upper = value.upper()
        return KIND_ALIASES.get(upper, upper)
    return value


def _number(field: str, value: FilterValue) -> float:
    try:
        return float(str(value))
    except ValueError as error:
        raise UsageError(f"filter {field} takes a number, not {value!r}", hint=f"write {field}=1") from error
