"""Tell what keeps a store from being added to, with the way out."""

from __future__ import annotations

from pathlib import Path

import duckdb

from ragduck.errors import EmbeddingError, StoreError
from ragduck.model import EmbeddingModel
from ragduck.resources import sql_text
from ragduck.shell import quote
from ragduck.store.connection import Database


def require_same_model(held: Database, model: EmbeddingModel | None, *, store: Path) -> None:
    """Raise EmbeddingError unless the vectors that a store holds are of the model."""
    recorded = held.meta.get("model_key", "none")
    if recorded == (model.key if model else "none"):
        return
    name = recorded.split("@", 1)[0]
    if model and name == model.name:
        raise EmbeddingError(
            f"{store} holds vectors of another release of {name}",
            hint=f"ragduck embed {quote(str(store))} --model {name}, or start anew with --overwrite",
        )
    raise EmbeddingError(
        f"{store} holds vectors of {name}, not of {model.name if model else 'none'}",
        hint=f"use --embed-model {name}, or start anew with --overwrite",
    )


def require_no_added_nodes(connection: duckdb.DuckDBPyConnection) -> None:
    """Raise StoreError where the branches in the table `replaced` hold what LlamaIndex added to `live`."""
    found = connection.execute(sql_text("llamaindex/replaced.sql")).fetchall()
    if found:
        repo, branch, nodes = found[0]
        raise StoreError(
            f"{repo}, {branch} holds {nodes:,} nodes that LlamaIndex added, which this run would delete",
            hint="name the sources otherwise with --repo, or delete the nodes: RagduckVectorStore(...).clear()",
        )
