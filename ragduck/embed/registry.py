"""Find the embedder that a name stands for; nothing heavy is loaded before it is wanted."""

from __future__ import annotations

import difflib
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeGuard

from ragduck.embed.protocol import Embedder, check_same_model
from ragduck.errors import EmbeddingError
from ragduck.model import EmbeddingModel

if TYPE_CHECKING:
    from llama_index.core.base.embeddings.base import BaseEmbedding

DEFAULT_MODEL = "static"
KNOWN_MODELS = ("static", "minilm", "hashing", "none")
KNOWN_FORMS = (
    "static, minilm, hashing[:DIMENSION], none, openai:MODEL, a HuggingFace name (ORG/NAME) or a folder"
)
UNNAMED = "llamaindex"  # the model of vectors of which only the length is known
HUB_NAME = re.compile(r"[\w.-]{1,96}/[\w.-]{1,96}", re.ASCII)


def load_embedder(model: str | BaseEmbedding | Embedder | None) -> Embedder | None:
    """Return the embedder for a name, a LlamaIndex embedding or an embedder; ``None`` for ``none``."""
    if model is None or model == "none":
        return None
    if isinstance(model, str):
        return _load_named(model)
    if _is_embedder(model):
        return model
    return _wrap_llamaindex(model)


def embedder_for(
    recorded: EmbeddingModel, *, model: str | BaseEmbedding | Embedder | None = None
) -> Embedder:
    """Return the embedder that a store's vectors were made with, or ``model`` if it is the same.

    Raises an ``EmbeddingError`` when it cannot be had or when name, revision, dimension or prefixes differ.
    """
    embedder = _load_named(recorded.name) if model is None else load_embedder(model)
    if embedder is None:
        raise EmbeddingError(
            f"the store was embedded with {recorded.name!r}, and no model was given to ask it with",
            hint="search with --mode bm25, which needs no model",
        )
    check_same_model(recorded, embedder.model)
    return embedder


def _load_named(name: str) -> Embedder:
    kind, _, detail = name.partition(":")
    if kind == "openai" and detail:
        from ragduck.embed.openai import Endpoint, OpenAIEmbedder

        return OpenAIEmbedder(detail, endpoint=Endpoint.from_environment())
    if kind == "hashing":
        return _load_hashing(name)
    if name == "minilm":
        return _load_minilm()
    if name == "static":
        return _load_static()
    folder = _existing_folder(name)
    if folder or HUB_NAME.fullmatch(name):
        return _load_huggingface(name, folder)
    raise _unknown_model(name)


@cache
def _load_minilm() -> Embedder:
    from ragduck.embed.minilm import MiniLMEmbedder

    return MiniLMEmbedder()


@cache
def _load_static() -> Embedder:
    from ragduck.embed.static import StaticEmbedder

    return StaticEmbedder()


def _load_hashing(name: str) -> Embedder:
    from ragduck.embed.hashing import DEFAULT_DIMENSION, HashingEmbedder

    _, colon, dimension = name.partition(":")
    if not colon:
        return HashingEmbedder(dimension=DEFAULT_DIMENSION)
    if not re.fullmatch(r"[0-9]{1,6}", dimension):
        raise _unknown_model(name)
    return HashingEmbedder(dimension=int(dimension))


@cache
def _load_huggingface(name: str, folder: Path | None) -> Embedder:
    from ragduck.embed.huggingface import load_huggingface

    return load_huggingface(name, folder=folder)


def _wrap_llamaindex(model: object) -> Embedder:
    from llama_index.core.base.embeddings.base import BaseEmbedding

    from ragduck.embed.llamaindex import LlamaIndexEmbedder

    if isinstance(model, BaseEmbedding):
        return LlamaIndexEmbedder(model)
    raise EmbeddingError(
        f"an embedding model cannot be a {type(model).__name__}",
        hint="give a name, a LlamaIndex BaseEmbedding, or an object with model, embed_texts and embed_query",
    )


def _is_embedder(model: object) -> TypeGuard[Embedder]:
    # Only the methods are looked at: to look at ``model`` may load weights or call an endpoint.
    return callable(getattr(model, "embed_texts", None)) and callable(getattr(model, "embed_query", None))


def _existing_folder(name: str) -> Path | None:
    try:
        folder = Path(name).expanduser()
        return folder.resolve() if name and folder.is_dir() else None
    except (OSError, RuntimeError, ValueError):
        return None


def _unknown_model(name: str) -> EmbeddingError:
    if name == UNNAMED:
        return EmbeddingError(
            f"{UNNAMED!r} stands for vectors that LlamaIndex brought without the name of their model",
            hint="search with --mode bm25, ask through LlamaIndex with the model that made them, "
            "or make others with: ragduck embed STORE --model static",
        )
    shown = name if len(name) <= 80 else f"{name[:80]}…"
    last_part = re.split(r"[/\\]", shown)[-1].partition(":")[0].lower()
    close = difflib.get_close_matches(last_part, KNOWN_MODELS, n=1, cutoff=0.5)
    if not close and "minilm" in last_part:
        close = ["minilm"]
    question = f"; did you mean {close[0]!r}?" if close else ""
    return EmbeddingError(
        f"there is no embedding model {shown!r}{question}", hint=f"known models: {KNOWN_FORMS}"
    )
