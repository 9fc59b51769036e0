"""Read the designer model of Entity Framework (`.edmx`): which tables and procedures stand behind sets and imports.

Its elements become calls with the name of the element: `EntitySetMapping("ShopEntities", "Orders", "Order", table,
schema, kind)` and `FunctionImportMapping("ShopEntities", "PlaceOrder", procedure, schema)`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import NamedTuple

from ragduck.facts import Argument, Call, CallFact, FileFacts, Name, Text
from ragduck.model import Document
from ragduck.parse.facts.told_by_calls import facts_of_calls

EXTENSION = ".edmx"
SET_MAPPING = "EntitySetMapping"
IMPORT_MAPPING = "FunctionImportMapping"

_ELEMENT = re.compile(
    r"<(?:\w{1,20}:)?(EntitySet|Function|EntityContainerMapping|EntitySetMapping|EntityTypeMapping|MappingFragment"
    r"|FunctionImportMapping)\s([^<>]{1,2000})>"
)
_ATTRIBUTE = re.compile(r"(?<![\w:])(store:)?(\w{1,40})\s{0,5}=\s{0,5}\"([^\"<>]{0,500})\"")


class _Stored(NamedTuple):
    """A table, view or procedure of the store's model."""

    name: str
    schema: str
    kind: str = ""


def facts_of_edmx(document: Document) -> FileFacts | None:
    """Return what the mapping of a model says as calls; None for other files, and where it maps nothing."""
    if PurePosixPath(document.path).suffix.lower() != EXTENSION:
        return None
    return facts_of_calls(document, _calls(document))


def _calls(document: Document) -> Iterator[CallFact]:
    found = [(one[1], _attributes(one[2]), one.start()) for one in _ELEMENT.finditer(document.text)]
    named = [(tag, each) for tag, each, _ in found if each.get("Name")]
    sets = {each["Name"]: _table(each) for tag, each in named if tag == "EntitySet" and "Type" in each}
    functions = {
        each["Name"]: _procedure(each) for tag, each in named if tag == "Function" and "Schema" in each
    }
    container = entity_set = entity = ""
    line, at = 1, 0
    for tag, each, start in found:
        line, at = line + document.text.count("\n", at, start), start
        if tag == "EntityContainerMapping":
            container = each.get("CdmEntityContainer", "")
        elif tag == "EntitySetMapping":
            entity_set, entity = each.get("Name", ""), _last(each.get("TypeName", ""))
        elif tag == "EntityTypeMapping":
            entity = _last(each.get("TypeName", ""))
        elif tag == "FunctionImportMapping":
            stored = functions.get(_last(each.get("FunctionName", "")))
            if stored is not None:
                yield _call(document, line, tag, container, each.get("FunctionImportName", ""), *stored[:2])
        stored = (
            sets.get(each.get("StoreEntitySet", "")) if tag.endswith(("SetMapping", "Fragment")) else None
        )
        if stored is not None and entity:
            yield _call(document, line, SET_MAPPING, container, entity_set, entity, *stored)


def _attributes(written: str) -> dict[str, str]:
    """Return the attributes of an element; a name that is the store's own is told apart as the Table."""
    found = _ATTRIBUTE.findall(written)
    return {"Table" if prefix and name == "Name" else name: value for prefix, name, value in found}


def _table(attributes: Mapping[str, str]) -> _Stored:
    """Read a set of the store's model, which says what it is: `store:Type="Tables"`."""
    kind = "VIEW" if attributes.get("Type") == "Views" else "TABLE"
    return _Stored(attributes.get("Table") or attributes["Name"], attributes.get("Schema", ""), kind)


def _procedure(attributes: Mapping[str, str]) -> _Stored:
    return _Stored(attributes.get("StoreFunctionName") or attributes["Name"], attributes.get("Schema", ""))


def _last(name: str) -> str:
    """Return `Order` of `ShopModel.Order` and of `IsTypeOf(ShopModel.Order)`."""
    return name.rstrip(")").rpartition(".")[2].rpartition("(")[2]


def _call(document: Document, line: int, name: str, *texts: str) -> CallFact:
    arguments = tuple(Argument(Text(text)) for text in texts)
    return CallFact(f"file:{document.path}|FILE", Call(Name(name), arguments), line)
