"""An environment without models and keys, and a server of Ollama's kind."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from openai_server import OllamaServer, serving

PREFIXES = ("RAGDUCK_LLM_", "RAGDUCK_MODEL", "OPENAI_", "OLLAMA_")


@pytest.fixture(autouse=True)
def _no_models_of_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith(PREFIXES)]:
        monkeypatch.delenv(name)


@pytest.fixture
def ollama_server(monkeypatch: pytest.MonkeyPatch) -> Iterator[OllamaServer]:
    """An Ollama server on the loopback address, which OLLAMA_HOST names."""
    pytest.importorskip("llama_index.llms.ollama")
    monkeypatch.setenv("NO_PROXY", "*")
    with serving(OllamaServer(), path="") as server:
        monkeypatch.setenv("OLLAMA_HOST", server.url)
        yield server
