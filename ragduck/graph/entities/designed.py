"""Read what designer models of Entity Framework say: the tables of sets and the procedures of imports."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ragduck.facts import FileFacts, ObjectName, Text
from ragduck.graph.types.catalog import Catalog, TypeInfo
from ragduck.graph.types.chains import function_name
from ragduck.graph.types.imports import nearest

SET_MAPPING = "EntitySetMapping"
IMPORT_MAPPING = "FunctionImportMapping"


class Designed(NamedTuple):
    """What a model says of a member of a context: ``entity`` is empty for a function import."""

    context: TypeInfo
    member: str
    entity: str
    stored: ObjectName
    kind: str
    file: FileFacts
    line: int


def read_designed(catalog: Catalog, name: str) -> Iterator[Designed]:
    """Yield what models say in elements of a name, of contexts that are declared here."""
    contexts = _contexts(catalog) if any(True for _ in catalog.files_calling((name,))) else {}
    for file in catalog.files_calling((name,)):
        for fact in file.calls:
            texts = [one.value.value for one in fact.call.arguments if isinstance(one.value, Text)]
            if function_name(fact.call) != name or not file.path.lower().endswith(".edmx"):
                continue
            context = nearest(contexts.get(texts[0], ()), file=file)
            if context is not None:
                yield _designed(texts, context, file=file, line=fact.line)


def _designed(texts: Sequence[str], context: TypeInfo, *, file: FileFacts, line: int) -> Designed:
    if len(texts) == 4:
        _, member, stored, schema = texts
        return Designed(context, member, "", ObjectName(stored, schema), "PROC", file, line)
    _, member, entity, stored, schema, kind = texts
    return Designed(context, member, entity, ObjectName(stored, schema), kind, file, line)


def _contexts(catalog: Catalog) -> Mapping[str, list[TypeInfo]]:
    found: defaultdict[str, list[TypeInfo]] = defaultdict(list)
    for info in catalog.types.values():
        if info.language == "csharp":
            found[info.name].append(info)
    return found
