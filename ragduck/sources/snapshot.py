"""Name the repository, branch and commit of a source folder."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from ragduck.model import Snapshot
from ragduck.sources.checkout import (
    Checkout,
    Head,
    branch_of,
    existing_folder,
    find_checkout,
    read_head,
    read_origin,
    repository_name,
)

_DEFAULT_BRANCH = "main"
_DETACHED = "HEAD"
_TIMEOUT_SECONDS = 10
# A repository's own configuration may name programs to run: monitors, hooks, transports of a lazy fetch.
_HARMLESS_SETTINGS = {
    "core.fsmonitor": "false",
    "core.hooksPath": os.devnull,
    "core.sshCommand": "false",
    "safe.bareRepository": "explicit",
}
_ENVIRONMENT = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_NO_LAZY_FETCH": "1",
    "LC_ALL": "C",
}


def snapshot_of(root: Path, *, repo: str | None = None, branch: str | None = None) -> Snapshot:
    """Say what a folder is a snapshot of: git's answer where it is in a checkout, else its name and ``main``.

    A detached HEAD is called ``HEAD``, so that the next commit replaces it.
    ``repo`` and ``branch`` override what was found.
    Raises `SourceError` when there is no such folder.
    """
    folder = existing_folder(root)
    checkout = find_checkout(folder)
    if checkout is None:
        return Snapshot(repo or folder.name or "repository", branch or _DEFAULT_BRANCH, None, folder)
    head = _git_head(checkout) or read_head(checkout)
    return Snapshot(
        repo=repo or repository_name(checkout, origin=read_origin(checkout)),
        branch=branch or head.branch or (_DETACHED if head.commit_sha else _DEFAULT_BRANCH),
        commit_sha=head.commit_sha,
        root=folder,
    )


def _git_head(checkout: Checkout) -> Head | None:
    """Ask git, which knows every way of keeping references; None when it is missing or refuses."""
    ref = _git(checkout, "symbolic-ref", "--quiet", "HEAD")
    commit = _git(checkout, "rev-parse", "--verify", "--quiet", "HEAD")
    if ref is None and commit is None:
        return None
    return Head(branch=branch_of(ref) if ref else None, commit_sha=commit)


def _git(checkout: Checkout, *arguments: str) -> str | None:
    """Return what git prints, or None when it fails."""
    program = shutil.which("git")
    if program is None or Path(program).is_relative_to(checkout.top):
        return None
    settings = [part for name, value in _HARMLESS_SETTINGS.items() for part in ("-c", f"{name}={value}")]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    try:
        finished = subprocess.run(  # noqa: S603 - the arguments are ours, the program is git from the PATH
            [program, "--no-pager", *settings, *arguments],
            cwd=checkout.top,
            env=environment | _ENVIRONMENT,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_TIMEOUT_SECONDS,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return finished.stdout.decode("utf-8", errors="replace").strip() or None
