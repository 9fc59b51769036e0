"""Tell what micro-ORMs do to tables: `connection.Get<Order>(id)`, `db.Insert(order)`, `db.Queryable<Order>()`.

They have no sets. A connection or a database is given the class, whose table an attribute names or its own name.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from ragduck.facts import (
    Awaited,
    Call,
    Expression,
    FileFacts,
    Joined,
    Lambda,
    LambdaParameter,
    Member,
    Name,
    New,
    Text,
    Unknown,
)
from ragduck.graph.entities.builders import element_type
from ragduck.graph.entities.closed_types import arguments_of, may_be_entity
from ragduck.graph.entities.linq_operations import both
from ragduck.graph.inline_sql.procedures import bare_name, omits_exec
from ragduck.graph.types import libraries
from ragduck.graph.types.catalog import Catalog, TypeInfo, TypeRef
from ragduck.graph.types.chains import argument, function_name, inward, last_name, receiver_of
from ragduck.graph.types.declarations import family_of, is_interface_name
from ragduck.graph.types.expressions import Evaluator, Evaluators
from ragduck.graph.types.methods import lineage
from ragduck.sqlreader.recognition import begins_like_sql

KNOWN = 0.95
BY_NAME = 0.7  # of a receiver without a known type, that is called a database
_DATABASE = re.compile(
    r"I?(?:Db|Sql|Npgsql|MySql|Sqlite|SQLite|Oracle|Odbc|OleDb|Fb|DB2|Profiled|Reliable)\w*Connection|I?UmbracoDatabase"
    r"|I?SqlSugar\w*|IFreeSql|FreeSqlCloud|I?Tenant|I?AdoNetUnitOfWork"
)
_POCO_DATABASE = re.compile(r"I?(?:Async|Base)?Database")  # clients of Redis and others have such a type, too
_CALLED_DATABASE = re.compile(
    r"(?!\w*(?:redis|cosmos|lite|mongo|couch|raven|influx))_*"
    r"(?:\w*(?:db|database|conn|connection|dbclient)|i?freesql|fsql|orm)(?:async)?",
    re.IGNORECASE,
)
_OPENS = re.compile(r"(?:Open|Create)(?:Async)?")
_FACTORY = re.compile(r"_?\w*(?:db|connection|sql)\w*factory", re.IGNORECASE)
_REPOSITORY = re.compile(r"_?\w*(?:rep|repo|repository\w*|orm|fsql|freesql)", re.IGNORECASE)
_SQL = frozenset(
    [
        "string",
        "string?",
        "String",
        "FormattableString",
        "Sql",
        "SqlBuilder",
        "Template",
        "CommandDefinition",
        "SqlExpression",
        "ISqlExpression",
    ]
)
_NUMBERS = frozenset(
    ("int", "int?", "long", "long?", "short", "byte")
)  # of a page, which come before what is asked
_PAGED = frozenset(("Page", "PageAsync", "SkipTake", "SkipTakeAsync", "Fetch", "FetchAsync"))
_CLAUSE = re.compile(
    r"\s*(?:where|order\s+by|from|(?:inner|left|right|cross)?\s*join|group\s+by|limit)\b", re.IGNORECASE
)
_CONDITION = re.compile(r"[=<>]|\b(?:like|in|is|between)\b", re.IGNORECASE)


_STARTS = both("From Queryable Select Query")
_READS = both(
    "BatchQuery CountAll Find FindAll From Get GetAll GetById GetList GetListPaged GetPage GetPaged GetSet"
    " LoadSelect LoadSingleById QueryAll Queryable RecordCount SelectByIds SingleById SingleOrDefaultById"
)
# May be given SQL, which tells by itself what it reads, and makes objects of any class of the rows
_MAY_TAKE_SQL = both(
    "Any Average Column ColumnDistinct Count Dictionary Exists Fetch First FirstOrDefault Lookup Max Min Page Query"
    " Scalar Select Single SingleOrDefault SkipTake Sum ToList Where"
)
_WRITES = both(
    "BulkDelete BulkInsert BulkMerge BulkUpdate Delete DeleteAll DeleteById DeleteByIds DeleteList DeleteMany"
    " DeleteMultiple DeleteNonDefaults DeleteWhere Deleteable Fastest Insert InsertAll InsertBatch InsertBulk"
    " InsertMany InsertOnly InsertOrUpdate Insertable Merge MergeAll Save SaveAll SaveAllReferences SaveReferences"
    " Storageable Truncate Update UpdateAdd UpdateAll UpdateMany UpdateNonDefaults UpdateOnly UpdateOnlyFields"
    " Updateable Upsert"
)
_TELLING = both(
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
    return catalog.opens(file, libraries.MICRO_ORMS)


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
    if not confidence or _is_own_extension(name, evaluator) or (is_write and _names_table(call)):
        return None
    values = tuple(one.value for one in call.arguments[:2]) if is_write else ()
    made = tuple(
        evaluator.resolve(value.made) for value in values if isinstance(value, Lambda) and value.made
    )
    types = _named_types(call, evaluator) or made
    return Operation(is_write, types, values, confidence, tells=is_write or name in _READS)


def _names_table(call: Call) -> bool:
    """Say whether a write is told the table itself: `db.Insert("Customers", order)`."""
    first = argument(call, 0)
    return isinstance(first, Text) and bare_name(first.value) is not None


def is_select(expression: Expression | None) -> bool:
    """Say whether an expression is a property of FreeSql's repositories that begins a query or a change."""
    return isinstance(expression, (Name, Member)) and expression.name in QUERY_PROPERTIES


