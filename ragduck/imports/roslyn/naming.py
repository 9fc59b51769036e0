"""Name the repository, branch and commit of a bundle as its maker did not always do himself."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

REPO_FIELDS = ("RepoName", "Repo", "Repository", "RepositoryName", "repo", "repository")
BRANCH_FIELDS = ("Branch", "branch")
COMMIT_FIELDS = ("HeadSha", "HeadSHA", "head_sha")
NO_BRANCH = ("", "(detached)", "(unknown)")
_TIMESTAMP = re.compile(r"_\d{8}_\d{6}(?:_\d{1,6})?$")
_UNSAFE = re.compile(r'[\0-\x1f/\\:*?"<>|]')
_BRANCHES_OF = re.compile(r"(?:^|/)([^/]{1,200})/branches/")
MAX_NAME = 200  # characters


class Names(NamedTuple):
    """What a bundle is put under."""

    repo: str
    branch: str
    commit: str | None


def names_of(meta: Mapping[str, object], *, stem: str, place: str) -> Names:
    """Return the names for a bundle that was called ``stem`` and lay at ``place``.

    The stem counts as the branch: what the file says may be the branch of another bundle it was copied from.
    Where the stem is the branch as a file name may have it, the branch is spelled as the file spells it.
    """
    stem = stem.encode("utf-8", "replace").decode()
    told = _first(meta, BRANCH_FIELDS)
    return Names(
        _repo(meta, place) or stem or "bundle", _branch(stem, told), _first(meta, COMMIT_FIELDS) or None
    )


def _branch(stem: str, told: str) -> str:
    usable = told not in NO_BRANCH
    for candidate in (stem, _TIMESTAMP.sub("", stem)):
        if usable and candidate == safe_name(told):
            return told
    return stem or told or "main"


def safe_name(branch: str) -> str:
    """Return a branch as the name of a file: `feature_x` for `feature/x`."""
    return _UNSAFE.sub("_", branch).strip().rstrip(".") or "artifacts"


def _repo(meta: Mapping[str, object], place: str) -> str:
    root = _first(meta, ("RepositoryRoot",)).replace("\\", "/").rstrip("/")
    found = _BRANCHES_OF.search(place.replace("\\", "/"))
    return _first(meta, REPO_FIELDS) or root.rpartition("/")[2] or (found[1] if found else "")


def _first(meta: Mapping[str, object], names: tuple[str, ...]) -> str:
    for name in names:
        value = meta.get(name)
        if isinstance(value, str) and value.strip():
            return " ".join(value.encode("utf-8", "replace").decode().split())[:MAX_NAME]
    return ""
