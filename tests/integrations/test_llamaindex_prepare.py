"""`prepare_embeddings`: a folder in, an index that answers out."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

import ragduck
from ragduck.errors import EmbeddingError, SourceError, UsageError
from ragduck.integrations.llamaindex import RagduckVectorStore, open_index, prepare_embeddings
from ragduck.preparation.prepare import prepare

KEY = "sk-of-this-call-alone-0987654321"


def test_the_index_answers_a_question(notes: Path, tmp_path: Path) -> None:
    index = prepare_embeddings(
        str(notes), str(tmp_path / "n.duckdb"), embed_model_name="hashing", verbose=False
    )

    found = index.as_retriever(similarity_top_k=1).retrieve("when is an invoice created")

    assert found[0].node.metadata["source_file"] == "billing.md"
    assert "An invoice is created" in found[0].text


def test_it_is_reachable_from_the_package() -> None:
    assert ragduck.prepare_embeddings is prepare_embeddings


def test_the_model_of_an_existing_store_is_kept(notes: Path, tmp_path: Path) -> None:
    store = tmp_path / "n.duckdb"
    prepare_embeddings(notes, store, embed_model_name="hashing:32", verbose=False, branch="one")

    prepare_embeddings(notes, store, verbose=False, branch="two")

    with ragduck.open(store) as opened:
        assert opened.model is not None
        assert opened.model.name == "hashing:32"
        assert opened.sql("select distinct branch from documents order by all") == [
            {"branch": "one"},
            {"branch": "two"},
        ]


def test_include_and_exclude_choose_files(notes: Path, tmp_path: Path) -> None:
    store = tmp_path / "n.duckdb"
    prepare_embeddings(notes, store, embed_model_name="hashing", verbose=False, exclude=["garden.md"])

    with ragduck.open(store) as opened:
        assert opened.sql("select file_name from source_documents") == [{"file_name": "billing.md"}]


def test_headers_can_be_left_out_of_what_is_embedded(notes: Path, tmp_path: Path) -> None:
    store = tmp_path / "n.duckdb"
    prepare_embeddings(
        notes, store, embed_model_name="hashing", verbose=False, include_headers_in_chunks=False
    )

    with ragduck.open(store) as opened:
        assert opened.meta["header_weight"] == "0"


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"use_markdown_chunking": False}, "use_markdown_chunking"),
        ({"embed_dim": 384}, "384"),
        ({"embedding_provider": "cohere"}, "cohere"),
        ({"embedding_provider": "openai", "embed_model_name": None, "api_key": None}, "key"),
        ({"embedding_provider": "huggingface"}, "huggingface"),
        ({"api_key": KEY}, "api_key"),
        ({"embed_model_name": "none"}, "none"),
        ({"header_weight": -1}, "header_weight"),
        ({"chunk_size": 1}, "chunk_size"),
    ],
)
def test_parameters_that_cannot_be_honoured_are_refused(
    notes: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    settings: dict[str, Any],
    said: str,
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    store = tmp_path / "n.duckdb"

    with pytest.raises((UsageError, EmbeddingError), match=said) as refused:
        prepare_embeddings(notes, store, **{"embed_model_name": "hashing", "verbose": False, **settings})

    assert KEY not in str(refused.value)
    assert not store.exists()


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()

    with pytest.raises(SourceError):
        prepare_embeddings(
            tmp_path / "empty", tmp_path / "n.duckdb", embed_model_name="hashing", verbose=False
        )


@pytest.fixture
def endpoint_keys(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The keys that a small embedding endpoint was shown."""
    keys: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["input"]
            keys.append(self.headers["Authorization"])
            data = [{"index": place, "embedding": [len(text), 1.0]} for place, text in enumerate(asked)]
            body = json.dumps({"data": data}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv("NO_PROXY", "*")
    monkeypatch.setenv("RAGDUCK_EMBED_BASE_URL", f"http://127.0.0.1:{server.server_port}/v1")
    monkeypatch.delenv("RAGDUCK_EMBED_API_KEY", raising=False)
    yield keys
    server.shutdown()
    server.server_close()


def test_a_key_serves_the_call_and_its_index_and_is_written_nowhere(
    notes: Path, tmp_path: Path, endpoint_keys: list[str]
) -> None:
    store = tmp_path / "n.duckdb"

    index = prepare_embeddings(notes, store, embedding_provider="openai", api_key=KEY, verbose=False)
    found = index.as_retriever(similarity_top_k=2).retrieve("invoice")

    assert len(found) == 2
    assert set(endpoint_keys) == {f"Bearer {KEY}"}
    assert KEY.encode() not in store.read_bytes()
    assert KEY not in os.environ.values()
    assert KEY not in repr(index._embed_model.to_dict())


def test_a_store_without_vectors_has_no_index(notes: Path, tmp_path: Path) -> None:
    prepare(notes, tmp_path / "n.duckdb", embed_model=None)

    with pytest.raises(UsageError, match="without vectors"):
        open_index(tmp_path / "n.duckdb")


def test_an_index_with_another_model_is_refused(shop_path: Path) -> None:
    with pytest.raises(EmbeddingError, match="hashing"):
        open_index(shop_path, embed_model="hashing:128")


SEALED = """
import socket, sys
def refuse(*args, **kwargs): raise RuntimeError("the network was asked for")
socket.socket.connect = socket.getaddrinfo = refuse
import ragduck
assert not [name for name in sys.modules if name.startswith("llama_index")]
folder, store = sys.argv[1:]
index = ragduck.prepare_embeddings(folder, store, embed_model_name="hashing", verbose=False)
assert len(index.as_retriever(similarity_top_k=2).retrieve("invoice")) == 2
from llama_index.core import Settings
assert Settings._llm is None and Settings._embed_model is None
assert Settings._node_parser is None and Settings._tokenizer is None
print([name for name in ("openai", "torch", "tiktoken", "transformers") if name in sys.modules])
"""


def test_nothing_is_asked_of_the_network_nor_left_in_the_working_folder(notes: Path, tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    environment = {**os.environ, "PYTHONPATH": str(Path(ragduck.__file__).resolve().parents[1])}

    done = subprocess.run(
        [sys.executable, "-c", SEALED, str(notes), str(tmp_path / "n.duckdb")],
        cwd=tmp_path / "work",
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stdout) == (0, "[]\n"), done.stderr
    assert list((tmp_path / "work").iterdir()) == []


def test_the_vector_store_takes_a_path_of_nothing_with_a_hint(tmp_path: Path) -> None:
    with pytest.raises(ragduck.StoreError, match="no store"):
        RagduckVectorStore(tmp_path / "missing.duckdb")
