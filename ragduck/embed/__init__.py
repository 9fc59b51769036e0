"""Turn texts into unit vectors, with a model that the store can name again."""

from ragduck.embed.batches import embed_in_batches
from ragduck.embed.protocol import Embedder, check_same_model
from ragduck.embed.registry import DEFAULT_MODEL, embedder_for, load_embedder

__all__ = [
    "DEFAULT_MODEL",
    "Embedder",
    "check_same_model",
    "embed_in_batches",
    "embedder_for",
    "load_embedder",
]
