"""Find the git checkout that a folder lies in, and read its state without running git."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from ragduck.errors import SourceError
from ragduck.sources.regular_file import read_small_text

_COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_REF = re.compile(r"refs/(?!.*(?:\.\.|//))[^\x00-\x20\x7f\\~^:?*\[]+")
_ORIGIN = re.compile(r"\[\s*remote\s+\"origin\"\s*\]", re.IGNORECASE)
_URL = re.compile(r"\s*url\s*=\s*(\S+)", re.IGNORECASE)
_MAX_LINKED_HEADS = 5  # git's own limit for references that point to references
_PACKED_REFS_BYTES = 50_000_000


@dataclass(frozen=True, slots=True)
class Checkout:
    """A working tree: its top folder, its own git folder and the one it shares with other working trees.

    In a repository without a working tree all three are the same.
    """

    top: Path
    git_dir: Path
    common_dir: Path

    @property
    def is_bare(self) -> bool:
        """Whether there are no files but those in git."""
        return self.top == self.git_dir


@dataclass(frozen=True, slots=True)
class Head:
    """What is checked out; ``branch`` is None when HEAD is detached."""

    branch: str | None
    commit_sha: str | None


def existing_folder(root: Path) -> Path:
    """Return the absolute path of a folder without links in it, or raise `SourceError`."""
    try:
        folder = root.resolve(strict=True)
        is_folder = folder.is_dir()
    except (OSError, ValueError, RuntimeError):
        raise SourceError(
            f"there is no folder at {root}", hint="name an existing folder or git checkout"
        ) from None
    if not is_folder:
        raise SourceError(f"{root} is a file, not a folder", hint="name the folder that holds it")
    return folder


def find_checkout(folder: Path) -> Checkout | None:
    """Return the innermost checkout that holds ``folder``."""
    for top in (folder, *folder.parents):
        git_dir = _git_dir(top)
        if git_dir is not None:
            shared = read_small_text(git_dir / "commondir")
            common_dir = git_dir / shared.strip() if shared and shared.strip() else git_dir
            return Checkout(top=top, git_dir=git_dir, common_dir=common_dir.resolve())
    return None


def find_bare(folder: Path) -> Checkout | None:
    """Return the repository that ``folder`` itself is: a mirror, a bare clone, the `.git` of a checkout."""
    if not (folder / "HEAD").is_file() or not all((folder / name).is_dir() for name in ("objects", "refs")):
        return None
    return Checkout(top=folder, git_dir=folder, common_dir=folder)


def _git_dir(top: Path) -> Path | None:
    """Follow ``.git``, which is a folder, or in worktrees and submodules a file that names one."""
    candidate = top / ".git"
    try:
        if not candidate.is_dir():
            pointer = read_small_text(candidate, limit=4_096)
            if pointer is None or not pointer.startswith("gitdir:"):
                return None
            candidate = top / pointer.removeprefix("gitdir:").strip()
        return candidate if (candidate / "HEAD").is_file() else None
    except (OSError, ValueError):
        return None


def read_head(checkout: Checkout) -> Head:
    """Resolve HEAD through loose and packed references."""
    text = (read_small_text(checkout.git_dir / "HEAD", limit=4_096) or "").strip()
    if not text.startswith("ref:"):
        return Head(branch=None, commit_sha=text if _COMMIT.fullmatch(text) else None)
    ref = text.removeprefix("ref:").strip()
    return Head(branch=branch_of(ref), commit_sha=read_commit(checkout, ref))


def is_reference(ref: str) -> bool:
    """Tell whether git would take this for the full name of a reference."""
    return _REF.fullmatch(ref) is not None


def branch_of(ref: str) -> str | None:
    """Return the branch that a reference names, if it is a well-formed one."""
    return ref.removeprefix("refs/heads/") if _REF.fullmatch(ref) and ref.startswith("refs/heads/") else None


def read_commit(checkout: Checkout, ref: str) -> str | None:
    """Resolve a reference by its full name."""
    for _ in range(_MAX_LINKED_HEADS):
        if not _REF.fullmatch(ref):
            return None
        loose = read_small_text(checkout.common_dir / ref, limit=4_096)
        if loose is None:
            return _packed_commit(checkout, ref)
        if not loose.startswith("ref:"):
            return loose.strip() if _COMMIT.fullmatch(loose.strip()) else None
        ref = loose.removeprefix("ref:").strip()
    return None


def _packed_commit(checkout: Checkout, ref: str) -> str | None:
    packed = read_small_text(checkout.common_dir / "packed-refs", limit=_PACKED_REFS_BYTES) or ""
    for line in packed.splitlines():
        commit, _, name = line.partition(" ")
        if name == ref and _COMMIT.fullmatch(commit):
            return commit
    return None


def read_origin(checkout: Checkout) -> str | None:
    """Return the URL of the remote called origin, as the repository's own configuration has it."""
    in_origin = False
    for line in (read_small_text(checkout.common_dir / "config") or "").splitlines():
        if line.lstrip().startswith("["):
            in_origin = _ORIGIN.match(line.strip()) is not None
        match = _URL.match(line) if in_origin else None
        if match:
            return match[1].strip('"')
    return None


def repository_name(checkout: Checkout, *, origin: str | None) -> str:
    """Return the last part of the origin's URL, without credentials, else the main checkout's folder."""
    address = re.split(r"[?#]", origin or "")[0].rstrip("/\\")
    last = unquote(re.split(r"[/\\:]", address)[-1]).removesuffix(".git")
    if last and last.isprintable() and "@" not in last:
        return last
    if checkout.common_dir.name == ".git":
        return folder_name(checkout.common_dir.parent)
    return folder_name(checkout.top).removesuffix(".git") or "repository"


def folder_name(folder: Path) -> str:
    """Return what a folder is called, with a mark for each byte that is no text; the root of a disk has no name."""
    return folder.name.encode("utf-8", "replace").decode() or "repository"
