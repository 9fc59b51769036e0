"""Models of the Hugging Face hub, or of a local folder, through LlamaIndex's ``HuggingFaceEmbedding``."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from ragduck.embed.llamaindex import LlamaIndexEmbedder
from ragduck.errors import EmbeddingError
from ragduck.shell import extra_command

SAMPLE_BYTES = 1 << 20


def load_huggingface(name: str, *, folder: Path | None = None) -> LlamaIndexEmbedder:
    """Load a model by its hub name, or from ``folder`` when one is given."""
    embedding_class, query_instruction_of, text_instruction_of = _import_embedding()
    location = str(folder) if folder else name
    try:
        embedding = embedding_class(model_name=location)
    except Exception as error:
        # torch, transformers and the hub's client raise unrelated types for a missing model or network.
        raise _loading_failure(name, error=error, folder=folder) from error
    return LlamaIndexEmbedder(
        embedding,
        name=location,
        revision=fingerprint_folder(folder) if folder else _commit_of(embedding),
        query_prefix=query_instruction_of(location) or "",
        text_prefix=text_instruction_of(location) or "",
        provider="huggingface",
    )


def fingerprint_folder(folder: Path) -> str:
    """Identify a model's files by name, size, and their first and last megabyte, wherever the folder lies."""
    digest = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        size = path.stat().st_size
        digest.update(f"{path.relative_to(folder).as_posix()}\0{size}\0".encode("utf-8", "surrogatepass"))
        with path.open("rb") as file:
            digest.update(file.read(SAMPLE_BYTES))
            file.seek(max(0, size - SAMPLE_BYTES))
            digest.update(file.read(SAMPLE_BYTES))
    return f"sha256:{digest.hexdigest()}"


def _import_embedding() -> tuple[Any, Any, Any]:
    try:
        from llama_index.embeddings.huggingface import HuggingFaceEmbedding
        from llama_index.embeddings.huggingface.utils import (
            get_query_instruct_for_model_name,
            get_text_instruct_for_model_name,
        )
    except ImportError as error:
        raise EmbeddingError(
            f"models of Hugging Face need a package that is not installed: {error.name or error}",
            hint=extra_command("huggingface"),
        ) from error
    return HuggingFaceEmbedding, get_query_instruct_for_model_name, get_text_instruct_for_model_name


def _loading_failure(name: str, *, error: Exception, folder: Path | None) -> EmbeddingError:
    reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
    if folder:
        hint = "the folder must hold a sentence-transformers model (config.json, tokenizer and weights)"
    else:
        hint = f"check the name and the network, or name the folder of: hf download {name} --local-dir FOLDER"
    return EmbeddingError(f"the model {name!r} cannot be loaded: {reason[:300]}", hint=hint)


def _commit_of(embedding: Any) -> str:
    """Return the hub commit that transformers loaded, or nothing where the model does not tell."""
    try:
        commit = embedding._model[0].auto_model.config._commit_hash
    except (AttributeError, IndexError, KeyError, TypeError):
        return ""
    return commit if isinstance(commit, str) else ""
