"""Endpoints that speak OpenAI's ``/embeddings``: OpenAI itself, vLLM, Ollama, llama.cpp and others.

https://platform.openai.com/docs/api-reference/embeddings
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from ragduck.embed.batches import plan_batches
from ragduck.embed.vectors import clean_text, remember_queries, unit_rows
from ragduck.errors import EmbeddingError
from ragduck.model import EmbeddingModel

if TYPE_CHECKING:
    import httpx

OPENAI_URL = "https://api.openai.com/v1"
LONGEST_TEXT = 8_000  # characters; OpenAI refuses more than 8,191 tokens
ATTEMPTS = 5
LONGEST_WAIT = 60.0  # seconds
WORTH_A_RETRY = frozenset({408, 409, 429, 500, 502, 503, 504, 529})


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where to ask, and the key to show there, which no text made here contains."""

    base_url: str
    api_key: str | None = field(default=None, repr=False)

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> Endpoint:
        """Read ``RAGDUCK_EMBED_BASE_URL`` and ``_API_KEY``, else ``OPENAI_BASE_URL`` and ``OPENAI_API_KEY``.

        The OpenAI key is not sent to an address that was set for ragduck alone.
        """
        variables = os.environ if environment is None else environment
        own_url = variables.get("RAGDUCK_EMBED_BASE_URL", "").strip()
        own_key = variables.get("RAGDUCK_EMBED_API_KEY", "").strip()
        shared_key = "" if own_url else variables.get("OPENAI_API_KEY", "").strip()
        base_url = own_url or variables.get("OPENAI_BASE_URL", "").strip() or OPENAI_URL
        return cls(base_url.rstrip("/"), own_key or shared_key or None)

    def __post_init__(self) -> None:
        """Refuse an address or a key that no request could be made with."""
        if not _is_web_address(self.base_url):
            raise EmbeddingError(
                "the address of the embedding endpoint is not a plain http or https URL",
                hint="set RAGDUCK_EMBED_BASE_URL, for example to http://localhost:11434/v1",
            )
        if self.api_key and not (self.api_key.isascii() and self.api_key.isprintable()):
            raise EmbeddingError(
                "the key of the embedding endpoint holds characters that no header can carry"
            )
        if self.api_key is None and self.base_url == OPENAI_URL:
            raise EmbeddingError(
                "no key for the embedding endpoint",
                hint="set OPENAI_API_KEY, or RAGDUCK_EMBED_BASE_URL for another endpoint",
            )

    @property
    def shown_url(self) -> str:
        """Return the address without a query string, which may hold a secret."""
        return self.hide_key(self.base_url.partition("?")[0])

    def hide_key(self, text: str) -> str:
        """Blot the key out of a text that came from elsewhere."""
        return text.replace(self.api_key, "***") if self.api_key else text


