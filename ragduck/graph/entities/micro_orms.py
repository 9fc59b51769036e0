"""Tell what micro-ORMs do to tables: `connection.Get<Order>(id)`, `db.Insert(order)`, `db.Queryable<Order>()`.

They have no sets. A connection or a database is given the class, whose table an attribute names or its own name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ragduck.facts import (
    Call,
    Expression,
    FileFacts,
    Joined,
    Lambda,
    LambdaParameter,
    Member,
    Name,
    Text,
    Typed,
)
from ragduck.graph.entities.builders import element_type
from ragduck.graph.types.catalog import Catalog, TypeInfo, TypeRef
from ragduck.graph.types.chains import argument, function_name, inward, receiver_of
from ragduck.graph.types.declarations import family_of
from ragduck.graph.types.expressions import Evaluator, Evaluators
from ragduck.graph.types.methods import lineage
from ragduck.sqlreader.recognition import begins_like_sql

KNOWN = 0.95
BY_NAME = 0.7  # of a receiver without a known type, that is called a database
LIBRARIES = (
    "Dapper",
    "DapperExtensions",
    "Dommel",
    "FreeSql",
    "NPoco",
    "PetaPoco",
    "RepoDb",
    "ServiceStack.OrmLite",
    "SqlSugar",
)
_DATABASE = re.compile(
    r"I?[A-Z]\w*(?<!Data)Connection|I?(?:Async|Base|Umbraco)?Database|I?SqlSugar\w*|IFreeSql|FreeSqlCloud|I?Tenant"
)
_CALLED_DATABASE = re.compile(
    r"_*(?:\w*(?:db|database|conn|connection|dbclient)|i?freesql|fsql|orm)", re.IGNORECASE
)
_CLASSES = frozenset(("class", "record"))
_SQL = frozenset(("string", "string?", "String", "Sql", "FormattableString", "SqlBuilder", "Template"))


def _both(text: str) -> frozenset[str]:
    return frozenset(name for word in text.split() for name in (word, f"{word}Async"))


_STARTS = _both("From Queryable Select Query QueryAsync")
_READS = _both(
    "BatchQuery CountAll Find FindAll From Get GetAll GetById GetList GetListPaged GetPage GetPaged GetSet"
    " LoadSelect LoadSingleById QueryAll Queryable RecordCount SelectByIds SingleById SingleOrDefaultById"
)
# May be given SQL, which tells by itself what it reads, and makes objects of any class of the rows
_MAY_TAKE_SQL = _both(
    "Any Average Column ColumnDistinct Count Dictionary Exists Fetch First FirstOrDefault Lookup Max Min Page Query"
    " Scalar Select Single SingleOrDefault SkipTake Sum Where"
)
_WRITES = _both(
    "BulkDelete BulkInsert BulkMerge BulkUpdate Delete DeleteAll DeleteById DeleteByIds DeleteList DeleteMany"
    " DeleteMultiple DeleteNonDefaults DeleteWhere Deleteable Fastest Insert InsertAll InsertBatch InsertBulk"
    " InsertMany InsertOnly InsertOrUpdate Insertable Merge MergeAll Save SaveAll SaveAllReferences SaveReferences"
    " Storageable Truncate Update UpdateAdd UpdateAll UpdateMany UpdateNonDefaults UpdateOnly UpdateOnlyFields"
    " Updateable Upsert"
)
_TELLING = _both(
    "Deleteable Insertable Queryable Storageable Updateable"
)  # of SqlSugar, whatever they are called on
_JOINS = frozenset(("Join", "CrossJoin", "FullJoin", "InnerJoin", "LeftJoin", "RightJoin", "From"))
QUERY_PROPERTIES = frozenset(("Select", "UpdateDiy"))  # `_orders.Select.Where(…)`, `_orders.UpdateDiy.Set(…)`
OPERATIONS = _READS | _MAY_TAKE_SQL | _WRITES | _JOINS


class Operation(NamedTuple):
    """What a call does to a table, and the types that it may be about; ``tells`` that these are entities."""

    is_write: bool
    types: tuple[TypeRef, ...]
    values: tuple[Expression, ...]
    confidence: float
    tells: bool


def opens_micro_orm(catalog: Catalog, file: FileFacts) -> bool:
    """Say whether a file opens a namespace of a micro-ORM."""
    return any(
        opened == library or opened.startswith(f"{library}.")
        for opened in catalog.sight_of(file).opened
        for library in LIBRARIES
    )


def read_operation(call: Call, evaluator: Evaluator) -> Operation | None:
    """Return what a call does in a file that opens a micro-ORM; None where it is no operation of one."""
    name = function_name(call)
    if name in _JOINS and call.type_arguments:
        started = _start_of(receiver_of(call), evaluator)
        if started:
            return Operation(
                is_write=False, types=_named_types(call, evaluator), values=(), confidence=started, tells=True
            )
    is_write = name in _WRITES
    if not (is_write or name in _READS or name in _MAY_TAKE_SQL):
        return None
    if name in _MAY_TAKE_SQL and not (call.type_arguments and _takes_no_sql(call, evaluator)):
        return None
    confidence = _database(receiver_of(call), evaluator, name)
    if not confidence or _is_own_extension(name, evaluator):
        return None
    values = tuple(one.value for one in call.arguments[:2]) if is_write else ()
    made = tuple(
        evaluator.resolve(value.made) for value in values if isinstance(value, Lambda) and value.made
    )
    types = _named_types(call, evaluator) or made
    return Operation(is_write, types, values, confidence, tells=is_write or name in _READS)


def is_select(expression: Expression | None) -> bool:
    """Say whether an expression is a property of FreeSql's repositories that begins a query or a change."""
    return isinstance(expression, (Name, Member)) and expression.name in QUERY_PROPERTIES


