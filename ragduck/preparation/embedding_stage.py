"""Choose the model of a store's vectors, and embed what has none."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from ragduck.embed import DEFAULT_MODEL, Embedder, embed_in_batches, load_embedder
from ragduck.embed.registry import embedder_for
from ragduck.model import EmbeddingModel
from ragduck.progress import Progress
from ragduck.store.builder import StoreBuilder

if TYPE_CHECKING:
    from llama_index.core.base.embeddings.base import BaseEmbedding


@dataclass(frozen=True, slots=True)
class VectorModel:
    """The model of a store's vectors; ``load`` is called only when a text needs it, as it may not be had here."""

    model: EmbeddingModel
    load: Callable[[], Embedder]


def chosen_model(
    wanted: str | BaseEmbedding | Embedder | None,
    *,
    recorded: EmbeddingModel | None,
    adds_to_store: bool,
    brought: Sequence[EmbeddingModel],
) -> VectorModel | None:
    """Return the model to use: `default` is the store's, else that of vectors which a source brings, else static."""
    if wanted == "default" and adds_to_store:
        return _lazily(recorded) if recorded else None
    if wanted == "default" and brought:
        return _lazily(brought[0])
    named = [model for model in brought if model.name == wanted]
    if named:
        return _lazily(named[0])
    embedder = load_embedder(DEFAULT_MODEL if wanted == "default" else wanted)
    return VectorModel(embedder.model, lambda: embedder) if embedder else None


def _lazily(model: EmbeddingModel) -> VectorModel:
    return VectorModel(model, partial(embedder_for, model))


def embed_missing(builder: StoreBuilder, chosen: VectorModel, progress: Progress) -> int:
    """Embed each distinct content that has no vector; every batch is saved before the next."""
    done = 0
    with progress.stage(f"embedding with {chosen.model.name}", total=None) as stage:
        for hashes, vectors in _vectors(builder, chosen):
            if done == 0:
                stage.set_total(builder.missing_vectors())
            builder.add_vectors(hashes, vectors)
            done += len(hashes)
            stage.advance(len(hashes))
    return done


def _vectors(builder: StoreBuilder, chosen: VectorModel) -> Iterator[tuple[list[str], Any]]:
    for hashes, texts in builder.texts_without_vectors():
        for positions, vectors in embed_in_batches(chosen.load(), texts):
            yield [hashes[position] for position in positions], vectors
