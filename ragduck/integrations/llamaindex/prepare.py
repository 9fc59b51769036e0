"""Prepare a folder and hand back an index over it, with the parameters of seed 004 and sqlrooms-rag."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ragduck.embed import DEFAULT_MODEL, Embedder, load_embedder
from ragduck.errors import UsageError
from ragduck.integrations.llamaindex.index import open_index
from ragduck.integrations.llamaindex.progress import ProgressBars
from ragduck.preparation.prepare import prepare
from ragduck.progress import NO_PROGRESS
from ragduck.store import open_database

if TYPE_CHECKING:
    from llama_index.core.indices.vector_store.base import VectorStoreIndex

# What sqlrooms-rag takes when only the provider is named.
PROVIDER_MODELS = {"huggingface": "BAAI/bge-small-en-v1.5", "openai": "text-embedding-3-small"}


def prepare_embeddings(
    input_dir: str | Path,
    output_db: str | Path,
    chunk_size: int = 512,
    embed_model_name: str | None = None,
    embed_dim: int | None = None,
    embedding_provider: str | None = None,
    api_key: str | None = None,
    verbose: bool = True,
    use_markdown_chunking: bool = True,
    include_headers_in_chunks: bool = True,
    header_weight: int = 3,
    overwrite: bool = False,
    *,
    repo: str | None = None,
    branch: str | None = None,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
) -> VectorStoreIndex:
    """Prepare a folder into a store and return an index that answers from it (seed 004).

    ``embed_model_name`` defaults to the model of an existing store, else `static`; with ``embedding_provider``
    alone it is sqlrooms-rag's default for that provider. ``embed_dim`` is checked against the model. ``api_key``
    goes to an OpenAI-compatible endpoint; it is kept in memory and written nowhere. ``verbose`` shows progress
    bars on a terminal. ``chunk_size`` counts tokens.

    Raises UsageError for parameters that contradict each other, and what `ragduck.prepare` raises.
    """
    if not use_markdown_chunking:
        raise UsageError(
            "use_markdown_chunking=False is not supported: Markdown is cut at its headings, code at its symbols",
            hint="leave it out; chunk_size bounds the length of chunks",
        )
    if header_weight < 0:
        raise UsageError(f"header_weight is {header_weight}", hint="give 0 or more")
    model_name = _model_name(embed_model_name, embedding_provider, output_db=output_db, overwrite=overwrite)
    embedder = _embedder(model_name, api_key)
    _require_as_told(embedder, dimension=embed_dim, provider=embedding_provider)
    prepare(
        input_dir,
        output_db,
        embed_model=embedder,
        overwrite=overwrite,
        progress=ProgressBars() if verbose else NO_PROGRESS,
        chunk_size=chunk_size,
        header_weight=header_weight if include_headers_in_chunks else 0,
        repo=repo,
        branch=branch,
        include=include,
        exclude=exclude,
    )
    return open_index(output_db, embed_model=embedder)


def _model_name(name: str | None, provider: str | None, *, output_db: str | Path, overwrite: bool) -> str:
    if provider is None:
        return name or _recorded_model(Path(output_db), overwrite=overwrite)
    if provider not in PROVIDER_MODELS:
        raise UsageError(
            f"unknown embedding_provider {provider!r}", hint=f"providers: {', '.join(PROVIDER_MODELS)}"
        )
    name = name or PROVIDER_MODELS[provider]
    return f"openai:{name}" if provider == "openai" and not name.startswith("openai:") else name


def _recorded_model(store: Path, *, overwrite: bool) -> str:
    if overwrite or not store.exists():
        return DEFAULT_MODEL
    with open_database(store) as database:
        return database.meta.get("embedding_model", DEFAULT_MODEL)


def _embedder(name: str, api_key: str | None) -> Embedder:
    kind, _, model = name.partition(":")
    if api_key is None:
        embedder = load_embedder(name)
    elif kind == "openai" and model:
        from ragduck.embed.openai import Endpoint, OpenAIEmbedder

        # Only the copy holds the key: the environment of the process stays as it is.
        endpoint = Endpoint.from_environment({**os.environ, "RAGDUCK_EMBED_API_KEY": api_key})
        embedder = OpenAIEmbedder(model, endpoint=endpoint)
    else:
        raise UsageError(
            f"the model {name!r} takes no api_key", hint="leave it out, or set embedding_provider='openai'"
        )
    if embedder is None:
        raise UsageError(
            "an index needs vectors, and the model is 'none'",
            hint="name a model, or use ragduck.prepare and RagduckRetriever(path, mode='bm25')",
        )
    return embedder


def _require_as_told(embedder: Embedder, *, dimension: int | None, provider: str | None) -> None:
    model = embedder.model
    if provider is not None and model.provider != provider:
        raise UsageError(
            f"{model.name} is a model of {model.provider}, not of {provider}",
            hint="leave embedding_provider out",
        )
    if dimension is not None and model.dimension != dimension:
        raise UsageError(
            f"embed_dim is {dimension}, but vectors of {model.name} have {model.dimension} dimensions",
            hint=f"leave it out, or give embed_dim={model.dimension}",
        )
