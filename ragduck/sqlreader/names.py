"""Read the names of database objects as statements write them, and say what refers to them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ragduck.facts import ObjectName
from ragduck.sqlreader.definitions import bare, is_stand_in, words
from ragduck.sqlreader.tokens import NAME, NUMBER, PUNCTUATION, TEMP, VARIABLE, WORD, Token, is_templated

EXTERNAL = "CLR"  # the kind of what an assembly has
STATIC = "static method"  # of a type that an assembly has: `Type::Method()`
HOLE = "\ufffc"  # stands in a text for a piece that nobody knows
_PARTS = 4  # server, database, schema, name
_PARTS_IN_SERVER = 3
_SUBSTITUTE = "$("  # sqlcmd puts a value here
_NAMING = frozenset({WORD, NAME, TEMP, VARIABLE})
_METHODS = words("value query nodes exist modify write tostring getancestor getlevel getdescendant")


class Reference(NamedTuple):
    """A database object that a statement names; the fields are those of a ReferenceFact, without its source."""

    name: ObjectName
    relation: str
    line: int
    kind: str = ""
    rule: str = ""
    detail: str = ""
    is_dynamic: bool = False


class Written(NamedTuple):
    """A name as written, and the position after it.

    ``name`` is None where it is no database object or cannot be told: a temporary table, a variable, a piece
    that is put in at run time. ``parts`` counts those that are there. ``behind`` is the name where only parts
    before the last are put in: ``HOLE`` stands for them, as the database if the schema is written or left out.
    """

    name: ObjectName | None
    end: int
    parts: int
    behind: ObjectName | None = None

    @property
    def sought(self) -> ObjectName | None:
        """Return the name, or what is known of it behind parts that nobody knows."""
        return self.name or self.behind


def read_object_name(tokens: Sequence[Token], at: int) -> Written:
    """Read a dotted name; of one with more than four parts, the last four."""
    parts: list[str | None] = []
    position = at
    has_unknown = False
    while position < len(tokens):
        if tokens[position].text == "." and tokens[position].kind == PUNCTUATION:
            parts.append("")  # `Db..Name` leaves the schema out
            position += 1
            continue
        end = _part_end(tokens, position)
        if end == position:
            break
        has_unknown = has_unknown or any(HOLE in token.text for token in tokens[position:end])
        parts.append(_part(tokens[position]) if end == position + 1 else None)
        position = end
        if position >= len(tokens) or tokens[position].text != ".":
            break
        position += 1
    is_cut_off = position > at and tokens[position - 1].text == "."
    name = None if is_cut_off else _object_name(parts)
    behind = _behind_unknown(parts) if has_unknown and not is_cut_off else None
    return Written(name, position, len(parts), behind)


def _part_end(tokens: Sequence[Token], at: int) -> int:
    """Return the position after one part of a name: more than one token where pieces are put in."""
    if tokens[at].kind not in _NAMING and tokens[at].text != HOLE:
        return at
    end = at + 1
    while end < len(tokens) and tokens[end].start == tokens[end - 1].end and _is_joined(tokens, end):
        end += 1
    return end


def _is_joined(tokens: Sequence[Token], at: int) -> bool:
    """Tell whether a token continues the part of a name that the token before it belongs to."""
    before, token = tokens[at - 1], tokens[at]
    if HOLE in (before.text, token.text):
        return token.text == HOLE or token.kind in _NAMING or token.kind == NUMBER
    is_word = token.kind == WORD and before.kind == WORD  # words touch only where sqlcmd puts a value in
    return is_word and (before.text.startswith(_SUBSTITUTE) or token.text.startswith(_SUBSTITUTE))


def _part(token: Token) -> str | None:
    name = bare(token) if token.kind in (WORD, NAME) and HOLE not in token.text else None
    if name and is_stand_in(name):
        return None if name.startswith("#") else _SUBSTITUTE
    return name


def _object_name(parts: Sequence[str | None]) -> ObjectName | None:
    known = [part for part in parts[-_PARTS:] if part is not None]
    if len(known) < min(len(parts), _PARTS) or not known or not known[-1] or _SUBSTITUTE in known[-1]:
        return None
    server, database, schema, name = [""] * (_PARTS - len(known)) + known
    if _SUBSTITUTE in (server, database):  # which a template asks for
        return None
    return ObjectName(name, "" if _SUBSTITUTE in schema else schema, database, server)


def _behind_unknown(parts: Sequence[str | None]) -> ObjectName | None:
    """Return a name of which only the schema, or what stands before that, is put in by pieces that nobody knows."""
    name = parts[-1] if 1 < len(parts) <= _PARTS_IN_SERVER and parts[0] is None else None
    if not name or _SUBSTITUTE in name:
        return None
    schema = parts[1] if len(parts) == _PARTS_IN_SERVER else None
    is_known = schema is not None and _SUBSTITUTE not in schema
    return ObjectName(name, schema or "", HOLE) if is_known else ObjectName(name, HOLE)


def is_partly_unknown(name: ObjectName) -> bool:
    """Tell whether a name is only what is known of one: such a name never stands for an object that is not here."""
    return HOLE in (name.schema, name.database)


def read_called_name(tokens: Sequence[Token], at: int) -> Written | None:
    """Read the dotted name in front of the parenthesis at a position; None where a method or nothing is called.

    Methods of columns are told by their names alone: those of xml and hierarchyid, `ST…` of geography. What follows
    the result of a call is no name: `OPENDATASOURCE(…).Db.dbo.T (a)`. A placeholder may stand for the schema.
    """
    begin = at - 1
    while begin >= 2 and tokens[begin - 1].text == "." and tokens[begin - 2].kind in _NAMING:
        begin -= 2
    is_cut_off = begin > 0 and tokens[begin - 1].text == "."
    is_alone = begin == at - 1 and not (begin >= 0 and is_templated(tokens[begin]))
    if is_alone or at - begin > 2 * _PARTS or is_cut_off:
        return None
    written = read_object_name(tokens, begin)
    is_joined = tokens[begin - 1].text == HOLE and tokens[begin - 1].end == tokens[begin].start
    if written.name is None or written.end != at or (begin and is_joined):
        return None
    is_method = written.name.name.casefold() in _METHODS or written.name.name.startswith("ST")
    return None if is_method and written.name.schema.casefold() != "dbo" else written


def read_static_call(tokens: Sequence[Token], at: int) -> tuple[ObjectName, str] | None:
    """Read `schema.Type::Method` in front of the parenthesis at a position: the type and the method."""
    begin = at - 4
    if (
        begin < 0
        or tokens[at - 1].kind not in (WORD, NAME)
        or tokens[at - 2].text != ":"
        or tokens[at - 3].text != ":"
    ):
        return None
    while begin >= 2 and tokens[begin - 1].text == "." and tokens[begin - 2].kind in _NAMING:
        begin -= 2
    written = read_object_name(tokens, begin)
    return (written.name, bare(tokens[at - 1])) if written.name and written.end == at - 3 else None
