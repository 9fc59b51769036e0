"""OpenAI-compatible servers, asked over real HTTP on the loopback address."""

from __future__ import annotations

import socket
import time

import pytest
from openai_server import OpenAIServer, Reply

from ragduck.errors import ModelError, ModelTimeoutError
from ragduck.llm import Completion, LanguageModel, Message, load_model

pytest.importorskip("llama_index.llms.openai_like")

CHAT = [Message("system", "Be brief."), Message("user", "What is a duck?")]


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ragduck.llm.llamaindex.FIRST_WAIT", 0.01)


@pytest.fixture
def model(openai_server: OpenAIServer) -> LanguageModel:
    model = load_model(openai_server.model)
    assert model is not None
    return model


def test_an_answer_comes_with_the_tokens_that_the_server_tells(
    model: LanguageModel, openai_server: OpenAIServer
) -> None:
    openai_server.say(Reply("A bird.", usage=(21, 4)))

    assert model.complete(CHAT) == Completion("A bird.", prompt_tokens=21, completion_tokens=4)


def test_tokens_are_estimated_where_the_server_tells_none(
    model: LanguageModel, openai_server: OpenAIServer
) -> None:
    openai_server.say(Reply("A bird.", usage=None))

    answer = model.complete(CHAT)

    assert answer.completion_tokens == model.count_tokens("A bird.")
    assert answer.prompt_tokens > sum(model.count_tokens(message.content) for message in CHAT)


def test_an_answer_that_ended_at_its_limit_is_cut(model: LanguageModel, openai_server: OpenAIServer) -> None:
    openai_server.say(Reply("A bi", finish_reason="length"))

    assert model.complete(CHAT).is_cut


def test_the_chat_reaches_the_server_as_it_is(model: LanguageModel, openai_server: OpenAIServer) -> None:
    openai_server.say("A bird.")

    model.complete(CHAT, max_tokens=50, temperature=0.5)

    (request,) = openai_server.requests
    assert request.path == "/v1/chat/completions"
    assert request.body["model"] == "tiny"
    assert request.body["messages"] == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "What is a duck?"},
    ]
    assert (request.body["max_tokens"], request.body["temperature"]) == (50, 0.5)


def test_an_answer_is_not_random_unless_asked_for(model: LanguageModel, openai_server: OpenAIServer) -> None:
    openai_server.say("A bird.")

    model.complete(CHAT)

    assert openai_server.requests[0].body["temperature"] == 0


def test_half_a_surrogate_pair_reaches_the_server_as_a_question_mark(
    model: LanguageModel, openai_server: OpenAIServer
) -> None:
    openai_server.say("A bird.")

    model.complete([Message("user", "a \ud800 duck")])

    assert openai_server.requests[0].text == "a ? duck"


def test_thoughts_in_front_of_an_answer_are_left_out(
    model: LanguageModel, openai_server: OpenAIServer
) -> None:
    openai_server.say("<think>\nDucks swim.\n</think>\n\n[Answer:] A bird.")

    assert model.complete(CHAT).text == "[Answer:] A bird."


def test_an_empty_answer_is_an_empty_text(model: LanguageModel, openai_server: OpenAIServer) -> None:
    openai_server.say("")

    assert model.complete(CHAT).text == ""


def test_the_model_is_named_as_it_was_asked_for(model: LanguageModel, openai_server: OpenAIServer) -> None:
    assert model.name == f"{openai_server.url}#tiny"


def test_a_server_is_found_through_the_environment(
    openai_server: OpenAIServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAGDUCK_LLM_BASE_URL", f"{openai_server.url}/")
    openai_server.say("A bird.")

    model = load_model("openai:org/some:model")

    assert model is not None
    assert model.complete(CHAT).text == "A bird."
    assert openai_server.requests[0].body["model"] == "org/some:model"


def test_the_window_is_8192_tokens_unless_told(
    model: LanguageModel, openai_server: OpenAIServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = load_model(openai_server.model, context_window=4096)
    monkeypatch.setenv("RAGDUCK_LLM_CONTEXT", "32768")
    configured = load_model(openai_server.model)

    assert told is not None
    assert configured is not None
    assert (model.context_window, told.context_window, configured.context_window) == (8192, 4096, 32768)


def test_a_prompt_that_leaves_no_room_is_not_sent(model: LanguageModel, openai_server: OpenAIServer) -> None:
    with pytest.raises(ModelError, match="context window is 8192") as caught:
        model.complete([Message("user", "duck " * 9000)])

    assert "RAGDUCK_LLM_CONTEXT" in str(caught.value.hint)
    assert openai_server.requests == []


def test_an_answer_may_not_grow_past_the_window(openai_server: OpenAIServer) -> None:
    model = load_model(openai_server.model, context_window=200)
    openai_server.say("A bird.")
    assert model is not None

    model.complete(CHAT, max_tokens=1000)

    assert 100 < openai_server.requests[0].body["max_tokens"] < 200


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_server_that_is_busy_is_asked_again(
    model: LanguageModel, openai_server: OpenAIServer, status: int
) -> None:
    openai_server.fail(status, times=2)
    openai_server.say("A bird.")

    assert model.complete(CHAT).text == "A bird."


@pytest.mark.parametrize(
    ("status", "words", "hint"),
    [
        (401, "refuses the key", "RAGDUCK_LLM_API_KEY"),
        (403, "refuses the key", "RAGDUCK_LLM_API_KEY"),
        (404, "is not served", "/v1/models"),
        (400, "refuses the request", "/v1/models"),
        (429, "takes no more requests", "wait"),
        (500, "failed", "log of the server"),
    ],
)
def test_a_refusal_is_explained(
    model: LanguageModel, openai_server: OpenAIServer, status: int, words: str, hint: str
) -> None:
    openai_server.fail(status, "out of ducks", times=9)

    with pytest.raises(ModelError, match=rf"{words}.* \({status}\): .*out of ducks") as caught:
        model.complete(CHAT)

    assert hint in str(caught.value.hint)
    assert len(openai_server.requests) <= 3


def test_a_redirect_is_not_followed(model: LanguageModel, openai_server: OpenAIServer) -> None:
    openai_server.fail(307, headers={"Location": f"{openai_server.url}/elsewhere"})

    with pytest.raises(ModelError, match="307"):
        model.complete(CHAT)

    assert len(openai_server.requests) == 1


@pytest.mark.parametrize("status", [400, 500])
def test_a_prompt_too_long_for_the_server_is_said_so(
    model: LanguageModel, openai_server: OpenAIServer, status: int
) -> None:
    openai_server.fail(status, "the request exceeds the available context size")

    with pytest.raises(ModelError, match="the prompt is too long") as caught:
        model.complete(CHAT)

    assert "RAGDUCK_LLM_CONTEXT" in str(caught.value.hint)


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"<html>hello</html>",
        b"{",
        b"null",
        b"[]",
        b"{}",
        b'{"choices": []}',
        b'{"choices": [{}]}',
        b"\xff",
    ],
)
def test_nonsense_is_no_usable_answer(model: LanguageModel, openai_server: OpenAIServer, raw: bytes) -> None:
    openai_server.say(Reply(raw=raw))

    with pytest.raises(ModelError, match="gave no usable answer"):
        model.complete(CHAT)


