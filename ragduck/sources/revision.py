"""Decide what a source is read from: the files of a folder, or a git revision that is not checked out."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from pathlib import Path

from ragduck.errors import SourceError, UsageError
from ragduck.model import Snapshot
from ragduck.shell import quote
from ragduck.sources.checkout import (
    Checkout,
    Head,
    existing_folder,
    find_bare,
    find_checkout,
    is_reference,
    read_origin,
    repository_name,
)
from ragduck.sources.detached import DETACHED, note_of
from ragduck.sources.git import ask_git, has_git
from ragduck.sources.snapshot import head_of, name_of, snapshot_of

_PLACES = (
    "refs/heads/",
    "refs/tags/",
    "refs/remotes/",
    "refs/remotes/origin/",
    "",
)  # in the order they count
_COMMIT_OR_STEPS = re.compile(r"[0-9a-f]{7,64}|.*[~^@].*")
_LAST_SECOND = 253_402_300_799  # of the year 9999: a commit may claim any time
_MAX_NAME = 1_000
_SHOWN_SHA = 10


@dataclass(frozen=True, slots=True)
class Revision:
    """A commit whose files are read from git's own store; ``prefix`` leads from the top to the folder asked for."""

    checkout: Checkout
    name: str
    commit_sha: str
    committed_at: int
    prefix: str


@dataclass(frozen=True, slots=True)
class Source:
    """What is to be read: a folder as it is on disk or, where ``revision`` is set, what git holds of it.

    ``head`` is the branch that was checked out; ``note`` says that it is called as it was asked for although git
    knows no revision of that name, ``name_note`` how a commit of no branch came to its name.
    """

    snapshot: Snapshot
    revision: Revision | None = None
    head: str | None = None
    note: str = ""
    name_note: str = ""

    @property
    def is_of_no_branch(self) -> bool:
        """Whether it is what is on disk while no branch is checked out."""
        return self.revision is None and self.head is None and self.snapshot.commit_sha is not None


def source_of(
    root: Path, *, repo: str | None = None, branch: str | None = None, revision: str | None = None
) -> Source:
    """Say what a folder, checkout or bare repository gives, and under which repository and branch.

    ``revision`` is read from git whatever is checked out. ``branch`` names what is checked out, or another revision,
    which is then read from git; when it names neither, the folder is read and called so, and a note says it.
    Raises `SourceError` for a missing folder or an unknown revision, and where git cannot tell whether it is one.
    """
    if branch == "":
        raise UsageError("the branch has no name", hint="name it, or leave out --branch")
    folder = existing_folder(root)
    bare = find_bare(folder)
    checkout = bare or find_checkout(folder)
    if checkout is None:
        if revision is not None:
            raise SourceError(
                f"{root} is in no git checkout, so there is no revision {revision}",
                hint="leave out --revision",
            )
        return Source(snapshot_of(folder, repo=repo, branch=branch))
    head = head_of(checkout)
    if revision is None and not checkout.is_bare:
        commit = _other_commit(checkout, branch, head=head)
        if commit is None:
            snapshot = snapshot_of(folder, repo=repo, branch=branch)
            note = _label_note(checkout, snapshot, label=branch, head=head)
            name_note = "" if branch else note_of(checkout, head)
            return Source(snapshot, head=head.branch, note=note, name_note=name_note)
        name = branch or ""
    else:
        name = revision if revision is not None else branch or head.branch or DETACHED
        commit = commit_of(checkout, name) or _refuse(checkout, name)
    snapshot = Snapshot(
        repo=repo or repository_name(checkout, origin=read_origin(checkout)),
        branch=branch or _branch_name(name, head=head),
        commit_sha=commit,
        root=folder,
    )
    followed = head.branch or name if name == DETACHED else name
    read = _revision(checkout, followed, commit=commit, folder=folder)
    name_note = note_of(checkout, head) if name == DETACHED and not branch else ""
    return Source(snapshot, read, head=head.branch, name_note=name_note)


def commit_of(checkout: Checkout, name: str, *, by_name_only: bool = False) -> str | None:
    """Return the commit that a branch, tag, remote branch or any other revision of git stands for, if it is one.

    A branch of origin may be named without its remote. ``by_name_only`` takes for a commit only what looks like
    one, so that a plain word is never the beginning of a hash.
    """
    return _first_commit(_asked_for(checkout, name, by_name_only=by_name_only) or "")