def used_classes(catalog: Catalog) -> Iterator[TypeInfo]:
    """Yield the classes that micro-ORMs are told to read and write, whatever table they then have."""
    generic: dict[str, TypeInfo] = {}
    for file in catalog.files_calling(OPERATIONS):
        if family_of(file.language) != "csharp" or not opens_micro_orm(catalog, file):
            continue
        within = Evaluators(catalog, file).within
        for fact in file.statements.unpacked().calls:
            if function_name(fact.call) not in OPERATIONS:
                continue
            evaluator = within(fact.source)
            operation = read_operation(fact.call, evaluator)
            if operation is None or not operation.tells:
                continue
            yield from _classes(operation, evaluator)
            owner = evaluator.owner
            if owner is not None and owner.type_parameters:
                generic[owner.key] = owner
    yield from _arguments_of(generic, catalog)


def _classes(operation: Operation, evaluator: Evaluator) -> Iterator[TypeInfo]:
    refs = [ref.info for ref in operation.types if _may_be_entity(ref.info)]
    if not refs:
        found = (evaluator.type_of(value) for value in operation.values)
        refs = [info for ref in found if ref is not None and _may_be_entity(info := element_type(ref).info)][
            :1
        ]
    yield from (info for info in refs if info is not None)


def _arguments_of(generic: Mapping[str, TypeInfo], catalog: Catalog) -> Iterator[TypeInfo]:
    """Yield `Order` of `class Orders : Store<Order>` and of members `IStore<Order>`, where stores are generic."""
    if not generic:
        return
    interfaces = (ref.info for info in generic.values() for ref in catalog.ancestors(info))
    known = set(generic) | {info.key for info in interfaces if info is not None and info.type_parameters}
    names = {info.name for key in known if (info := catalog.types.get(key)) is not None}
    written = re.compile(rf"\b(?:{'|'.join(sorted(map(re.escape, names)))})<")
    for info in catalog.types.values():
        refs = list(catalog.ancestors(info)) if info.declarations[0].bases else []
        for type_, file in _written_types(info, catalog):
            if "<" in type_ and written.search(type_):
                refs.append(catalog.resolve(type_, file=file, owner=info))
        for ref in refs:
            if ref.info is not None and ref.info.key in known:
                yield from (
                    one.info for one in ref.arguments if one.info is not None and _may_be_entity(one.info)
                )


def _written_types(info: TypeInfo, catalog: Catalog) -> Iterator[tuple[str, FileFacts]]:
    """Yield the types of what a class has, takes and gives, and the files that name them."""
    for declared, file in zip(info.declarations, info.files, strict=True):
        yield from ((parameter.type, file) for parameter in declared.parameters)
    for members in info.members.values():
        for member in members:
            file = catalog.home_of(member)
            yield member.type, file
            yield from ((parameter.type, file) for parameter in member.parameters)


def _may_be_entity(info: TypeInfo | None) -> bool:
    return info is not None and info.declarations[0].element_type in _CLASSES and not info.type_parameters


def _named_types(call: Call, evaluator: Evaluator) -> tuple[TypeRef, ...]:
    return tuple(element_type(evaluator.resolve(written)) for written in call.type_arguments)


def _takes_no_sql(call: Call, evaluator: Evaluator) -> bool:
    """Say whether what is given is no statement: nothing, a condition, a key, the end of a statement."""
    if not call.arguments:
        return True
    first = argument(call, 0)
    if isinstance(first, (Lambda, LambdaParameter)):
        return True
    if isinstance(first, Joined):
        first = first.parts[0] if first.parts else first
    if isinstance(first, Text):
        return not begins_like_sql(first.value)
    ref = evaluator.type_of(first)
    return ref is not None and ref.name not in _SQL


def _start_of(expression: Expression | None, evaluator: Evaluator) -> float:
    """Tell how sure it is that a chain begins with `db.From<Order>()` or its like."""
    for one in inward(expression) if expression is not None else ():
        if isinstance(one, Call) and function_name(one) in _STARTS and one.type_arguments:
            return _database(receiver_of(one), evaluator, function_name(one))
        if is_select(one):
            return BY_NAME
    return 0.0


def _database(receiver: Expression | None, evaluator: Evaluator, method: str) -> float:
    """Tell how sure it is that something is a connection or a database that a method of a micro-ORM is called on."""
    if receiver is None:
        return 0.0
    ref = evaluator.bound(evaluator.type_of(receiver))
    if ref is None:
        is_called = method in _TELLING or _CALLED_DATABASE.fullmatch(_last_name(receiver)) is not None
        return BY_NAME if is_called else 0.0
    if ref.info is not None and evaluator.find(ref, method) is not None:
        return 0.0
    kin = (ref, *lineage(evaluator.catalog, ref)) if ref.info is not None else (ref,)
    is_one = any(
        one.info is None and _DATABASE.fullmatch(one.name.rpartition(".")[2]) is not None for one in kin
    )
    return KNOWN if is_one else 0.0


def _last_name(expression: Expression) -> str:
    if isinstance(expression, Call):
        return function_name(expression)
    return expression.name if isinstance(expression, (Name, Member, Typed)) else ""


def _is_own_extension(name: str, evaluator: Evaluator) -> bool:
    """Say whether the code has such an extension method of its own: its statements tell what it does."""
    return any(
        member.parameters and _DATABASE.fullmatch(member.parameters[0].type.rpartition(".")[2])
        for member in evaluator.catalog.extensions(name, language="csharp")
    )
