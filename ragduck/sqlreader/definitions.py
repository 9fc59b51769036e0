"""Read what a CREATE or ALTER statement defines from its first tokens: kind, name, columns, signature."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ragduck.sqlreader.dialect import Dialect
from ragduck.sqlreader.tokens import COMMENT, NAME, PUNCTUATION, STRING, VARIABLE, WORD, Token, tokenize


def words(text: str) -> frozenset[str]:
    """Make a set of the words of a text."""
    return frozenset(text.split())


SIGNATURE_LENGTH = 300
KINDS = {
    "TABLE": ("TABLE", "table"),
    "VIEW": ("VIEW", "view"),
    "PROC": ("PROC", "procedure"),
    "PROCEDURE": ("PROC", "procedure"),
    "FUNCTION": ("FUNC", "function"),
    "AGGREGATE": ("FUNC", "function"),
    "TRIGGER": ("TRIGGER", "trigger"),
    "TYPE": ("TYPE", "type"),
    "SEQUENCE": ("SEQUENCE", "sequence"),
    "SYNONYM": ("SYNONYM", "synonym"),
    "INDEX": ("INDEX", "index"),
    "SCHEMA": ("SCHEMA", "schema"),
}
NO_COLUMN = words("CONSTRAINT PRIMARY FOREIGN UNIQUE CHECK INDEX KEY LIKE EXCLUDE FULLTEXT SPATIAL PERIOD")
MODULES = frozenset({"VIEW", "PROC", "FUNC", "TRIGGER"})  # their bodies hold statements

_FULLTEXT = "FULLTEXT"  # an index without a name of its own: a table has no other of the kind
_TEMPORARY = frozenset({"TEMP", "TEMPORARY"})
_MODIFIERS = words(
    "OR ALTER REPLACE UNIQUE CLUSTERED NONCLUSTERED COLUMNSTORE PRIMARY XML SPATIAL FULLTEXT HASH RECURSIVE"
    " MATERIALIZED EXTERNAL FOREIGN UNLOGGED GLOBAL LOCAL PUBLIC PRIVATE EDITIONABLE NONEDITIONABLE FORCE"
    " CONSTRAINT VIRTUAL EVENT ALGORITHM UNDEFINED MERGE TEMPTABLE DEFINER CURRENT_USER SQL"
    " SECURITY INVOKER VECTOR JSON BITMAP"
)
_BEFORE_NAME = frozenset({"IF", "NOT", "EXISTS", "CONCURRENTLY", "ONLY"})
_MAX_MODIFIERS = 24
_MAX_EXECUTED = 200_000  # characters of a literal script in EXEC('…') that are read


@dataclass(frozen=True, slots=True)
class Name:
    """A dotted name, taken apart from the right; quotes are removed."""

    name: str
    schema: str | None = None
    database: str | None = None
    is_schema_put_in: bool = False  # by sqlcmd, for `$(Schema)`


@dataclass(frozen=True, slots=True)
class Definition:
    """The object that a statement creates or changes."""

    kind: str
    element_type: str
    name: Name
    signature: str
    table: Name | None = None  # that an index or trigger is on
    column_lines: tuple[int, ...] = ()
    columns: tuple[str, ...] = ()
    after: int = 0  # position after the name


def bare(token: Token) -> str:
    """Return a name without its brackets or quotes, doubled closing marks undone."""
    text = token.text
    if token.kind != NAME:
        return text
    closing = "]" if text[0] == "[" else text[0]
    return text[1:].removesuffix(closing).replace(closing * 2, closing)


def object_kind(tokens: Sequence[Token], at: int) -> str | None:
    """Return the kind of object that CREATE or ALTER at a position is about; None for other statements."""
    keyword_at = _object_keyword(tokens, at + 1) if word(tokens, at) in ("CREATE", "ALTER") else None
    return None if keyword_at is None else KINDS[word(tokens, keyword_at)][0]


def read_definition(tokens: Sequence[Token], at: int, *, end: int, dialect: Dialect) -> Definition | None:
    """Read the object that the statement ``tokens[at:end]`` defines; None when it defines none.

    Temporary objects and their indexes, and changes of other objects than tables and modules, define nothing.
    """
    verb = word(tokens, at)
    keyword_at = _object_keyword(tokens, at + 1)
    if verb not in ("CREATE", "ALTER") or keyword_at is None:
        return None
    kind, element_type = KINDS[word(tokens, keyword_at)]
    if verb == "ALTER" and kind == "TABLE":
        element_type = "alter_table"
    elif verb == "ALTER" and (kind not in MODULES or dialect == "postgresql"):
        return None
    position = keyword_at + 1
    while word(tokens, position) in _BEFORE_NAME:
        position += 1
    if kind == "SCHEMA" and word(tokens, position) == "AUTHORIZATION":
        position += 1
    name, after = read_name(tokens, position)
    if word(tokens, keyword_at - 1) == _FULLTEXT and word(tokens, position) == "ON":
        table = _table_of(tokens[at:end], position - at)
        signature = squeeze(tokens[at : min(end, at + SIGNATURE_LENGTH)])
        index = Definition(kind, element_type, Name(_FULLTEXT), signature, table, after=position)
        return index if table else None
    is_passing = name is None or (name.database or "").casefold() == "tempdb"
    if name is None or is_passing or word(tokens, position) in ("ON", "COLLECTION"):
        return None
    statement = tokens[
        at : min(end, _signature_end(tokens, at) if kind in MODULES else at + SIGNATURE_LENGTH)
    ]
    columns = list(_columns(tokens, after)) if element_type in ("table", "type") else []
    lists_columns = element_type == "table" or bool(columns)
    table = _table_of(statement, after - at) if kind in ("INDEX", "TRIGGER") else None
    if kind == "INDEX" and table is None:
        return None  # of a temporary table
    return Definition(
        kind,
        element_type,
        name,
        signature=_table_signature(name.name, columns) if lists_columns else squeeze(statement),
        table=table,
        column_lines=tuple(token.line for token in columns),
        columns=tuple(bare(token) for token in columns if _is_column(token)),
        after=after,
    )


def read_script(literal: str, *, is_whole: bool, dialect: Dialect) -> Definition | None:
    """Read the object that the text in a literal creates first.

    None where the text goes on behind the literal (``is_whole`` is False), and so may the name at its end.
    """
    script = literal[:_MAX_EXECUTED].lstrip("nN")[1:].removesuffix("'").replace("''", "'")
    inner = [token for token in tokenize(script, dialect=dialect).tokens if token.kind != COMMENT]
    found = read_definition(inner, 0, end=len(inner), dialect=dialect)
    if found is None:
        return None
    last = bare(inner[-1]) if found.kind in ("INDEX", "TRIGGER") else ""
    is_cut = found.after == len(inner) or (last and (found.table is None or last == found.table.name))
    return None if is_cut and not is_whole else replace(found, column_lines=())


def read_name(tokens: Sequence[Token], at: int) -> tuple[Name | None, int]:
    """Read a name of up to four parts and the position after it; None for temporary objects and non-names."""
    parts: list[str] = []
    position, expects_part = at, True
    while position < len(tokens):
        token = tokens[position]
        if expects_part and token.kind in (WORD, NAME):
            parts.append(bare(token))
            expects_part = False
        elif token.text == "." and token.kind == PUNCTUATION:
            if expects_part:
                parts.append("")
            expects_part = True
        else:
            break
        position += 1
    if expects_part or not parts or not parts[-1] or is_stand_in(parts[-1]):
        return None, position
    known = [None if not part or "$(" in part or is_stand_in(part) else part for part in reversed(parts)]
    schema, database = (*known[1:3], None, None)[:2]
    is_put_in = len(parts) > 1 and "$(" in parts[-2]
    return Name(parts[-1], schema, database, is_put_in), position


def is_stand_in(name: str) -> bool:
    """Tell whether a quoted name is that of a temporary object, or what a template has for `<name, type, value>`."""
    return name.startswith("#") or (name[:1] == "<" and name[-1:] == ">" and name.count(",") == 2)


def word(tokens: Sequence[Token], at: int) -> str:
    """Return the keyword at a position in capitals, "" where there is none."""
    return tokens[at].text.upper() if 0 <= at < len(tokens) and tokens[at].kind == WORD else ""


def squeeze(tokens: Sequence[Token], *, limit: int = SIGNATURE_LENGTH) -> str:
    """Write tokens on one line, with the spaces they were written with reduced to one."""
    pieces: list[str] = []
    length, end = 0, tokens[0].start if tokens else 0
    for token in tokens:
        text = _readable(token)
        is_apart = token.start > end or (token.kind == NAME and pieces[-1:] and pieces[-1][-1:].isalnum())
        pieces.append(f" {text}" if is_apart else text)
        length += len(pieces[-1])
        end = token.end
        if length > limit:
            return "".join(pieces)[: limit - 1].rstrip() + "…"
    return "".join(pieces)


def _readable(token: Token) -> str:
    if token.kind == NAME:
        name = bare(token)
        return name if name.isidentifier() else token.text
    return " ".join(token.text.split()) if token.kind == STRING else token.text


def _object_keyword(tokens: Sequence[Token], at: int) -> int | None:
    """Skip the modifiers of CREATE; None when a temporary or unknown thing is created."""
    previous = ""
    for position in range(at, min(at + _MAX_MODIFIERS, len(tokens))):
        keyword = word(tokens, position)
        if keyword in KINDS:
            is_modifier = keyword == "AGGREGATE" and word(tokens, position + 1) == "FUNCTION"
            return position + is_modifier
        if keyword in _TEMPORARY:
            return None
        is_value = tokens[position].text in ("=", "@") or tokens[position].kind in (NAME, STRING, VARIABLE)
        if keyword not in _MODIFIERS and not (is_value or previous in ("=", "@")):
            return None
        previous = tokens[position].text
    return None


def _table_signature(name: str, columns: Sequence[Token]) -> str:
    names = [bare(token) for token in columns if _is_column(token)]
    text = f"{name} ({', '.join(names)})" if names else name
    return text if len(text) <= SIGNATURE_LENGTH else text[: SIGNATURE_LENGTH - 1].rstrip() + "…"


def _signature_end(tokens: Sequence[Token], at: int) -> int:
    """Find the AS, BEGIN or RETURN that closes a module's header, or where a signature would be full."""
    depth = 0
    limit = min(at + SIGNATURE_LENGTH, len(tokens))
    for position in range(at + 1, limit):
        token = tokens[position]
        if token.text in ("(", ")"):
            depth += 1 if token.text == "(" else -1
        elif depth == 0 and starts_body(tokens, position):
            return position
    return limit