def used_classes(catalog: Catalog) -> Iterator[tuple[TypeInfo, bool]]:
    """Yield the classes that micro-ORMs are told to read and write, and whether they are named as such.

    What is only handed over, `connection.Update(order)`, may be of a class that has no table.
    """
    generic: defaultdict[str, set[str]] = defaultdict(set)
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
                handed = (evaluator.type_of(value) for value in operation.values)
                refs = (*operation.types, *(element_type(ref) for ref in handed if ref is not None))
                generic[owner.key] |= {ref.name for ref in refs} & set(owner.type_parameters)
    yield from ((info, True) for info in arguments_of(generic, catalog))


def _classes(operation: Operation, evaluator: Evaluator) -> Iterator[tuple[TypeInfo, bool]]:
    found = [ref.info for ref in operation.types if ref.info is not None and may_be_entity(ref.info)]
    yield from ((info, True) for info in found)
    for value in operation.values if not found else ():
        ref = evaluator.type_of(value)
        info = element_type(ref).info if ref is not None else None
        if info is not None and may_be_entity(info):
            yield info, False
            return


def _named_types(call: Call, evaluator: Evaluator) -> tuple[TypeRef, ...]:
    return tuple(element_type(evaluator.resolve(written)) for written in call.type_arguments)


def _takes_no_sql(call: Call, evaluator: Evaluator) -> bool:
    """Say whether what is given is no statement and no procedure, but nothing, a condition, a key, a clause."""
    if any(one.name == "commandType" for one in call.arguments):
        return False
    values = [one.value for one in call.arguments]
    while values and function_name(call) in _PAGED and _is_number(values[0], evaluator):
        values = values[1:]
    first = values[0] if values else Lambda()
    if isinstance(first, (Lambda, LambdaParameter)) or (isinstance(first, New) and not first.type):
        return True
    if isinstance(first, Joined):
        first = first.parts[0] if first.parts else first
    if isinstance(first, Text):
        return _is_end_of_statement(first.value)
    ref = evaluator.type_of(first)
    return ref is not None and ref.name.rpartition(".")[2] not in _SQL


def _is_number(value: Expression, evaluator: Evaluator) -> bool:
    ref = evaluator.type_of(value)
    return ref.name in _NUMBERS if ref is not None else isinstance(value, Unknown)


def _is_end_of_statement(text: str) -> bool:
    """Say whether a text is what follows the name of a table, no statement and no call of a procedure."""
    if _CLAUSE.match(text):
        return True
    return not begins_like_sql(text) and not omits_exec(text) and _CONDITION.search(text) is not None


def _start_of(expression: Expression | None, evaluator: Evaluator) -> float:
    """Tell how sure it is that a chain begins with `db.From<Order>()` or its like."""
    for one in inward(expression) if expression is not None else ():
        if isinstance(one, Call) and function_name(one) in _STARTS and one.type_arguments:
            return _database(receiver_of(one), evaluator, function_name(one))
        if isinstance(one, Member) and is_select(one):
            ref = evaluator.type_of(one.receiver)
            is_repository = _REPOSITORY.fullmatch(ref.name if ref is not None else last_name(one.receiver))
            return BY_NAME if is_repository else 0.0
    return 0.0


def _database(receiver: Expression | None, evaluator: Evaluator, method: str) -> float:
    """Tell how sure it is that something is a connection or a database that a method of a micro-ORM is called on."""
    if receiver is None:
        return 0.0
    ref = evaluator.bound(evaluator.type_of(receiver))
    if ref is None:
        return BY_NAME if method in _TELLING or _is_called_database(receiver) else 0.0
    if ref.info is not None and evaluator.find(ref, method) is not None:
        return 0.0
    if evaluator.file.file_class == "test" and ref.info is None and is_interface_name(ref.name):
        return 0.0  # where interfaces stand for doubles
    kin = (ref, *lineage(evaluator.catalog, ref)) if ref.info is not None else (ref,)
    names = [one.name.rpartition(".")[2] for one in kin if one.info is None]
    is_one = any(_DATABASE.fullmatch(name) for name in names) or (
        any(_POCO_DATABASE.fullmatch(name) for name in names)
        and evaluator.catalog.opens(evaluator.file, libraries.POCO_DATABASES)
    )
    return KNOWN if is_one else 0.0


def _is_called_database(expression: Expression) -> bool:
    """Say whether what has no known type is called a database, or is opened by a factory of connections."""
    if isinstance(expression, Awaited):
        expression = expression.task
    if isinstance(expression, Call) and _OPENS.fullmatch(function_name(expression)):
        opener = receiver_of(expression)
        return opener is not None and _FACTORY.fullmatch(last_name(opener)) is not None
    return _CALLED_DATABASE.fullmatch(last_name(expression)) is not None


def _is_own_extension(name: str, evaluator: Evaluator) -> bool:
    """Say whether the code has such an extension method of its own: its statements tell what it does."""
    return any(
        member.parameters and _DATABASE.fullmatch(member.parameters[0].type.rpartition(".")[2])
        for member in evaluator.catalog.extensions(name, language="csharp")
    )
