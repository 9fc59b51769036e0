"""Prepare a folder with made-up vectors in place of a model's, to measure searches at a size in minutes.

Usage: synthetic_store.py FOLDER STORE [--dimension 384]

The texts are real. The vectors lie around 2,000 random centres, as those of models lie around topics; the same
text always gets the same vector.
"""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import ragduck
from ragduck.model import EmbeddingModel

CENTRES = 2000


class ClusteredEmbedder:
    """Give each text a vector near one of many centres, chosen by the text's hash."""

    def __init__(self, dimension: int) -> None:
        self.model = EmbeddingModel(name=f"clustered:{dimension}", revision="1", dimension=dimension)
        self._centres = np.random.default_rng(0).normal(size=(CENTRES, dimension)).astype(np.float32)

    def embed_texts(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return unit vectors, shape (len(texts), dimension)."""
        return np.stack([self.embed_query(text) for text in texts])

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Return a unit vector, shape (dimension,)."""
        seed = int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")
        noise = np.random.default_rng(seed).normal(size=self.model.dimension)
        vector = (self._centres[seed % CENTRES] + noise).astype(np.float32)
        return vector / np.float32(np.linalg.norm(vector))


def main() -> None:
    """Write the store and print what is in it."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("store", type=Path)
    parser.add_argument("--dimension", type=int, default=384)
    arguments = parser.parse_args()
    embedder = ClusteredEmbedder(arguments.dimension)
    report = ragduck.prepare(arguments.folder, arguments.store, embed_model=embedder, overwrite=True)
    print(report.counts, report.seconds)


if __name__ == "__main__":
    main()