def _asked_for(checkout: Checkout, name: str, *, by_name_only: bool) -> str | None:
    """Return what git says of all that a name may stand for; None where it says nothing."""
    if not name or len(name) > _MAX_NAME or "\n" in name or "\0" in name:
        return ""
    places = [place + name for place in _PLACES if place and is_reference(place + name)]
    if not by_name_only or _COMMIT_OR_STEPS.fullmatch(name):
        places.append(name)
    asked = "".join(f"{place}^{{commit}}\n" for place in places)
    answers = ask_git(
        checkout,
        "cat-file",
        "--batch-check=%(objecttype) %(objectname)",
        given=asked.encode(errors="replace"),
    )
    return answers.decode(errors="replace") if answers is not None else None


def _first_commit(answers: str) -> str | None:
    for line in answers.splitlines():
        kind, _, commit = line.partition(" ")
        if kind == "commit" and commit.isalnum():
            return commit
    return None


def _other_commit(checkout: Checkout, branch: str | None, *, head: Head) -> str | None:
    """Return the commit of a branch that is not what is checked out.

    Raises SourceError where git cannot tell whether it is one: what is on disk may be another branch.
    """
    if branch is None or branch == head.branch:
        return None
    answers = _asked_for(checkout, branch, by_name_only=True)
    if answers is None and (head.branch is not None or has_git(checkout)):
        raise _untold(checkout, branch)
    commit = _first_commit(answers or "")
    return None if commit == head.commit_sha and head.branch is None else commit


def _untold(checkout: Checkout, name: str) -> SourceError:
    if not has_git(checkout):
        return SourceError(f"without git it is not known what {name} is", hint="install git")
    return SourceError(
        f"git does not tell what {name} is in {checkout.top.name}",
        hint=f"see what it says: git -C {quote(str(checkout.top))} cat-file -t {quote(name)}",
    )


def _label_note(checkout: Checkout, snapshot: Snapshot, *, label: str | None, head: Head) -> str:
    """Say that what is on disk, be it a commit of no branch, is called otherwise than git calls it."""
    if label is None or label == head.branch:
        return ""
    if head.branch is None and commit_of(checkout, label, by_name_only=True) == head.commit_sha:
        return ""
    what = head.branch or f"what is checked out, {(head.commit_sha or 'no commit')[:_SHOWN_SHA]},"
    called = f"{what} was read from disk and is called {label}"
    if not has_git(checkout):
        return called
    listed = f"list its branches with: {_listing(checkout)}"
    return f"{snapshot.repo} has no revision {label}: {called}; {listed}"


def _branch_name(revision: str, *, head: Head) -> str:
    """Call a revision as it was named; HEAD is the branch that is checked out."""
    return name_of(head) or revision if revision == DETACHED else revision


def _revision(checkout: Checkout, name: str, *, commit: str, folder: Path) -> Revision:
    if not has_git(checkout):
        raise SourceError(f"revision {name} cannot be read without git", hint="install git")
    inside = "" if checkout.is_bare else folder.relative_to(checkout.top).as_posix()
    prefix = "" if inside in ("", ".") else f"{inside}/"
    return Revision(checkout, name, commit, _commit_time(checkout, commit), prefix)


def _commit_time(checkout: Checkout, commit: str) -> int:
    for line in (ask_git(checkout, "cat-file", "commit", commit) or b"").split(b"\n\n")[0].split(b"\n"):
        if line.startswith(b"committer "):
            seconds = line.rpartition(b"> ")[2].partition(b" ")[0]
            return min(int(seconds[:15]), _LAST_SECOND) if seconds.isdigit() else 0
    return 0


def _refuse(checkout: Checkout, name: str) -> str:
    if not has_git(checkout):
        raise SourceError(f"revision {name} cannot be read without git", hint="install git")
    printed = ask_git(
        checkout, "for-each-ref", "--format=%(refname:lstrip=2)", "refs/heads", "refs/remotes", "refs/tags"
    )
    known = (printed or b"").decode(errors="replace").split("\n")
    close = difflib.get_close_matches(name, known, n=3)
    raise SourceError(
        f"{checkout.top.name} has no revision {name}"
        + (f"; close to it: {', '.join(close)}" if close else ""),
        hint=f"list them with: {_listing(checkout)}; fetch the one that is missing",
    )


def _listing(checkout: Checkout) -> str:
    return f"git -C {quote(str(checkout.top))} branch --all"
