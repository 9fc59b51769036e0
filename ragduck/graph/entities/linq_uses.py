"""The places that read or write tables of entities, and how they are kept from one run to the next."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, cast

from ragduck.facts import FileFacts
from ragduck.graph.file_rows import Row
from ragduck.graph.types.catalog import Catalog, TypeRef

READS = "ReadsFrom"
WRITES = "WritesTo"


class Use(NamedTuple):
    """A place that reads or writes the table of an entity, or of a type parameter that stands for one."""

    source: str
    relation: str
    entity: TypeRef
    path: str
    line: int
    rule: str
    confidence: float
    table: str = ""  # key of the table, where it is not that of the entity but one between two
    context: str = ""  # as that of what is held


def rows_of(uses: Iterable[Use]) -> Sequence[Row]:
    """Return what uses of one file say, the entity by its name and the key of its type."""
    return [
        (one.source, one.relation, one.entity.name, one.entity.info.key if one.entity.info else "", *one[4:])
        for one in uses
    ]


def uses_of(file: FileFacts, rows: Sequence[Row], catalog: Catalog) -> list[Use]:
    """Return the uses of one file that rows stand for; the arguments of the entity's type are not kept."""
    return [_use(file, row, catalog) for row in rows]


def _use(file: FileFacts, row: Row, catalog: Catalog) -> Use:
    source, relation, name, key, line, rule, confidence, table, context = cast(
        tuple[str, str, str, str, int, str, float, str, str], row
    )
    entity = TypeRef(name, catalog.types[key] if key else None)
    return Use(source, relation, entity, file.path, line, rule, confidence, table, context)
