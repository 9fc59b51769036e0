"""Any LlamaIndex LLM as a language model."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import pytest
from llama_index.core.base.llms.types import ChatMessage, ChatResponse, CompletionResponse, LLMMetadata
from llama_index.core.llms import CustomLLM, MockLLM
from pydantic import SecretStr

from ragduck.errors import ModelError, ModelTimeoutError
from ragduck.llm import LanguageModel, Message, load_model

CHAT = [Message("system", "Be brief."), Message("user", "What is a duck?")]
MARK = "".join(("qua", "gga"))


class Parrot(CustomLLM):
    """Says what it is told to, in the way it is told."""

    says: str = "A bird."
    raw: Any = None
    seconds: float = 0.0
    fails: bool = False
    api_key: Any = None
    heard: list[Any] = []  # noqa: RUF012

    @property
    def metadata(self) -> LLMMetadata:
        return LLMMetadata(context_window=2_000, model_name="parrot")

    def chat(self, messages: Sequence[ChatMessage], **settings: Any) -> ChatResponse:
        self.heard.append((messages, settings))
        time.sleep(self.seconds)
        if self.fails:
            raise RuntimeError(f"no parrot for {MARK}")
        return ChatResponse(message=ChatMessage(role="assistant", content=self.says), raw=self.raw)

    def complete(self, prompt: str, formatted: bool = False, **settings: Any) -> CompletionResponse:
        raise NotImplementedError

    def stream_complete(self, prompt: str, formatted: bool = False, **settings: Any) -> Any:
        raise NotImplementedError


def loaded(llm: Parrot, **settings: Any) -> LanguageModel:
    model = load_model(llm, **settings)
    assert model is not None
    return model


def test_a_stock_model_answers() -> None:
    model = load_model(MockLLM(max_tokens=3))

    assert model is not None
    assert model.complete([Message("user", "one two three four")]).text


def test_name_and_window_are_those_that_the_model_tells() -> None:
    model = loaded(Parrot())

    assert (model.name, model.context_window) == ("Parrot:parrot", 2_000)


def test_a_window_that_is_given_overrides_the_model() -> None:
    assert loaded(Parrot(), context_window=500).context_window == 500


def test_the_chat_reaches_the_model_with_what_was_asked_for() -> None:
    parrot = Parrot(heard=[])

    loaded(parrot).complete(CHAT, max_tokens=9, temperature=0.5)

    ((messages, settings),) = parrot.heard
    assert [(message.role.value, message.content) for message in messages] == [
        ("system", "Be brief."),
        ("user", "What is a duck?"),
    ]
    assert settings == {"max_tokens": 9, "temperature": 0.5}


def test_nothing_is_asked_for_that_was_not_said() -> None:
    parrot = Parrot(heard=[])

    loaded(parrot).complete(CHAT)

    assert parrot.heard[0][1] == {}


@pytest.mark.parametrize(
    "raw",
    [
        {"usage": {"input_tokens": 5, "output_tokens": 3}, "stop_reason": "max_tokens"},
        {"usage": {"prompt_tokens": 5, "completion_tokens": 3}, "choices": [{"finish_reason": "length"}]},
        {"usage": {"prompt_tokens": 5, "completion_tokens": 3}, "done_reason": "length"},
    ],
)
def test_tokens_and_the_end_are_read_from_what_providers_say(raw: Any) -> None:
    answer = loaded(Parrot(raw=raw)).complete(CHAT)

    assert (answer.prompt_tokens, answer.completion_tokens, answer.is_cut) == (5, 3, True)


@pytest.mark.parametrize(
    "raw", [None, {}, [], {"usage": None}, {"usage": {"prompt_tokens": "5"}}, {"choices": []}]
)
def test_tokens_that_no_one_tells_are_estimated(raw: Any) -> None:
    model = loaded(Parrot(raw=raw))

    answer = model.complete(CHAT)

    assert answer.completion_tokens == model.count_tokens("A bird.")
    assert not answer.is_cut


def test_a_model_that_takes_too_long_is_left_alone() -> None:
    start = time.monotonic()

    with pytest.raises(ModelTimeoutError, match="Parrot:parrot took longer than 0"):
        loaded(Parrot(seconds=5)).complete(CHAT, timeout=0.05)

    assert time.monotonic() - start < 3


@pytest.mark.parametrize("key", [MARK, SecretStr(MARK)])
def test_a_failure_is_told_without_the_key_of_the_model(key: object) -> None:
    with pytest.raises(ModelError, match=r"RuntimeError: no parrot for \*\*\*") as caught:
        loaded(Parrot(fails=True, api_key=key)).complete(CHAT)

    assert (caught.value.__cause__, caught.value.__context__) == (None, None)


def test_a_model_shows_its_name_alone() -> None:
    assert repr(loaded(Parrot(api_key=MARK))) == "LlamaIndexModel('Parrot:parrot')"
