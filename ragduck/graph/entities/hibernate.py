"""Read the mappings of NHibernate: `class OrderMap : ClassMap<Order>` with `Table("Orders")` in it, `.hbm.xml`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ragduck.facts import CallFact, Expression, FileFacts, LambdaParameter, Name, Text, Typed
from ragduck.graph.entities.builders import Scope, navigation_type
from ragduck.graph.types import libraries
from ragduck.graph.types.catalog import Catalog, TypeInfo
from ragduck.graph.types.chains import argument, function_name, lambda_members, receiver_of, take_apart

RULE = "NHibernate mapping"
CLASS = "hibernate-class"
KEY = "hibernate-key"
PAIRS = "hibernate-pairs"
MAPS = frozenset(
    (
        "ClassMap",
        "SubclassMap",
        "ClassMapping",
        "SubclassMapping",
        "JoinedSubclassMapping",
        "UnionSubclassMapping",
    )
)
_REFERENCES = frozenset(("References", "ManyToOne"))
_COLUMNS = frozenset(("Column", "Columns"))
_BY_CODE = frozenset(("Class", "JoinedSubclass", "UnionSubclass"))
_TOLD = frozenset(("Table", "Schema"))
_MAPPER = re.compile(
    r"(?:[\w.]{0,200}\.)?I(?:Class|JoinedSubclass|UnionSubclass)Mapper<(.{1,300})>\??", re.DOTALL
)
_MAX_BASES = 20
_MANY_TO_MANY = "HasManyToMany"


class Mapped(NamedTuple):
    """A class that a mapping is about; ``table`` is empty where only that is said."""

    entity: TypeInfo
    table: str
    schema: str
    file: FileFacts
    line: int


class Reference(NamedTuple):
    """A property that leads to another class by a column of the own table."""

    entity: TypeInfo
    target: TypeInfo
    column: str
    file: FileFacts
    line: int


class Pairs(NamedTuple):
    """A collection whose pairs are kept in a table of their own."""

    entity: TypeInfo
    member: str
    target: TypeInfo
    table: str
    schema: str
    file: FileFacts
    line: int


def mapped_class(info: TypeInfo | None, *, catalog: Catalog) -> TypeInfo | None:
    """Return `Order` of `class OrderMap : ClassMap<Order>`, also through bases of one's own."""
    seen = [info] if info is not None else []
    for ref in catalog.ancestors(info) if info is not None else ():
        if ref.info is not None:
            seen.append(ref.info)
        elif ref.name.rpartition(".")[2] in MAPS and ref.arguments:
            return ref.arguments[0].info if any(_is_of_library(one, catalog) for one in seen) else None
    return None


def read_mapped(catalog: Catalog) -> Iterator[Mapped]:
    """Yield the classes that code and XML map, with their tables, in order of files."""
    tables = {(fact.source, function_name(fact.call)): (file, fact) for file, fact in _own_calls(catalog)}
    for map_class, entity in _map_classes(catalog):
        file, line = map_class.files[0], map_class.declarations[0].line
        table, schema = (_told(map_class, name, tables, catalog) for name in ("Table", "Schema"))
        if "." in table and not schema:
            schema, _, table = table.rpartition(".")
        yield Mapped(entity, _unquoted(table), _unquoted(schema), file, line)
    yield from _mapped_by_code(catalog)
    elements = list(elements_of(catalog, CLASS))
    by_name = {texts[0]: texts for _, _, texts in elements}
    for file, fact, texts in elements:
        named = class_named(texts[0], catalog)
        if named is not None:
            _, table, schema, _ = with_table(texts, by_name)
            yield Mapped(named, table, schema, file, fact.line)


