"""Name what is checked out where no branch is, as build servers leave it."""

from __future__ import annotations

import os
from dataclasses import dataclass

from ragduck.shell import quote
from ragduck.sources.checkout import Checkout, Head, is_reference
from ragduck.sources.git import ask_git

DETACHED = "HEAD"

# Of each build server the variables with the commit that it checked out, and with what that is a commit of. A pull
# request is not called as its branch: what is checked out is merged already, and forks have a main, too.
_VARIABLES = {
    "GITHUB_SHA": "GITHUB_REF_NAME",
    "BUILD_SOURCEVERSION": "BUILD_SOURCEBRANCH",  # Azure DevOps
    "CI_COMMIT_SHA": "CI_COMMIT_REF_NAME",  # GitLab
    "GIT_COMMIT": "GIT_BRANCH",  # Jenkins
}
_BEGINNINGS = ("refs/heads/", "refs/tags/", "refs/remotes/origin/", "refs/", "origin/")
_PLACES = (
    "refs/tags/",
    "refs/heads/",
    "refs/remotes/origin/",
)  # in the order in which they name a commit best


@dataclass(frozen=True, slots=True)
class Told:
    """The name of a branch, and the variable that has it."""

    branch: str
    variable: str


def told_by_server(head: Head) -> Told | None:
    """Return the branch that a build server names, if no branch is checked out and its commit is the one that is."""
    if head.branch is not None or head.commit_sha is None:
        return None
    for commit, name in _VARIABLES.items():
        if name == "CI_COMMIT_REF_NAME" and "CI_MERGE_REQUEST_IID" in os.environ:
            continue  # GitLab says of a merge request what its branch is called, be it in a fork
        branch = _shortened(os.environ.get(name, ""))
        is_of_it = os.environ.get(commit) == head.commit_sha
        if is_of_it and branch not in ("", DETACHED) and is_reference(f"refs/heads/{branch}"):
            return Told(branch, name)
    return None


def note_of(checkout: Checkout, head: Head) -> str:
    """Say how a detached HEAD came to its name; empty where a branch is checked out."""
    if head.branch is not None or head.commit_sha is None:
        return ""
    if told := told_by_server(head):
        return f"no branch is checked out; it is called {told.branch} as {told.variable} says"
    name = quote(_name_of(checkout, head.commit_sha) or "NAME")
    return f"no branch is checked out, so that this is called HEAD; give it a name with: --branch {name}"


def _shortened(name: str) -> str:
    beginning = next((each for each in _BEGINNINGS if name.startswith(each)), "")
    return name.removeprefix(beginning)


def _name_of(checkout: Checkout, commit: str) -> str:
    """Return a tag or branch that is at a commit; empty where there is none."""
    places = [place.rstrip("/") for place in _PLACES]
    asked = ("for-each-ref", f"--points-at={commit}", "--format=%(refname)", *places)
    printed = ask_git(checkout, *asked)
    names = (printed or b"").decode(errors="replace").split()
    for place in _PLACES:
        found = [name.removeprefix(place) for name in names if name.startswith(place)]
        if named := [name for name in found if name != DETACHED]:
            return named[-1]
    return ""
