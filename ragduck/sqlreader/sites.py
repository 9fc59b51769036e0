"""Find the places of a file where a string may be SQL or name a database object."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from ragduck.facts import (
    Call,
    CallFact,
    Choice,
    Expression,
    FileFacts,
    Joined,
    Mentions,
    New,
    StatementFacts,
    StringFact,
    Text,
)
from ragduck.sqlreader.destinations import (
    NAMING,
    STORED_PROCEDURE,
    Destination,
    destination_of,
    is_stored_procedure,
    names_entities,
    names_stored_procedure,
    sql_arguments,
)

RUNNING = frozenset(Destination) - {Destination.UNKNOWN, Destination.REFUSES} - NAMING
CALLING = (Destination.CALLS_PROCEDURE, Destination.EXECUTES, Destination.MAY_EXECUTE)  # by a bare name
UNSETTLED = frozenset({Destination.MAY_EXECUTE, Destination.CALLS_PROCEDURE})  # where only a name tells it
_FIELD = "|FIELD"


class Flags(NamedTuple):
    """The members of a file that name `CommandType.StoredProcedure`; ``possible`` ones do so in a branch."""

    sure: frozenset[str]
    possible: frozenset[str]

    def settled(self, destination: Destination, *, source: str) -> Destination:
        """Return what becomes of a string that a member runs."""
        if source in self.sure and (destination in CALLING or destination is Destination.RUNS):
            return Destination.CALLS_PROCEDURE
        if source in self.possible and destination in (Destination.RUNS, Destination.MAY_EXECUTE):
            return Destination.EXECUTES
        return destination


class Site(NamedTuple):
    """A string expression and where it goes.

    ``is_own`` tells that the text is written here, rather than in the constant that is named here.
    """

    file: FileFacts
    source: str
    value: Expression
    line: int
    end_line: int
    destination: Destination = Destination.UNKNOWN
    assigned_to: str = ""
    is_own: bool = False

    @property
    def is_constant(self) -> bool:
        """Whether the string is what a field holds."""
        return self.is_own and self.source.endswith(_FIELD)


class Taken(NamedTuple):
    """An argument that a call runs."""

    value: Expression
    destination: Destination


def taken_by(fact: CallFact) -> Iterator[Taken]:
    """Yield the arguments that a call runs, going by the names of well-known libraries."""
    destination = destination_of(fact.call)
    if destination in RUNNING | NAMING:
        for value in sql_arguments(fact.call):
            yield Taken(value, destination)


def sites_of(
    file: FileFacts,
    *,
    taken_by: Callable[[CallFact], Iterable[Taken]] = taken_by,
    calls: Iterable[CallFact] | None = None,
    named: Mentions | None = None,
) -> Iterator[Site]:
    """Yield the strings of a file and the constants and locals that it gives to calls which run SQL.

    ``calls`` are those that may do so, and ``named`` is what statements name, where that is known.
    """
    statements = file.statements.unpacked()
    found = _Sites(file)
    for string in statements.strings:
        found.add_string(string, destination=_destination(string, taken_by))
    for call in statements.calls if calls is None else calls:
        for value, destination in taken_by(call):
            found.add_use(call, value, destination)
    flags = flags_of(statements, named)
    for site in found.sites:
        destination = flags.settled(site.destination, source=site.source)
        yield site if destination is site.destination else site._replace(destination=destination)


def _destination(fact: StringFact, taken_by: Callable[[CallFact], Iterable[Taken]]) -> Destination:
    """Return what becomes of a string: the name of a call may tell too little, or too much.

    Objects that are made with it are noted as no calls.
    """
    by_name = destination_of(fact.call, assigned_to=fact.assigned_to)
    is_told = by_name is not Destination.RUNS and by_name not in UNSETTLED
    if fact.call is None or (is_told and not isinstance(fact.call.function, New)):
        return by_name
    for taken in taken_by(CallFact(fact.source, fact.call, fact.line)):
        if type(taken.value) is type(fact.value) and taken.value == fact.value:
            return taken.destination
    return by_name


class _Sites:
    """The sites of one file; a text that is written once and then used is one site."""

    def __init__(self, file: FileFacts) -> None:
        self.sites: list[Site] = []
        self._file = file
        self._written: dict[tuple[str, type, Expression], int] = {}

    def add_string(self, fact: StringFact, *, destination: Destination) -> None:
        """Take a string in that goes to a destination."""
        if fact.call is not None and destination in RUNNING and not _is_sql_argument(fact.value, fact.call):
            return
        if self._file.language == "java" and names_entities(fact.call):
            return
        at = self._written.get((fact.source, type(fact.value), fact.value))
        if at is not None and self.sites[at].line == fact.line:
            self._send(at, destination)  # a local that is given to several calls
            return
        self._add(
            Site(
                self._file,
                fact.source,
                fact.value,
                fact.line,
                fact.end_line,
                destination,
                fact.assigned_to,
                is_own=is_written(fact.value),
            )
        )

    def add_use(self, fact: CallFact, value: Expression, destination: Destination) -> None:
        at = self._written.get((fact.source, type(value), value))
        if at is not None and self.sites[at].is_own:
            self._send(at, destination)
        else:
            self._add(Site(self._file, fact.source, value, fact.line, fact.line, destination))

    def _add(self, site: Site) -> None:
        self._written.setdefault((site.source, type(site.value), site.value), len(self.sites))
        self.sites.append(site)

    def _send(self, at: int, destination: Destination) -> None:
        if destination in RUNNING | NAMING and self.sites[at].destination not in RUNNING:
            self.sites[at] = self.sites[at]._replace(destination=destination)


def is_written(value: Expression) -> bool:
    """Tell whether a text is written out in an expression, rather than named."""
    if isinstance(value, Choice):
        return any(isinstance(option, (Text, Joined)) for option in value.options)
    return isinstance(value, (Text, Joined))


def _is_sql_argument(value: Expression, call: Call) -> bool:
    arguments = list(sql_arguments(call))
    return (
        not arguments
        or isinstance(call.function, New)
        or any(type(one) is type(value) and one == value for one in arguments)
    )


def flags_of(statements: StatementFacts, named: Mentions | None = None) -> Flags:
    """Return the members of a file that name `CommandType.StoredProcedure`; ``named`` is what its statements name."""
    if named is not None and STORED_PROCEDURE not in (*named.given, *named.read):
        return Flags(frozenset(), frozenset())
    naming = [fact for fact in statements.accesses if names_stored_procedure(fact.expression)]
    given = (fact.source for fact in statements.calls if is_stored_procedure(fact.call))
    possible = frozenset(fact.source for fact in naming if fact.is_conditional)
    always = frozenset(fact.source for fact in naming if not fact.is_conditional)
    return Flags(always | (frozenset(given) - possible), possible)
