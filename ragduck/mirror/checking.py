"""Look for what is wrong with the mirror of a store."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ragduck.mirror.state import mirror_folder, mirror_state
from ragduck.store.checks import CheckResult

DESCRIPTION = "Files of the mirror that are not those that were exported; searches go on without it."


def check_mirror(path: Path, meta: Mapping[str, str]) -> tuple[CheckResult, ...]:
    """Hash the files of the mirror beside a store, if there is one; an outdated mirror is not wrong."""
    if not mirror_folder(path).is_dir():
        return ()
    state = mirror_state(path, meta, thorough=True)
    rows = ({"folder": str(state.folder), "reason": state.reason},) if state.is_damage else ()
    return (CheckResult("mirror", DESCRIPTION, rows, len(rows)),)
