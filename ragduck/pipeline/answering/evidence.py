"""The evidence of an answer as a prompt shows it, and the citations that an answer makes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ragduck.pipeline.prompting.fencing import fenced, without_control_tokens
from ragduck.pipeline.prompting.tokens import Count
from ragduck.pipeline.state import Citation, EvidenceBlock, State
from ragduck.visible_text import visible

GRAPH_LOCATION = "dependency graph"  # stands where texts have their place
FENCE_TOKENS = 40  # of the two lines around a block and its heading's marks, an upper estimate
CODE_OR_NUMBERS = re.compile(
    r"```.*?```|`[^`\n]*`|(?<![\w\])])\[(\d{1,4}(?:\s*[,;]\s*\d{1,4})*)\](?!\()", re.DOTALL
)
NUMBER = re.compile(r"\d+")
REMOVED = "\0"  # stands where a number was, until the blanks before it are removed, too


@dataclass(frozen=True, slots=True)
class CitedAnswer:
    """An answer without citations of nothing, what it cites in order of number, and the numbers that were removed."""

    text: str
    citations: tuple[Citation, ...]
    unknown: tuple[int, ...]


def evidence_text(state: State) -> str:
    """Return the blocks as a prompt shows them, each under `[n] key (location, branch)` and fenced."""
    return "\n\n".join(shown_blocks(state.evidence))


def shown_blocks(evidence: Sequence[EvidenceBlock]) -> list[str]:
    """Return each block with its heading and fences."""
    numbers = block_numbers(evidence)
    return [
        f"{heading(block, number)}\n{fenced(block.text)}"
        for block, number in zip(evidence, numbers, strict=True)
    ]


def block_numbers(evidence: Sequence[EvidenceBlock]) -> list[int | None]:
    """Return the number of each block, its place in the evidence from 1; None for a summary, which has its own."""
    return [None if block.kind == "summary" else number for number, block in enumerate(evidence, start=1)]


def heading(block: EvidenceBlock, number: int | None) -> str:
    """Return the line over a block: its number, key, place, branch and why it is there."""
    if block.kind == "summary":
        return "Summary of the evidence; numbers in brackets are those of its sources"
    if block.kind == "graph":
        return f"[{number}] What the {GRAPH_LOCATION} says: what is tied to what, and where that stands"
    place = ", ".join(part for part in (block.location, block.branch) if part)
    label = f" — {block.label}" if block.label else ""
    return f"[{number}] {_one_line(block.key)} ({_one_line(place)}){_one_line(label)}"


def block_tokens(text: str, *, key: str, location: str | None, count: Count) -> int:
    """Return how many tokens a block takes in a prompt, with its heading and fences."""
    return count(text) + count(f"{key} {location or ''}") + FENCE_TOKENS


def evidence_tokens(state: State, *, count: Count) -> int:
    """Return how many tokens the evidence takes in a prompt."""
    return count(evidence_text(state)) if state.evidence else 0


def citable(evidence: Sequence[EvidenceBlock]) -> tuple[Citation, ...]:
    """Return the places that an answer may cite, numbered as in the prompt."""
    return tuple(
        Citation(number, block.key, block.location or "", block.repo or "", block.branch or "")
        for block, number in zip(evidence, block_numbers(evidence), strict=True)
        if number is not None
    )


def sources_of(state: State) -> tuple[Citation, ...]:
    """Return what may be cited: the blocks of the evidence; after a summary, what it was made of."""
    if any(block.kind == "summary" for block in state.evidence):
        return state.sources
    return citable(state.evidence)


def cited_answer(answer: str, sources: Sequence[Citation]) -> CitedAnswer:
    """Read the `[n]` of an answer; those that stand for no source are removed. Code is left as it is."""
    known = {source.number: source for source in sources}
    used: set[int] = set()
    unknown: list[int] = []

    def checked(match: re.Match[str]) -> str:
        if match[1] is None:
            return match[0]
        numbers = [int(number) for number in NUMBER.findall(match[1])]
        kept = [number for number in numbers if number in known]
        used.update(kept)
        unknown.extend(number for number in numbers if number not in known)
        return f"[{', '.join(map(str, kept))}]" if kept else REMOVED

    text = CODE_OR_NUMBERS.sub(checked, answer)
    if unknown:
        text = re.sub(rf"[ \t]*{REMOVED}", "", text)
    return CitedAnswer(text, tuple(known[number] for number in sorted(used)), tuple(dict.fromkeys(unknown)))


def _one_line(text: str) -> str:
    return without_control_tokens(visible(" ".join(text.split())).replace("<<<", "").replace(">>>", ""))
