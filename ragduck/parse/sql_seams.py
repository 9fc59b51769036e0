"""Find where a statement may be cut that is longer than a chunk: between queries, then between clauses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile
from typing import NamedTuple

from ragduck.sqlreader.definitions import word
from ragduck.sqlreader.statements import Start
from ragduck.sqlreader.tokens import NAME, PUNCTUATION, WORD, Token

_BETWEEN_QUERIES = frozenset({"UNION", "EXCEPT", "INTERSECT"})
_CLAUSES = frozenset({"FROM", "WHERE", "WHEN"})
_JOINS = frozenset({"JOIN", "INNER", "LEFT", "RIGHT", "FULL", "CROSS", "OUTER"})
_VERBS = frozenset(
    {"SELECT", "INSERT", "UPDATE", "DELETE", "MERGE"}
)  # of a statement with WITH, after its tables

_NOTHING: frozenset[str] = frozenset()
_CLOSING = {")": "(", "END": "CASE"}
_MAX_COLUMNS = 400  # tokens of the list behind the name of a common table expression


class Seam(NamedTuple):
    """The position of a token that begins a line at which a statement may be cut; low ranks first."""

    at: int
    rank: int


def find_seams(tokens: Sequence[Token], starts: Sequence[Start], begin: int, end: int) -> Iterator[Seam]:
    """Yield the seams of the statements in ``tokens[begin:end]``.

    Those between queries come first, those within parentheses last of their kind.
    """
    borders = [begin, *(start.at for start in starts if begin < start.at < end), end]
    for first, last in pairwise(borders):
        yield from _of_statement(tokens, first, last)


def _of_statement(tokens: Sequence[Token], begin: int, end: int) -> Iterator[Seam]:
    nesting: list[str] = []
    cases = 0
    verbs = _VERBS if word(tokens, begin) == "WITH" else _NOTHING
    for at in range(begin, end):
        token = tokens[at]
        if token.kind not in (WORD, NAME, PUNCTUATION):
            continue
        text = token.text.upper()
        if not cases and at > begin and tokens[at - 1].end_line < token.line:
            rank = 0 if text in verbs and tokens[at - 1].text == ")" else _rank(tokens, at, text)
            if rank is not None:
                yield Seam(at, 2 * rank + bool(nesting))
        if text in ("(", "CASE"):
            nesting.append(text)
            cases += text == "CASE"
        elif nesting and _CLOSING.get(text) == nesting[-1]:
            nesting.pop()
            cases -= text == "END"


def _rank(tokens: Sequence[Token], at: int, text: str) -> int | None:
    """Return 0 between queries, 1 between clauses, None elsewhere."""
    before, after = tokens[at - 1].text, tokens[at + 1].text if at + 1 < len(tokens) else ""
    if text in _BETWEEN_QUERIES:
        return 0
    name_at = at + 1 if text == "," else at
    if (text == "," or before == ",") and _is_common_table(tokens, name_at):
        return 0
    return 1 if text in _CLAUSES or (text in _JOINS and after != "(") else None


def _is_common_table(tokens: Sequence[Token], at: int) -> bool:
    """Tell whether `name AS (` or `name (columns) AS (` stands at a position."""
    if at + 1 >= len(tokens) or tokens[at].kind not in (WORD, NAME):
        return False
    position = at + 1
    if tokens[position].text == "(":
        names = takewhile(lambda token: token.text != ")", tokens[position : position + _MAX_COLUMNS])
        position += 1 + sum(1 for _ in names)
    return word(tokens, position) == "AS" and position + 1 < len(tokens) and tokens[position + 1].text == "("
