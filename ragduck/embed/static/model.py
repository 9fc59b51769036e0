"""The weights of the static model: 8-bit vectors of words, their weights in chunks, and a map of questions.

All sums run in a fixed order in numpy's own loops, never in a BLAS, so that every platform gives the same vectors.
"""

from __future__ import annotations

import hashlib
import io
import zipfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ragduck.embed.static.tokens import Tokenizer
from ragduck.errors import EmbeddingError

FOLDER = Path(__file__).parent / "weights"
WEIGHTS_FILE = "weights.npz"
VOCABULARY_FILE = "vocabulary.txt"
SHA256 = "c3ad21c060f8ade8ca2a0d20676b110a06d6f1ea87d11aa2b3d3f602e2f88bf3"
PLACE_BORDERS = (4, 8, 16, 32, 64)  # where a token first appears in a chunk: each stretch has a weight
MOST_CHUNK_TOKENS = 128
REINSTALL = "in the folder of ragduck: pip install --force-reinstall -e ."


@dataclass(frozen=True, slots=True)
class StaticModel:
    """What a vector is computed from: ``vectors`` is (words, dimension), ``chunk_weights`` one number for each word.

    ``place_weights`` has one number for each of the first ``MOST_CHUNK_TOKENS`` places of a chunk. ``query_map``,
    (384, dimension), moves what MiniLM makes of a question to where the chunks are that answer it.
    """

    tokenizer: Tokenizer
    vectors: NDArray[np.int8]
    chunk_weights: NDArray[np.float32]
    place_weights: NDArray[np.float32]
    query_map: NDArray[np.float32]
    sha256: str

    def chunk_sum(self, text: str) -> NDArray[np.float32]:
        """Return the weighted sum of the vectors of a chunk's words, not yet of unit length."""
        tokens = self.tokenizer.distinct_tokens(text, most=MOST_CHUNK_TOKENS)
        weights = self.chunk_weights[tokens] * self.place_weights[: len(tokens)]
        return weighted_sum(self.vectors[tokens], weights)

    def query_sum(self, sentence: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return where MiniLM's vector of a question, (384,), leads among chunks, not yet of unit length."""
        return weighted_sum(self.query_map, sentence)


def weighted_sum(rows: NDArray[Any], weights: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the sum of rows times weights, added one row after the other."""
    weighted = rows.astype(np.float32)
    weighted *= weights[:, None]
    summed: NDArray[np.float32] = np.add.reduce(weighted, axis=0)
    return summed


@cache
def load_model() -> StaticModel:
    """Read the model that is part of the package, once for this process."""
    return read_model(FOLDER, sha256=SHA256)


def read_model(folder: Path, *, sha256: str) -> StaticModel:
    """Read a model's folder; raise an ``EmbeddingError`` unless its files are the expected ones."""
    try:
        weights = (folder / WEIGHTS_FILE).read_bytes()
        words = (folder / VOCABULARY_FILE).read_bytes()
    except OSError as error:
        raise EmbeddingError(f"the weights of static cannot be read: {error}", hint=REINSTALL) from error
    found = hashlib.sha256(weights + words).hexdigest()
    if found != sha256:
        raise EmbeddingError(
            f"the weights of static are not the expected ones (sha256 {found[:12]}… instead of "
            f"{sha256[:12]}…)",
            hint=REINSTALL,
        )
    return _assembled(weights, words.decode("utf-8").split(), sha256)


def sha256_of(folder: Path) -> str:
    """Return the hash that tells whether the files of a model's folder are the expected ones."""
    return hashlib.sha256(
        (folder / WEIGHTS_FILE).read_bytes() + (folder / VOCABULARY_FILE).read_bytes()
    ).hexdigest()


def _assembled(weights: bytes, words: list[str], sha256: str) -> StaticModel:
    try:
        with np.load(io.BytesIO(weights), allow_pickle=False) as arrays:
            vectors, stretches = arrays["vectors"], arrays["place_weights"]
            chunk_weights, query_map = arrays["chunk_weights"], arrays["query_map"]
    except (KeyError, ValueError, zipfile.BadZipFile) as error:
        raise EmbeddingError(f"the weights of static cannot be read: {error}", hint=REINSTALL) from error
    places = np.searchsorted(PLACE_BORDERS, np.arange(MOST_CHUNK_TOKENS), side="right")
    vocabulary = {word: number for number, word in enumerate(words)}
    return StaticModel(Tokenizer(vocabulary), vectors, chunk_weights, stretches[places], query_map, sha256)
