"""A ragduck store as LlamaIndex's vector store: what lies below a VectorStoreIndex."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from typing import Any

import numpy as np
from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.schema import BaseNode, MetadataMode
from llama_index.core.vector_stores.types import MetadataFilters
from numpy.typing import NDArray

from ragduck.errors import StoreError, UsageError
from ragduck.integrations.llamaindex.changes import Changes
from ragduck.integrations.llamaindex.filters import clause_of_documents
from ragduck.integrations.llamaindex.nodes import added_node, vectors_of
from ragduck.integrations.llamaindex.opened import (
    Model,
    OpenedStore,
    create_if_missing,
    embedder_of,
    require_model,
)
from ragduck.integrations.llamaindex.reading import EVERYTHING, StoreReading
from ragduck.model import EmbeddingModel, Snapshot
from ragduck.search.filters import Clause, clause_of
from ragduck.store.added import change_nodes

REPO, BRANCH = "llamaindex", "main"
WAIT = 60.0  # seconds for another writer


class RagduckVectorStore(StoreReading):
    """A store that LlamaIndex reads, and to which it adds nodes of its own.

    Everything in the file answers: what `prepare` cut from sources, and added nodes. These are a repository and
    branch of their own, ``repo`` and ``branch``; nothing else is ever changed. They keep their ids, metadata and
    relationships, and are found by keyword and by meaning, here and in all else that reads the store.

    A file that is not there is made, empty, when ``embed_model`` or ``embed_dim`` says for which vectors: a name
    such as `minilm`, an embedding of LlamaIndex or an embedder; or the number of dimensions alone, and then the
    command line can search it by keyword only. With ``embed_model="none"`` it holds no vectors.

    Modes: DEFAULT, SPARSE and TEXT_SEARCH (both BM25), HYBRID (reciprocal ranks, or weighted when ``alpha`` is
    given) and SEMANTIC_HYBRID (`semantic_rerank`). Nodes come with ragduck's scores as similarities.

    Each change writes the file anew and puts it in place in one step, so it takes time with the size of the store,
    not of the change: add many nodes with one call, or make many calls within `batch`. ``wait`` is how many seconds
    another writer is waited for.

    >>> store = RagduckVectorStore("notes.duckdb", embed_model="minilm")
    >>> context = StorageContext.from_defaults(vector_store=store)
    >>> index = VectorStoreIndex.from_documents(
    ...     documents, storage_context=context, embed_model=RagduckEmbedding("minilm")
    ... )
    """

    repo: str = REPO
    branch: str = BRANCH
    wait: float = WAIT
    _embed_model: Model = PrivateAttr()
    _writing: Any = PrivateAttr()
    _gathered: Changes | None = PrivateAttr()

    def __init__(
        self,
        path: str | Path,
        *,
        embed_dim: int | None = None,
        embed_model: Model = None,
        repo: str = REPO,
        branch: str = BRANCH,
        wait: float = WAIT,
        **fields: Any,
    ) -> None:
        own = {"path": str(path), "repo": repo, "branch": branch, "wait": wait}
        super().__init__(**{**fields, **own})
        _require_names(self.repo, self.branch)
        create_if_missing(self._target, embed_dim=embed_dim, embed_model=embed_model, wait=self.wait)
        self._opened = OpenedStore(self._target)
        self._embed_model = embed_model
        self._writing = RLock()
        self._gathered = None
        require_model(
            EmbeddingModel.from_dict(self.meta),
            path=self._target,
            embed_dim=embed_dim,
            embed_model=embed_model,
        )

    @classmethod
    def class_name(cls) -> str:
        """Name the class in serialised form."""
        return "RagduckVectorStore"

    def add(self, nodes: Sequence[BaseNode], **kwargs: Any) -> list[str]:  # noqa: ARG002
        """Add nodes, or replace those with their ids, and return the ids.

        Nodes without an embedding are embedded with the model of the store. Raises UsageError for a node that
        cannot be stored, EmbeddingError for a vector of another length, StoreError for an id that a chunk of
        another branch has; then none is added.
        """
        if nodes:
            model_key = self.meta.get("model_key", "none")
            last = list({node.node_id: node for node in nodes}.values())
            rows, vectors = [added_node(node) for node in last], self._vectors(last)
            with self._changing() as changes:
                changes.add(rows, vectors, model_key=model_key)
        return [node.node_id for node in nodes]

    async def async_add(self, nodes: Sequence[BaseNode], **kwargs: Any) -> list[str]:
        """Add nodes as `add` does, in a thread of its own."""
        return await asyncio.to_thread(self.add, nodes, **kwargs)

    def delete(self, ref_doc_id: str, **delete_kwargs: Any) -> None:  # noqa: ARG002
        """Delete the added nodes of a document; one that is not there is no error, as elsewhere in LlamaIndex.

        Raises StoreError for a file that `prepare` read.
        """
        if self._gathered is None and not self._holds_document(ref_doc_id):
            return
        with self._changing() as changes:
            changes.remove_document(ref_doc_id)

    async def adelete(self, ref_doc_id: str, **delete_kwargs: Any) -> None:
        """Delete a document as `delete` does, in a thread of its own."""
        await asyncio.to_thread(self.delete, ref_doc_id, **delete_kwargs)

    def delete_nodes(
        self,
        node_ids: list[str] | None = None,
        filters: MetadataFilters | None = None,
        **delete_kwargs: Any,  # noqa: ARG002
    ) -> None:
        """Delete the added nodes with these ids that pass the filters; ids that are not there are no error.

        Raises UsageError when neither is given, StoreError for the id of a chunk of another branch.
        """
        if node_ids is None and filters is None:
            raise UsageError(
                "delete_nodes was not told which nodes", hint="give node_ids or filters, or call clear()"
            )
        if filters is not None and self._gathered:
            raise UsageError(
                "delete_nodes with filters cannot be part of a batch that has changed nodes",
                hint="call it before the batch, or give node_ids",
            )
        found = self._deletable(node_ids, filters)
        if found:
            with self._changing() as changes:
                changes.remove(found)

    async def adelete_nodes(
        self,
        node_ids: list[str] | None = None,
        filters: MetadataFilters | None = None,
        **delete_kwargs: Any,
    ) -> None:
        """Delete nodes as `delete_nodes` does, in a thread of its own."""
        await asyncio.to_thread(self.delete_nodes, node_ids, filters, **delete_kwargs)

    def clear(self) -> None:
        """Delete all added nodes of the own repository and branch; what else the store holds stays."""
        if self._gathered is None and not self._chunks(None, None, self._own):
            return
        with self._changing() as changes:
            changes.remove_all()

    async def aclear(self) -> None:
        """Delete all added nodes as `clear` does, in a thread of its own."""
        await asyncio.to_thread(self.clear)

    @contextmanager
    def batch(self) -> Iterator[None]:
        """Write what is added and deleted within in one step at its end; nothing when it ends with an error.

        Questions asked within are answered from the store as it was before.
        """
        with self._writing:
            if self._gathered is not None:
                raise UsageError("a batch of this store is open already", hint="end it first")
            self._gathered = Changes()
        try:
            yield
        except BaseException:
            self._ended_batch()
            raise
        with self._writing:  # who adds from here on waits, and then writes by itself
            self._write(self._ended_batch())

    def _ended_batch(self) -> Changes:
        with self._writing:
            gathered, self._gathered = self._gathered, None
        return gathered or Changes()

    @property
    def _target(self) -> Path:
        """Where the file is: through a link, so that the link stays."""
        path = Path(self.path)
        return path.resolve() if path.is_symlink() else path

    @property
    def _own(self) -> Clause:
        return clause_of({"repo": self.repo, "branch": self.branch}, key="own")

    def _vectors(self, nodes: Sequence[BaseNode]) -> NDArray[np.float32] | None:
        """Return the unit vectors of nodes, shape (len(nodes), dimension); None in a store without."""
        model = EmbeddingModel.from_dict(self.meta)
        if model is None:
            if any(node.embedding is not None for node in nodes):
                raise UsageError(
                    f"{self.path} holds no vectors, and nodes with an embedding are to be added",
                    hint="make a store with embed_dim or embed_model, or set node.embedding = None",
                )
            return None
        return vectors_of(self._embedded(nodes, model), dimension=model.dimension)

    def _embedded(self, nodes: Sequence[BaseNode], model: EmbeddingModel) -> list[BaseNode]:
        """Return the nodes, those without an embedding as copies with one."""
        bare = [node for node in nodes if node.embedding is None]
        if not bare:
            return list(nodes)
        embedder = embedder_of(model, path=self._target, embed_model=self._embed_model)
        vectors = embedder.embed_texts([node.get_content(metadata_mode=MetadataMode.EMBED) for node in bare])
        made = {node.node_id: vector.tolist() for node, vector in zip(bare, vectors, strict=True)}
        return [
            node.model_copy(update={"embedding": made[node.node_id]}) if node.node_id in made else node
            for node in nodes
        ]

    def _holds_document(self, ref_doc_id: str) -> bool:
        """Tell whether there are own nodes of a document to delete; raise StoreError when `prepare` read it."""
        clause = clause_of_documents([ref_doc_id], added_nodes=self._opened.may_hold_nodes)
        for chunk in self._chunks(None, None, clause):
            if chunk["llamaindex_node"] is None:
                raise StoreError(
                    f"{chunk['metadata']['source_file']} was read by prepare",
                    hint=f"change the sources and run: ragduck prepare FOLDER -o {self.path}",
                )
        return bool(self._chunks(None, None, clause.joined(self._own)))

    def _deletable(self, node_ids: list[str] | None, filters: MetadataFilters | None) -> list[str]:
        if filters is None and self._gathered is not None:
            return list(node_ids or ())
        chunks = self._chunks(node_ids, filters, EVERYTHING if filters is None else self._own)
        return [chunk["node_id"] for chunk in chunks]

    @contextmanager
    def _changing(self) -> Iterator[Changes]:
        """Hand out the changes to be added to, and write them unless they are gathered."""
        with self._writing:
            if self._gathered is not None:
                yield self._gathered
                return
            changes = Changes()
            yield changes
            self._write(changes)

    def _write(self, changes: Changes) -> None:
        if changes:
            snapshot = Snapshot(self.repo, self.branch, None, Path(self.repo))
            change_nodes(self._target, snapshot, changes.combined(), wait=self.wait)
            self._opened.forget()


def _require_names(repo: str, branch: str) -> None:
    for name, value in (("repo", repo), ("branch", branch)):
        if not value.strip():
            raise UsageError(f"{name} is empty", hint=f"leave {name} out, or name one")
