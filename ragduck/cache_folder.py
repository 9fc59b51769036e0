"""Find the folder in which ragduck keeps what it can always make again."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

OFF = frozenset({"off", "0", "no", "false"})


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
