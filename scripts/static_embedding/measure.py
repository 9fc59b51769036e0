"""NDCG@10 and MRR of vectors alone on CoSQA."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Embed = Callable[[Sequence[str]], NDArray[np.float32]]


def measure_cosqa(folder: Path, *, embed_texts: Embed, embed_queries: Embed) -> dict[str, float]:
    """Rank all functions for each query by cosine; one function is right."""
    functions = json.loads((folder / "code.json").read_text(encoding="utf-8"))
    queries = json.loads((folder / "queries-dev.json").read_text(encoding="utf-8"))
    texts = sorted(functions, key=lambda text: int(functions[text]))
    chunks = embed_texts(texts)
    scores = embed_queries([query["doc"] for query in queries]) @ chunks.T
    right = np.array([int(query["retrieval_idx"]) for query in queries])
    own = scores[np.arange(len(queries)), right]
    ranks = (scores > own[:, None]).sum(axis=1) + 1
    return {
        "ndcg@10": float(np.where(ranks <= 10, 1 / np.log2(ranks + 1), 0).mean()),
        "mrr": float((1 / ranks).mean()),
        "recall@10": float((ranks <= 10).mean()),
    }
