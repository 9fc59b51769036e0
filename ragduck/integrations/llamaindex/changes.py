"""Gather additions and deletions into one change of a store."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ragduck.store.added import AddedNode, NodeChange


class Changes:
    """Additions and deletions in the order in which they came, as the one change that they amount to."""

    def __init__(self) -> None:
        self._removed: dict[str, None] = {}
        self._removed_documents: dict[str, None] = {}
        self._removes_all = False
        self._model_key: str | None = None
        self._added: dict[str, tuple[AddedNode, NDArray[np.float32] | None]] = {}

    def add(self, nodes: Sequence[AddedNode], vectors: NDArray[np.float32] | None, *, model_key: str) -> None:
        """Add nodes, or put them in place of those with their ids."""
        self._model_key = (
            self._model_key or model_key
        )  # of the first: another says that the store has changed
        for place, node in enumerate(nodes):
            self._added[node.node_id] = (node, None if vectors is None else vectors[place])

    def remove(self, node_ids: Sequence[str]) -> None:
        """Remove nodes by their ids."""
        self._removed |= dict.fromkeys(node_ids)
        for node_id in node_ids:
            self._added.pop(node_id, None)

    def remove_document(self, ref_doc_id: str) -> None:
        """Remove all nodes of a document."""
        self._removed_documents[ref_doc_id] = None
        self._added = {name: each for name, each in self._added.items() if each[0].ref_id != ref_doc_id}

    def remove_all(self) -> None:
        """Remove every node."""
        self._removes_all = True
        self._added = {}

    def __bool__(self) -> bool:
        return bool(self._removed or self._removed_documents or self._removes_all or self._added)

    def combined(self) -> NodeChange:
        """Return what they amount to."""
        vectors = [vector for _, vector in self._added.values() if vector is not None]
        return NodeChange(
            removed=list(self._removed),
            removed_documents=list(self._removed_documents),
            removes_all=self._removes_all,
            added=[node for node, _ in self._added.values()],
            vectors=np.stack(vectors) if vectors else None,
            model_key=self._model_key,
        )
