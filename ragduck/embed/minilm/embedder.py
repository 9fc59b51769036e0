"""Embed texts with all-MiniLM-L6-v2: tokens, runs side by side, mean of the token vectors."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ragduck.embed.minilm.tokenizer import load_tokenizer
from ragduck.embed.minilm.weights import WEIGHTS_SHA256, load_session
from ragduck.embed.vectors import clean_text, remember_queries, unit_rows
from ragduck.model import EmbeddingModel

if TYPE_CHECKING:
    from tokenizers import Tokenizer

DIMENSION = 384
LONGEST_TEXT = 8_192  # characters; 256 tokens of real code or prose end long before
RUN_TOKENS = 512  # padded tokens of one run: enough to reuse the weights, few enough to stay in the cache


class MiniLMEmbedder:
    """Embed on the processor's cores. A text's vector does not depend on the texts beside it."""

    def __init__(self, *, threads: int | None = None) -> None:
        self._threads = threads or available_cores()
        self._query_vector = remember_queries(lambda text: self.embed_texts([text])[0])

    @property
    def model(self) -> EmbeddingModel:
        """Describe the model, which is known without loading it."""
        return EmbeddingModel(
            name="minilm",
            revision=f"sha256:{WEIGHTS_SHA256}",
            dimension=DIMENSION,
            provider="onnxruntime",
        )

    def embed_texts(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one unit row per text, made from its first 256 tokens."""
        token_ids = [self._token_ids(text) for text in texts]
        runs = list(plan_runs([len(ids) for ids in token_ids]))
        vectors = np.empty((len(texts), DIMENSION), dtype=np.float32)
        pooled_runs = self._pool_side_by_side([[token_ids[position] for position in run] for run in runs])
        for run, pooled in zip(runs, pooled_runs, strict=True):
            vectors[run] = pooled
        return unit_rows(vectors) if texts else vectors

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Embed a question like any other text; the latest ones are remembered."""
        return self._query_vector(text)

    def knows(self, word: str) -> bool:
        """Whether a word is in the vocabulary as a whole, in whatever case and with whatever accents."""
        return self._tokenizer.token_to_id(self._tokenizer.normalizer.normalize_str(word)) is not None

    def _pool_side_by_side(self, runs: list[list[NDArray[np.int64]]]) -> list[NDArray[np.float32]]:
        load_session()
        if len(runs) < 2 or self._threads < 2:
            return [pool_run(run) for run in runs]
        with ThreadPoolExecutor(min(self._threads, len(runs))) as executor:
            return list(executor.map(pool_run, runs))

    def _token_ids(self, text: str) -> NDArray[np.int64]:
        encoding = self._tokenizer.encode(clean_text(text, longest=LONGEST_TEXT))
        return np.array(encoding.ids, dtype=np.int64)

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        return load_tokenizer()


def plan_runs(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Group positions of similar length so that a run, padded to its longest, keeps to ``RUN_TOKENS``."""
    run: list[int] = []
    for position in sorted(range(len(lengths)), key=lambda index: (-lengths[index], index)):
        if run and (len(run) + 1) * lengths[run[0]] > RUN_TOKENS:
            yield run
            run = []
        run.append(position)
    if run:
        yield run


def pool_run(token_ids: Sequence[NDArray[np.int64]]) -> NDArray[np.float32]:
    """Run the model once and return the mean token vector of each text, not yet of unit length."""
    ids, mask = pad(token_ids)
    inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
    hidden: NDArray[np.float32] = load_session().run(["last_hidden_state"], inputs)[0]
    weights = mask.astype(np.float32)
    pooled: NDArray[np.float32] = np.matmul(weights[:, None, :], hidden)[:, 0, :]
    pooled /= weights.sum(axis=1, keepdims=True)
    return pooled


def pad(token_ids: Sequence[NDArray[np.int64]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return token ids and attention mask, both ``(texts, longest)``; 0 is the padding token."""
    shape = (len(token_ids), max(map(len, token_ids)))
    ids, mask = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
    for row, tokens in enumerate(token_ids):
        ids[row, : len(tokens)] = tokens
        mask[row, : len(tokens)] = 1
    return ids, mask


def available_cores() -> int:
    """Return the number of cores this process may use, which can be fewer than the machine has."""
    if sys.version_info >= (3, 13):
        return os.process_cpu_count() or 1
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
