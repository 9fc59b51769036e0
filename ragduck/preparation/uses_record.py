"""Pack what the statements of a snapshot use into bytes that wait in the cache, and read them back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import pyarrow as pa

from ragduck.graph.code.file_uses import FileUses, PostponedCall
from ragduck.graph.code.open_calls import OpenCall
from ragduck.preparation.packed_tables import edge_columns, edges_of, packed_tables, unpacked_tables

TABLES = 7
POSTPONED = pa.schema(
    {"path": pa.string(), "source": pa.string(), "line": pa.int32()}
    | {"name": pa.string(), "arguments": pa.int32(), "receiver": pa.string()}
)


class KeptUses(NamedTuple):
    """What statements use, and all that this depended on when it was found out.

    ``facts`` has a hash of all facts of each file by path, ``declarations`` stands for what files can see of each
    other, ``told`` says what calls lead to by more than that: see `StatementReader.told`.
    """

    declarations: bytes
    told: Mapping[str, str]
    facts: Mapping[str, bytes]
    uses: FileUses


def packed_uses(kept: KeptUses, *, key: bytes) -> bytes:
    """Return what is to be kept as bytes; the key goes into the checksum, so that no row answers for another."""
    return packed_tables(_tables(kept), key)


def unpacked_uses(data: bytes, *, key: bytes) -> KeptUses | None:
    """Read back what `packed_uses` gave; None for bytes that are not whole."""
    tables = unpacked_tables(data, key, count=TABLES)
    if tables is None:
        return None
    files, told, asked, postponed, *edges = tables
    facts, foreign = files["facts"].to_pylist(), files["foreign"].to_pylist()
    paths = files["path"].to_pylist()
    return KeptUses(
        declarations=files.schema.metadata[b"declarations"],
        told=dict(zip(told["key"].to_pylist(), told["word"].to_pylist(), strict=True)),
        facts=dict(zip(paths, facts, strict=True)),
        uses=FileUses(
            edges_of(*edges),
            tuple(_postponed(postponed)),
            {path: frozenset(names) for path, names in zip(paths, foreign, strict=True) if names},
            dict(zip(asked["path"].to_pylist(), map(frozenset, asked["keys"].to_pylist()), strict=True)),
        ),
    )


def packed_heads(heads: Mapping[str, bytes], *, declarations: bytes, key: bytes) -> bytes:
    """Return the packed declarations of files by path as bytes, with the hash of them all."""
    columns = {
        "path": pa.array(list(heads), pa.string()),
        "head": pa.array(list(heads.values()), pa.binary()),
    }
    table = pa.table(columns).replace_schema_metadata({"declarations": declarations})
    return packed_tables([table], key)


def unpacked_heads(data: bytes, *, declarations: bytes, key: bytes) -> dict[str, bytes] | None:
    """Read back what `packed_heads` gave; None for bytes that are not whole, and for other declarations."""
    tables = unpacked_tables(data, key, count=1)
    if tables is None or tables[0].schema.metadata[b"declarations"] != declarations:
        return None
    return dict(zip(tables[0]["path"].to_pylist(), tables[0]["head"].to_pylist(), strict=True))


def _tables(kept: KeptUses) -> Iterator[pa.Table]:
    """Yield files, what is told, what of that they asked for, calls that are postponed, and edges."""
    foreign = [sorted(kept.uses.foreign.get(path, ())) for path in kept.facts]
    files = {
        "path": pa.array(list(kept.facts), pa.string()),
        "facts": pa.array(list(kept.facts.values()), pa.binary()),
        "foreign": pa.array(foreign, pa.list_(pa.string())),
    }
    yield pa.table(files).replace_schema_metadata({"declarations": kept.declarations})
    told = {"key": list(kept.told), "word": list(kept.told.values())}
    yield pa.table({name: pa.array(column, pa.string()) for name, column in told.items()})
    asked = kept.uses.asked
    yield pa.table(
        {
            "path": pa.array(list(asked), pa.string()),
            "keys": pa.array([sorted(keys) for keys in asked.values()], pa.list_(pa.string())),
        }
    )
    rows = [{**one._asdict(), **one.opened._asdict()} for one in kept.uses.postponed]
    yield pa.Table.from_pylist(rows, schema=POSTPONED)
    yield from edge_columns(kept.uses.edges.alone())


def _postponed(table: pa.Table) -> Iterator[PostponedCall]:
    for path, source, line, *opened in zip(
        *(table[name].to_pylist() for name in POSTPONED.names), strict=True
    ):
        yield PostponedCall(OpenCall(*opened), path, source, line)
