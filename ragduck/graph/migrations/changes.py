"""What a migration does to a table, whatever the framework that it is written for."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ragduck.facts import (
    Call,
    CallFact,
    Expression,
    FileFacts,
    Joined,
    MemberFact,
    ObjectName,
    Text,
    Typed,
    TypeOf,
)  # fmt: skip
from ragduck.graph.types.catalog import Catalog
from ragduck.graph.types.chains import argument
from ragduck.graph.types.literals import is_of_members, own_member, put_in, text_of

BUILDER = "MigrationBuilder"
MAX_COLUMNS = 2_000
RESPELLED = 0.7  # of what is named through an own method that spells names for a kind of server
_SPELLING = re.compile(r"(?:Rewrite|Delimit|Quote|Escape|Enclose|Bracket)[A-Z]\w*")
_MAX_SPELLINGS = 8  # of one name, one in the other
_TEXT = "string"
_MAX_GROWN = (
    2_000  # characters of what is put together from parameters: methods that call themselves add to it
)


class Change(NamedTuple):
    """One operation on a table; ``rule`` names it as edges do.

    ``detail`` is the column, key or index. ``other`` is the table that a new foreign key refers to, or what a
    table is renamed to; ``columns`` are those of a new table.
    """

    rule: str
    table: ObjectName
    line: int
    detail: str = ""
    columns: tuple[str, ...] = ()
    other: ObjectName | None = None
    confidence: float = 1.0


@dataclass(frozen=True, slots=True)
class Place:
    """The calls of one method that a migration runs, with what is needed to read their arguments."""

    catalog: Catalog
    file: FileFacts
    source: str
    calls: Sequence[CallFact]
    tables: Callable[
        [], Mapping[str, ObjectName]
    ]  # of entity types, by key; asked for where code names a type
    enter: Callable[[MemberFact, Mapping[str, str]], Place]  # another method, with texts for its parameters
    looks: Callable[[], None]  # is told where a text is that of members
    parameters: Mapping[str, str] = field(default_factory=dict)  # what those of the method stand for

    def is_builder(self, receiver: Expression | None) -> bool:
        """Tell whether a receiver is a `MigrationBuilder`: a parameter, or what an object keeps in a field."""
        if isinstance(receiver, Typed):
            return is_builder_type(receiver.type)
        name = own_member(receiver)
        owner = self.catalog.owner_of(self.source) if name else None
        members = self.catalog.members(owner, name) if owner is not None else ()
        return any(is_builder_type(member.type) for member in members[:1])

    def text(self, expression: Expression) -> str | None:
        """Return the string that an argument stands for."""
        expression = self.spelled(expression)
        if is_of_members(expression):
            self.looks()
        return text_of(
            expression,
            catalog=self.catalog,
            file=self.file,
            source=self.source,
            parameters=self.parameters,
        )

    def spelled(self, expression: Expression) -> Expression:
        """Return what an own method only spells for a kind of server: the name in `RewriteName(name)`."""
        for _ in range(_MAX_SPELLINGS):
            if not isinstance(expression, Call) or not self._spells(expression):
                break
            expression = expression.arguments[0].value
        return expression

    def respells(self, call: Call) -> bool:
        """Tell whether a call is given what an own method only spells."""
        return any(self.spelled(one.value) is not one.value for one in call.arguments)

    def _spells(self, call: Call) -> bool:
        name = own_member(call.function)
        if not _SPELLING.match(name) or len(call.arguments) != 1:
            return False
        owner = self.catalog.owner_of(self.source)
        members = self.catalog.members(owner, name) if owner is not None else []
        takes_text = [
            _is_text(one.type) and len(one.parameters) == 1 and _is_text(one.parameters[0].type)
            for one in members
        ]
        return bool(takes_text) and all(takes_text)

    def bound(self, call: Call, member: MemberFact, *, offset: int) -> dict[str, str]:
        """Return the texts that a call gives the parameters of a method, from the one at ``offset`` on."""
        bound: dict[str, str] = {}
        named = {one.name for one in call.arguments if one.name}
        for at, parameter in enumerate(member.parameters[offset:]):
            if parameter.name in named or at < len(call.arguments):
                text = self._handed_over(argument(call, at, name=parameter.name))
            else:
                text = parameter.default.value if isinstance(parameter.default, Text) else None
            if text is not None:
                bound[parameter.name] = text
        return bound

    def _handed_over(self, expression: Expression) -> str | None:
        text = self.text(expression)
        is_long = text is not None and len(text) > _MAX_GROWN and isinstance(expression, Joined)
        return None if is_long and put_in(expression, self.parameters) != expression else text

    def table_of(self, written: str) -> ObjectName | None:
        """Return the table of an entity type, by convention that of its name."""
        info = self.catalog.resolve(written, file=self.file, owner=self.catalog.owner_of(self.source)).info
        if info is None:
            return None
        return self.tables().get(info.key) or ObjectName(info.name)

    def table(self, expression: Expression, *, schema: Expression | None = None) -> ObjectName | None:
        """Return the table that an argument names."""
        name = self.text(expression)
        if not name:
            return self._table_of_type(expression)
        return ObjectName(name, (self.text(schema) or "") if schema is not None else "")

    def dotted_table(self, expression: Expression) -> ObjectName | None:
        """Return the table of `"dbo.Orders"`, as Entity Framework 6 writes it."""
        name = (self.text(expression) or "").replace("[", "").replace("]", "")
        schema, _, table = name.rpartition(".")
        return ObjectName(table, schema.rpartition(".")[2]) if table else None

    def _table_of_type(self, expression: Expression) -> ObjectName | None:
        """Return the table of `GetTableName(typeof(Order))` and `nameof`-like calls of one's own."""
        arguments = getattr(expression, "arguments", ())
        written = next((one.value.type for one in arguments if isinstance(one.value, TypeOf)), "")
        return self.table_of(written) if written else None


def is_builder_type(written: str) -> bool:
    """Tell whether a type is that of a `MigrationBuilder`, which may be null."""
    return written.rstrip("?").endswith(BUILDER)


def _is_text(written: str) -> bool:
    return written.rstrip("?") == _TEXT
