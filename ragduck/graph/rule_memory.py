"""Let rules find again what they found in an earlier run, where nothing that they looked at has changed since.

All rules look at all declarations, so that these have to be what they were, but for the lines on which they stand.
What a rule looks at of statements is noted (`Looks`). What it finds on a line of a file that changed may have moved,
so that it is looked for anew there; most rules can only do that for all files.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ragduck.edge_table import FILE, LINE, EdgeTable
from ragduck.facts import FileFacts
from ragduck.graph.types.looks import Looks, Watch
from ragduck.model import Edge, Node
from ragduck.node_table import NodeTable

SHARED = "shared"  # what is found out once for several rules
NO_EDGES = EdgeTable.of(())
NO_NODES = NodeTable.of(())
# Finds what stands in some files, or in all: what else it finds is left out.
EdgesIn: TypeAlias = Callable[[Collection[FileFacts] | None], EdgeTable]
Lines: TypeAlias = Mapping[str, tuple[int, int]]


class Finding(NamedTuple):
    """What a rule found, as edges, nodes or words by keys, and what it looked at."""

    looks: Looks
    edges: EdgeTable = NO_EDGES
    nodes: NodeTable = NO_NODES
    words: Mapping[str, str] = {}


class Terms(NamedTuple):
    """On what terms a rule finds what it found before.

    What the rules say that it comes ``after`` is given to it. Where it ``is_sharing``, it asks what is found out once
    for several. What it ``finds`` in a file tells whether one that was idle still is; it is given what it said
    of keys.
    """

    after: tuple[str, ...] = ()
    is_sharing: bool = False
    finds: Callable[[FileFacts, Mapping[str, str]], Iterable[object]] | None = None


class RuleMemory:
    """What rules find in this run, and what they ``known`` found in an earlier one.

    ``seen`` is all that may be seen of files that changed since, in no more than statements and lines. Where nothing
    ``is_kept``, nothing is noted either.
    """

    def __init__(
        self, known: Mapping[str, Finding] | None = None, *, seen: Looks | None = None, is_kept: bool = False
    ) -> None:
        self.watch = Watch()
        self.found: dict[str, Finding] = {}
        self.has_news = False
        self._known = known or {}
        self._seen = seen or Looks()
        self._changed: Mapping[str, FileFacts] = {}
        self._is_kept = is_kept
        self._shared = Looks()
        self._early = Looks()  # before it was clear whether what is shared has to be found out
        self._share: Callable[[], str] | None = None
        self._different: set[str] = set()

    def watched(self, files: Sequence[FileFacts]) -> Sequence[FileFacts]:
        """Return files that tell what is looked at of them."""
        if not self._is_kept:
            return files
        found = [self.watch.over(file) for file in files]
        self._changed = {file.path: file for file in found if file.path in self._seen.files}
        return found

    @contextmanager
    def sharing(self, find: Callable[[], str], terms: Terms) -> Iterator[None]:
        """Let what is found out once for several rules be found out as soon as one of them looks anew.

        What it found in statements has to show in the digest that it returns: where that is what it was, the rules
        depend on the names that it asked for and on nothing else that it looked at.
        """
        self._share = find
        try:
            if self._holding(SHARED, terms) is None:
                self._find_shared()
            yield
        finally:
            self._share = None  # which knows the catalog: that is to be freed as soon as it is let go

    def all_found(self) -> Mapping[str, Finding]:
        """Return what was found, and what was known of keys for which nobody asked, where it still holds."""
        unasked = {
            name: one
            for name, one in self._known.items()
            if one.words
            and one.looks.are_apart_from(self._seen)
            and one.looks.idle.isdisjoint(self._seen.files)
        }
        return {**unasked, **self.found} if not self._different else self.found

    def words(
        self, name: str, rule: Callable[[], Mapping[str, str]], terms: Terms | None = None
    ) -> Mapping[str, str]:
        """Return what a rule says of keys."""
        terms = terms or Terms()
        known = self._holding(name, terms)
        if known is None:
            with self._noting(terms) as looks:
                words = rule()
            known = self._learn(name, Finding(looks, words=words))
        self.found[name] = known
        self.watch.asked_rule(name)
        return known.words

    def edges(self, name: str, rule: Callable[[], EdgeTable], terms: Terms | None = None) -> EdgeTable:
        """Return the edges that a rule finds."""
        terms = terms or Terms()
        known = self._holding(name, terms)
        if known is None or self._is_changed(known.edges).any():
            with self._noting(terms) as looks:
                edges = rule()
            known = self._learn(name, Finding(looks, edges))
        self.found[name] = known
        return known.edges

    def edges_in(self, name: str, rule: EdgesIn, terms: Terms) -> EdgeTable:
        """Return the edges that a rule finds which can look at some files only."""
        known = self._holding(name, terms)
        edges = self._brought_up_to_date(known.edges, rule) if known is not None else None
        if known is None or edges is None:
            with self._noting(terms) as looks:
                edges = rule(None)
            known = self._learn(name, Finding(looks, edges))
        self.found[name] = known._replace(edges=edges)
        return edges

    def nodes(
        self,
        name: str,
        rule: Callable[[], Sequence[Node]],
        lines_in: Callable[[FileFacts], Lines],
        terms: Terms,
    ) -> NodeTable:
        """Return the nodes that a rule makes; ``lines_in`` tells the lines of those in a file, by their keys."""
        known = self._holding(name, terms)
        lines = self._lines(known.nodes, lines_in) if known is not None else None
        if known is None or lines is None:
            with self._noting(terms) as looks:
                nodes = NodeTable.of(rule())
            known = self._learn(name, Finding(looks, nodes=nodes))
        else:
            nodes = known.nodes.with_lines(lines) if lines else known.nodes
        self.found[name] = known._replace(nodes=nodes)
        return nodes

    def _holding(self, name: str, terms: Terms) -> Finding | None:
        """Return what a rule found, unless it looked at something that changed."""
        known = self._known.get(name)
        if known is None or not self._different.isdisjoint((*terms.after, *_shared_by(terms))):
            return None
        if not known.looks.rules <= self.found.keys() - self._different:
            return None
        if not known.looks.are_apart_from(self._seen):
            return None
        for path in known.looks.idle & self._changed.keys():
            if terms.finds is None or any(True for _ in terms.finds(self._changed[path], known.words)):
                return None
        return known

    @contextmanager
    def _noting(self, terms: Terms) -> Iterator[Looks]:
        """Note what a rule looks at; what is found out once for several, others may have looked at before."""
        if terms.is_sharing and SHARED not in self.found:
            self._find_shared()
        looks = Looks()
        with self.watch.noting(looks, *([self._shared] if terms.is_sharing else [])):
            yield looks
        if terms.is_sharing:
            looks.take(self._shared)

    def _find_shared(self) -> None:
        if self._share is None or not self._is_kept:
            return
        looks = Looks()
        with self.watch.noting(looks):
            digest = self._share()
        looks.take(self._early)
        self._learn(SHARED, Finding(looks, words={SHARED: digest}))
        self._shared.take(replace(looks, files=set()))

    def _learn(self, name: str, finding: Finding) -> Finding:
        """Take what a rule found anew; others go by what it says of keys."""
        known = self._known.get(name)
        if known is None or known.words != finding.words:
            self._different.add(name)
        self.found[name] = finding
        self.has_news = self.has_news or name != SHARED or name in self._different
        return finding

    def _is_changed(self, edges: EdgeTable) -> NDArray[np.bool_]:
        """Say of each edge whether its file changed."""
        places = [place for place, word in enumerate(edges.words) if word in self._changed]
        return np.isin(edges.numbers[FILE], places)

    def _brought_up_to_date(self, known: EdgeTable, rule: EdgesIn) -> EdgeTable | None:
        """Return known edges, those of files that changed with the lines on which they stand now.

        None where there is more that is different: what stands in the files is also told by others then.
        """
        places = np.flatnonzero(self._is_changed(known)).tolist() if self._changed else []
        if not places:
            return known
        with self.watch.noting(self._early):
            found = rule(tuple(self._changed.values()))
        again = _said(found[place] for place in np.flatnonzero(self._is_changed(found)).tolist())
        before = _said(known[place] for place in places)
        if {said: one[1:] for said, one in before.items()} != {said: one[1:] for said, one in again.items()}:
            return None
        numbers = known.numbers.copy()
        for place in places:
            numbers[LINE, place] = again[_saying(known[place])].line
        return EdgeTable(known.words, numbers, known.confidences)

    def _lines(
        self, nodes: NodeTable, lines_in: Callable[[FileFacts], Lines]
    ) -> Mapping[int, tuple[int, int]] | None:
        """Return the lines of nodes by their places, of those in files that changed; None where one is not told."""
        found: dict[int, tuple[int, int]] = {}
        for path, file in self._changed.items():
            lines = lines_in(file)
            places = nodes.in_file(path)
            if not places.keys() <= lines.keys():
                return None
            found.update((place, lines[key]) for key, place in places.items())
        return found


def _shared_by(terms: Terms) -> Sequence[str]:
    return (SHARED,) if terms.is_sharing else ()


def in_words(rows: Iterable[Sequence[object]]) -> dict[str, str]:
    """Say rows of texts, and of tuples of texts, in words by their places."""
    return {str(place): json.dumps(row) for place, row in enumerate(rows)}


def from_words(words: Mapping[str, str]) -> Iterator[list[Any]]:
    """Yield the rows that `in_words` said, with lists for tuples."""
    return map(json.loads, words.values())


class RulesOfFiles(Protocol):
    """Where the memory of rules comes from, and goes to."""

    def begun(self, files: Sequence[FileFacts]) -> RuleMemory:
        """Return what rules found in files as these."""

    def keep(self, memory: RuleMemory, files: Sequence[FileFacts]) -> None:
        """Keep what they have found now."""


class _Told(NamedTuple):
    """On which line something is said first, and how often and how surely it is."""

    line: int
    sites: int = 0
    confidence: float = 0.0


_Saying: TypeAlias = tuple[str, str, str, str, str, str]


def _said(edges: Iterable[Edge]) -> dict[_Saying, _Told]:
    found: dict[_Saying, _Told] = {}
    for one in edges:
        line, sites, confidence = found.get(_saying(one), _Told(one.line))
        told = _Told(min(line, one.line), sites + one.sites, max(confidence, one.confidence))
        found[_saying(one)] = told
    return found


def _saying(edge: Edge) -> _Saying:
    return edge.from_key, edge.to_key, edge.relation, edge.rule, edge.detail, edge.source_file
