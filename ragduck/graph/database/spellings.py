"""Give what no script defines one name, however its users spell it: SQL Server looks names up regardless of case."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from functools import reduce

import pyarrow as pa
import pyarrow.compute as pc

from ragduck.edge_table import ENDS, WORDS, EdgeTable

_KINDS = frozenset(("TABLE", "VIEW", "PROC", "FUNC", "TYPE", "SEQUENCE", "SYNONYM"))


def spelled_otherwise(
    edges: EdgeTable, undefined: AbstractSet[str], *, known: pa.ChunkedArray, code: tuple[str, ...]
) -> dict[str, str]:
    """Return keys that are to be one, so that each database object has one of those at the ends of edges.

    Of what is ``undefined``, and in no node of ``known``, it is the known key that differs in case alone, else what
    most sites write, and of several the first in order. Keys that begin with one of ``code`` are of no database.
    """
    spellings: defaultdict[str, list[str]] = defaultdict(list)
    for key in sorted(_of_database(undefined, code)):
        spellings[key.casefold()].append(key)
    defined = {
        folded: key
        for key in sorted(_of_database(_of_kinds(known) if spellings else (), code), reverse=True)
        if (folded := key.casefold()) in spellings
    }
    several = {folded: keys for folded, keys in spellings.items() if len(keys) > 1 or folded in defined}
    if not several:
        return {}
    sites = _sites(edges, {key for keys in several.values() for key in keys})
    names: dict[str, str] = {}
    for folded, keys in several.items():
        chosen = defined.get(folded) or min(keys, key=lambda key: (-sites[key], key))
        names.update((key, chosen) for key in keys if key != chosen)
    return names


def _of_kinds(keys: pa.ChunkedArray) -> Iterable[str]:
    """Return the keys that end like those of database objects: few of many."""
    are_of_kinds = reduce(pc.or_, (pc.ends_with(keys, kind) for kind in sorted(_KINDS)))
    found: list[str] = keys.filter(are_of_kinds).to_pylist()
    return found


def _of_database(keys: Iterable[str], code: tuple[str, ...]) -> Iterable[str]:
    return (key for key in keys if key.rpartition("|")[2] in _KINDS and not key.startswith(code))


def _sites(edges: EdgeTable, keys: AbstractSet[str]) -> dict[str, int]:
    """Count the sites that name each of some keys."""
    counts: defaultdict[str, int] = defaultdict(int)
    for column in WORDS[:ENDS]:
        for edge in edges.chosen(edges.have(column, keys)):
            counts[getattr(edge, column)] += edge.sites
    return counts
