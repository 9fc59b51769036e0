"""Keys never show in names, errors, tracebacks or logs."""

from __future__ import annotations

import logging
import pickle
import traceback
from collections.abc import Iterator
from typing import Any

import pytest
from openai_server import OpenAIServer, Reply

from ragduck.errors import ModelError
from ragduck.llm import Message, load_model
from ragduck.llm.endpoint import Endpoint
from ragduck.llm.protocol import LanguageModel
from ragduck.llm.secrets import hide_keys, known_keys

MARK = "".join(("qua", "gga"))  # not as it stands here, for tracebacks show lines of code
KEY = f'sk"{MARK}\\{MARK}-1'
CHAT = [Message("user", "What is a duck?")]


@pytest.fixture
def model(openai_server: OpenAIServer, monkeypatch: pytest.MonkeyPatch) -> LanguageModel:
    monkeypatch.setenv("RAGDUCK_LLM_API_KEY", KEY)
    monkeypatch.setattr("ragduck.llm.llamaindex.FIRST_WAIT", 0.01)
    model = load_model(openai_server.model)
    assert model is not None
    return model


def shown(error: BaseException) -> Iterator[str]:
    """Yield all that an error says, and all errors that hang on to it."""
    yield from (str(error), repr(error), str(error.args), str(vars(error)), str(getattr(error, "hint", "")))
    yield "".join(traceback.format_exception(error))
    for other in (error.__cause__, error.__context__):
        if other is not None:
            yield from shown(other)
            yield str(getattr(getattr(other, "request", None), "headers", ""))


def is_hidden(text: str) -> bool:
    return MARK not in text


@pytest.mark.parametrize(
    "reply",
    [
        Reply(f"Incorrect API key provided: {KEY}", status=401),
        Reply(f"Authorization: Bearer {KEY} is unknown", status=403),
        Reply(KEY, status=404),
        Reply(KEY, status=429),
        Reply(f"failed for {KEY}", status=500),
        Reply(f"the context length of {KEY}", status=400),
        Reply(raw=KEY.encode()),
    ],
)
def test_no_error_shows_the_key(model: LanguageModel, openai_server: OpenAIServer, reply: Reply) -> None:
    openai_server.say(reply, reply, reply)

    with pytest.raises(ModelError) as caught:
        model.complete(CHAT)

    assert openai_server.requests[0].headers["authorization"] == f"Bearer {KEY}"
    assert all(map(is_hidden, shown(caught.value)))


def test_a_time_out_does_not_show_the_key(model: LanguageModel, openai_server: OpenAIServer) -> None:
    openai_server.say("A bird.", Reply(KEY, delay_seconds=1.5))
    model.complete(CHAT)

    with pytest.raises(ModelError) as caught:
        model.complete(CHAT, timeout=0.2)

    assert all(map(is_hidden, shown(caught.value)))


def test_an_error_hangs_on_to_no_foreign_error(model: LanguageModel, openai_server: OpenAIServer) -> None:
    openai_server.fail(401, times=3)

    with pytest.raises(ModelError) as caught:
        model.complete(CHAT)

    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None


def test_a_model_does_not_show_the_key(model: LanguageModel) -> None:
    inner: Any = vars(model)["_llm"]

    assert is_hidden(f"{model!r} {model} {model.name}")
    assert is_hidden(f"{inner!r} {inner} {inner.to_dict()} {inner.to_json()}")


def test_an_endpoint_does_not_show_the_key() -> None:
    assert is_hidden(repr(Endpoint("http://127.0.0.1/v1", KEY)))


def test_nothing_is_logged_that_shows_the_key(
    model: LanguageModel, openai_server: OpenAIServer, caplog: pytest.LogCaptureFixture
) -> None:
    openai_server.fail(401, f"no such key: {KEY}")
    openai_server.say("A bird.")

    with caplog.at_level(logging.DEBUG), pytest.raises(ModelError):
        model.complete(CHAT)
    own = [record.getMessage() for record in caplog.records if record.name.startswith("ragduck")]

    assert all(map(is_hidden, own))
    assert not any(f"Bearer {KEY}" in record.getMessage() for record in caplog.records)


def test_an_error_can_be_sent_to_another_process_without_the_key(
    model: LanguageModel, openai_server: OpenAIServer
) -> None:
    openai_server.fail(401, KEY, times=3)

    with pytest.raises(ModelError) as caught:
        model.complete(CHAT)

    assert MARK.encode() not in pickle.dumps(caught.value.args)


@pytest.mark.parametrize(
    "address", [f"http://me:{MARK}@host/v1", f"http://host/v1?key={MARK}", f"http://{MARK}@h"]
)
def test_an_address_with_a_secret_is_refused_without_showing_it(address: str) -> None:
    with pytest.raises(ModelError) as caught:
        load_model(f"{address}#tiny")

    assert all(map(is_hidden, shown(caught.value)))


def test_a_key_given_as_a_model_is_not_repeated() -> None:
    with pytest.raises(ModelError) as caught:
        load_model(f"sk-{MARK}-1234567890")

    assert all(map(is_hidden, shown(caught.value)))


def test_a_key_that_no_header_can_carry_is_not_repeated(
    openai_server: OpenAIServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAGDUCK_LLM_API_KEY", f"{MARK}\nX-Other: 1")

    with pytest.raises(ModelError, match="characters that no header can carry") as caught:
        load_model(openai_server.model)

    assert all(map(is_hidden, shown(caught.value)))


@pytest.mark.parametrize(
    "text", ["Bearer abc.def", "bearer: sk-1234567890", "key sk-proj-1234567890", "http://me:secret@host/"]
)
def test_what_looks_like_a_key_is_hidden(text: str) -> None:
    hidden = hide_keys(text, ())

    assert "***" in hidden
    assert not any(part in hidden for part in ("abc", "1234567890", "secret"))


def test_the_longest_key_is_hidden_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "abcd")

    assert hide_keys("abcdefgh", known_keys(["abcdefgh"])) == "***"
