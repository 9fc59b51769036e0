"""Find the statements that name a parameter of their method, so that callers name the table: `Clear("Lines")`.

They are kept as texts in which a mark stands for each parameter. At a call, what it gives comes in the marks' places.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ragduck.facts import (
    UNKNOWN,
    Call,
    CallFact,
    Choice,
    Expression,
    FileFacts,
    Joined,
    Member,
    MemberFact,
    Text,
    Typed,
)
from ragduck.graph.inline_sql.sql_parameters import SqlParameters
from ragduck.graph.inline_sql.strings import StringEvaluator
from ragduck.graph.types.catalog import Catalog
from ragduck.graph.types.chains import function_name
from ragduck.graph.types.findings import Found
from ragduck.graph.types.methods import accepts
from ragduck.sqlreader.destinations import Destination
from ragduck.sqlreader.recognition import UNKNOWN_PIECE, begins_like_sql, readable_text, recognize
from ragduck.sqlreader.references import read_references
from ragduck.sqlreader.sites import Site

_MARK = "\u01c2{}\u01c2"  # of letters, so that it is read as a name, but of none that occur
_MARKS = re.compile("\u01c2(\\d{1,4})\u01c2")
_MAX_ROUNDS = 3  # a method that hands its parameter to a method that hands it on
_MAX_STATEMENTS = 20  # of one method: each call of it goes through them
_MAX_PARTS = 200  # of one expression that are looked at


class _Statement(NamedTuple):
    """A statement with marks in it, and what is done with it."""

    text: str
    destination: Destination


class Given(NamedTuple):
    """A call as the place of a statement with what it gives; ``without`` is that statement with nothing given."""

    site: Site
    without: str


class GivenNames:
    """The statements of methods whose callers tell what they name."""

    def __init__(self, catalog: Catalog, parameters: SqlParameters, strings: StringEvaluator) -> None:
        self._catalog = catalog
        self._parameters = parameters
        self._strings = strings
        self._of: defaultdict[int, list[_Statement]] = defaultdict(list)  # by id of the method
        self._fresh: set[str] = set()
        self.noted = 0  # statements, each time that one was found

    def note(self, site: Site) -> None:
        """Keep a statement that names what its method is given."""
        if site.is_own and isinstance(site.value, (Joined, Choice)):
            self._note(site)

    def sites(self) -> Iterator[Given]:
        """Yield the calls of the methods that are noted, once per statement."""
        found: set[tuple[str, int, str, Expression]] = set()
        for _ in range(_MAX_ROUNDS):
            names, self._fresh = self._fresh, set()
            for file in tuple(self._catalog.files_calling(names)):
                for given in self._in(file, names):
                    site = given.site
                    key = (site.source, site.line, given.without, site.value)
                    if key not in found:
                        found.add(key)
                        self._note(site)
                        yield given
            if not self._fresh:
                return

    def _in(self, file: FileFacts, names: set[str]) -> Iterator[Given]:
        for fact in file.statements.unpacked().calls:
            if function_name(fact.call) not in names:
                continue
            found = self._parameters.called(fact, file)
            method = self._method(found, len(fact.call.arguments)) if found is not None else None
            if found is None or method is None:
                continue
            arguments = tuple(_arguments(fact, method, is_extension=found.is_extension))
            for statement in tuple(self._of[id(method)]):
                value = _with(statement.text, arguments)
                site = Site(file, fact.source, value, fact.line, fact.line, statement.destination)
                yield Given(site, _MARKS.sub(UNKNOWN_PIECE, statement.text))

    def _method(self, found: Found, count: int) -> MemberFact | None:
        fitting = (one for one in found.members if accepts(one, count, is_extension=found.is_extension))
        return next((one for one in fitting if id(one) in self._of), None)

    def _note(self, site: Site) -> None:
        """Keep the statements of a place that name parameters, also for the declarations of their method."""
        names = frozenset(one.name for one in _parts(site.value) if isinstance(one, Typed))
        member = self._around(site) if names else None
        if member is None or names.isdisjoint(one.name for one in member.parameters):
            return
        marks = {one.name: (_MARK.format(place),) for place, one in enumerate(member.parameters)}
        evaluated = self._strings.evaluate(site.value, file=site.file, source=site.source, given=marks)
        for text in evaluated.texts:
            if _names_what_is_given(text):
                self.noted += 1
                self._keep(member, _Statement(text, site.destination))

    def _around(self, site: Site) -> MemberFact | None:
        """Return the method around a place: overloads share a key, and differ in their lines."""
        owner = self._catalog.owner_of(site.source)
        name = site.source.rpartition("|")[0].rpartition(".")[2]
        for member in owner.members.get(name, ()) if owner is not None else ():
            is_around = member.key == site.source and member.line <= site.line <= member.end_line
            if is_around and self._catalog.home_of(member) is site.file:
                return member
        return None

    def _keep(self, member: MemberFact, statement: _Statement) -> None:
        for one in (member, *self._declared(member)):
            known = self._of[id(one)]
            if statement not in known and len(known) < _MAX_STATEMENTS:
                known.append(statement)
                self._fresh.add(member.name.rpartition(".")[2])

    def _declared(self, member: MemberFact) -> Iterator[MemberFact]:
        """Yield the declarations of interfaces and base classes that a method implements."""
        owner = self._catalog.owner_of(member.key)
        types = [one.type for one in member.parameters]
        for base in self._catalog.ancestors(owner) if owner is not None else ():
            for one in base.info.members.get(member.name, ()) if base.info is not None else ():
                is_open = base.info is not None and (base.info.is_interface or "abstract" in one.modifiers)
                if is_open and [each.type for each in one.parameters] == types:
                    yield one


def _parts(value: Expression) -> Iterator[Expression]:
    pending = [value]
    for _ in range(_MAX_PARTS):
        if not pending:
            return
        one = pending.pop()
        yield one
        if isinstance(one, Joined):
            pending.extend(one.parts)
        elif isinstance(one, Choice):
            pending.extend(one.options)
        elif isinstance(one, Call) and isinstance(one.function, Member):
            pending.append(one.function.receiver)  # `table.Trim()`


def _names_what_is_given(text: str) -> bool:
    if _MARKS.search(text) is None or not begins_like_sql(text) or not recognize(text):
        return False
    return any(_MARKS.search(one.name.name) for one in read_references(readable_text(text)))


def _arguments(fact: CallFact, method: MemberFact, *, is_extension: bool) -> Iterator[Expression]:
    """Yield what a call gives for each parameter of a method, its default where it gives nothing."""
    function = fact.call.function
    for place, parameter in enumerate(method.parameters):
        if is_extension and place == 0:
            yield function.receiver if isinstance(function, Member) else UNKNOWN
            continue
        given = (
            one.value
            for position, one in enumerate(fact.call.arguments)
            if one.name == parameter.name or (not one.name and position == place - is_extension)
        )
        default = parameter.default if isinstance(parameter.default, Text) else UNKNOWN
        yield next(given, default)


def _with(text: str, arguments: Sequence[Expression]) -> Expression:
    """Put what is given in the places of the marks."""
    pieces: Iterable[tuple[int, str]] = enumerate(_MARKS.split(text))
    given = dict(enumerate(arguments))  # a text of the sources may have what looks like a mark
    return Joined(tuple(given.get(int(piece), UNKNOWN) if at % 2 else Text(piece) for at, piece in pieces))
