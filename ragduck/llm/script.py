"""Read the script of a scripted model.

    context_window: 4096                 # optional
    rules:
      - when: You choose how to search   # stands in the system prompt or any other message; several: all of them
        answer: "[BM25:] CreateInvoice"  # given as often as asked
      - regex: "(?i)invoice"
        answers:                         # given once each, in this order; then the next rule that matches
          - "[Requesting data on:] dbo.Invoices"
          - {text: "[Answer:] They are made by", is_cut: true}
          - {error: the server is on fire, delay_seconds: 0.2}

A list of rules alone is a script, too. A rule without `when` and `regex` matches everything.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeGuard

import yaml

from ragduck.errors import ModelError
from ragduck.llm.protocol import Message

DEFAULT_WINDOW = 8_192
SCRIPT_KEYS = ("rules", "context_window")
ANSWER_KEYS = ("text", "error", "delay_seconds", "is_cut")
RULE_KEYS = ("when", "regex", "answers", "answer", *ANSWER_KEYS[1:])
HINT = "a script is: rules: [{when: PART OF THE PROMPT, answer: TEXT}]"


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer: a text or an error, and how late it comes."""

    text: str = ""
    error: str | None = None
    delay_seconds: float = 0.0
    is_cut: bool = False


@dataclass(frozen=True, slots=True)
class Rule:
    """Which prompts get which answers; ``place`` names the rule in errors."""

    place: str
    parts: tuple[str, ...]
    pattern: re.Pattern[str] | None
    answers: tuple[Answer, ...]
    repeats: bool

    def __str__(self) -> str:
        """Name the place."""
        return self.place

    def matches(self, messages: Sequence[Message]) -> bool:
        """Tell whether all parts stand in the messages, and the pattern too."""
        text = "\n".join(message.content for message in messages)
        return all(part in text for part in self.parts) and not (
            self.pattern and not self.pattern.search(text)
        )

    def has_answer(self, given: int) -> bool:
        """Tell whether there is an answer after so many."""
        return self.repeats or given < len(self.answers)

    def answer_after(self, given: int) -> Answer:
        """Return the answer after so many."""
        return self.answers[0 if self.repeats else given]


@dataclass(frozen=True, slots=True)
class Script:
    """All rules in order; the first that matches and has an answer left is taken."""

    rules: tuple[Rule, ...]
    context_window: int = DEFAULT_WINDOW

    @classmethod
    def from_file(cls, path: Path) -> Script:
        """Read YAML. Raises ModelError that names the file and what is wrong."""
        try:
            content = yaml.safe_load(path.read_text("utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or error
            raise ModelError(f"the script {path} cannot be read: {reason}", hint=HINT) from None
        except (yaml.YAMLError, RecursionError, ValueError) as error:
            raise ModelError(
                f"the script {path} is no YAML: {' '.join(str(error).split())}", hint=HINT
            ) from None
        return read_script(content, place=str(path))


def read_script(content: object, *, place: str) -> Script:
    """Check a script that was read from YAML or written in Python."""
    script = {"rules": content} if _is_list(content) else _mapping(content, SCRIPT_KEYS, place)
    rules = script.get("rules")
    if not _is_list(rules) or not rules:
        raise _wrong(place, "has no list of rules")
    window = script.get("context_window", DEFAULT_WINDOW)
    if not isinstance(window, int) or isinstance(window, bool) or window < 1:
        raise _wrong(place, f"has the context_window {window!r}, which is no number of tokens")
    return Script(
        tuple(_read_rule(rule, f"{place}: rule {number}") for number, rule in enumerate(rules, 1)), window
    )


def _read_rule(content: object, place: str) -> Rule:
    rule = _mapping(content, RULE_KEYS, place)
    kinds = [key for key in ("answer", "answers", "error") if key in rule]
    if not kinds or ("answers" in kinds and len(kinds) > 1):
        raise _wrong(place, "needs one of answer, answers and error")
    if "answers" in rule and not _is_list(rule["answers"]):
        raise _wrong(place, "has answers that are no list")
    alone = {"text" if key == "answer" else key: rule[key] for key in ("answer", *ANSWER_KEYS) if key in rule}
    answers = [{**alone, **_answer_mapping(each, place)} for each in rule.get("answers", [{}])]
    return Rule(
        place,
        parts=_parts(rule.get("when", ()), place),
        pattern=_pattern(rule.get("regex"), place),
        answers=tuple(_read_answer(answer, place) for answer in answers),
        repeats="answers" not in rule,
    )


def _answer_mapping(content: object, place: str) -> Mapping[str, Any]:
    return {"text": content} if isinstance(content, str) else _mapping(content, ANSWER_KEYS, place)


def _read_answer(answer: Mapping[str, Any], place: str) -> Answer:
    text, error = answer.get("text", ""), answer.get("error")
    delay, is_cut = answer.get("delay_seconds", 0), answer.get("is_cut", False)
    if not isinstance(text, str) or not isinstance(error, str | None):
        raise _wrong(place, "has an answer that is no text; put it in quotes, or write it after `|`")
    if not isinstance(delay, int | float) or isinstance(delay, bool) or not 0 <= delay <= 3_600:
        raise _wrong(place, f"has the delay_seconds {delay!r}, which is no number from 0 to 3600")
    if not isinstance(is_cut, bool):
        raise _wrong(place, f"has is_cut: {is_cut!r}, which is neither true nor false")
    return Answer(text, error, float(delay), is_cut)


def _parts(when: object, place: str) -> tuple[str, ...]:
    parts = tuple(when) if _is_list(when) else (when,)
    if not all(isinstance(part, str) for part in parts):
        raise _wrong(place, f"has when: {when!r}, which is no text and no list of texts")
    return tuple(str(part) for part in parts)


def _pattern(regex: object, place: str) -> re.Pattern[str] | None:
    if regex is None:
        return None
    try:
        return re.compile(str(regex), re.DOTALL)
    except re.error as error:
        raise _wrong(place, f"has a regex that cannot be read: {error}") from None


def _mapping(content: object, keys: Sequence[str], place: str) -> Mapping[str, Any]:
    if not isinstance(content, Mapping):
        raise _wrong(place, f"is a {type(content).__name__}, not a mapping")
    for key in content:
        if key not in keys:
            close = difflib.get_close_matches(str(key), keys, n=1)
            meant = f"; did you mean {close[0]!r}?" if close else ""
            raise _wrong(place, f"has the unknown key {key!r}{meant}")
    return content


def _is_list(content: object) -> TypeGuard[Sequence[Any]]:
    return isinstance(content, Sequence) and not isinstance(content, str | bytes)


def _wrong(place: str, what: str) -> ModelError:
    return ModelError(f"{place} {what}", hint=HINT)
