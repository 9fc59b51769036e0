"""Find the nodes that a name means, in any of the ways people write it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ragduck.errors import UsageError
from ragduck.resources import sql_text
from ragduck.shell import quote

Rows = Callable[[str, dict[str, object]], list[dict[str, Any]]]

MAX_NAMED = 8  # candidates that an error lists
MAX_TOGETHER = 20  # implementations of one member that its name means together
LOOKED_UP = 2  # parts at the end of a name by which a node is found


class UnknownNodeError(UsageError):
    """Refuse a name that no node has; ``closest`` are the keys of those with the most similar names.

    Of a name that is a column's, ``table`` is the key of the table.
    """

    def __init__(self, message: str, *, closest: Sequence[str], table: str | None = None) -> None:
        meant = f"did you mean {', '.join(closest)}?" if closest else "look for one with: ragduck search"
        super().__init__(message, hint=f"columns are no nodes: ask for {quote(table)}" if table else meant)
        self.closest = tuple(closest)
        self.table = table


def resolve(
    rows: Rows, key: str, *, repo: str | None = None, branch: str | None = None
) -> list[dict[str, Any]]:
    """Return the nodes that a name means, one for each repository and branch.

    An interface's member and those that implement it are meant together. Raises UsageError with the candidates when
    the name is ambiguous; returns none when it is unknown.
    """
    asked: dict[str, object] = {"key": key, "repo": repo, "branch": branch}
    if whole := rows(sql_text("graph/whole_key.sql"), asked):
        return [row for row in whole if not row["is_external"]] or whole
    fitting = rows(sql_text("graph/matches.sql"), asked) or _ending_so(rows, asked, key)
    found = _spelt_so([row for row in fitting if row["is_best"]], key)
    if len({row["node_key"] for row in found}) > 1 and not _implement_each_other(rows, found):
        keys = list(dict.fromkeys(str(row["node_key"]) for row in fitting))
        more = f" and {len(keys) - MAX_NAMED} more" if len(keys) > MAX_NAMED else ""
        raise UsageError(
            f"{key} may be {', '.join(keys[:MAX_NAMED])}{more}",
            hint=f"write the one you mean: {quote(keys[0])}",
        )
    return found


def _implement_each_other(rows: Rows, found: Sequence[Mapping[str, Any]]) -> bool:
    """Whether nodes are one member, as an interface declares it and as a few types implement it."""
    keys = {int(row["node_id"]): str(row["node_key"]) for row in found}
    if len(set(keys.values())) > MAX_TOGETHER:
        return False
    tied: dict[str, set[str]] = {key: set() for key in keys.values()}
    for pair in rows(sql_text("graph/implementing.sql"), {"ids": list(keys)}):
        one, other = keys[pair["from_id"]], keys[pair["to_id"]]
        tied[one].add(other)
        tied[other].add(one)
    reached: set[str] = set()
    front = {next(iter(tied))}
    while front:
        reached |= front
        front = {other for key in front for other in tied[key]} - reached
    return len(reached) == len(tied)


def _ending_so(rows: Rows, asked: Mapping[str, object], key: str) -> list[dict[str, Any]]:
    """Return the nodes whose name ends with more than the two parts that are looked up: `Shop.Orders.Place`."""
    name, bar, kind = key.rpartition(":")[2].partition("|")
    parts = name.split(".")
    if len(parts) <= LOOKED_UP:
        return []
    end = ".".join(parts[-LOOKED_UP:]) + bar + kind
    found = rows(sql_text("graph/matches.sql"), {**asked, "key": end})
    wanted = f".{name}".lower()
    return [
        {**row, "is_best": True}
        for row in found
        if row["node_key"].partition("|")[0].lower().endswith(wanted)
    ]


def _spelt_so(found: list[dict[str, Any]], key: str) -> list[dict[str, Any]]:
    """Return the nodes with the capitals of a name, if it has any or their keys differ in capitals alone.

    Go has Run and run, scripts for two engines have Order_Read and order_read.
    """
    if key == key.lower() and len({row["node_key"].lower() for row in found}) > 1:
        return found
    written = re.compile(rf"(?<!\w){re.escape(key)}(?!\w)")
    return [row for row in found if written.search(row["node_key"])] or found


def unknown_node(rows: Rows, key: str, *, place: str) -> UnknownNodeError:
    """Return the error for a name that no node bears, with the most similar ones. It was sought in ``place``."""
    where = f" in {place}" if place else ""
    return UnknownNodeError(
        f"no node is called {key!r}{where}", closest=closest_to(rows, key), table=_table_of(rows, key)
    )


def _table_of(rows: Rows, key: str) -> str | None:
    """Return the key of the table or view whose column a name may be."""
    owner = key.partition("|")[0].rpartition(".")[0]
    if not owner:
        return None
    fitting = rows(sql_text("graph/matches.sql"), {"key": owner, "repo": None, "branch": None})
    keys = {str(row["node_key"]) for row in fitting if row["is_best"]}
    tables = sorted(key for key in keys if key.endswith(("|TABLE", "|VIEW")))
    return tables[0] if tables else None


def closest_to(rows: Rows, name: str) -> tuple[str, ...]:
    """Return the keys of the nodes with the most similar names, the most similar first."""
    return tuple(row["node_key"] for row in rows(sql_text("graph/closest.sql"), {"key": name}))
