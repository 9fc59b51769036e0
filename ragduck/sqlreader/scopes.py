"""Keep track of what names mean within a statement: sources, their aliases, common table expressions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ragduck.facts import ObjectName
from ragduck.sqlreader.names import HOLE
from ragduck.sqlreader.tokens import Token
from ragduck.sqlreader.updatable import column_set, origin_of

# What kind of parenthesis a scope is, or the statement itself.
STATEMENT = "statement"
GROUP = "group"  # where a source may stand: a derived table or sources that are joined
COMMON = "common"  # the body of a common table expression
PLAIN = "plain"  # an expression, a list of columns, hints; a query once SELECT is met

# What is expected next in a scope.
EXPRESSION = "expression"
SOURCE = "source"
ALIAS = "alias"  # a source or target has been read
TARGET = "target"
UNKNOWN = "unknown"  # after a piece that may be the first source of a parenthesis or the beginning of a query
COMMON_NAME = "common name"


@dataclass(slots=True)
class Source:
    """What a statement reads from or writes to; ``name`` is None unless it is a named object.

    ``base`` is the query that a derived table or common table expression stands for. A source that turns out
    to be the target of the statement is not read.
    """

    name: ObjectName | None
    at: int
    rule: str
    base: Scope | None = None
    is_target: bool = False


@dataclass(slots=True)
class Scope:
    """A statement or a parenthesis in it."""

    kind: str
    state: str = EXPRESSION
    verb: str = ""
    connector: str = "from"
    takes_from: bool = False  # FROM is a clause here, not part of a call such as `trim(x from y)`
    in_sources: bool = False
    in_target: bool = False
    has_query: bool = False
    has_union: bool = False
    awaits_query: bool = False
    list_at: int = -1  # where the columns of its query begin
    set_at: int = -1  # where UPDATE begins to set columns
    name: str = ""  # of the common table expression that is being read
    names: list[str] = field(default_factory=list)  # of those that are read
    sources: list[Source] = field(default_factory=list)
    targets: list[Source] = field(default_factory=list)
    aliases: dict[str, Source] = field(default_factory=dict)
    last: Source | None = None  # which has no alias yet
    own_name: str = ""

    def add(self, source: Source, *, called: str = "") -> None:
        """Take in a source; until it gets an alias it goes by its own name."""
        self.sources.append(source)
        self.last, self.own_name, self.state = source, called.casefold(), ALIAS
        if called:
            self.aliases.setdefault(self.own_name, source)

    def call(self, alias: str) -> None:
        """Give the last source an alias, its first."""
        if self.last is None:
            return
        if self.aliases.get(self.own_name) is self.last:
            del self.aliases[self.own_name]
        self.aliases[alias.casefold()] = self.last
        self.last = None

    def adopt(self, group: Scope) -> None:
        """Take over the sources that a parenthesis only joins; the smaller part moves to the larger."""
        if len(self.sources) < len(group.sources):
            self.sources, group.sources = group.sources, self.sources
        self.sources += group.sources
        if len(self.aliases) < len(group.aliases):
            self.aliases, group.aliases = group.aliases, self.aliases
        self.aliases.update(group.aliases)
        self.last, self.state = None, ALIAS


class CommonTables:
    """The common table expressions that are in scope."""

    def __init__(self) -> None:
        self.visible: dict[str, list[Scope]] = {}
        self.open: dict[str, list[Scope]] = {}  # bodies that are being read

    def begin(self, body: Scope) -> None:
        """Enter the body of an expression."""
        self.open.setdefault(body.name, []).append(body)

    def end(self, body: Scope, *, owner: Scope) -> None:
        """Let the statement that the expression stands before use its name, which a broken one may have changed."""
        bodies = self.open.get(body.name)
        if bodies and bodies[-1] is body:
            bodies.pop()
        self.visible.setdefault(body.name, []).append(body)
        owner.names.append(body.name)

    def forget(self, owner: Scope) -> None:
        """Drop the names that end with a statement."""
        for name in owner.names:
            self.visible[name].pop()
        owner.names.clear()

    def find(self, name: str) -> Scope | None:
        """Return the query that a name stands for.

        Within its own body a name means the expression only after UNION: only then is it recursive.
        """
        folded = name.casefold()
        bodies = self.open.get(folded)
        if bodies and bodies[-1].has_union:
            return bodies[-1]
        visible = self.visible.get(folded)
        return visible[-1] if visible else None


def same_object(name: ObjectName, other: ObjectName) -> bool:
    """Tell whether two names in one statement can mean the same object."""
    schemas = {name.schema.casefold(), other.schema.casefold()} - {"", HOLE}
    return name.name.casefold() == other.name.casefold() and len(schemas) < 2


def resolve_target(
    target: Source, scope: Scope, common: CommonTables, *, tokens: Sequence[Token]
) -> ObjectName | None:
    """Return what a statement writes to, and mark the source that is the target under another name."""
    name = target.name
    if name is None:
        return None
    source = scope.aliases.get(name.name.casefold()) if not name.schema and scope.verb in _BY_ALIAS else None
    if source is target:
        return name
    base = source.base if source else common.find(name.name) if not name.schema else None
    if source is None and base is None:
        _mark_same(name, scope)
        return name
    if source and source.name:
        source.is_target = True
        return source.name
    return _base_table(base, column_set(tokens, scope.set_at) if scope.set_at >= 0 else None, tokens)


def _mark_same(name: ObjectName, scope: Scope) -> None:
    """Mark the first source that is the target, written again where `UPDATE … FROM` lists the sources."""
    if scope.verb not in _BY_ALIAS or len(scope.targets) > _MAX_TARGETS:
        return
    source = next((other for other in scope.sources if other.name and same_object(other.name, name)), None)
    if source:
        source.is_target = True


_BY_ALIAS = frozenset({"UPDATE", "DELETE"})
_MAX_TARGETS = 16  # of one statement
_MAX_BASES = 32  # common table expressions that read from each other


def _base_table(base: Scope | None, column: str | None, tokens: Sequence[Token]) -> ObjectName | None:
    """Find the table that changing a query changes: the only one that it reads, or the one that has the column."""
    for _ in range(_MAX_BASES):
        if base is None or base.has_union or not base.sources:
            return None
        source, column = _changed_source(base, column, tokens)
        if source is None:
            return None
        if source.name:
            source.is_target = True
            return source.name
        base = source.base
    return None


def _changed_source(
    base: Scope, column: str | None, tokens: Sequence[Token]
) -> tuple[Source | None, str | None]:
    """Return the source of a query that a column is of, and what it is called there, if that is known."""
    origin = origin_of(tokens, base.list_at, column=column) if column and base.list_at >= 0 else None
    if len(base.sources) == 1:
        return base.sources[0], origin.own_name if origin else column
    return (base.aliases.get(origin.source), origin.own_name) if origin else (None, None)
