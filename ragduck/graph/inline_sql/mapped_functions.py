"""Find the methods and classes that stand for procedures and functions of the database, as their marks say."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from ragduck.facts import UNKNOWN, Attribute, FileFacts, MemberFact, ObjectName, Text
from ragduck.graph.code.roles import is_context
from ragduck.graph.database.graph import DatabaseCatalog
from ragduck.graph.entities.designed import IMPORT_MAPPING, read_designed
from ragduck.graph.inline_sql.procedures import bare_name
from ragduck.graph.types.catalog import Catalog
from ragduck.graph.types.chains import argument, function_name, named
from ragduck.graph.types.listed_members import marked_members
from ragduck.graph.types.literals import text_of
from ragduck.model import Edge
from ragduck.sqlreader.references import Reference

MARK = "Function"  # of LINQ to SQL
IMPORT = "ExecuteFunction"  # of Entity Framework, with the name in the model, mostly that of the procedure
MARKED_RULE = "Function attribute"
IMPORT_RULE = "function import"
PROCEDURE_RULE = "StoredProcedure attribute"
BY_NAME = 0.9
_PROCEDURE_MARK = re.compile(r"(?:Db|Sql)?(?:Stored)?Proc(?:edure)?(?:Name)?")


def mapped_functions(catalog: Catalog, database: DatabaseCatalog) -> Iterator[Edge]:
    """Yield the edges from methods of contexts, and from what is marked with a procedure, to what they run."""
    yield from _marked(catalog, database)
    yield from _of_procedures(catalog, database)
    yield from _imported(catalog, database)


def _marked(catalog: Catalog, database: DatabaseCatalog) -> Iterator[Edge]:
    """Read `[Function(Name = "dbo.Order_Place")]`; one that may stand within a query is a function."""
    for info, members in catalog.once(marked_members):
        for member in members:
            mark = _mark_of(member)
            if mark is None or not is_context(catalog, info):
                continue
            written = named(mark.arguments, "Name")
            name = bare_name(written.value if isinstance(written, Text) else member.name)
            is_function = any(one.name == "IsComposable" for one in mark.arguments)
            relation, kind = ("Calls", "FUNC") if is_function else ("Executes", "PROC")
            key = database.target_of(Reference(name, relation, 1, kind)) if name is not None else None
            if key is not None:
                path = catalog.home_of(member).path
                yield Edge(member.key, key, relation, path, member.line, MARKED_RULE)


def _mark_of(member: MemberFact) -> Attribute | None:
    marks = (one for one in member.attributes if one.name.rpartition(".")[2] == MARK)
    return next(marks, None) if member.kind == "METHOD" else None


def _of_procedures(catalog: Catalog, database: DatabaseCatalog) -> Iterator[Edge]:
    """Read `[StoredProcedure("dbo.Order_Place")]` of a class or method, where a procedure is called so."""
    of_types = {info.key: members for info, members in catalog.once(marked_members)}
    for info in catalog.types.values():
        if info.language != "csharp":
            continue
        marked = [
            (info.key, one.attributes, file, one.line)
            for one, file in zip(info.declarations, info.files, strict=True)
            if _is_marked(one.attributes)
        ]
        having = (one for one in of_types.get(info.key, ()) if _is_marked(one.attributes))
        marked += ((one.key, one.attributes, catalog.home_of(one), one.line) for one in having)
        for key, attributes, file, line in marked:
            for text in _texts_of(attributes, catalog, file=file, source=key):
                name = bare_name(text)
                target = database.find(name, kind="PROC") if name is not None else None
                if target is not None and target.endswith("|PROC"):
                    yield Edge(key, target, "Executes", file.path, line, PROCEDURE_RULE)


def _is_marked(attributes: Sequence[Attribute]) -> bool:
    return any(_is_procedure_mark(one.name) for one in attributes)


@lru_cache(maxsize=4096)
def _is_procedure_mark(name: str) -> bool:
    return _PROCEDURE_MARK.fullmatch(name.rpartition(".")[2].removesuffix("Attribute")) is not None


def _texts_of(
    attributes: Sequence[Attribute], catalog: Catalog, *, file: FileFacts, source: str
) -> Iterator[str]:
    """Yield the names that marks for procedures give first, or as `Name`."""
    for mark in attributes:
        if _is_procedure_mark(mark.name):
            first = next((one.value for one in mark.arguments if not one.name), UNKNOWN)
            for value in (first, named(mark.arguments, "Name")):
                text = text_of(value, catalog=catalog, file=file, source=source)
                if text:
                    yield text
                    break


def _imported(catalog: Catalog, database: DatabaseCatalog) -> Iterator[Edge]:
    """Read `ObjectContext.ExecuteFunction("Order_Place", …)`: what the model says, else a procedure of that name."""
    mapped = {(one.context.key, one.member): one.stored for one in read_designed(catalog, IMPORT_MAPPING)}
    for file in catalog.files_calling((IMPORT,)):
        for fact in file.calls if file.file_class != "test" else ():
            value = argument(fact.call, 0) if function_name(fact.call) == IMPORT else None
            owner = catalog.owner_of(fact.source)
            if not isinstance(value, Text) or owner is None or not is_context(catalog, owner):
                continue
            name = value.value.rpartition(".")[2]  # the name of a container may stand before it
            stored = mapped.get((owner.key, name))
            if stored is not None:
                key, sure = database.target_of(Reference(stored, "Executes", 1, "PROC")), 1.0
            else:
                key, sure = database.find(ObjectName(name), kind="PROC"), BY_NAME
            if key is not None and key.endswith("|PROC"):
                yield Edge(fact.source, key, "Executes", file.path, fact.line, IMPORT_RULE, sure)
