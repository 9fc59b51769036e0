"""OpenAI-compatible endpoints, asked over real HTTP on the loopback address."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import numpy as np
import pytest

from ragduck.embed import load_embedder
from ragduck.embed.openai import ATTEMPTS, Endpoint, OpenAIEmbedder, read_vectors
from ragduck.errors import EmbeddingError

KEY = "sk-secret-key-1234567890"


@dataclass
class Service:
    """A small endpoint; ``failures`` are answered first, one a request."""

    url: str = ""
    failures: list[tuple[int, str]] = field(default_factory=list)
    requests: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)
    raw_answer: bytes | None = None

    def answer(self, request: dict[str, Any]) -> tuple[int, bytes]:
        if self.failures:
            status, message = self.failures.pop(0)
            return status, message.encode()
        if self.raw_answer is not None:
            return 200, self.raw_answer
        data = [
            {"index": index, "embedding": [len(text), 1, 0]} for index, text in enumerate(request["input"])
        ]
        return 200, json.dumps({"data": data[::-1]}).encode()


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    monkeypatch.setenv("NO_PROXY", "*")
    service = Service()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            service.requests.append({"path": self.path, **request})
            service.keys.append(self.headers["Authorization"])
            status, body = service.answer(request)
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    service.url = f"http://127.0.0.1:{server.server_port}/v1"
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield service
    server.shutdown()
    thread.join()
    server.server_close()


def embedder_at(service: Service, *, key: str | None = KEY) -> OpenAIEmbedder:
    return OpenAIEmbedder("small", endpoint=Endpoint(service.url, key), timeout=5, first_wait=0.001)


def test_vectors_come_back_in_the_order_of_the_texts(service: Service) -> None:
    vectors = embedder_at(service).embed_texts(["a" * 9, "", "a" * 3])

    assert np.allclose(vectors[:, 0] / vectors[:, 1], [9, 1, 3])
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1)


def test_a_request_names_model_and_key(service: Service) -> None:
    embedder_at(service).embed_texts(["text"])

    assert service.requests == [
        {"path": "/v1/embeddings", "model": "small", "input": ["text"], "encoding_format": "float"}
    ]
    assert service.keys == [f"Bearer {KEY}"]


def test_without_a_key_no_header_is_sent(service: Service) -> None:
    embedder_at(service, key=None).embed_texts(["text"])

    assert service.keys == [None]


def test_the_dimension_is_learned_from_the_first_answer(service: Service) -> None:
    model = embedder_at(service).model

    assert (model.name, model.dimension, model.normalized) == ("openai:small", 3, True)


def test_many_texts_are_sent_in_several_requests(service: Service) -> None:
    vectors = embedder_at(service).embed_texts([f"text {number}" for number in range(600)])

    assert vectors.shape == (600, 3)
    assert [len(request["input"]) for request in service.requests] == [256, 256, 88]


def test_odd_texts_are_cut_and_made_encodable(service: Service) -> None:
    embedder_at(service).embed_texts(["\ud800", "x" * 200_000, ""])

    assert sorted(len(text) for text in service.requests[0]["input"]) == [1, 1, 8_000]


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_passing_failure_is_tried_again(service: Service, status: int) -> None:
    service.failures = [(status, "busy"), (status, "busy")]

    vectors = embedder_at(service).embed_texts(["text"])

    assert vectors.shape == (1, 3)
    assert len(service.requests) == 3


def test_a_lasting_failure_ends_after_some_attempts(service: Service) -> None:
    service.failures = [(503, "down for maintenance")] * 50

    with pytest.raises(EmbeddingError, match="answered 503: down for maintenance"):
        embedder_at(service).embed_texts(["text"])

    assert len(service.requests) == ATTEMPTS


def test_a_refusal_is_not_repeated_and_never_shows_the_key(service: Service) -> None:
    service.failures = [(401, f"{'.' * 290} incorrect key {KEY}")]

    with pytest.raises(EmbeddingError, match="answered 401") as caught:
        embedder_at(service).embed_texts(["text"])

    assert "sk-" not in str(caught.value)
    assert "RAGDUCK_EMBED_API_KEY" in (caught.value.hint or "")
    assert len(service.requests) == 1


def test_the_key_is_not_part_of_the_endpoints_text() -> None:
    assert KEY not in repr(Endpoint("http://localhost/v1", KEY))


def test_an_endpoint_that_is_not_there_is_a_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "*")
    embedder = OpenAIEmbedder("small", endpoint=Endpoint("http://127.0.0.1:9", KEY), first_wait=0.001)

    with pytest.raises(EmbeddingError, match="cannot be reached") as caught:
        embedder.embed_query("text")

    assert "RAGDUCK_EMBED_BASE_URL" in (caught.value.hint or "")


@pytest.mark.parametrize(
    "body", [b"<html>", b"[]", b'{"data": [{"index": 0, "embedding": null}]}', b'{"data": []}']
)
def test_an_answer_of_another_kind_is_refused(service: Service, body: bytes) -> None:
    service.raw_answer = body

    with pytest.raises(EmbeddingError, match="embedding endpoint"):
        embedder_at(service).embed_texts(["text"])


def test_a_number_that_is_not_finite_is_refused(service: Service) -> None:
    service.raw_answer = b'{"data": [{"index": 0, "embedding": [NaN, 1]}]}'

    with pytest.raises(EmbeddingError, match="not finite"):
        embedder_at(service).embed_texts(["text"])


def test_vectors_are_ordered_by_their_index() -> None:
    answer = {"data": [{"index": 1, "embedding": [2]}, {"index": 0, "embedding": [1]}]}

    assert read_vectors(answer, 2) == [[1.0], [2.0]]


def test_the_name_is_enough_with_the_address_in_the_environment(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAGDUCK_EMBED_BASE_URL", service.url)

    embedder = load_embedder("openai:small")

    assert embedder is not None
    assert embedder.embed_query("abc").shape == (3,)


def test_the_openai_key_is_not_sent_to_ragducks_own_address() -> None:
    endpoint = Endpoint.from_environment(
        {"RAGDUCK_EMBED_BASE_URL": "http://other/v1/", "OPENAI_API_KEY": KEY}
    )

    assert (endpoint.base_url, endpoint.api_key) == ("http://other/v1", None)


def test_the_openai_variables_are_the_fallback() -> None:
    endpoint = Endpoint.from_environment({"OPENAI_BASE_URL": "http://other/v1", "OPENAI_API_KEY": KEY})

    assert (endpoint.base_url, endpoint.api_key) == ("http://other/v1", KEY)


def test_openai_itself_needs_a_key() -> None:
    with pytest.raises(EmbeddingError, match="no key") as caught:
        Endpoint.from_environment({})

    assert "OPENAI_API_KEY" in (caught.value.hint or "")


@pytest.mark.parametrize(
    "url",
    ["ftp://x", "localhost:1", "http://", "http://u:p@h/v1", "http://h:999999", "http://[", "http://h\n"],
)
def test_an_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(EmbeddingError, match="http or https"):
        Endpoint(url, KEY)


def test_a_key_that_no_header_can_carry_is_refused_without_showing_it() -> None:
    with pytest.raises(EmbeddingError) as caught:
        Endpoint("http://localhost/v1", "sk-zażółć")

    assert "sk-" not in str(caught.value)