def test_a_page_instead_of_an_answer_is_no_usable_answer(
    model: LanguageModel, openai_server: OpenAIServer
) -> None:
    openai_server.say(Reply(raw=b"<html>hello</html>", headers={"Content-Type": "text/html"}))

    with pytest.raises(ModelError, match="gave no usable answer"):
        model.complete(CHAT)


def test_what_a_server_says_cannot_steer_a_terminal(
    model: LanguageModel, openai_server: OpenAIServer
) -> None:
    openai_server.fail(400, "\x1b[2J\x07 cleared \x9b31m")

    with pytest.raises(ModelError) as caught:
        model.complete(CHAT)

    assert str(caught.value).isprintable()


def test_an_answer_that_takes_too_long_is_a_time_out(
    model: LanguageModel, openai_server: OpenAIServer
) -> None:
    openai_server.say(Reply("late", delay_seconds=2))
    start = time.monotonic()

    with pytest.raises(ModelTimeoutError, match=r"took longer than 0\.1 seconds"):
        model.complete(CHAT, timeout=0.1)

    assert time.monotonic() - start < 1.5
    assert len(openai_server.requests) <= 1


def test_no_time_at_all_is_a_time_out(model: LanguageModel, openai_server: OpenAIServer) -> None:
    with pytest.raises(ModelTimeoutError):
        model.complete(CHAT, timeout=0)

    assert openai_server.requests == []


def test_waiting_for_another_attempt_stays_within_the_time(
    model: LanguageModel, openai_server: OpenAIServer
) -> None:
    openai_server.fail(429, headers={"Retry-After": "20"})

    with pytest.raises(ModelError, match="429"):
        model.complete(CHAT, timeout=5)

    assert len(openai_server.requests) == 1


def test_a_server_that_does_not_run_comes_with_a_hint_how_to_start_it() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    model = load_model(f"http://127.0.0.1:{port}/v1#tiny")
    assert model is not None

    with pytest.raises(ModelError, match="cannot be reached") as caught:
        model.complete(CHAT)

    assert "llama-server" in str(caught.value.hint)


def test_a_local_server_is_shown_no_key(model: LanguageModel, openai_server: OpenAIServer) -> None:
    openai_server.say("A bird.")

    model.complete(CHAT)

    assert "authorization" not in openai_server.requests[0].headers


def test_the_key_of_ragduck_is_shown_to_the_server(
    openai_server: OpenAIServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAGDUCK_LLM_API_KEY", "key-of-ragduck")
    openai_server.say("A bird.")

    _ask(openai_server.model)

    assert openai_server.requests[0].headers["authorization"] == "Bearer key-of-ragduck"


def test_the_key_of_openai_is_shown_to_the_server_that_was_set_for_it(
    openai_server: OpenAIServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", openai_server.url)
    monkeypatch.setenv("OPENAI_API_KEY", "key-of-openai")
    openai_server.say("A bird.")

    _ask("openai:tiny")

    assert openai_server.requests[0].headers["authorization"] == "Bearer key-of-openai"


def test_the_key_of_openai_is_not_shown_to_another_server(
    openai_server: OpenAIServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "key-of-openai")
    openai_server.say("A bird.")

    _ask(openai_server.model)

    assert "key-of-openai" not in str(openai_server.requests[0].headers)


def test_a_reasoning_model_keeps_its_own_temperature(
    openai_server: OpenAIServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    openai_server.say("A bird.")
    model = load_model(f"{openai_server.url}#o3-mini")
    assert model is not None

    model.complete(CHAT, temperature=0, max_tokens=20)

    body = openai_server.requests[0].body
    assert (body["temperature"], body["max_completion_tokens"]) == (1.0, 20)


def _ask(name: str) -> None:
    model = load_model(name)
    assert model is not None
    model.complete(CHAT)