def starts_body(tokens: Sequence[Token], at: int) -> bool:
    """Tell whether the keyword at a position ends a module's header: not ``@p AS int``, ``EXECUTE AS``."""
    keyword = word(tokens, at)
    if keyword == "AS":
        return tokens[at - 1].kind != VARIABLE and word(tokens, at - 1) not in ("EXECUTE", "EXEC")
    return keyword in ("BEGIN", "RETURN") and tokens[at - 1].text != "."


def _columns(tokens: Sequence[Token], at: int) -> Iterator[Token]:
    """Yield the first token of each entry of the parenthesised list that follows a table's or type's name."""
    if word(tokens, at) == "AS" and word(tokens, at + 1) in ("TABLE", ""):
        at += 2 if word(tokens, at + 1) else 1
    if at >= len(tokens) or tokens[at].text != "(":
        return
    depth, is_first = 0, False
    for position in range(at, len(tokens)):
        token = tokens[position]
        if is_first and token.text not in (")", ","):
            yield token
        is_first = token.kind == PUNCTUATION and (
            (token.text == "(" and depth == 0) or (token.text == "," and depth == 1)
        )
        if token.kind == PUNCTUATION and token.text in "()":
            depth += 1 if token.text == "(" else -1
        if depth == 0 or token.kind == "go":
            return


def _is_column(token: Token) -> bool:
    if token.kind == WORD:
        return token.text.upper() not in NO_COLUMN
    return token.kind == NAME


def _table_of(tokens: Sequence[Token], at: int) -> Name | None:
    """Find the table after the first ON of an index or trigger header."""
    for position in range(at, min(at + SIGNATURE_LENGTH, len(tokens))):
        if tokens[position].text == ";" or tokens[position].kind == "go":
            return None
        if word(tokens, position) == "ON":
            start = position + 2 if word(tokens, position + 1) == "ONLY" else position + 1
            return read_name(tokens, start)[0]
    return None
