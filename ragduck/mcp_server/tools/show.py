"""Tool `show`: exact text by identity."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ragduck.errors import UsageError
from ragduck.mcp_server.arguments import ShowArguments
from ragduck.mcp_server.live_store import OpenStore
from ragduck.mcp_server.reply import Reply, reply_text
from ragduck.mcp_server.settings import ANSWER_LETTERS
from ragduck.visible_text import visible_line

MAX_OTHERS = 20  # further definitions that are named

Stretch = Mapping[str, Any]


def show(opened: OpenStore, arguments: ShowArguments) -> Reply:
    """Show the text that a key names: of the first definition, and where the others stand."""
    found = [
        each
        for each in opened.store.text_of(arguments.key)
        if arguments.repo in (None, each["repo"]) and arguments.branch in (None, each["branch"])
    ]
    if not found:
        place = ", ".join(filter(None, (arguments.repo, arguments.branch)))
        raise UsageError(
            f"{arguments.key!r} is not in {place}", hint="leave out repo and branch, or see info"
        )
    first = found if arguments.all else [each for each in found if _file_of(each) == _file_of(found[0])]
    others = [each for each in found if each not in first]
    several = len({(each["repo"], each["branch"]) for each in found}) > 1
    texts: list[str] = []
    notes: list[str] = []
    left = ANSWER_LETTERS
    for each in first:
        text, note = _fitted(each, letters=left)
        texts += [f"{visible_line(_head(each, several=several))}\n{text}"] if text else []
        notes += [note] if note else []
        left -= len(text)
    return Reply(reply_text("\n\n".join(texts), notes=[*notes[:MAX_OTHERS], *_told(others, several=several)]))


def _file_of(stretch: Stretch) -> tuple[str, str, str]:
    return stretch["repo"], stretch["branch"], stretch["source_file"]


def _head(stretch: Stretch, *, several: bool) -> str:
    return f"{_place(stretch, several=several)}  {stretch['element_name']}"


def _place(stretch: Stretch, *, several: bool) -> str:
    branch = f" [{stretch['repo']}, {stretch['branch']}]" if several else ""
    return f"{stretch['location']}{branch}"


def _fitted(stretch: Stretch, *, letters: int) -> tuple[str, str]:
    """Return the lines that fit and, where some do not, a note that says how to go on."""
    text: str = stretch["text"]
    if len(text) <= letters:
        return text, ""
    lines = text.split("\n")
    used, shown = 0, 0
    while used + len(lines[shown]) + 1 <= letters:
        used += len(lines[shown]) + 1
        shown += 1
    if not shown and letters == ANSWER_LETTERS:  # one huge line
        return text[:letters], f"{len(text) - letters:,} more letters follow in {stretch['location']}"
    rest = f"{stretch['source_file']}:{stretch['start_line'] + shown}-{stretch['end_line']}"
    return "\n".join(lines[:shown]), f"cut; go on with show key {rest}"


def _told(others: Sequence[Stretch], *, several: bool) -> Iterator[str]:
    for other in others[:MAX_OTHERS]:
        yield f"also defined at {_place(other, several=several)}"
    if len(others) > MAX_OTHERS:
        yield f"and at {len(others) - MAX_OTHERS} more places"
