"""Keep a summary of evidence honest: every node key and path of it is still there."""

from __future__ import annotations

from collections.abc import Sequence

from ragduck.pipeline.answering.evidence import shown_blocks
from ragduck.pipeline.state import Citation, EvidenceBlock
from ragduck.visible_text import visible_line

SOURCES = "Sources that the summary does not name, or not with their branch:"


def parts_that_fit(
    evidence: Sequence[EvidenceBlock], *, room: int
) -> tuple[list[list[EvidenceBlock]], list[EvidenceBlock]]:
    """Return the blocks in groups that fit one prompt each, in order, and those too long for any."""
    parts: list[list[EvidenceBlock]] = []
    too_long: list[EvidenceBlock] = []
    used = 0
    for block in evidence:
        if block.tokens > room:
            too_long.append(block)
            continue
        if not parts or used + block.tokens > room:
            parts.append([])
            used = 0
        parts[-1].append(block)
        used += block.tokens
    return parts, too_long


def numbered_text(part: Sequence[EvidenceBlock], whole: Sequence[EvidenceBlock]) -> str:
    """Return a part of the evidence as a prompt shows it, under the numbers that it has in the whole."""
    shown = dict(zip(map(id, whole), shown_blocks(whole), strict=True))
    return "\n\n".join(shown[id(block)] for block in part)


def missing_sources(summary: str, sources: Sequence[Citation]) -> list[str]:
    """Return a line for each source whose key or path a summary does not have; all of them, where branches differ.

    Key and path are the same in two branches, and only the number of a source tells which one it is from.
    """
    has_branches = len({source.branch for source in sources if source.branch}) > 1
    return [
        visible_line(f"[{source.number}] {source.key} ({_place(source, has_branches=has_branches)})")
        for source in sources
        if has_branches or source.key not in summary or source.location.rsplit(":", 1)[0] not in summary
    ]


def _place(source: Citation, *, has_branches: bool) -> str:
    return f"{source.location}, {source.branch}" if has_branches else source.location


def with_sources(summary: str, sources: Sequence[Citation]) -> str:
    """Return a summary with a list of the sources that it dropped."""
    missing = missing_sources(summary, sources)
    return "\n".join([summary.strip(), "", SOURCES, *missing]).strip() if missing else summary.strip()


def fitting(evidence: Sequence[EvidenceBlock], *, budget: int) -> tuple[list[EvidenceBlock], list[str]]:
    """Return the blocks without those at the end that go over a budget, and the keys of those left out."""
    kept, left_out, used = list[EvidenceBlock](), list[str](), 0
    for block in evidence:
        if used + block.tokens <= budget:
            kept.append(block)
            used += block.tokens
        else:
            left_out.append(block.key)
    return kept, left_out
