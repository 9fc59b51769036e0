"""Name the repository, branch and commit of a source folder."""

from __future__ import annotations

from pathlib import Path

from ragduck.model import Snapshot
from ragduck.sources.checkout import (
    Checkout,
    Head,
    branch_of,
    existing_folder,
    find_checkout,
    folder_name,
    read_head,
    read_origin,
    repository_name,
)
from ragduck.sources.detached import DETACHED, told_by_server
from ragduck.sources.git import ask_git

_DEFAULT_BRANCH = "main"


def snapshot_of(root: Path, *, repo: str | None = None, branch: str | None = None) -> Snapshot:
    """Say what a folder is a snapshot of: git's answer where it is in a checkout, else its name and ``main``.

    A detached HEAD is called ``HEAD``, so that the next commit replaces it, unless a build server says what it is.
    ``repo`` and ``branch`` override what was found.
    Raises `SourceError` when there is no such folder.
    """
    folder = existing_folder(root)
    checkout = find_checkout(folder)
    if checkout is None:
        return Snapshot(repo or folder_name(folder), branch or _DEFAULT_BRANCH, None, folder)
    head = head_of(checkout)
    return Snapshot(
        repo=repo or repository_name(checkout, origin=read_origin(checkout)),
        branch=branch or name_of(head) or _DEFAULT_BRANCH,
        commit_sha=head.commit_sha,
        root=folder,
    )


def name_of(head: Head) -> str | None:
    """Return what a checkout is called as a branch; None without any commit."""
    if head.branch is not None or head.commit_sha is None:
        return head.branch
    told = told_by_server(head)
    return told.branch if told else DETACHED


def head_of(checkout: Checkout) -> Head:
    """Tell what is checked out: git's answer, which knows every way of keeping references, else what is read."""
    return _git_head(checkout) or read_head(checkout)


def _git_head(checkout: Checkout) -> Head | None:
    ref = _answer(checkout, "symbolic-ref", "--quiet", "HEAD")
    commit = _answer(checkout, "rev-parse", "--verify", "--quiet", "HEAD")
    if ref is None and commit is None:
        return None
    return Head(branch=branch_of(ref) if ref else None, commit_sha=commit)


def _answer(checkout: Checkout, *arguments: str) -> str | None:
    printed = ask_git(checkout, *arguments)
    return printed.decode("utf-8", errors="replace").strip() or None if printed else None
