"""Read migrations of Entity Framework Core and Entity Framework 6."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from ragduck.facts import Call, CallFact, Expression, LambdaParameter, Name, ObjectName
from ragduck.graph.migrations.changes import MAX_COLUMNS, Change, Place
from ragduck.graph.types.chains import argument, function_name, lambda_members, receiver_of, take_apart

CREATE_TABLE = "CreateTable"
_NOWHERE = 99  # a position that no call has: the argument is always written with its name


class _Operation(NamedTuple):
    """Where an operation has its arguments when they are not named."""

    rule: str
    table: tuple[str, int]
    schema: int
    detail: tuple[str, int] | None = ("name", 0)


_TABLE = ("table", 1)
_CORE = {
    CREATE_TABLE: _Operation("create table", ("name", 0), 2, None),
    "DropTable": _Operation("drop table", ("name", 0), 1, None),
    "RenameTable": _Operation("rename table", ("name", 0), 1, ("newName", 2)),
    "AddColumn": _Operation("add column", _TABLE, 6),
    "AlterColumn": _Operation("alter column", _TABLE, 6),
    "DropColumn": _Operation("drop column", _TABLE, 2),
    "RenameColumn": _Operation("rename column", _TABLE, 3),
    "AddForeignKey": _Operation("add foreign key", _TABLE, 4),
    "DropForeignKey": _Operation("drop foreign key", _TABLE, 2),
    "CreateIndex": _Operation("create index", _TABLE, 3),
    "DropIndex": _Operation("drop index", _TABLE, 2),
    "RenameIndex": _Operation("rename index", ("table", 2), 3),
    "AddPrimaryKey": _Operation("add primary key", _TABLE, 3),
    "DropPrimaryKey": _Operation("drop primary key", _TABLE, 2),
    "AddUniqueConstraint": _Operation("add unique constraint", _TABLE, 3),
    "DropUniqueConstraint": _Operation("drop unique constraint", _TABLE, 2),
    "AddCheckConstraint": _Operation("add check constraint", _TABLE, 3),
    "DropCheckConstraint": _Operation("drop check constraint", _TABLE, 2),
    "InsertData": _Operation("insert data", ("table", 0), _NOWHERE, None),
    "UpdateData": _Operation("update data", ("table", 0), _NOWHERE, None),
    "DeleteData": _Operation("delete data", ("table", 0), _NOWHERE, None),
}
_RENAMED = {"RenameColumn": 2, "RenameIndex": 1}  # where the new name is
_SIX = {
    CREATE_TABLE: "create table",
    "DropTable": "drop table",
    "RenameTable": "rename table",
    "MoveTable": "rename table",
    "AddColumn": "add column",
    "AlterColumn": "alter column",
    "DropColumn": "drop column",
    "RenameColumn": "rename column",
    "AddForeignKey": "add foreign key",
    "DropForeignKey": "drop foreign key",
    "CreateIndex": "create index",
    "DropIndex": "drop index",
    "AddPrimaryKey": "add primary key",
    "DropPrimaryKey": "drop primary key",
}
_SIX_TABLES = frozenset((CREATE_TABLE, "DropTable", "RenameTable", "MoveTable"))  # whose parameter is `name`


def core_changes(place: Place) -> Iterator[Change]:
    """Yield what a method does through a `MigrationBuilder`."""
    columns = _columns(place)
    for fact in place.calls:
        name = function_name(fact.call)
        receiver = receiver_of(fact.call)
        if name == "ForeignKey" and isinstance(receiver, LambdaParameter):
            yield from _constraint(fact, receiver.call, place=place)
        elif name in _CORE and place.is_builder(receiver):
            yield from _core_change(fact, _CORE[name], place=place, columns=columns)


def _core_change(
    fact: CallFact, operation: _Operation, *, place: Place, columns: dict[ObjectName, list[str]]
) -> Iterator[Change]:
    call = fact.call
    table = place.table(
        argument(call, operation.table[1], name=operation.table[0]),
        schema=argument(call, operation.schema, name="schema"),
    )
    if table is None:
        return
    detail = _detail(call, operation, place=place)
    yield Change(
        operation.rule,
        table,
        fact.line,
        detail,
        columns=tuple(columns.get(table, ())) if operation.rule == "create table" else (),
        other=_other(call, operation, place=place, table=table),
    )


def _detail(call: Call, operation: _Operation, *, place: Place) -> str:
    if operation.detail is None:
        return ""
    detail = place.text(argument(call, operation.detail[1], name=operation.detail[0])) or ""
    position = _RENAMED.get(function_name(call))
    if position is None:
        return detail
    new = place.text(argument(call, position, name="newName"))
    return f"{detail} -> {new}" if new else detail


def _other(call: Call, operation: _Operation, *, place: Place, table: ObjectName) -> ObjectName | None:
    if operation.rule == "add foreign key":
        return place.table(
            argument(call, 3, name="principalTable"), schema=argument(call, 5, name="principalSchema")
        )
    if operation.rule == "rename table":
        name = place.text(argument(call, 2, name="newName")) or table.name
        return ObjectName(name, place.text(argument(call, 3, name="newSchema")) or table.schema)
    return None


def _constraint(fact: CallFact, create: Call, *, place: Place) -> Iterator[Change]:
    """Read `table.ForeignKey(…)` among the constraints of a new table."""
    child = _core_table(create, place)
    parent = place.table(
        argument(fact.call, 2, name="principalTable"), schema=argument(fact.call, 4, name="principalSchema")
    )
    if child is not None and parent is not None and function_name(create) == CREATE_TABLE:
        name = place.text(argument(fact.call, 0, name="name")) or ""
        yield Change("add foreign key", child, fact.line, name, other=parent)


def _core_table(create: Call, place: Place) -> ObjectName | None:
    return place.table(argument(create, 0, name="name"), schema=argument(create, 2, name="schema"))


def _columns(place: Place) -> dict[ObjectName, list[str]]:
    """Return the columns of the new tables: `columns: table => new { Id = table.Column<int>(…) }`."""
    found: dict[ObjectName, list[str]] = defaultdict(list)
    for fact in place.calls:
        receiver = receiver_of(fact.call)
        if not isinstance(receiver, LambdaParameter) or function_name(receiver.call) != CREATE_TABLE:
            continue
        is_core = receiver_of(receiver.call) is not None
        table = _core_table(receiver.call, place) if is_core else _six_table(receiver.call, place)
        name = place.text(argument(fact.call, _NOWHERE, name="name")) or fact.assigned_to
        if table is not None and fact.assigned_to and name and len(found[table]) < MAX_COLUMNS:
            found[table].append(name)
    return found


def six_changes(place: Place) -> Iterator[Change]:
    """Yield what a method does through the methods of `DbMigration`."""
    columns = _columns(place)
    for fact in place.calls:
        chain = take_apart(fact.call)
        first = chain.links[0] if chain.links else None
        if first is None or first.call is None or first.name not in _SIX or not _is_own(chain.root):
            continue
        if len(chain.links) == 1:
            yield from _six_change(fact, place, columns=columns)
        elif first.name == CREATE_TABLE:
            yield from _six_part(fact, first.call, place=place)


def _is_own(root: Expression) -> bool:
    """Say whether a chain begins with a method of the migration itself."""
    return isinstance(root, Name) and root.name in ("", "this", "base")


def _six_table(call: Call, place: Place) -> ObjectName | None:
    name = function_name(call)
    parameter = "name" if name in _SIX_TABLES else "dependentTable" if "ForeignKey" in name else "table"
    return place.dotted_table(argument(call, 0, name=parameter))


def _six_change(fact: CallFact, place: Place, *, columns: dict[ObjectName, list[str]]) -> Iterator[Change]:
    call, name = fact.call, function_name(fact.call)
    table = _six_table(call, place)
    if table is None:
        return
    other: ObjectName | None = None
    detail = place.text(argument(call, 1, name="name")) or ""
    if name == CREATE_TABLE:
        yield Change("create table", table, fact.line, columns=tuple(columns.get(table, ())))
        return
    if name in ("RenameTable", "MoveTable"):
        new = place.text(argument(call, 1, name="newName" if name == "RenameTable" else "newSchema")) or ""
        other = ObjectName(new, table.schema) if name == "RenameTable" else ObjectName(table.name, new)
        detail = new
    elif name == "RenameColumn":
        detail = f"{detail} -> {place.text(argument(call, 2, name='newName')) or ''}"
    elif name in ("AddForeignKey", "DropForeignKey"):
        other = place.dotted_table(argument(call, 2, name="principalTable"))
        detail = _six_key(call, table, parent=other, place=place)
    elif name == "CreateIndex":
        detail = place.text(argument(call, 3, name="name")) or f"IX_{detail}"
    yield Change(_SIX[name], table, fact.line, detail, other=other)


def _six_key(call: Call, child: ObjectName, *, parent: ObjectName | None, place: Place) -> str:
    """Return the name of a key, made as Entity Framework 6 does where none is written."""
    position = 5 if function_name(call) == "AddForeignKey" else _NOWHERE
    name = place.text(argument(call, position, name="name"))
    column = place.text(argument(call, 1, name="dependentColumn")) or ""
    if name or parent is None:
        return name or column  # DropForeignKey("dbo.Orders", "FK_…")
    return _six_name(child, parent, columns=(column,))


def _six_name(child: ObjectName, parent: ObjectName, *, columns: tuple[str, ...]) -> str:
    names = (f"{one.schema}.{one.name}" if one.schema else one.name for one in (child, parent))
    return "_".join(("FK", *names, *(column for column in columns if column)))


def _six_part(fact: CallFact, create: Call, *, place: Place) -> Iterator[Change]:
    """Read what follows `CreateTable(…)`: `.ForeignKey("dbo.Customers", t => t.CustomerId)`, `.Index(…)`."""
    table, name = _six_table(create, place), function_name(fact.call)
    if table is None:
        return
    columns = lambda_members(fact.call)
    written = place.text(argument(fact.call, _NOWHERE, name="name"))
    if name == "ForeignKey":
        parent = place.dotted_table(argument(fact.call, 0, name="principalTable"))
        if parent is not None:
            key = written or _six_name(table, parent, columns=columns)
            yield Change("add foreign key", table, fact.line, key, other=parent)
    elif name == "Index":
        yield Change("create index", table, fact.line, written or f"IX_{'_'.join(columns)}")


def raw_sql(place: Place) -> Iterator[tuple[str, int]]:
    """Yield the texts that a method hands to `Sql(…)`, with the lines of the calls."""
    for fact in place.calls:
        receiver = receiver_of(fact.call)
        if function_name(fact.call) == "Sql" and (receiver is None or place.is_builder(receiver)):
            text = place.text(argument(fact.call, 0, name="sql"))
            if text:
                yield text, fact.line
