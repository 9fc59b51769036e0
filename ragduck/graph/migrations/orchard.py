"""Read migrations of Orchard and Orchard Core: `SchemaBuilder.CreateTable("Order", t => t.Column<int>("Id"))`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise

from ragduck.facts import Call, CallFact, Expression, LambdaParameter, Name, ObjectName
from ragduck.graph.migrations.changes import MAX_COLUMNS, Change, Place
from ragduck.graph.types.chains import argument, function_name, take_apart

BUILDER = "SchemaBuilder"
_CREATES = frozenset(("CreateTable", "CreateMapIndexTable", "CreateReduceIndexTable"))
_DROPS = frozenset(("DropTable", "DropMapIndexTable", "DropReduceIndexTable"))
_ALTERS = frozenset(("AlterTable", "AlterIndexTable"))
_PARTS = {
    "AddColumn": "add column",
    "AlterColumn": "alter column",
    "DropColumn": "drop column",
    "RenameColumn": "rename column",
    "CreateIndex": "create index",
    "DropIndex": "drop index",
    "AddUniqueConstraint": "add unique constraint",
    "DropUniqueConstraint": "drop unique constraint",
}
_COLUMNS_OF_PARTS = {
    "ContentPartRecord": ("Id",),
    "ContentPartVersionRecord": ("Id", "ContentItemRecord_id"),
}
_COLUMNS_OF_INDEXES = {"CreateMapIndexTable": ("Id", "DocumentId"), "CreateReduceIndexTable": ("Id",)}


def orchard_changes(place: Place) -> Iterator[Change]:
    """Yield what a method does through the builder of the schema, or hands to it as lambdas."""
    columns = _columns(place)
    for fact in place.calls:
        name = _name(fact.call)
        root = take_apart(fact.call).root
        if isinstance(root, LambdaParameter):
            table = _table(root.call, place) if _name(root.call) in _ALTERS else None
            if table is not None and name in _PARTS and _is_of_builder(root.call):
                yield Change(_PARTS[name], table, fact.line, _detail(fact.call, name, place))
        elif _is_of_builder(fact.call):
            yield from _change(fact, name, place, columns=columns)


def orchard_sql(place: Place) -> Iterator[tuple[str, int]]:
    """Yield the texts that a method hands to `SchemaBuilder.ExecuteSql(…)`, with the lines of the calls."""
    for fact in place.calls:
        if _name(fact.call) == "ExecuteSql" and _is_of_builder(fact.call):
            text = place.text(argument(fact.call, 0, name="sql"))
            if text:
                yield text, fact.line


def _change(
    fact: CallFact, name: str, place: Place, *, columns: dict[ObjectName, list[str]]
) -> Iterator[Change]:
    if name in ("CreateForeignKey", "DropForeignKey"):
        yield from _key_change(fact, name, place)
        return
    table = _table(fact.call, place) if name in _CREATES | _DROPS else None
    if table is not None and name in _CREATES:
        own = _COLUMNS_OF_INDEXES.get(name, ())
        yield Change("create table", table, fact.line, columns=(*own, *columns.get(table, ())))
    elif table is not None:
        yield Change("drop table", table, fact.line)


def _key_change(fact: CallFact, name: str, place: Place) -> Iterator[Change]:
    """Read `("FK", "Line", columns, "Order", columns)`, where a module may stand before each table."""
    texts = [place.text(one.value) or "" for one in fact.call.arguments]
    if name == "DropForeignKey":
        if len(texts) > 1 and texts[-2]:
            yield Change("drop foreign key", ObjectName(texts[-2]), fact.line, texts[-1])
        return
    tables = [before for before, text in pairwise(texts) if before and not text]
    if len(tables) == 2:
        child, parent = map(ObjectName, tables)
        yield Change("add foreign key", child, fact.line, texts[0], other=parent)


def _columns(place: Place) -> dict[ObjectName, list[str]]:
    """Return the columns of the new tables."""
    found: dict[ObjectName, list[str]] = defaultdict(list)
    for fact in place.calls:
        root, name = take_apart(fact.call).root, _name(fact.call)
        if not isinstance(root, LambdaParameter) or _name(root.call) not in _CREATES:
            continue
        table = _table(root.call, place)
        if table is None or not _is_of_builder(root.call):
            continue
        text = place.text(argument(fact.call, 0)) if name == "Column" else None
        found[table] += (text,) if text else _COLUMNS_OF_PARTS.get(name, ())
        del found[table][MAX_COLUMNS:]
    return found


def _detail(call: Call, name: str, place: Place) -> str:
    detail = place.text(argument(call, 0)) or ""
    new = place.text(argument(call, 1)) if name == "RenameColumn" else None
    return f"{detail} -> {new}" if new else detail


def _table(call: Call, place: Place) -> ObjectName | None:
    """Return the table that is named, or that of an index of documents, which is called like its class."""
    if call.type_arguments:
        written = call.type_arguments[0]
        return place.table_of(written) or ObjectName(written.rpartition(".")[2])
    return place.table(argument(call, 0, name="name"))


def _name(call: Call) -> str:
    return function_name(call).removesuffix("Async")


def _is_of_builder(call: Call) -> bool:
    """Say whether a call is made on the builder, or on what an earlier call on it returns."""
    chain = take_apart(call)
    root: Expression = chain.root
    first = next(iter(chain.links), None)
    if root == Name("this") and first is not None and first.call is None:
        return first.name == BUILDER
    return root == Name(BUILDER)
