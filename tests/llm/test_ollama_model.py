"""Models of an Ollama server, which cuts prompts without a word unless it is told the window."""

from __future__ import annotations

import pytest
from openai_server import OllamaServer, Reply

from ragduck.errors import ModelError, ModelTimeoutError
from ragduck.llm import Completion, Message, load_model

CHAT = [Message("system", "Be brief."), Message("user", "What is a duck?")]


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ragduck.llm.llamaindex.FIRST_WAIT", 0.01)


def test_an_answer_comes_with_the_tokens_that_the_server_tells(ollama_server: OllamaServer) -> None:
    ollama_server.say(Reply("A bird.", usage=(21, 4)))
    model = load_model("ollama:llama3.2:1b")
    assert model is not None

    assert model.complete(CHAT) == Completion("A bird.", prompt_tokens=21, completion_tokens=4)
    assert ollama_server.requests[-1].body["model"] == "llama3.2:1b"
    assert model.name == "ollama:llama3.2:1b"


def test_every_request_names_the_window_and_how_much_may_be_written(ollama_server: OllamaServer) -> None:
    ollama_server.say("A bird.")
    model = load_model("ollama:tiny", context_window=4096)
    assert model is not None

    model.complete(CHAT, max_tokens=30, temperature=0.5)

    options = ollama_server.requests[-1].body["options"]
    assert (options["num_ctx"], options["num_predict"], options["temperature"]) == (4096, 30, 0.5)


def test_an_answer_without_a_limit_may_fill_the_window_and_no_more(ollama_server: OllamaServer) -> None:
    ollama_server.say("A bird.")
    model = load_model("ollama:tiny", context_window=200)
    assert model is not None

    model.complete(CHAT)

    assert 100 < ollama_server.requests[-1].body["options"]["num_predict"] < 200


@pytest.mark.parametrize(("told", "window"), [(2048, 2048), (131_072, 8192)])
def test_the_window_is_that_of_the_model_up_to_8192(
    ollama_server: OllamaServer, told: int, window: int
) -> None:
    ollama_server.context_length = told
    model = load_model("ollama:tiny")

    assert model is not None
    assert model.context_window == window


def test_the_server_is_asked_for_the_window_once(ollama_server: OllamaServer) -> None:
    ollama_server.say("A bird.", "A bird.")
    model = load_model("ollama:tiny")
    assert model is not None

    model.complete(CHAT)
    model.complete(CHAT)

    assert [request.path for request in ollama_server.requests] == ["/api/show", "/api/chat", "/api/chat"]


def test_an_answer_that_ended_at_its_limit_is_cut(ollama_server: OllamaServer) -> None:
    ollama_server.say(Reply("A bi", finish_reason="length"))
    model = load_model("ollama:tiny")
    assert model is not None

    assert model.complete(CHAT).is_cut


def test_a_prompt_that_leaves_no_room_is_not_sent(ollama_server: OllamaServer) -> None:
    model = load_model("ollama:tiny", context_window=1000)
    assert model is not None

    with pytest.raises(ModelError, match="leaves no room"):
        model.complete([Message("user", "duck " * 1000)])

    assert ollama_server.requests == []


def test_a_model_that_is_not_there_comes_with_the_command_that_fetches_it(
    ollama_server: OllamaServer,
) -> None:
    ollama_server.fail(404, "model 'tiny' not found")
    model = load_model("ollama:tiny", context_window=1000)
    assert model is not None

    with pytest.raises(ModelError, match="model 'tiny' not found") as caught:
        model.complete(CHAT)

    assert caught.value.hint == "fetch the model with: ollama pull tiny"


def test_a_server_that_does_not_run_comes_with_the_command_that_starts_it(
    ollama_server: OllamaServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OLLAMA_HOST", "127.0.0.1:1")
    model = load_model("ollama:tiny")
    assert model is not None

    with pytest.raises(ModelError, match=r"ollama:tiny at 127\.0\.0\.1:1 cannot be reached") as caught:
        model.complete(CHAT)

    assert "ollama serve" in str(caught.value.hint)


def test_an_answer_that_takes_too_long_is_a_time_out(ollama_server: OllamaServer) -> None:
    ollama_server.say(Reply("late", delay_seconds=2))
    model = load_model("ollama:tiny", context_window=1000)
    assert model is not None

    with pytest.raises(ModelTimeoutError):
        model.complete(CHAT, timeout=0.1)
