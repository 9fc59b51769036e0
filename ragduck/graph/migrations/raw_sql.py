"""Read the raw SQL of migrations: which tables it changes, reads and writes, which modules it creates."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ragduck.facts import FileFacts, ObjectName, StringFact, Text
from ragduck.graph.migrations.changes import Change
from ragduck.sqlreader.definitions import read_definition
from ragduck.sqlreader.dialect import Dialect, detect_dialect
from ragduck.sqlreader.drops import read_drops
from ragduck.sqlreader.headers import object_name
from ragduck.sqlreader.names import Reference
from ragduck.sqlreader.references import read_references
from ragduck.sqlreader.statements import Start, find_starts
from ragduck.sqlreader.tokens import COMMENT, Token, tokenize

CHANGE = "SchemaChange"
_MAX_REPEATED = 20  # places of one text that are told apart
_GO = re.compile(r"^[ \t]{0,40}GO[ \t]{0,40};?[ \t]{0,40}$", re.IGNORECASE | re.MULTILINE)


class Module(NamedTuple):
    """A view, procedure, function or trigger that a text creates, or drops when ``is_dropped``."""

    kind: str
    name: ObjectName
    line: int
    end_line: int
    references: tuple[Reference, ...] = ()
    is_dropped: bool = False


class Script(NamedTuple):
    """What a text does besides: changes of tables, and references of its own statements."""

    changes: tuple[Change, ...]
    references: tuple[Reference, ...]
    modules: tuple[Module, ...]


def read_script(text: str, *, path: str, line: int) -> Script:
    """Read a text whose first line is the line ``line`` of a file."""
    dialect = detect_dialect(text, path=path)
    changes: list[Change] = []
    references: list[Reference] = []
    modules: list[Module] = []
    for batch, offset in _batches(text):
        found = [
            one._replace(line=one.line + line + offset - 1) for one in read_references(batch, dialect=dialect)
        ]
        tokens = [token for token in tokenize(batch, dialect=dialect).tokens if token.kind != COMMENT]
        starts = find_starts(tokens, dialect=dialect)
        modules += _dropped(tokens, starts, before=line + offset - 1)
        module = _created(tokens, starts, dialect=dialect, before=line + offset - 1)
        if module is not None:
            modules.append(module._replace(references=tuple(one for one in found if one.relation != CHANGE)))
            continue
        references += (one for one in found if one.relation != CHANGE)
        changes += (_change(one) for one in found if one.relation == CHANGE)
    return Script(tuple(changes), tuple(references), tuple(modules))


def literals_of(file: FileFacts) -> Mapping[str, tuple[StringFact, ...]]:
    """Return the literals of a file by their texts."""
    found: dict[str, tuple[StringFact, ...]] = {}
    for fact in file.strings:
        if isinstance(fact.value, Text):
            known = found.get(fact.value.value, ())
            if len(known) < _MAX_REPEATED:
                found[fact.value.value] = (*known, fact)
    return found


def first_line(text: str, *, line: int, literals: Mapping[str, tuple[StringFact, ...]]) -> int:
    """Return the line that a text begins on, which is given to a call that begins on another one."""
    for fact in literals.get(text, ()):
        if fact.line >= line:
            is_raw = fact.end_line - fact.line > text.count("\n")  # the quotes of a raw string have own lines
            return fact.line + 1 if is_raw else fact.line
    return line


def _batches(text: str) -> Iterator[tuple[str, int]]:
    """Yield the batches of a text, with the number of lines before each."""
    begin = 0
    for match in _GO.finditer(text):
        yield text[begin : match.start()], text.count("\n", 0, begin)
        begin = match.end()
    yield text[begin:], text.count("\n", 0, begin)


def _change(reference: Reference) -> Change:
    return Change(reference.rule, reference.name, reference.line, reference.detail)


def _created(
    tokens: Sequence[Token], starts: Sequence[Start], *, dialect: Dialect, before: int
) -> Module | None:
    """Return the module that a batch begins with; it takes in the whole batch."""
    if not starts or not starts[0].is_module:
        return None
    definition = read_definition(tokens, starts[0].at, end=len(tokens), dialect=dialect)
    if definition is None:
        return None
    first, last = tokens[starts[0].at], tokens[-1]
    end = last.line + last.text.count("\n")
    return Module(definition.kind, object_name(definition.name), first.line + before, end + before)


def _dropped(tokens: Sequence[Token], starts: Sequence[Start], *, before: int) -> Iterator[Module]:
    for start in starts:
        if start.keyword == "DROP":
            for drop in read_drops(tokens, start.at, start.end):
                if drop.kind in ("VIEW", "PROC", "FUNC", "TRIGGER"):
                    yield Module(
                        drop.kind, drop.name, drop.line + before, drop.line + before, is_dropped=True
                    )
