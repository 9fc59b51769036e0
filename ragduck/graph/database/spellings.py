"""Give what no script defines one name, however its users spell it: SQL Server looks names up regardless of case."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from collections.abc import Set as AbstractSet

import numpy as np

from ragduck.edge_table import ENDS, SITES, EdgeTable

_KINDS = frozenset(("TABLE", "VIEW", "PROC", "FUNC", "TYPE", "SEQUENCE", "SYNONYM"))


def spelled_alike(edges: EdgeTable, *, known: AbstractSet[str], code: tuple[str, ...]) -> EdgeTable:
    """Return edges whose ends have one key for each database object that is in no node of ``known``.

    It is the known key that differs in case alone, else what most sites write, and of several the first in order.
    Keys that begin with one of ``code`` are of no database.
    """
    spellings: defaultdict[str, list[str]] = defaultdict(list)
    unknown = sorted(_of_database(edges.ends() - known, code))
    for key in unknown:
        spellings[key.casefold()].append(key)
    defined = {
        folded: key
        for key in sorted(_of_database(known, code), reverse=True)
        if (folded := key.casefold()) in spellings
    }
    several = {folded: keys for folded, keys in spellings.items() if len(keys) > 1 or folded in defined}
    if not several:
        return edges
    sites = _sites(edges, {key for keys in several.values() for key in keys})
    names: dict[str, str] = {}
    for folded, keys in several.items():
        chosen = defined.get(folded) or min(keys, key=lambda key: (-sites[key], key))
        names.update((key, chosen) for key in keys if key != chosen)
    return edges.renamed(names)


def _of_database(keys: Iterable[str], code: tuple[str, ...]) -> Iterable[str]:
    return (key for key in keys if key.rpartition("|")[2] in _KINDS and not key.startswith(code))


def _sites(edges: EdgeTable, keys: AbstractSet[str]) -> dict[str, int]:
    """Count the sites that name each of some keys."""
    ends = edges.numbers[:ENDS].ravel()
    weights = np.tile(edges.numbers[SITES], ENDS)
    counts = np.bincount(ends, weights=weights, minlength=len(edges.words))
    return {word: int(counts[place]) for place, word in enumerate(edges.words) if word in keys}
