"""Say where a branch that was read before stands now."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ragduck.errors import SourceError
from ragduck.sources.checkout import (
    Checkout,
    Head,
    existing_folder,
    find_bare,
    find_checkout,
    read_commit,
    read_head,
)

# Tags are left to git: the reference of one may name the tag instead of its commit.
_PLACES = ("refs/heads/", "refs/remotes/", "refs/remotes/origin/")


@dataclass(frozen=True, slots=True)
class Standing:
    """The commit that a branch has now, and whether the files on disk are its own.

    ``commit_sha`` is None outside git, and for a branch that is gone.
    """

    folder: Path
    commit_sha: str | None
    is_on_disk: bool
    in_git: bool


def standing_of(
    folder: str | Path, *, revision: str = "", head: str = "", quickly: bool = False
) -> Standing | None:
    """Look up the revision that was read from git, else the branch ``head`` that was checked out.

    Returns None when the folder is out of reach. ``quickly`` reads loose and packed references by hand, in about a
    millisecond, and knows no other way of keeping them.
    """
    try:
        place = existing_folder(Path(folder))
        checkout = find_bare(place) or find_checkout(place)
    except (SourceError, OSError, ValueError):
        return None
    if checkout is None:
        return Standing(place, None, is_on_disk=True, in_git=False)
    if revision:
        return Standing(place, _commit(checkout, revision, quickly=quickly), is_on_disk=False, in_git=True)
    now = _head(checkout, quickly=quickly)
    if checkout.is_bare or (head and now.branch != head):
        return Standing(place, _commit(checkout, head, quickly=quickly), is_on_disk=False, in_git=True)
    return Standing(place, now.commit_sha, is_on_disk=True, in_git=True)


def _head(checkout: Checkout, *, quickly: bool) -> Head:
    if quickly:
        return read_head(checkout)
    from ragduck.sources.snapshot import head_of

    return head_of(checkout)


def _commit(checkout: Checkout, name: str, *, quickly: bool) -> str | None:
    if not quickly:
        from ragduck.sources.revision import commit_of

        return commit_of(checkout, name)
    commits = (read_commit(checkout, place + name) for place in _PLACES)
    return next((commit for commit in commits if commit), None)
