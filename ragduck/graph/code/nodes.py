"""Make the nodes of files, types and members, and what contains what."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from pathlib import PurePosixPath

from ragduck.facts import FileFacts, MemberFact, Text, TypeFact
from ragduck.graph.code.edges import EdgeCollector, Site
from ragduck.graph.types.catalog import Catalog, TypeInfo
from ragduck.graph.types.declarations import rank_of
from ragduck.model import DataType, Node
from ragduck.node_table import NodeTable

FIRST_LINE = 1
_VERSION = re.compile(r"\d{4,20}")


def file_key(path: str) -> str:
    """Return the key of a file's node."""
    return f"file:{path}|FILE"


def declared_in(file: FileFacts) -> Iterator[TypeFact | MemberFact]:
    """Yield the types and members of a file."""
    yield from file.types
    yield from file.members


def nodes_of(catalog: Catalog, *, renamed: Mapping[str, str], roles: Mapping[str, str]) -> Iterator[Node]:
    """Yield one node per file and per key; of several declarations the one in the best kind of file counts."""
    yield from _nodes_in(sorted(catalog.files.values(), key=rank_of), catalog, renamed=renamed, roles=roles)


def _nodes_in(
    ordered: Sequence[FileFacts], catalog: Catalog, *, renamed: Mapping[str, str], roles: Mapping[str, str]
) -> Iterator[Node]:
    seen: set[str] = set()
    for file in ordered:
        yield _file_node(file, role=roles.get(file_key(file.path)))
    for file in ordered:
        for declared in declared_in(file):
            key = renamed.get(declared.key, declared.key)
            if key not in seen:
                seen.add(key)
                yield _node(
                    declared,
                    file,
                    key=key,
                    role=roles.get(declared.key),
                    version=_version(key, declared, catalog=catalog),
                )


def remade(
    known: NodeTable,
    paths: AbstractSet[str],
    keys: AbstractSet[str],
    catalog: Catalog,
    *,
    renamed: Mapping[str, str],
    roles: Mapping[str, str],
) -> NodeTable:
    """Return known nodes as `nodes_of` makes them, those of some files and keys anew.

    These files may declare other members than when the nodes were made. What else declares one of their keys is
    looked at as well, since of several declarations only one has a node.
    """
    if not paths and not keys:
        return known
    ordered = sorted(catalog.files.values(), key=rank_of)
    wanted = {renamed.get(key, key) for key in keys}.union(*map(known.in_file, paths))
    again: set[str] = set()
    more = [catalog.files[path] for path in paths]
    while True:
        again.update(file.path for file in more)
        wanted.update(key for file in more for key in _keys_in(file, renamed))
        own = wanted | {key for key, other in renamed.items() if other in wanted}
        others = (file for file in ordered if file.path not in again)
        more = [file for file in others if _declares(file, own)]
        if not more:
            break
    files = [file for file in ordered if file.path in again]
    made = NodeTable.of(_nodes_in(files, catalog, renamed=renamed, roles=roles))
    return known.with_files(made, again, [file.path for file in ordered])


def _keys_in(file: FileFacts, renamed: Mapping[str, str]) -> Iterator[str]:
    yield file_key(file.path)
    yield from (renamed.get(one.key, one.key) for one in declared_in(file))


def _declares(file: FileFacts, keys: AbstractSet[str]) -> bool:
    """Say whether a file declares one of some keys, or has one of them itself; this is asked of all files."""
    for one in file.types:
        if one.key in keys:
            return True
    for member in file.members:
        if member.key in keys:
            return True
    return file_key(file.path) in keys


def lines_in(file: FileFacts, *, renamed: Mapping[str, str]) -> dict[str, tuple[int, int]]:
    """Return the first and the last line of what a file declares and of itself, by the keys of their nodes."""
    lines = {
        renamed.get(one.key, one.key): (one.line, one.end_line) for one in reversed(tuple(declared_in(file)))
    }
    return {**lines, file_key(file.path): (FIRST_LINE, file.lines)}


def _file_node(file: FileFacts, *, role: str | None) -> Node:
    return Node(
        file_key(file.path),
        "FILE",
        file.path.rpartition("/")[2],
        _data_type(file),
        role=role,
        project=file.project,
        source_file=file.path,
        start_line=FIRST_LINE,
        end_line=file.lines,
    )


def _node(
    declared: TypeFact | MemberFact, file: FileFacts, *, key: str, role: str | None, version: str | None
) -> Node:
    return Node(
        key,
        key.rpartition("|")[2],
        declared.name,
        _data_type(file),
        role=role,
        project=file.project,
        source_file=file.path,
        start_line=declared.line,
        end_line=declared.end_line,
        version=version,
    )


def _data_type(file: FileFacts) -> DataType:
    """Repeat what the chunks of the file say."""
    if file.language == "sql" or (file.file_class == "migration" and file.language == "csharp"):
        return "db_code"
    return "docs" if file.file_class == "docs" or file.language == "markdown" else "regular_code"


def _version(key: str, declared: TypeFact | MemberFact, *, catalog: Catalog) -> str | None:
    if not key.endswith("|MIGRATION"):
        return None
    info = catalog.types[declared.key]
    return _marked_version(info) or _named_version(info)


def _marked_version(info: TypeInfo) -> str | None:
    """Read `[Migration("20240422143015_AddDunning")]`."""
    for declared in info.declarations:
        for mark in declared.attributes:
            if mark.name.rpartition(".")[2] == "Migration" and mark.arguments:
                value = mark.arguments[0].value
                found = _VERSION.match(value.value) if isinstance(value, Text) else None
                if found is not None:
                    return found[0]
    return None


def _named_version(info: TypeInfo) -> str | None:
    """Read the number with which the file's name begins, or that the class's name holds."""
    found = _VERSION.match(PurePosixPath(info.files[0].path).name) or _VERSION.search(info.name)
    return found[0] if found is not None else None


def add_containment(catalog: Catalog, edges: EdgeCollector, files: Iterable[FileFacts]) -> None:
    """Relate files to their types and functions, types to nested types and members."""
    for file in files:
        for inner in declared_in(file):
            outer = inner.owner if inner.owner in catalog.types else file_key(file.path)
            site = Site(file.path, inner.line)
            edges.add(outer, inner.key, relation="Contains", rule="declaration", at=site)
