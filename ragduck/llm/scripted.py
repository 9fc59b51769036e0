"""A model that answers from a script: for tests, examples and talks without a network."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any

from ragduck.errors import ModelError, ModelTimeoutError
from ragduck.llm.protocol import Completion, Message
from ragduck.llm.script import Answer, Rule, Script, read_script
from ragduck.llm.tokens import count_messages, estimate_tokens

SHOWN_CHARACTERS = 80


@dataclass(frozen=True, slots=True)
class Call:
    """One question that a scripted model was asked; ``rule_no`` counts from 1, and is None where none matched."""

    messages: tuple[Message, ...]
    max_tokens: int | None
    temperature: float | None
    timeout: float | None
    rule_no: int | None
    answer: str

    @property
    def text(self) -> str:
        """Return all messages as one text."""
        return "\n".join(message.content for message in self.messages)


class ScriptedModel:
    """Answer with the first rule that matches and has an answer left; ``calls`` holds all questions, oldest first."""

    def __init__(self, script: Mapping[str, Any] | Sequence[Any] | Script, *, name: str = "scripted") -> None:
        self._script = script if isinstance(script, Script) else read_script(script, place=name)
        self._name = name
        self._given = [0] * len(self._script.rules)
        self._lock = Lock()
        self.calls: list[Call] = []

    @classmethod
    def from_file(cls, path: Path) -> ScriptedModel:
        """Read a script from YAML."""
        return cls(Script.from_file(path), name=f"scripted:{path}")

    @property
    def name(self) -> str:
        """Name the file of the script."""
        return self._name

    @property
    def context_window(self) -> int:
        """Return the window that the script names."""
        return self._script.context_window

    def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int | None = None,
        temperature: float | None = None,
        timeout: float | None = None,
    ) -> Completion:
        """Give the next answer of the script, as late, as cut or as broken as it says."""
        rule_no, answer = self._next_answer(messages)
        said = answer.text if answer else ""
        self.calls.append(Call(tuple(messages), max_tokens, temperature, timeout, rule_no, said))
        if answer is None:
            raise self._unanswered(messages)
        self._wait(answer.delay_seconds, timeout)
        if answer.error is not None:
            raise ModelError(f"{self._name}: {answer.error}", hint="the script says so")
        return Completion(
            text=answer.text,
            prompt_tokens=count_messages(messages, self.count_tokens),
            completion_tokens=self.count_tokens(answer.text),
            is_cut=answer.is_cut,
        )

    def count_tokens(self, text: str) -> int:
        """Estimate, as for a server that does not tell its tokenizer."""
        return estimate_tokens(text)

    def _next_answer(self, messages: Sequence[Message]) -> tuple[int | None, Answer | None]:
        with self._lock:
            for index, rule in enumerate(self._script.rules):
                if rule.has_answer(self._given[index]) and rule.matches(messages):
                    answer = rule.answer_after(self._given[index])
                    self._given[index] += 1
                    return index + 1, answer
        return None, None

    def _wait(self, delay: float, timeout: float | None) -> None:
        if timeout is not None and delay >= timeout:
            time.sleep(max(timeout, 0))
            raise ModelTimeoutError(
                f"{self._name} took longer than {timeout:g} seconds",
                hint=f"the script waits {delay:g} seconds",
            )
        time.sleep(delay)

    def _unanswered(self, messages: Sequence[Message]) -> ModelError:
        spent = [
            rule for index, rule in enumerate(self._script.rules) if self._is_spent(index, rule, messages)
        ]
        reason = f"; {spent[0]} matches, but all its answers are given" if spent else ""
        first, last = (_shorten(messages[place].content) if messages else "" for place in (0, -1))
        asked = f"{first!r}" if len(messages) < 2 else f"{first!r} … {last!r}"
        return ModelError(
            f"{self._name} has no answer for the prompt {asked}{reason}",
            hint="add a rule to the script: {when: PART OF THE PROMPT, answer: TEXT}",
        )

    def _is_spent(self, index: int, rule: Rule, messages: Sequence[Message]) -> bool:
        return not rule.has_answer(self._given[index]) and rule.matches(messages)


def _shorten(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= SHOWN_CHARACTERS else f"{line[:SHOWN_CHARACTERS]}…"
