"""Quantise a trained model and write its folder: weights, vocabulary, hash."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
from measure import measure_cosqa
from model import StaticModel

from ragduck.embed.static.embedder import StaticEmbedder
from ragduck.embed.static.model import VOCABULARY_FILE, WEIGHTS_FILE, read_model, sha256_of


def write_model(
    model: StaticModel, vocabulary: list[str], folder: Path, *, evaluation: Path
) -> dict[str, Any]:
    """Write the folder; return how good the model is as it is shipped, its sizes and the hash of its weights."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / VOCABULARY_FILE).write_text("\n".join(vocabulary) + "\n", encoding="utf-8")
    (folder / WEIGHTS_FILE).write_bytes(quantised(model))
    digest = sha256_of(folder)
    embedder = StaticEmbedder(read_model(folder, sha256=digest))
    figures = measure_cosqa(
        evaluation / "cosqa",
        embed_texts=embedder.embed_texts,
        embed_queries=lambda texts: np.stack([embedder.embed_query(text) for text in texts]),
    )
    size = sum(path.stat().st_size for path in folder.iterdir())
    return {**figures, "bytes": size, "sha256": digest}


def quantised(model: StaticModel) -> bytes:
    """Return vectors as 8-bit whole numbers, one scale for each token, with the token's weight in the scale."""
    vectors = model.vectors.detach().numpy()
    largest = np.abs(vectors).max(axis=1)
    largest[largest == 0] = 1.0
    weights = np.exp(model.weights.detach().numpy())
    arrays = {
        "vectors": np.rint(vectors / largest[:, None] * 127).astype(np.int8),
        "chunk_weights": (weights * largest / 127).astype(np.float32),
        "query_map": model.query_map.detach().numpy().astype(np.float32),
        "place_weights": np.exp(model.place_weights.detach().numpy()).astype(np.float32),
    }
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()
