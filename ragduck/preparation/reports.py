"""What a `prepare` tells about itself: per source folder, and in all."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any

from ragduck.model import Finding, ParseProblem, SkippedFile, Snapshot

OWN_OF_GIT = "version control"  # every checkout has it, and nobody misses it


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What was taken from something that another system wrote, and what of it was repaired or left out."""

    kind: str
    taken: dict[str, int]
    findings: tuple[Finding, ...]

    def counts(self, outcome: str) -> dict[str, int]:
        """Return how often each rule was applied with this outcome, most frequent first."""
        rules = Counter(finding.rule for finding in self.findings if finding.outcome == outcome)
        return dict(rules.most_common())

    def to_dict(self) -> dict[str, Any]:
        """Return the report as `prepare --json` prints it."""
        return {
            "kind": self.kind,
            "taken": self.taken,
            "repaired": self.counts("repaired"),
            "left_out": self.counts("left out"),
            "findings": [asdict(finding) for finding in self.findings],
        }


@dataclass(slots=True)
class SnapshotReport:
    """What one source folder gave; ``parsed`` counts the files that no earlier run had parsed.

    ``otherwise`` tells what was taken otherwise than it was asked for, ``notes`` what else is worth knowing.
    ``unknown`` names the lists that only an earlier run knew; of what did not change the store holds their lengths.
    """

    snapshot: Snapshot
    files: int = 0
    parsed: int = 0
    chunks: int = 0
    nodes: int = 0
    edges: int = 0
    skipped: list[SkippedFile] = field(default_factory=list)
    problems: list[ParseProblem] = field(default_factory=list)
    otherwise: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    imported: ImportReport | None = None
    undefined_objects: int = 0  # tables, procedures and so on that it names, and no file of it defines
    unknown: frozenset[str] = frozenset()

    @property
    def left_out(self) -> Counter[str]:
        """How many files, or folders as a whole, were skipped for each reason, but what git keeps for itself."""
        return Counter(file.reason for file in self.skipped if file.reason != OWN_OF_GIT)

    def to_dict(self) -> dict[str, Any]:
        """Return the report as `prepare --json` prints it; null is what is unknown."""
        told = {
            "repo": self.snapshot.repo,
            "branch": self.snapshot.branch,
            "commit": self.snapshot.commit_sha,
            "files": self.files,
            "parsed": self.parsed,
            "chunks": self.chunks,
            "nodes": self.nodes,
            "edges": self.edges,
            "undefined_objects": self.undefined_objects,
            "notes": [*self.otherwise, *self.notes],
            "imported": self.imported.to_dict() if self.imported else None,
            "skipped_by_reason": dict(Counter(file.reason for file in self.skipped).most_common()),
            "skipped": [
                {"path": file.path, "reason": file.reason, "detail": file.detail} for file in self.skipped
            ],
            "problems": [
                {"path": problem.path, "line": problem.line, "message": problem.message}
                for problem in self.problems
            ],
        }
        unknown = {"skipped_by_reason", *self.unknown} if "skipped" in self.unknown else self.unknown
        return told | dict.fromkeys(unknown)


@dataclass(frozen=True, slots=True)
class PrepareReport:
    """What a `prepare` did: the sources it read, the rows of the finished store, the seconds it took."""

    store: Path
    sources: tuple[SnapshotReport, ...]
    counts: dict[str, int]
    embedded: int
    model: str
    seconds: dict[str, float]
    unchanged: bool = False

    @property
    def parsed(self) -> int:
        """How many files were parsed anew; the others were as an earlier run had seen them."""
        return sum(source.parsed for source in self.sources)

    def to_dict(self) -> dict[str, Any]:
        """Return the report as `prepare --json` prints it."""
        return {
            "store": str(self.store),
            "unchanged": self.unchanged,
            "model": self.model,
            "parsed": self.parsed,
            "embedded": self.embedded,
            "counts": self.counts,
            "seconds": {stage: round(seconds, 3) for stage, seconds in self.seconds.items()},
            "sources": [source.to_dict() for source in self.sources],
        }


class Clock:
    """Tell how many seconds each stage takes."""

    def __init__(self) -> None:
        self.laps: dict[str, float] = {}
        self._last = perf_counter()

    def lap(self, stage: str) -> None:
        """End a stage, which may have several parts."""
        now = perf_counter()
        self.laps[stage] = self.laps.get(stage, 0.0) + now - self._last
        self._last = now
