"""What a tool answers: text for a model, with what comes from the repository fenced, and the same as data."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ragduck.errors import RagduckError
from ragduck.pipeline.prompting.fencing import fenced, without_control_tokens

if TYPE_CHECKING:
    from pydantic import BaseModel

TOOL_COMMAND = re.compile(r"ragduck (search|show|graph|sql|ask|info) (?:STORE|'[^']*\.duckdb'|\S+\.duckdb)")

COOKBOOK = re.compile(r"\bsql @(?!\w)")
QUERY = re.compile(r"\bsql (@\w+)((?: --set \w+=\S+)*)")


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer. Clients show a model either the text or the data, so that both tell the same."""

    text: str
    data: BaseModel | None = None


def reply_text(data: str, *, said: str = "", notes: Iterable[str] = ()) -> str:
    """Return text of the repository within a fence, and around it what the server has to say of it."""
    lines = [f"note: {' '.join(without_control_tokens(note).split())}" for note in notes]
    return "\n".join([*([said] if said else []), *([fenced(data)] if data else []), *lines])


def harmless(value: Any) -> Any:
    """Return JSON in which no text holds a control token of a chat template."""
    if isinstance(value, str):
        return without_control_tokens(value)
    if isinstance(value, list | tuple):
        return [harmless(each) for each in value]
    if isinstance(value, dict):
        return {harmless(name): harmless(each) for name, each in value.items()}
    return value


def told_error(error: RagduckError) -> str:
    """Return what happened and what to do, in terms of the tools rather than of the command line."""
    lines = [f"error: {error.message}", *([f"hint: {error.hint}"] if error.hint else [])]
    return without_control_tokens("\n".join(" ".join(in_terms_of_tools(line).split()) for line in lines))


def in_terms_of_tools(text: str) -> str:
    """Replace `ragduck show STORE KEY` by `show KEY`: a model has tools, no command line."""
    told = TOOL_COMMAND.sub(r"\1", text)
    return QUERY.sub(_as_call, COOKBOOK.sub("info about cookbook", told)) if told != text else text


def _as_call(command: re.Match[str]) -> str:
    """Write a query of the cookbook as the arguments of the tool sql."""
    variables = dict(each.split("=", 1) for each in command[2].split() if each != "--set")
    arguments = {"statement": command[1]} | ({"variables": variables} if variables else {})
    return f"sql {json.dumps(arguments)}"


def fitting(parts: Sequence[str], *, letters: int) -> int:
    """Return how many of the first parts fit in so many letters; the first always does."""
    used = 0
    for number, part in enumerate(parts):
        used += len(part)
        if used > letters and number:
            return number
    return len(parts)


def cut(text: str, *, letters: int) -> str:
    """Cut a text, saying how much is missing."""
    return text if len(text) <= letters else f"{text[:letters]}… ({len(text) - letters:,} more letters)"
