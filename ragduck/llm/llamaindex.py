"""Use any LlamaIndex model as a language model."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Any

from ragduck.errors import ModelError
from ragduck.llm.deadline import Result, run_within
from ragduck.llm.failures import (
    HINT_WINDOW,
    Place,
    explain,
    is_worth_a_retry,
    seconds_asked_for,
    timed_out,
)
from ragduck.llm.protocol import Completion, Message
from ragduck.llm.secrets import hide_keys, known_keys
from ragduck.llm.tokens import count_messages, token_counter

if TYPE_CHECKING:
    from llama_index.core.base.llms.types import ChatMessage, ChatResponse
    from llama_index.core.llms import LLM

LONGEST_CALL = 600.0  # seconds, where the caller names none
FIRST_WAIT = 0.5  # seconds before the second attempt, doubled before the third
LONGEST_WAIT = 30.0
THOUGHTS = re.compile(r"\A\s*<think>.*?</think>\s*", re.DOTALL)
CUT = frozenset({"length", "max_tokens"})


@dataclass(frozen=True, slots=True)
class Limits:
    """What one answer may take; ``ends_at`` is a reading of the monotonic clock, ``seconds`` from its beginning."""

    max_tokens: int | None
    temperature: float | None
    seconds: float
    ends_at: float

    @property
    def seconds_left(self) -> float:
        """Return what is left of the time, a little where it is over."""
        return max(self.ends_at - monotonic(), 0.001)


def chat_messages(messages: Sequence[Message]) -> list[ChatMessage]:
    """Turn messages into those of LlamaIndex; halves of surrogate pairs, which no request can carry, become `?`."""
    from llama_index.core.base.llms.types import ChatMessage, MessageRole

    return [
        ChatMessage(
            role=MessageRole(message.role), content=message.content.encode("utf-8", "replace").decode()
        )
        for message in messages
    ]


class LlamaIndexModel:
    """Wrap a LlamaIndex ``LLM``, which is asked by ``chat``.

    ``max_tokens`` and ``temperature`` reach models that take them as arguments of ``chat``; others keep their own.
    Subclasses say how their kind is asked.
    """

    attempts = 1  # models of other people bring their own retries

    def __init__(self, llm: LLM, *, name: str | None = None, context_window: int | None = None) -> None:
        self._llm = llm
        self._name = name or f"{type(llm).__name__}:{llm.metadata.model_name}"
        self._context_window = context_window
        self._count = token_counter()
        self._keys = known_keys((_key_of(llm),))

    def __repr__(self) -> str:
        """Show the name alone: the object within may show its key."""
        return f"{type(self).__name__}({self.name!r})"

    @property
    def name(self) -> str:
        """Name the model as it was asked for."""
        return hide_keys(self._name, self._keys)

    @property
    def context_window(self) -> int:
        """Return the window given, else the one that the model tells."""
        return self._context_window or int(self._llm.metadata.context_window)

    def count_tokens(self, text: str) -> int:
        """Count with the tokenizer of RAGDUCK_LLM_TOKENIZER, else estimate from above."""
        return self._count(text)

    def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int | None = None,
        temperature: float | None = None,
        timeout: float | None = None,
    ) -> Completion:
        """Answer a chat; what does not fit the context window is refused, for servers cut it without a word."""
        seconds = LONGEST_CALL if timeout is None else timeout
        room = self._room(messages, max_tokens)
        limits = Limits(room, temperature, seconds, ends_at=monotonic() + seconds)
        outcome: ChatResponse | ModelError
        try:
            outcome = self._run(timeout, partial(self._ask, messages, limits))
        except TimeoutError:
            outcome = timed_out(self._place(), seconds)
        if isinstance(outcome, ModelError):
            raise outcome  # outside of `except`, or the foreign error with its headers would hang on to it
        return self._completion(outcome, messages)

    def _run(self, timeout: float | None, work: Callable[[], Result]) -> Result:
        return run_within(timeout, work)

    def _room(self, messages: Sequence[Message], max_tokens: int | None) -> int | None:
        prompt = self._count_prompt(messages)
        room = self.context_window - prompt
        if room < 1:
            raise ModelError(
                f"a prompt of {prompt} tokens leaves no room for an answer of {self.name},"
                f" whose context window is {self.context_window}",
                hint=HINT_WINDOW,
            )
        return None if max_tokens is None else min(max_tokens, room)

    def _count_prompt(self, messages: Sequence[Message]) -> int:
        return count_messages(messages, self.count_tokens)

    def _ask(self, messages: Sequence[Message], limits: Limits) -> ChatResponse | ModelError:
        for attempt in range(1, self.attempts + 1):
            try:
                return self._chat(chat_messages(messages), limits)
            except ModelError as error:
                return error
            except Exception as error:
                # Each package raises its own types, for the network, the server and answers it cannot read.
                wait = min(max(FIRST_WAIT * 2 ** (attempt - 1), seconds_asked_for(error)), LONGEST_WAIT)
                is_last = attempt == self.attempts or wait >= limits.seconds_left
                if is_last or not is_worth_a_retry(error):
                    return explain(error, self._place(), seconds=limits.seconds)
            time.sleep(wait)
        raise AssertionError("the last attempt returns")

    def _chat(self, messages: list[ChatMessage], limits: Limits) -> ChatResponse:
        wanted = {"max_tokens": limits.max_tokens, "temperature": limits.temperature}
        return self._llm.chat(messages, **{key: value for key, value in wanted.items() if value is not None})

    def _place(self) -> Place:
        return Place(self.name, hide=partial(hide_keys, keys=self._keys))

    def _completion(self, response: ChatResponse, messages: Sequence[Message]) -> Completion:
        text = THOUGHTS.sub("", response.message.content or "")
        usage = _field(response.raw, "usage") or response.additional_kwargs
        prompt = _number(usage, "prompt_tokens", "input_tokens")
        written = _number(usage, "completion_tokens", "output_tokens")
        return Completion(
            text=text,
            prompt_tokens=self._count_prompt(messages) if prompt is None else prompt,
            completion_tokens=self.count_tokens(text) if written is None else written,
            is_cut=_end_of(response.raw) in CUT,
        )


def _end_of(raw: Any) -> Any:
    choices = _field(raw, "choices")
    first = choices[0] if isinstance(choices, Sequence) and choices else None
    return _field(first, "finish_reason") or _field(raw, "done_reason") or _field(raw, "stop_reason")


def _field(value: Any, name: str) -> Any:
    return value.get(name) if isinstance(value, Mapping) else getattr(value, name, None)


def _number(value: Any, *names: str) -> int | None:
    numbers = (_field(value, name) for name in names)
    return next((number for number in numbers if isinstance(number, int) and number >= 0), None)


def _key_of(llm: object) -> str | None:
    key = getattr(llm, "api_key", None)
    secret = getattr(key, "get_secret_value", None)
    value = secret() if callable(secret) else key
    return value if isinstance(value, str) else None
