"""What a migration does to a table, whatever the framework that it is written for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ragduck.facts import Call, CallFact, Expression, FileFacts, Joined, MemberFact, ObjectName, Text, TypeOf
from ragduck.graph.types.catalog import Catalog
from ragduck.graph.types.chains import argument
from ragduck.graph.types.literals import put_in, text_of

MAX_COLUMNS = 2_000
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
    parameters: Mapping[str, str] = field(default_factory=dict)  # what those of the method stand for

    def text(self, expression: Expression) -> str | None:
        """Return the string that an argument stands for."""
        return text_of(
            expression,
            catalog=self.catalog,
            file=self.file,
            source=self.source,
            parameters=self.parameters,
        )

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
