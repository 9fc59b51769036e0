"""Where statements start, in the places that T-SQL makes hard."""

from __future__ import annotations

from ragduck.sqlreader.statements import find_starts
from ragduck.sqlreader.tokens import tokenize


def starts_in(sql: str) -> list[tuple[str, int]]:
    """Return the keywords that begin statements, with the depth of their blocks."""
    tokens = tokenize(sql).tokens
    return [(start.keyword, start.depth) for start in find_starts(tokens, dialect="tsql")]


def test_a_function_may_return_a_query_with_common_table_expressions() -> None:
    sql = "CREATE FUNCTION f () RETURNS TABLE AS RETURN\nWITH c AS (\nSELECT 1 a)\nSELECT a\nFROM c"

    assert starts_in(sql) == [("CREATE", 0), ("RETURN", 0)]


def test_a_semicolon_after_begin_belongs_to_the_expression_behind_it() -> None:
    sql = "IF 1 = 1\nBEGIN\n;WITH c AS (SELECT 1 a)\nSELECT a FROM c\nEND\nPRINT 1"

    assert starts_in(sql) == [("IF", 0), ("BEGIN", 0), ("WITH", 1), ("PRINT", 0)]


def test_a_transaction_may_begin_without_its_name() -> None:
    assert starts_in("BEGIN;\nDELETE t;\nCOMMIT;\n") == [("BEGIN", 0), ("DELETE", 0), ("COMMIT", 0)]
