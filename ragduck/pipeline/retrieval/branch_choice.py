"""Answer from one branch when a store holds several: evidence of different states of a system must not mix."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from ragduck.errors import UsageError
from ragduck.pipeline.retrieval.entry_queries import base_filters


class Snapshot(Protocol):
    """A branch of a repository, and when it was prepared."""

    @property
    def repo(self) -> str:
        """Return the repository."""

    @property
    def branch(self) -> str:
        """Return the branch."""

    @property
    def prepared_at(self) -> datetime:
        """Return when it was prepared, in UTC."""


@dataclass(frozen=True, slots=True)
class BranchChoice:
    """The branch to answer from, None for all of them, and what to tell the user."""

    branch: str | None = None
    note: str | None = None


def require_known(settings: Mapping[str, Any], snapshots: Sequence[Snapshot]) -> None:
    """Refuse a repository or branch that the store does not hold: nothing would be found there."""
    filters = base_filters(settings)
    held = {
        "repo": sorted({one.repo for one in snapshots}),
        "branch": sorted({one.branch for one in snapshots}),
    }
    asked = {
        "repo": filters.get("repo", []),
        "branch": [*filters.get("branch", []), *([settings["branch_b"]] if settings.get("branch_b") else [])],
    }
    for field, name in (("repo", "repository"), ("branch", "branch")):
        unknown = [value for value in asked[field] if value not in held[field]]
        if unknown:
            raise UsageError(
                f"the store holds no {name} {unknown[0]!r}", hint=f"it holds: {', '.join(held[field])}"
            )


def chosen_branch(settings: Mapping[str, Any], snapshots: Iterable[Snapshot]) -> BranchChoice:
    """Choose the branch that was prepared last, unless the settings name one or no repository has two.

    Where that is another branch in each repository nothing is chosen, and the note says that branches mix.
    """
    filters = base_filters(settings)
    if filters.get("branch"):
        return BranchChoice()
    asked = [one for one in snapshots if one.repo in filters.get("repo", [one.repo])]
    branches = sorted({one.branch for one in asked})
    if len({one.repo for one in asked}) == len(asked):
        return BranchChoice()
    own = [one for one in asked if one.branch != settings.get("branch_b")]
    newest: dict[str, str] = {}
    for one in sorted(own, key=lambda one: (one.prepared_at, one.branch)):
        newest[one.repo] = one.branch
    held = f"the store holds the branches {', '.join(branches)}"
    if len(set(newest.values())) > 1:
        return BranchChoice(note=f"{held}, and evidence of all is mixed: choose with --branch or --repo")
    [branch] = set(newest.values())
    return BranchChoice(branch, f"{held}: answered from {branch}, prepared last; choose with --branch")
