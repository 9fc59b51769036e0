"""The files of the historic unified index, and how words are cut in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

MANIFEST_FORMAT = "unified_index_manifest_v1"
TERMS_FORMAT = "tf_inverted_index_v1"
TOKENIZER = "regex_camel_v1"

INDEX = "unified_index.faiss"
METADATA = "unified_metadata.json"
VOCABULARY = "tf_vocab.json"
TERMS_META = "tf_index_meta.json"
MANIFEST = "manifest.json"
ARRAYS = {"offsets": np.int64, "doc_ids": np.int32, "tfs": np.int16, "df": np.int32, "doc_len": np.int32}

WORD = re.compile(r"[A-Za-z0-9_]+")
HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
SHORTEST = 2  # letters of a word that counts
K1, B = 1.2, 0.75  # of BM25


@dataclass(frozen=True, slots=True)
class TermCounts:
    """Which rows hold a word, and how often: words of number n are at offsets[n] to offsets[n + 1]."""

    vocabulary: dict[str, int]
    offsets: NDArray[np.int64]
    doc_ids: NDArray[np.int32]
    tfs: NDArray[np.int16]
    df: NDArray[np.int32]
    doc_len: NDArray[np.int32]

    @property
    def average_length(self) -> float:
        """Words of a row in the mean."""
        return float(self.doc_len.mean()) if len(self.doc_len) else 0.0


def array_file(name: str) -> str:
    """Return the file that holds one array of the term counts."""
    return f"tf_{name}.npy"


def words_of(text: str) -> Iterator[str]:
    """Yield words in lower case: an identifier whole, then its camel parts where they differ from what came last."""
    for found in WORD.finditer(text):
        whole = last = found[0].lower()
        if len(whole) >= SHORTEST:
            yield whole
        for part in HUMP.split(found[0]):
            lower = part.lower()
            if lower != last and len(lower) >= SHORTEST:
                yield lower
            last = lower
