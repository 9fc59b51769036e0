"""Give a store vectors of another model without reading its sources again."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from ragduck.embed import Embedder, load_embedder
from ragduck.model import EmbeddingModel
from ragduck.parse.chunk import EMBEDDED_CHARS
from ragduck.preparation.embedding_stage import VectorModel, embed_missing
from ragduck.progress import NO_PROGRESS, Progress
from ragduck.resources import sql_text
from ragduck.store import Database, open_database
from ragduck.store.builder import StoreBuilder
from ragduck.store.kept_text import KeptText
from ragduck.store.schema import NO_MODEL_DIMENSION
from ragduck.untrusted_json import read_json

if TYPE_CHECKING:
    from llama_index.core.base.embeddings.base import BaseEmbedding

SETTINGS = ("chunk_size", "header_weight")
DEFAULT_HEADER_WEIGHT = 3
METADATA_TEMPLATE, METADATA_SEPARATOR = "{key}: {value}", "\n"  # LlamaIndex's own
TEXT_TEMPLATE = "{metadata_str}\n\n{content}"
MOST_LINES = 400  # of usings before what a chunk's text was embedded from


@dataclass(frozen=True, slots=True)
class EmbedReport:
    """What happened to the vectors of a store; ``approximate`` texts could not be rebuilt to the letter."""

    store: Path
    previous: str
    model: str
    embedded: int
    approximate: int
    counts: dict[str, int]
    seconds: float
    unchanged: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return the report as `embed --json` prints it."""
        return {**asdict(self), "store": str(self.store), "seconds": round(self.seconds, 3)}


def embed(
    store: str | Path,
    model: str | BaseEmbedding | Embedder | None,
    *,
    wait: float = 0.0,
    progress: Progress = NO_PROGRESS,
) -> EmbedReport:
    """Replace the vectors of a store by those of another model; None or `none` takes them away.

    The store is written anew beside the live file and put in its place in one step: readers are not disturbed, and
    a run that is interrupted is taken up by the next one. Another writer is waited for ``wait`` seconds.

    Raises EmbeddingError for a model that cannot be had, StoreError when the store cannot be read or written.
    """
    began = perf_counter()
    path = Path(store)
    target = path.resolve() if path.is_symlink() else path
    with open_database(target) as database:
        if _is_done(database, embedder := load_embedder(model)):
            return _unchanged(target, database, began)
    with StoreBuilder(target, model=embedder.model if embedder else None, wait=wait) as builder:
        with open_database(target) as database:  # what it holds now that no one else can write it
            meta = database.meta
        recorded = EmbeddingModel.from_dict(meta)
        rebuilder = _Rebuilder(int(meta.get("header_weight", DEFAULT_HEADER_WEIGHT)))
        builder.keep_all_but_vectors(
            rebuilder, dimension=recorded.dimension if recorded else NO_MODEL_DIMENSION
        )
        embedded = embed_missing(builder, _chosen(embedder), progress) if embedder else 0
        with progress.stage("writing the store", total=None):
            counts = builder.write(settings={name: meta[name] for name in SETTINGS if name in meta})
    return EmbedReport(
        target,
        previous=recorded.name if recorded else "none",
        model=embedder.model.name if embedder else "none",
        embedded=embedded,
        approximate=rebuilder.approximate if embedder else 0,
        counts=counts,
        seconds=perf_counter() - began,
    )


def _is_done(database: Database, embedder: Embedder | None) -> bool:
    return database.meta.get("model_key", "none") == (embedder.model.key if embedder else "none")


def _unchanged(target: Path, database: Database, began: float) -> EmbedReport:
    counts = database.rows(sql_text("info/totals.sql"))[0]
    name = database.meta.get("embedding_model", "none")
    return EmbedReport(target, name, name, 0, 0, counts, perf_counter() - began, unchanged=True)


def _chosen(embedder: Embedder) -> VectorModel:
    return VectorModel(embedder.model, lambda: embedder)


class _Rebuilder:
    """Make the texts that were embedded from what the store holds, and count those that are only alike."""

    def __init__(self, header_weight: int) -> None:
        self._header_weight = header_weight
        self.approximate = 0

    def __call__(self, kept: KeptText) -> str:
        if kept.llamaindex_node is not None:
            return with_metadata(kept.text, read_json(kept.llamaindex_node))
        for text in candidates(kept, header_weight=self._header_weight):
            if hashlib.blake2b(text.encode(), digest_size=16).hexdigest() == kept.content_hash:
                return text
        self.approximate += 1
        return next(candidates(kept, header_weight=self._header_weight))


def with_metadata(text: str, node: Mapping[str, Any]) -> str:
    """Return what LlamaIndex embeds of a node: its metadata, but for what it excludes, then the text.

    The templates come from the file, so that nothing but their fields is filled in.
    """
    excluded = node.get("excluded_embed_metadata_keys") or ()
    template = node.get("metadata_template") or METADATA_TEMPLATE
    told = [
        _filled(template, key=key, value=str(value))
        for key, value in (node.get("metadata") or {}).items()
        if key not in excluded
    ]
    metadata = str(node.get("metadata_separator") or METADATA_SEPARATOR).join(told).strip()
    if not metadata:
        return text
    return _filled(node.get("text_template") or TEXT_TEMPLATE, content=text, metadata_str=metadata).strip()


def _filled(template: object, **values: str) -> str:
    pattern = "|".join(rf"\{{{name}\}}" for name in values)
    return re.sub(pattern, lambda found: values[found[0][1:-1]], str(template))


def candidates(kept: KeptText, *, header_weight: int) -> Iterator[str]:
    """Yield what may have been embedded: a title and the text, from any line on, for usings are left out.

    The first is the likeliest. The hash of the content tells which it was.
    """
    if kept.element_type == "section":
        title = f"{kept.object_id.partition('#')[2] or kept.element_name}\n" * header_weight
    else:
        title = f"{kept.element_name}\n"
    start = 0
    for _ in range(MOST_LINES):
        yield (title + kept.text[start : start + EMBEDDED_CHARS])[:EMBEDDED_CHARS]
        start = kept.text.find("\n", start) + 1
        if start == 0:
            break
    yield kept.text[:EMBEDDED_CHARS]
