"""What an embedder is, and what a store records of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from ragduck.errors import EmbeddingError
from ragduck.model import EmbeddingModel

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


HASH_SHOWN = len("sha256:") + 12


class Embedder(Protocol):
    """Anything that turns texts into vectors of unit length."""

    @property
    def model(self) -> EmbeddingModel:
        """Describe the model; may have to load it, or ask the endpoint, for the dimension."""

    def embed_texts(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row per text: shape ``(len(texts), dimension)``, finite, unit length."""

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Return the vector of a question: shape ``(dimension,)``, finite, unit length."""


def check_same_model(recorded: EmbeddingModel, offered: EmbeddingModel) -> None:
    """Raise an ``EmbeddingError`` unless vectors of both models can be compared with each other."""
    differences = [
        f"{field} {_shortened(theirs)!r} instead of {_shortened(ours)!r}"
        for field, ours, theirs in _compared_fields(recorded, offered)
        if ours != theirs
    ]
    if differences:
        is_same = recorded.name == offered.name and recorded.dimension == offered.dimension
        remedy = (
            f"ragduck embed STORE --model {recorded.name}" if is_same else f"--embed-model {recorded.name}"
        )
        raise EmbeddingError(
            f"the store was embedded with {recorded.name!r}; the one given has {', '.join(differences)}",
            hint=f"use {remedy}, search with --mode bm25, or prepare the store again",
        )


def _shortened(value: str | int) -> str | int:
    return value[:HASH_SHOWN] if isinstance(value, str) and value.startswith("sha256:") else value


def _compared_fields(
    recorded: EmbeddingModel, offered: EmbeddingModel
) -> list[tuple[str, str | int, str | int]]:
    fields: list[tuple[str, str | int, str | int]] = [("dimension", recorded.dimension, offered.dimension)]
    same_weights = recorded.revision.startswith("sha256:") and recorded.revision == offered.revision
    if not same_weights:
        fields.insert(0, ("name", recorded.name, offered.name))
    if recorded.revision and offered.revision:
        fields.append(("revision", recorded.revision, offered.revision))
    fields.append(("query prefix", recorded.query_prefix, offered.query_prefix))
    fields.append(("text prefix", recorded.text_prefix, offered.text_prefix))
    return fields