def read_references(catalog: Catalog) -> Iterator[Reference]:
    """Yield the keys that `References(o => o.Customer, "CustomerId")` and `<many-to-one>` name."""
    for file in catalog.files_calling(_REFERENCES):
        found: dict[tuple[str, str], Reference] = {}
        for fact in file.calls if file.language == "csharp" else ():
            reference, name = _reference(fact, Scope(catalog, file, fact.source))
            if reference is not None and (reference.column or (fact.source, name) not in found):
                found[fact.source, name] = reference
        yield from found.values()
    for file, fact, texts in elements_of(catalog, KEY):
        entity = class_named(texts[0], catalog)
        if entity is not None:
            target = class_named(texts[2], catalog) or navigation_type(entity, texts[1], catalog=catalog)
            if target is not None:
                yield Reference(entity, target, texts[3] or texts[1], file, fact.line)


def read_pairs(catalog: Catalog) -> Iterator[Pairs]:
    """Yield the tables of `HasManyToMany(o => o.Tags).Table("OrderTags")` and `<set table="OrderTags">`."""
    for file in catalog.files_calling(("Table",)):
        for fact in file.calls if file.language == "csharp" else ():
            links = take_apart(fact.call).links if function_name(fact.call) == "Table" else ()
            first = next((one.call for one in links if one.call is not None), None)
            names = (
                lambda_members(first) if first is not None and function_name(first) == _MANY_TO_MANY else ()
            )
            scope = Scope(catalog, file, fact.source)
            entity = mapped_class(scope.owner, catalog=catalog) if names else None
            target = navigation_type(entity, names[0], catalog=catalog) if entity is not None else None
            table = scope.text(argument(fact.call, 0)) or ""
            if entity is not None and target is not None and table:
                yield Pairs(entity, names[0], target, _unquoted(table), "", file, fact.line)
    for file, fact, texts in elements_of(catalog, PAIRS):
        entity, target = class_named(texts[0], catalog), class_named(texts[2], catalog)
        if entity is not None and target is not None:
            yield Pairs(entity, texts[1], target, texts[3], texts[4], file, fact.line)


def is_used(catalog: Catalog) -> bool:
    """Say whether NHibernate maps anything here."""
    return any(True for _ in read_mapped(catalog))


def _reference(fact: CallFact, scope: Scope) -> tuple[Reference | None, str]:
    """Read `References(o => o.Customer, "CustomerId")`, and what a column is called behind it or in its lambda."""
    name = function_name(fact.call)
    if name not in _REFERENCES | _COLUMNS:
        return None, ""
    chain = take_apart(fact.call)
    first = next((one.call for one in chain.links if one.call is not None), fact.call)
    if isinstance(chain.root, LambdaParameter):
        first = chain.root.call
        chain = take_apart(first)
    members = lambda_members(first)
    is_own = chain.root in (Name(""), Name("this"), Name("base"))
    if function_name(first) not in _REFERENCES or not members or not is_own:
        return None, ""
    entity = mapped_class(scope.owner, catalog=scope.catalog)
    target = navigation_type(entity, members[0], catalog=scope.catalog) if entity is not None else None
    if entity is None or target is None:
        return None, ""
    column = scope.text(argument(fact.call, 0 if name in _COLUMNS else 1)) or ""
    return Reference(entity, target, _unquoted(column), scope.file, fact.line), members[0]


def _map_classes(catalog: Catalog) -> Iterator[tuple[TypeInfo, TypeInfo]]:
    for info in catalog.types.values():
        if info.language == "csharp" and not info.type_parameters and info.declarations[0].bases:
            entity = mapped_class(info, catalog=catalog)
            if entity is not None:
                yield info, entity


def _own_calls(catalog: Catalog) -> Iterator[tuple[FileFacts, CallFact]]:
    """Yield the calls `Table("…")` and `Schema("…")` that are made on the own object."""
    for file in catalog.files_calling(("Table", "Schema")):
        for fact in file.calls if file.language == "csharp" else ():
            is_told = function_name(fact.call) in ("Table", "Schema") and bool(fact.call.arguments)
            if is_told and receiver_of(fact.call) in (None, Name("this"), Name("base")):
                yield file, fact


