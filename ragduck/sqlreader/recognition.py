"""Tell SQL statements from texts that merely contain such words.

`Update the print queue` and `UPDATE queue SET printed = 1` begin alike: a text counts as SQL only when the tokens
after its verb are those that the statement needs. How sure that is depends on marks that prose does not have.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import IntEnum

from ragduck.sqlreader import names
from ragduck.sqlreader.definitions import MODULES, object_kind, word
from ragduck.sqlreader.object_queries import asks_for_objects
from ragduck.sqlreader.openings import opens_statement
from ragduck.sqlreader.phrases import after_phrase
from ragduck.sqlreader.steps import HOLE, KEYWORDS, STATEMENTS, is_hole, text_at
from ragduck.sqlreader.tokens import COMMENT, NAME, STRING, TEMP, VARIABLE, WORD, Token, tokenize

UNKNOWN_PIECE = names.HOLE  # stands in a text for a piece that nobody knows

_READ_CHARS = 6_000  # of a text; its first statement decides
_PROSE_TOKENS = 60

_BEGINNING = re.compile(
    r"[\s;(]*+(?:(?:--[^\n]*+\n|/\*(?:[^*]++|\*(?!/))*+\*/)[\s;(]*+){0,20}+(?:\{\s*+(?:\?\s*+=\s*+)?+)?+"
    r"(?:select|insert|update|delete|merge|exec|execute|call|with|create|alter|drop|truncate|declare|set|if|begin"
    r"|use|replace|upsert|bulk|explain|while|go|raiserror|waitfor|dbcc|print(?=\s*+n?+[('@])"
    r"|open(?=\s++(?:symmetric|master)\b))\b",
    re.IGNORECASE,
)
_PLACEHOLDER = re.compile(
    r"\{\d{1,3}(?:[,:][^{}\n]{0,20})?\}|\{=\w{1,60}\}|[#$]\{[^{}\n]{1,80}\}|/\*\*\w{1,30}\*\*/"
)
_TEMPLATE = re.compile(r"\{@?[A-Za-z_][\w.]{0,60}(?:[,:][^{}\n]{0,20})?\}")  # of a log message, or str.format
_PREFIX = re.compile(  # of all objects of an installation
    r"\{\w{0,40}(?:owner|qualifier|prefix)\w{0,20}\}(?:\.(?=[\w\[\"{])|(?=[^\W_]|[\[\"{]))", re.IGNORECASE
)
_ESCAPE = re.compile(r"\{\s*+(?:\?\s*+=\s*+)?+call\b", re.IGNORECASE)
_SENTENCE_END = re.compile(r"(?<![?\w])\w++[.!?:…]\s*$")  # not `?name?`, a parameter
_PLURAL = re.compile(r"\w(?<!count)(?<!sum)(?<!max)(?<!min)(?<!avg)\((?:s|es)\)", re.IGNORECASE)
_FOREIGN_TABLE = re.compile(r"\bfrom\s+(?:win32_|cim_|msft_|__instance)", re.IGNORECASE)
_COSMOS = re.compile(r"\bfrom\s+c(?:\s+where\s+c\.|\s*$)", re.IGNORECASE)  # whose container everybody calls c
_WITH = re.compile(r"\bwith\b", re.IGNORECASE)
_COMMON_C = re.compile(
    r"(?<![\w.])[\[\"`]?+c\b[\]\"`]?+\s*+(?:\([^()]*+\)\s*+)?+as\s*+(?:(?:not\s++)?+materialized\s*+)?+\(",
    re.IGNORECASE,
)

_MARKS = frozenset("*=<>@")
_AFTER_TABLE = frozenset({"WHERE", "FROM", "OUTPUT", "OPTION"})  # of a DELETE without FROM
_SHOUTED = STATEMENTS | {"FROM", "INTO", "TABLE", "CALL", "USE", "BULK", "REPLACE", "UPSERT"}


class Certainty(IntEnum):
    """How sure it is that a text is SQL: by its grammar alone, whoever gets it."""

    NONE = 0
    POSSIBLE = 1  # `delete from cache`: enough for a call that runs SQL
    SURE = 2


def begins_like_sql(text: str) -> bool:
    """Tell at small cost whether a text may be SQL at all."""
    return _BEGINNING.match(text) is not None


def recognize(text: str) -> Certainty:
    """Judge a text; pieces that nobody knows are ``UNKNOWN_PIECE``."""
    if len(text) < _READ_CHARS and _SENTENCE_END.search(text):
        return Certainty.NONE
    text = without_prefix(text[:_READ_CHARS])
    if not begins_like_sql(text) or _PLURAL.search(text) or _is_foreign(text):
        return Certainty.NONE
    is_template = _ESCAPE.search(text) is None and _TEMPLATE.search(_PLACEHOLDER.sub("", text)) is not None
    tokens = readable_tokens(text)
    if not opens_statement(tokens, 0) or _is_prose(tokens) or asks_for_objects(tokens):
        return Certainty.NONE
    is_unsure = is_template or _is_like_label(tokens) or not _is_marked(tokens)
    return Certainty.POSSIBLE if is_unsure else Certainty.SURE


def defines_module(text: str) -> bool:
    """Tell whether a statement creates a view, procedure, function or trigger: what it names is then theirs."""
    tokens = readable_tokens(text[:_READ_CHARS])
    return object_kind(tokens, 0) in MODULES


def readable_text(text: str) -> str:
    """Make unknown pieces of placeholders, `{0}` and `{name}`, so that the SQL around them can be read.

    An owner or a prefix of all objects is left out: `{databaseOwner}{objectQualifier}Orders`.
    """
    if _ESCAPE.search(text):
        return text
    return _TEMPLATE.sub(UNKNOWN_PIECE, _PLACEHOLDER.sub(UNKNOWN_PIECE, without_prefix(text)))


def without_prefix(text: str) -> str:
    """Leave out what an installation puts before the names of all objects: `{databaseOwner}{objectQualifier}`."""
    return _PREFIX.sub("", text) if "{" in text else text


def readable_tokens(text: str) -> list[Token]:
    """Cut a text with unknown pieces into tokens, without comments."""
    text = readable_text(text).replace(UNKNOWN_PIECE, HOLE)
    return [token for token in tokenize(text).tokens if token.kind != COMMENT]


def has_unknown_piece(text: str) -> bool:
    """Tell whether a statement has an unknown piece other than a value: `WHERE id = …`, `EXEC p …` have none."""
    tokens = readable_tokens(text)
    is_call = word(tokens, 0) in ("EXEC", "EXECUTE")
    return any(
        is_hole(token) and token.kind != STRING and not _is_value_hole(tokens, at, is_call=is_call)
        for at, token in enumerate(tokens)
    )


def _is_foreign(text: str) -> bool:
    """Tell whether a query asks WMI or Cosmos DB; where a WITH names `c`, that is no container."""
    if _FOREIGN_TABLE.search(text):
        return True
    return _COSMOS.search(text) is not None and not (_WITH.search(text) and _COMMON_C.search(text))


def _is_value_hole(tokens: Sequence[Token], at: int, *, is_call: bool) -> bool:
    if tokens[at].text != HOLE:
        return False
    if is_call:
        return at > 1 and tokens[at - 1].text != "." and text_at(tokens, at + 1) != "."
    before = text_at(tokens, at - 1)
    if before == "(":
        return word(tokens, at - 2) in ("IN", "TOP", "VALUES")
    return before in ("=", "<", ">") or before in ("LIKE", "BETWEEN", "TOP", "LIMIT", "OFFSET")


def _is_like_label(tokens: Sequence[Token]) -> bool:
    """Tell whether a text is what a button or a title may say, too: `Delete "Not found"`."""
    is_quoted = len(tokens) > 1 and tokens[1].kind == NAME and " " in tokens[1].text
    return is_quoted and word(tokens, 0) == "DELETE" and word(tokens, 2) not in _AFTER_TABLE


def _is_prose(tokens: Sequence[Token]) -> bool:
    """Tell whether more words follow each other than SQL has without a keyword between them."""
    run = at = 0
    while at < min(len(tokens), _PROSE_TOKENS):
        token, after = tokens[at], after_phrase(tokens, at)
        is_plain = token.kind == WORD and token.text.upper() not in KEYWORDS and not is_hole(token)
        run = run + 1 if is_plain and after == at else 0
        if run > 3:
            return True
        at = max(after, at + 1)
    return False


def _is_marked(tokens: Sequence[Token]) -> bool:
    """Tell whether a statement has what no sentence has: capitals throughout, quoted names, parameters."""
    verbs = [token.text for token in tokens[:_PROSE_TOKENS] if word([token], 0) in _SHOUTED]
    if all(text.isupper() for text in verbs):
        return True
    for at, token in enumerate(tokens[: _PROSE_TOKENS * 2]):
        if token.kind in (NAME, VARIABLE, TEMP) or token.text in _MARKS:
            return True
        if (
            token.text in (".", "(")
            and at
            and tokens[at - 1].kind in (WORD, NAME)
            and tokens[at - 1].end == token.start
        ):
            return True
    return False