class OpenAIEmbedder:
    """Embed through an endpoint; the dimension is learned from its first answer."""

    def __init__(
        self, model: str, *, endpoint: Endpoint, timeout: float = 60.0, first_wait: float = 0.5
    ) -> None:
        self._model_name = model
        self._endpoint = endpoint
        self._timeout = timeout
        self._first_wait = first_wait
        self._query_vector = remember_queries(lambda text: self.embed_texts([text])[0])

    @cached_property
    def model(self) -> EmbeddingModel:
        """Describe the model; asks the endpoint once for the dimension."""
        dimension = self.embed_query("dimension").size
        return EmbeddingModel(
            name=f"openai:{self._model_name}", revision="", dimension=dimension, provider="openai"
        )

    def embed_texts(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one unit row per text, asking for several at a time."""
        if not texts:
            return np.empty((0, self.model.dimension), dtype=np.float32)
        # An endpoint refuses empty input, so that a text of nothing is sent as one blank.
        cleaned = [clean_text(text, longest=LONGEST_TEXT) or " " for text in texts]
        rows: list[list[float]] = [[] for _ in texts]
        for positions in plan_batches([len(text) for text in cleaned]):
            answer = self._post([cleaned[position] for position in positions])
            for position, vector in zip(positions, read_vectors(answer, len(positions)), strict=True):
                rows[position] = vector
        if len({len(row) for row in rows}) != 1:
            raise EmbeddingError("the embedding endpoint returned vectors of different lengths")
        return unit_rows(rows)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Embed a question like any other text; the latest ones are remembered."""
        return self._query_vector(text)

    def _post(self, texts: list[str]) -> Any:
        import httpx

        body = {"model": self._model_name, "input": texts, "encoding_format": "float"}
        wait = self._first_wait
        for attempt in range(1, ATTEMPTS + 1):
            try:
                response = self._client.post("/embeddings", json=body)
            except (httpx.HTTPError, httpx.InvalidURL) as error:
                if attempt == ATTEMPTS:
                    raise self._unreachable(error) from None
            else:
                if response.is_success:
                    return _parse_json(response)
                if attempt == ATTEMPTS or response.status_code not in WORTH_A_RETRY:
                    raise self._refused(response)
                wait = max(wait, _seconds_asked_for(response))
            time.sleep(min(wait, LONGEST_WAIT))
            wait *= 2
        raise AssertionError("the last attempt returns or raises")

    @cached_property
    def _client(self) -> httpx.Client:
        import httpx

        key = self._endpoint.api_key
        return httpx.Client(
            base_url=self._endpoint.base_url,
            headers={"Authorization": f"Bearer {key}"} if key else {},
            timeout=httpx.Timeout(self._timeout, connect=min(10.0, self._timeout)),
        )

    def _refused(self, response: httpx.Response) -> EmbeddingError:
        # The key is hidden before the cut, for half a key would no longer be recognised.
        said = self._endpoint.hide_key(" ".join(response.text[:4_096].split()))[:300]
        hints = {
            401: "check RAGDUCK_EMBED_API_KEY (or OPENAI_API_KEY)",
            403: "check RAGDUCK_EMBED_API_KEY (or OPENAI_API_KEY)",
            404: f"check the address and that it serves the model {self._model_name!r}",
            429: "wait, or ask the provider for a higher limit",
        }
        message = f"the embedding endpoint {self._endpoint.shown_url} answered {response.status_code}: {said}"
        return EmbeddingError(message, hint=hints.get(response.status_code))

    def _unreachable(self, error: Exception) -> EmbeddingError:
        reason = self._endpoint.hide_key(f"{type(error).__name__}: {error}")
        return EmbeddingError(
            f"the embedding endpoint {self._endpoint.shown_url} cannot be reached: {reason[:300]}",
            hint="check RAGDUCK_EMBED_BASE_URL (or OPENAI_BASE_URL) and the network",
        )


def read_vectors(answer: Any, expected: int) -> list[list[float]]:
    """Return the vectors of an answer in the order of the question, or raise an ``EmbeddingError``."""
    try:
        entries = sorted(answer["data"], key=lambda entry: int(entry["index"]))
        vectors = [[float(number) for number in entry["embedding"]] for entry in entries]
    except (KeyError, TypeError, ValueError, OverflowError):
        raise EmbeddingError("the embedding endpoint's answer is not a list of embeddings") from None
    if len(vectors) != expected or not all(vectors):
        raise EmbeddingError(f"the embedding endpoint returned {len(vectors)} vectors for {expected} texts")
    return vectors


def _parse_json(response: httpx.Response) -> Any:
    try:
        return response.json()
    except ValueError:
        raise EmbeddingError("the embedding endpoint's answer is not JSON") from None


def _seconds_asked_for(response: httpx.Response) -> float:
    value = response.headers.get("Retry-After", "")
    return float(value) if value.isascii() and value.isdigit() else 0.0


def _is_web_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        has_host = bool(parts.hostname) and parts.port != 0 and not parts.username
        return parts.scheme in ("http", "https") and has_host and url.isascii() and url.isprintable()
    except ValueError:
        return False
