"""Keep those uses of a method's own class that lead on: to what a base does in the name of its heirs."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from ragduck.edge_table import NUMBERS, EdgeTable, Rows

OWN_OBJECT = "own object"  # the rule of calls of inherited methods without a receiver
STATEMENTS = frozenset(("ReadsFrom", "WritesTo", "Executes"))

_FROM, _TO, _RELATION, _RULE = map(NUMBERS.index, ("from_key", "to_key", "relation", "rule"))


def without_idle_uses(edges: EdgeTable) -> EdgeTable:
    """Leave out that methods use their own class for what it inherits, where no statement is told of that class."""
    is_own = np.isin(edges.numbers[_RULE], _places(edges, (OWN_OBJECT,)))
    is_statement = np.isin(edges.numbers[_RELATION], _places(edges, STATEMENTS))
    is_told = np.isin(edges.numbers[_TO], edges.numbers[_FROM, is_statement])
    is_kept = ~is_own | is_told
    return EdgeTable(edges.words, edges.numbers[:, is_kept], edges.confidences[is_kept])


def _places(edges: EdgeTable, words: Collection[str]) -> Rows:
    return np.array([place for place, word in enumerate(edges.words) if word in words], dtype=np.intp)
