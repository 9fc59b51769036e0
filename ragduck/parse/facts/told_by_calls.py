"""Make facts of a file that is no code of what it tells, each thing as a call."""

from __future__ import annotations

from collections.abc import Iterable

from ragduck.facts import CallFact, FileFacts, StatementFacts
from ragduck.model import Document


def facts_of_calls(document: Document, calls: Iterable[CallFact]) -> FileFacts | None:
    """Return the facts of a file that tells calls; None where it tells none."""
    told = tuple(calls)
    if not told:
        return None
    return FileFacts(
        document.path,
        document.language,
        document.file_class,
        document.project,
        document.last_line,
        statements=StatementFacts(calls=told),
    )
