"""Read mapper classes: `class OrderMapper : CrudEntityMapper<Order>` with `base("Orders")` or `Table("Orders")`.

Libraries and systems of one's own have them. What the base does with a text is not known where it is declared
elsewhere, so the text has to be the name of a table, unless the library is a known one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ragduck.facts import Argument, CallFact, FileFacts, MemberFact, Name, ObjectName
from ragduck.graph.entities.builders import Scope
from ragduck.graph.entities.closed_types import may_be_entity
from ragduck.graph.entities.hibernate import MAPS
from ragduck.graph.inline_sql.procedures import bare_name
from ragduck.graph.types import libraries
from ragduck.graph.types.catalog import Catalog, TypeInfo
from ragduck.graph.types.chains import argument, function_name, receiver_of
from ragduck.graph.types.declarations import is_interface_name

RULE = "mapper class"
_SAID, _GIVEN = 1.0, 0.9  # by a call of that name, or only handed to the base
_IS_MAPPER = re.compile(r"\w*Map(?:per|ping|Base|perBase)?")
_TABLE_CALLS = frozenset(("Table", "ToTable"))

IsTable = Callable[[ObjectName], bool]
_Calls = Mapping[str, Sequence[tuple[FileFacts, CallFact]]]


class MappedClass(NamedTuple):
    """A class, the table that its mapper names, how sure that is, and where it is said."""

    entity: TypeInfo
    table: ObjectName
    confidence: float
    file: FileFacts
    line: int


def read_mapper_classes(catalog: Catalog, *, is_table: IsTable) -> Iterator[MappedClass]:
    """Yield the classes that mapper classes keep in a table, in order of files."""
    calls = _own_calls(catalog)
    for info in catalog.types.values():
        entity = _mapped(info, catalog) if info.language == "csharp" and not info.type_parameters else None
        told = next(_told(info, calls, catalog), None) if entity is not None else None
        if entity is None or told is None:
            continue
        if is_table(told[0]) or any(catalog.opens(file, libraries.GRIFFIN) for file in info.files):
            yield MappedClass(entity, *told)


def _mapped(info: TypeInfo, catalog: Catalog) -> TypeInfo | None:
    """Return `Order` of `class OrderMapper : Mapper<Order>`: the base class is generic over nothing else."""
    if not any("<" in base for declared in info.declarations for base in declared.bases):
        return None
    base = next(iter(catalog.bases(info)), None)
    if base is None or len(base.arguments) != 1:
        return None
    name = base.name.rpartition(".")[2]
    is_interface = base.info.is_interface if base.info is not None else is_interface_name(name)
    entity = base.arguments[0].info
    if is_interface or _IS_MAPPER.fullmatch(name) is None or entity is None:
        return None
    if any(ref.name.rpartition(".")[2] in MAPS for ref in catalog.ancestors(info)):
        return None  # NHibernate's names, which others use, too: its own rules tell
    return entity if may_be_entity(entity) else None


def _told(
    info: TypeInfo, calls: _Calls, catalog: Catalog
) -> Iterator[tuple[ObjectName, float, FileFacts, int]]:
    """Yield the names that a mapper calls its table by, those that it says so before what it hands to its base."""
    constructors = _constructors(info)
    for one in constructors:
        for file, fact in calls.get(one.key, ()):
            scope = Scope(catalog, file, fact.source)
            name = bare_name(scope.text(argument(fact.call, 0)) or "")
            if name is not None:
                yield name, _SAID, file, fact.line
    given = [
        (one.handed_on, one.key, one.line, catalog.home_of(one))
        for one in constructors
        if one.hands_to != "this"
    ]
    given += [
        (one.base_arguments, one.key, one.line, file)
        for one, file in zip(info.declarations, info.files, strict=True)
    ]
    for arguments, source, line, file in given:
        name = _only_name(arguments, Scope(catalog, file, source))
        if name is not None:
            yield name, _GIVEN, file, line


def _only_name(arguments: Sequence[Argument], scope: Scope) -> ObjectName | None:
    texts = [text for one in arguments if (text := scope.text(one.value)) is not None]
    return bare_name(texts[0]) if len(texts) == 1 else None


def _constructors(info: TypeInfo) -> Sequence[MemberFact]:
    return [one for one in info.members.get(info.name, ()) if one.element_type == "constructor"]


def _own_calls(catalog: Catalog) -> _Calls:
    """Return the calls of `Table("…")` and `ToTable("…")` on the own object, by what they stand in."""
    found: dict[str, list[tuple[FileFacts, CallFact]]] = {}
    for file in catalog.files_calling(_TABLE_CALLS):
        for fact in file.calls if file.language == "csharp" else ():
            is_own = receiver_of(fact.call) in (None, Name("this"), Name("base"))
            if is_own and function_name(fact.call) in _TABLE_CALLS and len(fact.call.arguments) == 1:
                found.setdefault(fact.source, []).append((file, fact))
    return found
