"""Keep statements that stand in constants until it is known which members use them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Set
from functools import partial
from typing import NamedTuple

from ragduck.facts import Call, Choice, Expression, FileFacts, Joined, Member, Name
from ragduck.graph.file_rows import FileRows, FileRule, Reach, ReadOff
from ragduck.graph.inline_sql.strings import StringEvaluator
from ragduck.graph.types.catalog import Catalog
from ragduck.sqlreader.destinations import Destination, destination_of
from ragduck.sqlreader.recognition import recognize
from ragduck.sqlreader.sites import Site

_MAX_PARTS = 200  # of one expression that are looked at


class _Use(NamedTuple):
    """A place that names something; ``is_part`` tells that it makes a longer string of it."""

    source: str
    expression: Name | Member
    line: int
    is_part: bool = False


class SqlConstants:
    """The fields that hold a statement, and where they are named."""

    def __init__(self, catalog: Catalog, strings: StringEvaluator) -> None:
        self._catalog = catalog
        self._strings = strings
        self._kept: defaultdict[str, list[tuple[Site, str]]] = defaultdict(list)
        self._used: set[tuple[str, str]] = set()  # key of the field, member that uses it
        self.kept = 0  # statements
        self.fresh_uses: list[tuple[str, str]] = []  # noted since they were last taken

    def keep(self, site: Site, text: str) -> bool:
        """Put a field's statement aside; False if it is none."""
        if not recognize(text):
            return False
        self._kept[site.source].append((site, text))
        self.kept += 1
        return True

    def take_use(self, site: Site) -> None:
        """Note that a call which runs SQL names a field, or changes what it holds: `Queries.ById.FormatWith(id)`."""
        value = site.value
        while isinstance(value, Call) and isinstance(value.function, Member):
            value = value.function.receiver
        member = self._strings.member_of(value, file=site.file, source=site.source)
        if member is not None:
            self.note_use(member.key, site.source)

    def note_use(self, key: str, source: str) -> None:
        """Note that a member runs what a field holds."""
        self._used.add((key, source))
        self.fresh_uses.append((key, source))

    def uses(self, rows: FileRows) -> Iterator[tuple[Site, str]]:
        """Yield the other uses of kept statements, then those that nothing uses where they stand."""
        names = {key.rpartition("|")[0].rpartition(".")[2] for key in self._kept}
        rule = FileRule("files naming statements", Reach.OWN, sorted(names))
        files = self._catalog.files.values() if names else ()
        naming = (file for file, found in rows.read(rule, files, partial(_naming, names)) if found)
        for file in naming:
            for use in _uses_in(file):
                if use.expression.name in names:
                    yield from self._sites_of(use, file)
        used = {key for key, _ in self._used}
        for key, kept in self._kept.items():
            if key not in used:
                yield from kept

    def _sites_of(self, use: _Use, file: FileFacts) -> Iterator[tuple[Site, str]]:
        member = self._strings.member_of(use.expression, file=file, source=use.source)
        if member is None or member.key not in self._kept or (member.key, use.source) in self._used:
            return
        self._used.add((member.key, use.source))
        if not use.is_part:
            for _, text in self._kept[member.key]:
                yield Site(file, use.source, use.expression, use.line, use.line), text


def _naming(names: Set[str], file: FileFacts) -> ReadOff:
    """Return a row for a file that names something by one of some names."""
    return ReadOff([(True,)] if any(use.expression.name in names for use in _uses_in(file)) else ())


def _uses_in(file: FileFacts) -> Iterator[_Use]:
    """Yield the names that a file reads, gives to calls or puts into strings; fields that name each other count."""
    statements = file.statements.unpacked()
    for string in statements.strings:
        if not isinstance(string.value, (Name, Member)):
            for part in _names_in(string.value):
                yield _Use(string.source, part, string.line, is_part=True)
    for call in statements.calls:
        if destination_of(call.call) is not Destination.REFUSES:
            for argument in call.call.arguments:
                for part in _names_in(argument.value):
                    yield _Use(call.source, part, call.line, is_part=isinstance(argument.value, Joined))
    for access in statements.accesses:
        if isinstance(access.expression, (Name, Member)) and not access.is_write:
            yield _Use(access.source, access.expression, access.line)
    for string in statements.strings:
        if isinstance(string.value, (Name, Member)):
            yield _Use(string.source, string.value, string.line)


def _names_in(expression: Expression) -> Iterator[Name | Member]:
    pending = [expression]
    for _ in range(_MAX_PARTS):
        if not pending:
            return
        one = pending.pop()
        if isinstance(one, (Name, Member)):
            yield one
        elif isinstance(one, Joined):
            pending.extend(one.parts)
        elif isinstance(one, Choice):
            pending.extend(one.options)
