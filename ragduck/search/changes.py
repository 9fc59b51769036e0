"""List the objects that differ between two branches of a repository."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ragduck.errors import UsageError
from ragduck.resources import sql_text

Rows = Callable[[str, dict[str, object]], list[dict[str, Any]]]

CHANGES = ("added", "removed", "changed", "moved")
MAX_COMPARED_LINES = 3_000  # of an object; comparing longer ones line by line can take minutes
MAX_TEXTS = 50
CONTEXT_LINES = 3


@dataclass(frozen=True, slots=True)
class ObjectChange:
    """One object that was added, removed, changed or moved.

    Locations are `path:start-end` of the first definition. ``lines_added`` and ``lines_removed`` do not count a line
    that only moved within the object. ``diff`` is a unified diff, of changed objects and where it was asked for.
    """

    change: str
    kind: str
    node_key: str
    schema: str | None
    name: str
    lines_added: int
    lines_removed: int
    old_location: str | None
    new_location: str | None
    diff: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the change as `diff --json` prints it."""
        told = {name: getattr(self, name) for name in self.__slots__}
        return told if self.diff is not None else {name: told[name] for name in told if name != "diff"}


@dataclass(frozen=True, slots=True)
class BranchDiff:
    """What leads from one branch to another, in order of path and line; ``kinds`` were compared, if none all."""

    repo: str
    from_branch: str
    to_branch: str
    changes: tuple[ObjectChange, ...]
    kinds: tuple[str, ...] = ()

    @property
    def counts(self) -> dict[str, int]:
        """Return how many objects were added, removed, changed and moved."""
        counted = Counter(change.change for change in self.changes)
        return {name: counted[name] for name in CHANGES}

    def to_dict(self) -> dict[str, Any]:
        """Return the difference as `diff --json` prints it."""
        return {
            "repo": self.repo,
            "from": self.from_branch,
            "to": self.to_branch,
            "kinds": list(self.kinds),
            "counts": self.counts,
            "changes": [change.to_dict() for change in self.changes],
        }


def branch_diff(
    rows: Rows,
    from_branch: str,
    to_branch: str,
    *,
    repo: str | None = None,
    kinds: Sequence[str] = (),
    with_text: bool = False,
) -> BranchDiff:
    """Compare two branches object by object, as the macro `object_changes` does.

    ``kinds`` are TABLE, PROC, TYPE, METHOD, FILE and so on; ``with_text`` adds a unified diff to the
    first 50 changed objects.
    Raises UsageError for a branch that the store does not hold, and when several repositories have both.
    """
    name = _repo_of(rows, (from_branch, to_branch), repo)
    parameters: dict[str, object] = {
        "repo": name,
        "from_branch": from_branch,
        "to_branch": to_branch,
    }
    compared = tuple(dict.fromkeys(kind.upper() for kind in kinds))
    found = rows(sql_text("diff/changes.sql"), {**parameters, "kinds": list(compared)})
    changes = tuple(_change(row) for row in found)
    if with_text:
        changes = _with_diffs(rows, changes, parameters)
    return BranchDiff(name, from_branch, to_branch, changes, compared)


def _repo_of(rows: Rows, asked: tuple[str, str], repo: str | None) -> str:
    held = {row["repo"]: row["branches"] for row in rows(sql_text("diff/branches.sql"), {})}
    known = "; ".join(f"{name}: {', '.join(branches)}" for name, branches in held.items())
    if repo is not None and repo not in held:
        raise UsageError(f"the store has no repository {repo}", hint=f"it holds {known}")
    candidates = [repo] if repo is not None else list(held)
    having_both = [name for name in candidates if set(asked) <= set(held[name])]
    if not having_both:
        missing = next((each for each in asked if all(each not in held[name] for name in candidates)), None)
        told = f"no branch {missing}" if missing else f"no repository with both {asked[0]} and {asked[1]}"
        raise UsageError(f"the store has {told}", hint=f"it holds {known}")
    if len(having_both) > 1:
        raise UsageError(
            f"{', '.join(having_both)} have both {asked[0]} and {asked[1]}",
            hint=f"name one: --repo {having_both[0]}",
        )
    return having_both[0]


def _change(row: dict[str, Any]) -> ObjectChange:
    return ObjectChange(
        change=row["change"],
        kind=row["kind"],
        node_key=row["node_key"],
        schema=row["schema"],
        name=row["name"],
        lines_added=row["lines_added"],
        lines_removed=row["lines_removed"],
        old_location=_location(row, "old"),
        new_location=_location(row, "new"),
    )


def _location(row: dict[str, Any], side: str) -> str | None:
    path = row[f"{side}_file"]
    return f"{path}:{row[f'{side}_start']}-{row[f'{side}_end']}" if path else None


def _with_diffs(
    rows: Rows, changes: Sequence[ObjectChange], parameters: dict[str, object]
) -> tuple[ObjectChange, ...]:
    keys = [change.node_key for change in changes if change.change == "changed"][:MAX_TEXTS]
    found = rows(sql_text("diff/texts.sql"), {**parameters, "keys": keys})
    texts: dict[str, dict[bool, list[str]]] = {key: {} for key in keys}
    for row in found:
        texts[row["node_key"]][row["is_old"]] = row["lines"]
    return tuple(
        replace(change, diff=_unified(change, text.get(True, []), text.get(False, [])))
        if (text := texts.get(change.node_key)) is not None
        else change
        for change in changes
    )


def _unified(change: ObjectChange, old: list[str], new: list[str]) -> str:
    longest = max(len(old), len(new))
    if longest > MAX_COMPARED_LINES:
        return f"({longest:,} lines are too many to compare line by line)"
    places = (change.old_location or "", change.new_location or "")
    return "\n".join(difflib.unified_diff(old, new, *places, n=CONTEXT_LINES, lineterm=""))
