"""Pack what rules found into bytes that wait in the cache, and read it back."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import NamedTuple, TypeAlias

import pyarrow as pa

from ragduck.edge_table import EdgeTable, together
from ragduck.graph.rule_memory import Finding
from ragduck.graph.types.looks import Looks
from ragduck.node_table import NODES, NodeTable
from ragduck.preparation.packed_tables import edge_columns, edges_of, packed_tables, unpacked_tables

Libraries: TypeAlias = Mapping[tuple[str, ...], AbstractSet[str]]
LOOKS = ("files", "idle", "called", "made", "perhaps", "rules", "told")
TABLES = 7


class KnownFile(NamedTuple):
    """What rules could see of a file: a hash of all facts, one of those ``beside`` declarations, packed mentions."""

    facts: bytes
    beside: bytes
    mentions: bytes


class KeptRules(NamedTuple):
    """What rules found, by their names, and all that this depended on.

    ``declarations`` stands for what files can see of each other; ``files`` has what else could be seen, by path.
    ``libraries`` are those of which somebody asked whether a file opens them, with the paths of these files.
    """

    declarations: bytes
    files: Mapping[str, KnownFile]
    libraries: Libraries
    findings: Mapping[str, Finding]


def packed_rules(kept: KeptRules, *, key: bytes) -> bytes:
    """Return what is to be kept as bytes; the key goes into the checksum, so that no row answers for another."""
    return packed_tables(_tables(kept), key)


def unpacked_rules(data: bytes, *, key: bytes) -> KeptRules | None:
    """Read back what `packed_rules` gave; None for bytes that are not whole."""
    tables = unpacked_tables(data, key, count=TABLES)
    if tables is None:
        return None
    files, rules, said, nodes, *edges = tables
    columns = (files[name].to_pylist() for name in KnownFile._fields)
    known = dict(zip(files["path"].to_pylist(), map(KnownFile, *columns), strict=True))
    return KeptRules(
        declarations=files.schema.metadata[b"declarations"],
        files=known,
        libraries={
            tuple(of): frozenset(paths) for of, paths in json.loads(files.schema.metadata[b"libraries"])
        },
        findings=dict(_findings(rules, said=said, edges=edges_of(*edges), nodes=nodes)),
    )


def _tables(kept: KeptRules) -> Iterator[pa.Table]:
    """Yield files, rules, what they say of keys, nodes, and edges, all over one list of words."""
    files = {"path": pa.array(list(kept.files), pa.string())} | {
        name: pa.array([getattr(one, name) for one in kept.files.values()], pa.binary())
        for name in KnownFile._fields
    }
    libraries = json.dumps([(of, sorted(paths)) for of, paths in kept.libraries.items()])
    metadata = {"declarations": kept.declarations, "libraries": libraries}
    yield pa.table(files).replace_schema_metadata(metadata)
    found = list(kept.findings.values())
    yield pa.table(
        {"name": pa.array(list(kept.findings), pa.string())}
        | {"acting": pa.array([one.looks.acting for one in found], pa.bool_())}
        | {
            name: pa.array([sorted(getattr(one.looks, name)) for one in found], pa.list_(pa.string()))
            for name in LOOKS
        }
        | {
            name: pa.array(sizes, pa.int64())
            for name, sizes in {
                "said": [len(one.words) for one in found],
                "edges": [len(one.edges) for one in found],
                "nodes": [len(one.nodes) for one in found],
            }.items()
        }
    )
    said = [pair for one in found for pair in one.words.items()]
    yield pa.table(
        {
            "key": pa.array([key for key, _ in said], pa.string()),
            "word": pa.array([word for _, word in said], pa.string()),
        }
    )
    yield pa.concat_tables([NODES.empty_table(), *(one.nodes.columns for one in found)]).combine_chunks()
    yield from edge_columns(together([one.edges for one in found]).alone())


def _findings(
    rules: pa.Table, *, said: pa.Table, edges: EdgeTable, nodes: pa.Table
) -> Iterator[tuple[str, Finding]]:
    keys, meanings = said["key"].to_pylist(), said["word"].to_pylist()
    at_said = at_edge = at_node = 0
    for row in rules.to_pylist():
        to_said, to_edge = at_said + row["said"], at_edge + row["edges"]
        to_node = at_node + row["nodes"]
        looks = Looks(**{name: set(row[name]) for name in LOOKS}, acting=row["acting"])
        of_keys = dict(zip(keys[at_said:to_said], meanings[at_said:to_said], strict=True))
        yield (
            row["name"],
            Finding(looks, edges[at_edge:to_edge], NodeTable(nodes.slice(at_node, row["nodes"])), of_keys),
        )
        at_said, at_edge, at_node = to_said, to_edge, to_node
