"""The file under a vector store: made if it is new, and read as it is now."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from threading import Lock
from typing import TypeAlias

from llama_index.core.base.embeddings.base import BaseEmbedding

from ragduck.embed import Embedder, embedder_for, load_embedder
from ragduck.embed.registry import UNNAMED
from ragduck.errors import EmbeddingError, StoreError
from ragduck.integrations.llamaindex.embedding import RagduckEmbedding
from ragduck.model import EmbeddingModel
from ragduck.search.ranking import StoredRanking
from ragduck.store import Database, open_database
from ragduck.store.added import create_store
from ragduck.store.connection import file_at
from ragduck.store.statements import own_columns

Model: TypeAlias = str | BaseEmbedding | Embedder | None


class OpenedStore:
    """A store that is opened again once another file has taken its place."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = Lock()
        self._file = file_at(path)
        self._database: Database | None = None
        self._holds_nodes: bool | None = None
        self._open()

    @property
    def database(self) -> Database:
        """The store as it is now; whoever reads the one before goes on reading it."""
        return self.searched()[0]

    def searched(self) -> tuple[Database, StoredRanking]:
        """Return the store as it is now with what its questions share."""
        with self._lock:
            file = file_at(self._path)
            if self._database is None or (file is not None and file != self._file):
                self._let_go()
                self._file, self._holds_nodes = file, None
                return self._open()
            return self._database, self._ranking

    def _open(self) -> tuple[Database, StoredRanking]:
        database = open_database(self._path)
        self._database, self._ranking = database, StoredRanking(partial(own_columns, database))
        return self._database, self._ranking

    def _let_go(self) -> None:
        """Keep nothing of the file, which is closed as soon as nobody asks it any more."""
        self._database, self._ranking = None, StoredRanking()

    @property
    def may_hold_nodes(self) -> bool:
        """Whether there are added nodes, or nothing at all."""
        database = self.database
        holds = self._holds_nodes
        if holds is None:
            holds = _may_hold_nodes(database)
            with self._lock:
                if database is self._database:  # else it is true of a file that is no longer there
                    self._holds_nodes = holds
        return holds

    def forget(self) -> None:
        """Let go of the file once it is replaced, as whoever opens it in this process would be given the old one."""
        with self._lock:
            self._let_go()

    def close(self) -> None:
        """Close the file; the next question opens it again."""
        with self._lock:
            if self._database is not None:
                self._database.close()
                self._let_go()


def _may_hold_nodes(database: Database) -> bool:
    columns = database.rows(
        "select 1 from duckdb_columns() where table_name = 'documents' and column_name = 'llamaindex_node'"
    )
    return bool(columns) and not database.rows(
        "select 1 from documents having count(*) > 0 and count(llamaindex_node) = 0"
    )


def create_if_missing(path: Path, *, embed_dim: int | None, embed_model: Model, wait: float) -> None:
    """Make an empty store where there is none, for vectors of a model or of a length.

    Raises StoreError when neither is told, as the name of the file may be mistyped.
    """
    if path.exists():
        return
    if embed_dim is None and embed_model is None:
        raise StoreError(
            f"there is no store at {path}",
            hint="make an empty one with RagduckVectorStore(path, embed_dim=384), or one of a folder with prepare",
        )
    create_store(path, model=_model_of(embed_dim=embed_dim, embed_model=embed_model), wait=wait)


def require_model(
    recorded: EmbeddingModel | None, *, path: Path, embed_dim: int | None, embed_model: Model
) -> None:
    """Raise EmbeddingError unless a store has the model that it is opened for."""
    if embed_dim is not None and (recorded is None or recorded.dimension != embed_dim):
        holds = f"vectors of {recorded.dimension} dimensions" if recorded else "no vectors"
        raise EmbeddingError(
            f"embed_dim is {embed_dim}, but {path} has {holds}",
            hint="leave embed_dim out, or use another file",
        )
    if embed_model is not None and (recorded is not None or embed_model != "none"):
        embedder_of(recorded, path=path, embed_model=embed_model)


def embedder_of(recorded: EmbeddingModel | None, *, path: Path, embed_model: Model) -> Embedder:
    """Return what embeds for a store: ``embed_model`` if it is the same, else the model that it names.

    Raises EmbeddingError when it holds no vectors, or those of another model or of one that nobody named.
    """
    if recorded is None:
        raise EmbeddingError(f"{path} holds no vectors", hint="leave embed_model out, or use another file")
    if recorded.name != UNNAMED:
        return embedder_for(recorded, model=unwrapped(embed_model))
    embedder = load_embedder(unwrapped(embed_model))
    if embedder is None or embedder.model.dimension != recorded.dimension:
        raise EmbeddingError(
            f"{path} was made for vectors of {recorded.dimension} dimensions, and no model of that length is given",
            hint="embed nodes before they are added, or open it with the embed_model that made its vectors",
        )
    return embedder


def unwrapped(embed_model: Model) -> Model:
    """Return the embedder within a RagduckEmbedding, so that the store records the model by its own name."""
    return embed_model.embedder if isinstance(embed_model, RagduckEmbedding) else embed_model


def _model_of(*, embed_dim: int | None, embed_model: Model) -> EmbeddingModel | None:
    if embed_model is None:
        if not isinstance(embed_dim, int) or embed_dim < 1:
            raise EmbeddingError(
                f"embed_dim is {embed_dim!r}", hint="give the length of your vectors: embed_dim=384"
            )
        return EmbeddingModel(name=UNNAMED, revision="", dimension=embed_dim, provider="llama-index")
    embedder = load_embedder(unwrapped(embed_model))
    model = embedder.model if embedder else None
    if embed_dim is not None and (model is None or model.dimension != embed_dim):
        raise EmbeddingError(
            f"embed_dim is {embed_dim}, but vectors of the model have {model.dimension if model else 0} dimensions",
            hint="leave embed_dim out",
        )
    return model
