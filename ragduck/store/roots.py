"""Remember on this machine where the branches of a store were read from.

The store itself names only the last folder, as it is shared and a path tells about its maker. So the paths are kept
in the user's state folder, one small file per store. Nothing of this ever fails a command: what is not
remembered is told as unknown.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from ragduck.untrusted_json import read_json

MAX_BYTES = 5_000_000


@dataclass(frozen=True, slots=True)
class Root:
    """Where one branch was read from, and how.

    ``revision`` is the git revision that was read; empty when the files on disk were. ``head`` is the branch that was
    checked out then.
    """

    repo: str
    branch: str
    folder: str
    revision: str = ""
    head: str = ""
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    max_bytes: int = 0
    code_page: str = ""

    @classmethod
    def from_dict(cls, saved: Mapping[str, Any]) -> Root:
        """Read back one entry; raises TypeError or ValueError for anything else."""
        root = cls(**{**saved, "include": tuple(saved["include"]), "exclude": tuple(saved["exclude"])})
        names = (root.repo, root.branch, root.folder, root.revision, root.head, root.code_page)
        texts = (*names, *root.include, *root.exclude)
        if not all(isinstance(text, str) for text in texts) or not isinstance(root.max_bytes, int):
            raise ValueError("no entry of ours")
        return root


Key = tuple[str, str]


def roots_of(store: Path) -> dict[Key, Root]:
    """Return what is known about each repository and branch of a store."""
    path = _file_of(store)
    try:
        text = path.read_text(encoding="utf-8") if path and path.stat().st_size <= MAX_BYTES else "{}"
        entries = [Root.from_dict(entry) for entry in read_json(text).get("branches", ())]
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return {}
    return {(entry.repo, entry.branch): entry for entry in entries}


def remember_roots(store: Path, roots: Iterable[Root], *, anew: bool = False) -> None:
    """Add what was just read, or replace all of it when the store was begun ``anew``."""
    added = {(root.repo, root.branch): root for root in roots}
    _save(store, added if anew else roots_of(store) | added)


def forget_roots(store: Path, dropped: Collection[Key]) -> None:
    """Forget branches that the store no longer holds."""
    _save(store, {key: root for key, root in roots_of(store).items() if key not in dropped})


def state_folder(environment: Mapping[str, str] | None = None) -> Path | None:
    """Return `~/.local/state/ragduck` unless told otherwise; None when nothing is to be kept.

    ``RAGDUCK_STATE_DIR`` names another folder, and nothing is kept when it is empty. Without it the folder is that of
    the XDG base directory specification, which ignores relative ones.
    """
    variables = os.environ if environment is None else environment
    named = variables.get("RAGDUCK_STATE_DIR")
    if named == "":
        return None
    try:
        if named:
            return Path(named).expanduser()
        shared = Path(variables.get("XDG_STATE_HOME", ""))
        return (shared if shared.is_absolute() else Path.home() / ".local" / "state") / "ragduck"
    except RuntimeError:  # a user without a home
        return None


def _file_of(store: Path) -> Path | None:
    folder = state_folder()
    name = sha256(os.fsencode(_absolute(store))).hexdigest()[:32]
    return folder / "stores" / f"{name}.json" if folder else None


def _absolute(store: Path) -> Path:
    """Return one name for a store, whatever links led to it."""
    try:
        return store.resolve()
    except (OSError, RuntimeError):
        return store.absolute()


def _save(store: Path, roots: Mapping[Key, Root]) -> None:
    path = _file_of(store)
    if path is None:
        return
    entries = [asdict(root) for _, root in sorted(roots.items())]
    text = json.dumps({"store": str(_absolute(store)), "branches": entries}, indent=1)
    unfinished = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        unfinished.write_text(text, encoding="utf-8")
        unfinished.replace(path)
    except (OSError, ValueError):
        return
