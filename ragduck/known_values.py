"""Values of filters that no chunk has, with the closest that one has."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ragduck.library import Store
    from ragduck.search import Filters

# Fields of few values; among names and keys the closest is not worth the wait.
FIELDS = (
    "kind", "schema", "project", "repo", "branch", "data_type", "file_type", "file_class",
    "element_type", "member_kind", "visibility",
)  # fmt: skip


def unknown_values(store: Store, filters: Filters) -> Iterator[str]:
    """Yield a note for each value that no chunk has in its field, and for each name that no node has."""
    from ragduck.search.fields import values_of
    from ragduck.search.filters import BY_NAME

    for field, values in values_of(filters).items():
        if field in BY_NAME:
            yield from _unknown_names(store, [str(each) for each in values if each is not None])
        if field not in FIELDS:
            continue
        known = _held(store, field)
        for value in (str(each) for each in values if each is not None and each not in known):
            yield f"no chunk has {field} {value!r}{_meant(value, known)}"


def _unknown_names(store: Store, names: Sequence[str]) -> Iterator[str]:
    from ragduck.search.node_names import closest_to

    for name in names:
        if not store.sql("from node_matches($name) where rank < 100 limit 1", {"name": name}):
            close = closest_to(store.rows, name)
            yield f"no node is called {name!r}" + (f"; did you mean {close[0]}?" if close else "")


def _held(store: Store, field: str) -> list[str]:
    rows = store.sql(
        f'select distinct "{field}" as value from documents where "{field}" is not null order by value'
    )
    return [row["value"] for row in rows]


def _meant(value: str, known: Sequence[str]) -> str:
    spelt = {each.lower(): each for each in known}
    close = difflib.get_close_matches(value.lower(), spelt, n=1)
    return f"; did you mean {spelt[close[0]]}?" if close else ""
