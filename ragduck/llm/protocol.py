"""What ragduck asks of a language model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

Role = Literal["system", "user", "assistant"]


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a chat."""

    role: Role
    content: str


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model wrote, with the tokens that it took; counted by the model where it tells them."""

    text: str
    prompt_tokens: int
    completion_tokens: int
    is_cut: bool = False  # the model stopped at ``max_tokens``, not at an end of its own


class LanguageModel(Protocol):
    """A chat model. Implementations keep keys to themselves: `name` and errors never show one."""

    @property
    def name(self) -> str:
        """Name the model as `--model` takes it, without keys."""

    @property
    def context_window(self) -> int:
        """Return how many tokens prompt and answer may have together."""

    def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int | None = None,
        temperature: float | None = None,
        timeout: float | None = None,
    ) -> Completion:
        """Answer a chat; ``timeout`` is in seconds. Raises ModelError, ModelTimeoutError when it takes longer."""

    def count_tokens(self, text: str) -> int:
        """Count the tokens of a text with the model's own tokenizer, or an upper estimate where there is none."""
