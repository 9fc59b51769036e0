"""Check a boolean SQL expression that a person wrote: plain comparisons of a chunk's columns, nothing more."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from itertools import accumulate
from typing import Any

from ragduck.errors import UsageError
from ragduck.search.fields import LIST_FIELDS, NUMBER_FIELDS, TEXT_FIELDS
from ragduck.search.filters import Clause

Rows = Callable[[str, dict[str, object]], list[dict[str, Any]]]

# Functions of a row's own values. Whatever is not named here is refused: a list of the dangerous ones would age.
ALLOWED_FUNCTIONS = frozenset({
    "+", "-", "*", "/", "//", "%", "||", "~~", "!~~", "~~*", "!~~*", "~~~", "like_escape", "ilike_escape",
    "not_like_escape", "not_ilike_escape", "abs", "array_length", "ceil", "concat", "contains", "ends_with",
    "floor", "greatest", "instr", "json_extract", "json_extract_string", "->", "->>", "least", "left", "len",
    "length", "list_contains", "list_has", "list_has_all", "list_has_any", "list_value", "lower", "ltrim",
    "position", "prefix", "regexp_full_match", "regexp_matches", "replace", "reverse", "right", "round", "rtrim",
    "split_part", "starts_with", "strip_accents", "strlen", "strpos", "substr", "substring", "suffix", "trim",
    "upper", "array_contains", "array_has", "array_extract", "list_extract", "coalesce", "ifnull", "nullif", "if",
})  # fmt: skip
ALLOWED_CLASSES = frozenset({
    "COLUMN_REF", "CONSTANT", "COMPARISON", "CONJUNCTION", "OPERATOR", "FUNCTION", "BETWEEN", "CASE", "CAST",
    "TYPE",
})  # fmt: skip
COLUMNS = TEXT_FIELDS | NUMBER_FIELDS | LIST_FIELDS | {"text", "chunk_no", "embedding", "metadata_"}
QUOTED = re.compile(r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"")
COMMENT = re.compile(r"--|/\*")
WITH = re.compile(r"\bwith\b", re.IGNORECASE)
MAX_EXPRESSION = 5_000  # characters
MAX_DEPTH = 100  # open brackets: DuckDB 2.0 takes seconds to find that a thousand are not closed
HINT = "write one comparison such as: schema = 'dbo' and end_line - start_line > 20"


def clause_of_expression(expression: str, *, rows: Rows) -> Clause:
    """Return a clause for ``expression``, parsed by the engine itself.

    Raises UsageError for what is no single boolean expression, and for subqueries, unknown columns and
    functions, window and aggregate functions, parameters, comments and further statements.
    """
    if len(expression) > MAX_EXPRESSION:
        raise UsageError(f"the where expression is {len(expression):,} characters long", hint=HINT)
    _require_harmless_to_parse(expression)
    # With brackets alone, `true) or (true` would pass and undo the filters beside it.
    for condition in (expression, f"({expression})"):
        for refused in _refused(_parsed(condition, expression, rows)):
            raise UsageError(f"where {expression!r} may not use {refused}", hint=HINT)
    return Clause(f"({expression})")


def _require_harmless_to_parse(expression: str) -> None:
    """Refuse what the parser of DuckDB 2.0 takes very long for: open brackets and nested WITH; and comments."""
    bare = QUOTED.sub("''", expression)
    if COMMENT.search(bare):
        raise UsageError(f"where {expression!r} may not use a comment", hint=HINT)
    if WITH.search(bare):
        raise UsageError(f"where {expression!r} may not use a subquery", hint=HINT)
    depths = accumulate((character == "(") - (character == ")") for character in bare)
    if max(depths, default=0) > MAX_DEPTH:
        raise UsageError("the where expression is nested too deeply", hint=HINT)


def _parsed(condition: str, expression: str, rows: Rows) -> dict[str, Any]:
    sql = f"select 1 from documents where {condition}"
    try:
        tree = json.loads(rows("select json_serialize_sql($sql) as tree", {"sql": sql})[0]["tree"])
    except RecursionError as error:
        raise UsageError("the where expression is nested too deeply", hint=HINT) from error
    if tree.get("error"):
        raise UsageError(f"where {expression!r} is no expression: it must be one condition", hint=HINT)
    return _where_clause(tree, expression)


def _where_clause(tree: dict[str, Any], expression: str) -> dict[str, Any]:
    """Return the condition, after making sure that it is all that the statement has."""
    statements = tree["statements"]
    node = statements[0]["node"] if len(statements) == 1 else {}
    empty = ("modifiers", "group_expressions", "group_sets", "having", "qualify", "sample")
    is_plain = (
        node.get("type") == "SELECT_NODE"
        and node["from_table"].get("table_name") == "documents"
        and node["from_table"].get("type") == "BASE_TABLE"
        and not node["cte_map"]["map"]
        and not any(node.get(part) for part in empty)
        and len(node["select_list"]) == 1
        and node.get("where_clause")
    )
    if not is_plain:
        raise UsageError(f"where {expression!r} is more than one expression", hint=HINT)
    condition: dict[str, Any] = node["where_clause"]
    return condition


def _refused(tree: dict[str, Any]) -> Iterator[str]:
    """Yield in words what the expression must not contain; an explicit stack, since depth is the user's."""
    stack: list[Any] = [tree]
    while stack:
        node = stack.pop()
        if isinstance(node, list):
            stack += node
            continue
        if not isinstance(node, dict):
            continue
        kind = node.get("class")
        if kind is not None and kind not in ALLOWED_CLASSES:
            yield f"a {str(kind).lower().replace('_', ' ')}"
        if kind == "FUNCTION":
            name = str(node.get("function_name", "")).lower()
            if name not in ALLOWED_FUNCTIONS or node.get("schema") not in ("", "main") or node.get("catalog"):
                yield f"the function {name}()"
        # Bare words such as current_date are functions to the engine, and other queries name the table otherwise.
        if kind == "COLUMN_REF" and node["column_names"][0].lower() not in COLUMNS:
            yield f"{'.'.join(node['column_names'])}, which is no column"
        stack += [value for key, value in node.items() if key != "value"]
