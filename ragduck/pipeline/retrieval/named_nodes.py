"""Find what a question calls by its name: a search by words may put what mentions it before the thing itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ragduck.pipeline.question.words import is_identifier, plural, singular
from ragduck.resources import sql_text

Rows = Callable[[str, dict[str, object]], list[dict[str, Any]]]

MAX_OF_NAME = 4  # nodes of one name; more of them say that it is nothing special


def named_nodes(
    rows: Rows, names: Sequence[str], *, repo: str | None = None, branch: str | None = None
) -> tuple[str, ...]:
    """Return the keys of the nodes that bear a name, in order of the names, with one statement.

    Of a column, `dbo.Invoice.Status`, which is no node of its own, the table is taken; of a member that is none, its
    type.
    """
    spellings = {name: _spellings(name) for name in names}
    asked = {spelling: is_identifier(name) for name, made in spellings.items() for spelling in made}
    if not asked:
        return ()
    parameters: dict[str, object] = {
        "names": list(asked),
        "identifiers": list(asked.values()),
        "top_n": MAX_OF_NAME + 1,
        "repo": repo,
        "branch": branch,
    }
    found: dict[str, list[str]] = {}
    for row in rows(sql_text("pipeline/named_nodes.sql"), parameters):
        found.setdefault(row["name"], []).append(str(row["node_key"]))
    return tuple(dict.fromkeys(key for made in spellings.values() for key in _first(found, made)))


def _spellings(name: str) -> tuple[str, ...]:
    """Return what to look up for a name, the best first."""
    if is_identifier(name):
        owner = name.strip("@.").rpartition(".")[0]
        return (name, owner) if owner else (name,)
    return tuple(dict.fromkeys((name, singular(name), plural(singular(name)))))


def _first(found: dict[str, list[str]], spellings: Iterable[str]) -> Sequence[str]:
    known = [found[spelling] for spelling in spellings if spelling in found]
    keys = known[0] if known else []
    tables = [key for others in known[1:] for key in others if key.endswith(("|TABLE", "|VIEW"))]
    return [*tables, *keys] if len(keys) <= MAX_OF_NAME else tables
