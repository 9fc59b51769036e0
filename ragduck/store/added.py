"""Put nodes that another program made into a branch of their own, and take them out again.

Each document that they were cut from becomes a file that holds their texts one under the other, so that the text of a
chunk is exactly its lines here too. The store is written anew beside the live file, as `prepare` does.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ragduck.errors import EmbeddingError, StoreError
from ragduck.model import EmbeddingModel, Snapshot
from ragduck.resources import sql_text
from ragduck.store.arrow import doc_id
from ragduck.store.builder import StoreBuilder
from ragduck.store.connection import open_database

BEHIND = 2**30  # more lines than a file has: new nodes come after those that are there
SETTINGS: Mapping[str, str] = MappingProxyType({"chunk_size": "0", "header_weight": "0"})
SHORT_HASH = 8  # digits that tell documents of the same name apart


@dataclass(frozen=True, slots=True)
class AddedNode:
    """A node as it comes: ``content`` is its JSON without text, ``path`` is what its document would be called."""

    node_id: str
    ref_id: str
    text: str
    content: str
    path: str
    name: str


@dataclass(frozen=True, slots=True)
class NodeChange:
    """What is taken out of a branch, by id or by the id of its document, and then put in.

    ``vectors`` are of unit length, shape (len(added), dimension), or None in a store without vectors. An added node
    replaces the one with its id; ids of ``added`` are distinct.
    """

    removed: Sequence[str] = ()
    removed_documents: Sequence[str] = ()
    removes_all: bool = False
    added: Sequence[AddedNode] = ()
    vectors: NDArray[np.float32] | None = None
    model_key: str | None = None  # of the model that made them


def create_store(target: Path, *, model: EmbeddingModel | None, wait: float) -> None:
    """Write a store that holds nothing yet, unless another process made one in the meantime."""
    with StoreBuilder(target, model=model, wait=wait) as builder:
        if not target.exists():
            builder.write(settings=dict(SETTINGS))


def change_nodes(target: Path, snapshot: Snapshot, change: NodeChange, *, wait: float) -> None:
    """Take nodes out of a branch and put others in, in one step; readers are not disturbed.

    Raises StoreError when `prepare` wrote the branch, and for an id that a chunk of another branch has.
    """
    with open_database(target) as database:
        meta = dict(database.meta)
    if change.added and change.model_key not in (None, meta.get("model_key", "none")):
        raise EmbeddingError(
            f"{target} was embedded anew while nodes were added to it", hint="add them again"
        )
    with StoreBuilder(target, model=EmbeddingModel.from_dict(meta), wait=wait) as builder:
        builder.keep_others([])
        branch = _Branch(builder, snapshot)
        branch.require_own([*change.removed, *(node.node_id for node in change.added)])
        branch.remove(change)
        if change.added:
            branch.add(change.added, change.vectors)
        branch.arrange()
        builder.write(settings={name: meta.get(name, value) for name, value in SETTINGS.items()})


class _Branch:
    """The chunks of one repository and branch while a store is built."""

    def __init__(self, builder: StoreBuilder, snapshot: Snapshot) -> None:
        self._builder = builder
        self._snapshot = snapshot

    def require_own(self, node_ids: Sequence[str]) -> None:
        """Raise StoreError for what another owns."""
        repo, branch = self._snapshot.repo, self._snapshot.branch
        for other in self._rows("others", ids=list(node_ids)):
            if (other["repo"], other["branch"]) == (repo, branch):
                raise StoreError(
                    f"{repo}, {branch} was written by prepare, and the next one would lose what is added to it",
                    hint="name another repository for nodes: RagduckVectorStore(path, repo='notes')",
                )
            raise StoreError(
                f"the id {other['node_id']} is that of a chunk of {other['repo']}, {other['branch']}",
                hint="change it there, or give the node another id_",
            )

    def remove(self, change: NodeChange) -> None:
        """Take out what is to be removed or replaced."""
        self._rows(
            "remove",
            everything=change.removes_all,
            ids=[*change.removed, *(node.node_id for node in change.added)],
            documents=list(change.removed_documents),
        )

    def add(self, nodes: Sequence[AddedNode], vectors: NDArray[np.float32] | None) -> None:
        """Put nodes behind those that are there."""
        hashes = [
            _content_hash(node, None if vectors is None else vectors[place])
            for place, node in enumerate(nodes)
        ]
        rows = _chunk_rows(self._snapshot, nodes, paths=self._paths(nodes), hashes=hashes)
        self._builder.connection.register("batch", rows)
        self._builder.connection.execute("insert into stage.chunks by name select * from batch")
        self._builder.connection.unregister("batch")
        if vectors is not None:
            self._save(hashes, vectors)

    def arrange(self) -> None:
        """Give every node its lines, make the files of them, and record the branch if there is anything in it."""
        connection = self._builder.connection
        now = datetime.now(UTC).replace(tzinfo=None)
        values = {"repo": self._snapshot.repo, "branch": self._snapshot.branch, "now": now}
        for name, value in values.items():
            connection.execute(f"set variable {name} = $value", {"value": value})
        connection.execute(sql_text("llamaindex/arrange.sql"))
        [told] = self._rows("fingerprint")
        if told["nodes"]:
            self._builder.add_snapshot(self._snapshot, skipped=0, problems=0, fingerprint=told["fingerprint"])

    def _paths(self, nodes: Sequence[AddedNode]) -> list[str]:
        """Return the file of each node: that of its document, a new one if another document has its name."""
        files = {row["ref_id"]: row["path"] for row in self._rows("held")}
        taken = set(files.values())
        for node in nodes:
            if node.ref_id not in files:
                files[node.ref_id] = path = _free_path(node, taken)
                taken.add(path)
        return [files[node.ref_id] for node in nodes]

    def _save(self, hashes: Sequence[str], vectors: NDArray[np.float32]) -> None:
        """Save each vector once: one that is there twice would make two chunks of one."""
        places = {each: place for place, each in enumerate(hashes)}
        self._builder.take_vectors(list(places), vectors[list(places.values())])

    def _rows(self, name: str, **values: object) -> list[dict[str, Any]]:
        sql = sql_text(f"llamaindex/{name}.sql")
        named = {"repo": self._snapshot.repo, "branch": self._snapshot.branch, **values}
        cursor = self._builder.connection.execute(
            sql, {name: value for name, value in named.items() if f"${name}" in sql}
        )
        columns = [column[0] for column in cursor.description or ()]
        return [dict(zip(columns, row, strict=True)) for row in cursor.fetchall()]


def _free_path(node: AddedNode, taken: set[str]) -> str:
    if node.path not in taken:
        return node.path
    digits = hashlib.blake2b(node.ref_id.encode(), digest_size=16).hexdigest()
    paths = (f"{node.path}#{digits[:length]}" for length in range(SHORT_HASH, len(digits) + 1))
    return next(path for path in paths if path not in taken)


def _content_hash(node: AddedNode, vector: NDArray[np.float32] | None) -> str:
    """Return a hash of text and vector, since equal hashes share one vector and the program chose it."""
    digest = hashlib.blake2b(node.text.encode(), digest_size=16)
    if vector is not None:
        digest.update(np.ascontiguousarray(vector, dtype=np.float32).tobytes())
    return digest.hexdigest()


def _chunk_rows(
    snapshot: Snapshot, nodes: Sequence[AddedNode], *, paths: Sequence[str], hashes: Sequence[str]
) -> pa.Table:
    texts = {
        "node_id": [node.node_id for node in nodes],
        "object_id": [f"node:{node.node_id}" for node in nodes],
        "text": [node.text for node in nodes],
        "llamaindex_node": [node.content for node in nodes],
        "doc_id": [doc_id(snapshot, path) for path in paths],
        "source_file": list(paths),
        "file_type": [_file_type(path) for path in paths],
        "element_name": [node.name for node in nodes],
        "node_key": [f"file:{path}|FILE" for path in paths],
        "content_hash": list(hashes),
    }
    alike = {
        "repo": snapshot.repo, "branch": snapshot.branch, "data_type": "docs", "file_class": "docs",
        "element_type": "node",
    }  # fmt: skip
    count = len(nodes)
    places = pa.array(range(BEHIND, BEHIND + count), type=pa.int32())
    return pa.table(
        {name: pa.array(values, type=pa.large_string()) for name, values in texts.items()}
        | {name: pa.repeat(value, count) for name, value in alike.items()}
        | {
            "start_line": places,
            "end_line": places,
            "chunk_part": pa.repeat(pa.scalar(0, pa.int32()), count),
            "chunk_total": pa.repeat(pa.scalar(1, pa.int32()), count),
            "importance_score": pa.repeat(1.0, count),
        }
    )


def _file_type(path: str) -> str:
    ending = path.rsplit("/", 1)[-1].split("#", 1)[0].rpartition(".")[2].lower()
    has_ending = "." in path.rsplit("/", 1)[-1]
    return ending if has_ending and ending.isascii() and ending.isalnum() and len(ending) <= 12 else "txt"
