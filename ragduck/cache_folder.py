"""Find the folder in which ragduck keeps what it can always make again."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from pathlib import Path

OFF = frozenset({"off", "0", "no", "false"})
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


def cache_file(name: str, *, switch: str, environment: Mapping[str, str] | None = None) -> Path | None:
    """Return where a file of that name lies, `~/.cache/ragduck` unless told otherwise; None when there is to be none.

    ``RAGDUCK_CACHE_DIR`` names another folder. Nothing is kept when it is empty or the variable ``switch`` is `off`.
    """
    variables = os.environ if environment is None else environment
    folder = variables.get("RAGDUCK_CACHE_DIR")
    if folder == "" or variables.get(switch, "").strip().lower() in OFF:
        return None
    try:
        return (Path(folder).expanduser() if folder else _user_folder(variables)) / name
    except RuntimeError:  # a user without a home
        return None


def _user_folder(variables: Mapping[str, str]) -> Path:
    """Return the folder of the XDG base directory specification, which ignores relative ones."""
    named = Path(variables.get("XDG_CACHE_HOME", ""))
    return (named if named.is_absolute() else Path.home() / ".cache") / "ragduck"


def usable_cache_file(
    name: str, *, switch: str, environment: Mapping[str, str] | None = None
) -> tuple[Path | None, str]:
    """Return a file that can be relied upon, its folder made, and why there is none where nobody switched it off."""
    path = cache_file(name, switch=switch, environment=environment)
    if path is None:
        return None, ""
    path = path.absolute()
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        reason = refusal_of(path)
    except OSError as error:
        reason = f"{path.parent}: {error.strerror or error}"
    return (None, reason) if reason else (path, "")


def refusal_of(path: Path) -> str:
    """Name what lets others put something into a file; empty when nothing does.

    A store would take over what stands in the file, so the same care is due as with keys of ssh: nobody else may
    write the file, its folder or any folder above.
    """
    if not hasattr(os, "geteuid"):
        return ""
    real = path.parent.resolve(strict=True) / path.name
    if os.path.lexists(real) and not _is_ours_alone(real.lstat()):
        return f"{real} is not a file of this user alone"
    folder = real.parent
    if folder.stat().st_uid != os.geteuid() or folder.stat().st_mode & _OTHERS_WRITE:
        return f"{folder} can be written by others"
    for above in folder.parents:
        if _lets_others_rename(above.stat()):
            return f"{above} can be written by others"
    return ""


def _is_ours_alone(status: os.stat_result) -> bool:
    is_file = stat.S_ISREG(status.st_mode)
    return is_file and status.st_uid == os.geteuid() and not status.st_mode & _OTHERS_WRITE


def _lets_others_rename(status: os.stat_result) -> bool:
    """In a sticky folder, such as /tmp, all may write but only owners rename."""
    if status.st_uid not in (0, os.geteuid()):
        return True
    return bool(status.st_mode & _OTHERS_WRITE) and not status.st_mode & stat.S_ISVTX
