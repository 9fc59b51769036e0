"""Vectors of all-MiniLM-L6-v2, which the static model learns from; kept beside the data, for they take long."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ragduck.embed.minilm import MiniLMEmbedder

SLICE = 2_048


def teacher_vectors(texts: Sequence[str], folder: Path, *, threads: int = 2) -> NDArray[np.float16]:
    """Return unit vectors of the texts, one row each; those known are free."""
    folder.mkdir(parents=True, exist_ok=True)
    embedder = MiniLMEmbedder(threads=threads)
    found: list[NDArray[np.float16]] = []
    for start in range(0, len(texts), SLICE):
        part = list(texts[start : start + SLICE])
        file = folder / f"{sha256(chr(0).join(part).encode('utf-8', 'replace')).hexdigest()[:24]}.npy"
        if not file.exists():
            np.save(file, embedder.embed_texts(part).astype(np.float16))
        found.append(np.load(file))
    return np.concatenate(found)
