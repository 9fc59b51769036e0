"""Keep account of what was repaired and what was left out, without drowning in it."""

from __future__ import annotations

from collections import Counter
from typing import Literal

from ragduck.model import Finding

Outcome = Literal["repaired", "left out"]

MOST_SHOWN: dict[Outcome, int] = {"repaired": 100, "left out": 1000}  # of one kind in one file
MOST_MESSAGE = 300  # characters


class Ledger:
    """Collects findings; what exceeds MOST_SHOWN of a kind is told as a number."""

    def __init__(self) -> None:
        self._findings: list[Finding] = []
        self._counts: Counter[tuple[Outcome, str, str]] = Counter()

    def repaired(self, rule: str, file: str, *, line: int = 0, field: str = "", message: str = "") -> None:
        """Note that something was set right."""
        self._note("repaired", rule, file, line, field, message)

    def left_out(self, rule: str, file: str, *, line: int = 0, field: str = "", message: str = "") -> None:
        """Note that something is not in the store."""
        self._note("left out", rule, file, line, field, message)

    def _note(self, outcome: Outcome, rule: str, file: str, line: int, field: str, message: str) -> None:
        self._counts[outcome, rule, file] += 1
        if self._counts[outcome, rule, file] <= MOST_SHOWN[outcome]:
            self._findings.append(
                Finding(outcome, rule, file, line, shown(field), shown(message[:MOST_MESSAGE]))
            )

    def findings(self) -> tuple[Finding, ...]:
        """Return what was noted, in order, then how much more there is of each kind."""
        more = (
            Finding(outcome, rule, file, message=f"{count - MOST_SHOWN[outcome]:,} more")
            for (outcome, rule, file), count in self._counts.items()
            if count > MOST_SHOWN[outcome]
        )
        return (*self._findings, *more)

    def notes(self) -> tuple[str, ...]:
        """Say how much there is in all of each kind that is not listed one by one."""
        return tuple(
            f"{file}: {rule} {outcome} {count:,} times, of which {MOST_SHOWN[outcome]:,} are listed"
            for (outcome, rule, file), count in self._counts.items()
            if count > MOST_SHOWN[outcome]
        )


def shown(text: str) -> str:
    """Make a foreign text fit to be printed and stored: one line, no half characters."""
    return " ".join(text.encode("utf-8", "replace").decode().replace("\0", " ").split())