def _told(
    map_class: TypeInfo,
    name: str,
    calls: dict[tuple[str, str], tuple[FileFacts, CallFact]],
    catalog: Catalog,
) -> str:
    """Return what constructors of a class say by `Table("Orders")`."""
    for constructor in map_class.members.get(map_class.name, ()):
        file, fact = calls.get((constructor.key, name), (None, None))
        if file is not None and fact is not None:
            return Scope(catalog, file, fact.source).text(argument(fact.call, 0)) or ""
    return ""


def _mapped_by_code(catalog: Catalog) -> Iterator[Mapped]:
    """Yield what `mapper.Class<Order>(m => m.Table("Orders"))` maps, and methods that are given the same `m`."""
    for file in catalog.files_calling(_BY_CODE | {"Table"}):
        if file.language != "csharp" or not opens_library(catalog, file):
            continue
        found: dict[str, Mapped] = {}
        for fact in file.calls:
            name, receiver = function_name(fact.call), receiver_of(fact.call)
            if name not in _BY_CODE | _TOLD or receiver is None:
                continue
            scope = Scope(catalog, file, fact.source)
            written = _written_class(receiver) if name in _TOLD else "".join(fact.call.type_arguments[:1])
            entity = scope.type(written) if written else None
            if entity is not None:
                known = found.setdefault(entity.key, Mapped(entity, "", "", file, fact.line))
                text = _unquoted(scope.text(argument(fact.call, 0)) or "") if name in _TOLD else ""
                if text and name == "Table":
                    found[entity.key] = known._replace(table=text, line=fact.line)
                elif text:
                    found[entity.key] = known._replace(schema=text)
        yield from found.values()


def _written_class(mapper: Expression) -> str:
    """Return `Order` of `IClassMapper<Order> m`, or of the `m` in `mapper.Class<Order>(m => …)`."""
    if isinstance(mapper, LambdaParameter) and function_name(mapper.call) in _BY_CODE:
        return "".join(mapper.call.type_arguments[:1])
    written = _MAPPER.fullmatch(mapper.type) if isinstance(mapper, Typed) else None
    return written[1] if written is not None else ""


def elements_of(catalog: Catalog, name: str) -> Iterator[tuple[FileFacts, CallFact, Sequence[str]]]:
    """Yield what elements of mappings in XML say, in order of files."""
    for file in catalog.files_calling((name,)):
        for fact in file.calls:
            if function_name(fact.call) == name:
                yield (
                    file,
                    fact,
                    [one.value.value for one in fact.call.arguments if isinstance(one.value, Text)],
                )


def with_table(texts: Sequence[str], by_name: Mapping[str, Sequence[str]]) -> Sequence[str]:
    """Return what is said of a class, or of the base that it shares a table with."""
    for _ in range(_MAX_BASES):
        base = by_name.get(texts[3])
        if base is None:
            break
        texts = base
    return texts


def class_named(name: str, catalog: Catalog) -> TypeInfo | None:
    """Return the class that a mapping in XML names in full."""
    return catalog.types.get(f"csharp:{name}|TYPE") if name else None


def opens_library(catalog: Catalog, file: FileFacts) -> bool:
    """Say whether a file opens a namespace of NHibernate: others have sessions, too."""
    return _name_library(catalog.sight_of(file).opened)


def _is_of_library(info: TypeInfo, catalog: Catalog) -> bool:
    """Say whether a class stands where the library's namespaces are opened, or names them."""
    return _name_library(base for declared in info.declarations for base in declared.bases) or any(
        opens_library(catalog, file) for file in info.files
    )


def _name_library(names: Iterable[str]) -> bool:
    return any(libraries.is_called_like(one, libraries.HIBERNATE) for one in names)


def _unquoted(name: str) -> str:
    return name.strip().strip('`[]"')
