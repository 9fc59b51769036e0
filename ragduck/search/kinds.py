"""The kinds of objects that a question may be restricted to."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from typing import Any

from ragduck.errors import UsageError
from ragduck.resources import sql_text
from ragduck.search.fields import KIND_ALIASES

Rows = Callable[[str, dict[str, object]], list[dict[str, Any]]]

KINDS = (
    "TABLE", "VIEW", "PROC", "FUNC", "TRIGGER", "TYPE", "SEQUENCE", "SYNONYM", "INDEX", "FOREIGN_KEY",
    "METHOD", "PROPERTY", "FIELD", "DBSET", "MIGRATION", "FILE",
)  # fmt: skip


def known_kinds(rows: Rows, kinds: Sequence[str]) -> list[str]:
    """Return kinds as the store spells them.

    Raises UsageError for one that is neither among KINDS nor in the store: it would find nothing, ever.
    """
    if not kinds:
        return []
    spelt = [KIND_ALIASES.get(kind.upper(), kind.upper()) for kind in kinds]
    held = [row["kind"] for row in rows(sql_text("diff/kinds.sql"), {})]
    for kind, given in zip(spelt, kinds, strict=True):
        if kind in KINDS or kind in held:
            continue
        close = difflib.get_close_matches(kind, {*KINDS, *held}, n=1)
        meant = f"; did you mean {close[0]}?" if close else ""
        raise UsageError(f"there is no kind {given}{meant}", hint=f"the store has {', '.join(held)}")
    return spelt
