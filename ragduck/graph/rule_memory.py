"""Let rules find again what they found in an earlier run, where nothing that they looked at has changed since.

All rules look at all declarations, so that these have to be what they were, but for the lines on which they stand,
and for members of which a rule says that they are nothing to it, or in which files alone they are something.
What a rule looks at of statements is noted (`Looks`). What it finds on a line of a file that changed may have moved,
so that it is looked for anew there; most rules can only do that for all files.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, NamedTuple, Protocol, TypeAlias

from ragduck.edge_table import EdgeTable, together
from ragduck.facts import FileFacts, MemberFact
from ragduck.graph.file_rows import FileRows, Reach, ReadAnew
from ragduck.graph.said_edges import said_in
from ragduck.graph.told import EVERYWHERE
from ragduck.graph.types.looks import ChangedMembers, Looks, Watch
from ragduck.model import Node
from ragduck.node_table import NodeTable

SHARED = "shared"  # what is found out once for several rules
NO_EDGES = EdgeTable.of(())
NO_NODES = NodeTable.of(())
# Finds what stands in some files, or in all: what else it finds is left out.
EdgesIn: TypeAlias = Callable[[Collection[FileFacts] | None], EdgeTable]
Lines: TypeAlias = Mapping[str, tuple[int, int]]
NO_CHANGES = ChangedMembers()
_ANEW = ReadAnew()
NO_KEYS: frozenset[str] = frozenset()


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

    A rule that ``regards`` members looks at some among those of all types, at others by names alone, as far as it has
    a ``reach``. One that can look at some files only may say that other members let it find something else where
    they ``bear`` on files, and nowhere else. For any other rule all members count. Where one ``is_by_file``, names
    lead it to nothing but files, in which it looks for what it ``finds``. One that ``is_of_declarations`` can be told
    types, too, that are declared otherwise; any other one looks anew then.
    """

    after: tuple[str, ...] = ()
    is_sharing: bool = False
    finds: Callable[[FileFacts, Mapping[str, str]], Iterable[object]] | None = None
    is_by_file: bool = False
    regards: Callable[[MemberFact], bool] | None = None
    reach: Reach = Reach.VALUES
    bear: Callable[[ChangedMembers], Iterable[FileFacts]] | None = None
    is_of_declarations: bool = False


class Said(NamedTuple):
    """What a rule says by keys, and for which keys that is all that there is to say."""

    words: Mapping[str, str]
    is_said: Callable[[str], bool]


class RuleMemory:
    """What rules find in this run, and what they ``known`` found in an earlier one.

    ``seen`` is all that may be seen of files that changed since, in no more than statements, lines and ``members``.
    Where nothing ``is_kept``, nothing is noted either. ``rows`` know what is read off files one by one.
    """

    def __init__(
        self,
        known: Mapping[str, Finding] | None = None,
        *,
        seen: Looks | None = None,
        members: ChangedMembers = NO_CHANGES,
        is_kept: bool = False,
        rows: FileRows = _ANEW,
    ) -> None:
        self.rows = rows
        self.watch = Watch()
        self.found: dict[str, Finding] = {}
        self.has_news = False
        self._known = known or {}
        self._seen = seen or Looks()
        self._members = members
        self._changed: Mapping[str, FileFacts] = {}
        self._touched: Mapping[str, FileFacts] = {}
        self._is_kept = is_kept
        self._shared = Looks()
        self._early = Looks()  # before it was clear whether what is shared has to be found out
        self._share: Callable[[], Mapping[str, str]] | None = None
        self._different: dict[str, frozenset[str]] = {}  # what rules say, by the keys of which they do

    def watched(self, files: Sequence[FileFacts]) -> Sequence[FileFacts]:
        """Return files that tell what is looked at of them."""
        if not self._is_kept:
            return files
        found = [self.watch.over(file) for file in files]
        touched = self._seen.files | (self._members.touched or frozenset())
        self._touched = {file.path: file for file in found if file.path in touched}
        self._changed = {path: file for path, file in self._touched.items() if path in self._seen.files}
        return found

    @contextmanager
    def sharing(self, find: Callable[[], Mapping[str, str]], terms: Terms) -> Iterator[None]:
        """Let what is found out once for several rules be found out as soon as one of them looks anew.

        What it found in statements has to show in what it says: where that is what it was of all that a rule asked
        for, the rule does not depend on what it looked at. That is found out first, so that it is known by then.
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
        is_known = not self._different and not self._members.are_any
        return {**unasked, **self.found} if is_known else self.found

    @property
    def other_types(self) -> frozenset[str]:
        """The keys of all types in files of which some are declared otherwise, as these were and as they are."""
        return self._members.types

    def differing(self, names: Iterable[str]) -> frozenset[str]:
        """Return the keys of which some rules say something else than they did."""
        return frozenset(key for name in names for key in self._different.get(name, ()))

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

    def say(self, name: str, words: Mapping[str, str]) -> None:
        """Let rules that come after this know what is found out each time."""
        known = self._known.get(name)
        if known is None or known.words != words:
            known = self._learn(name, Finding(Looks(), words=words))
        self.found[name] = known

    def words_in(
        self, name: str, rule: Callable[[ChangedMembers | None], Said], terms: Terms
    ) -> Mapping[str, str]:
        """Return what a rule says of keys which can say it of those alone for which changed members matter.

        That is all it has to regard of members, so that its terms have nothing of them.
        """
        known = self._holding(name, terms)
        if known is None or self._members.are_any:
            with self._noting(terms) as looks:
                said = rule(self._members if known is not None else None)
            before = known.words.items() if known is not None else ()
            words = {**{key: word for key, word in before if not said.is_said(key)}, **said.words}
            if known is not None:
                looks.take(known.looks)
            finding = Finding(looks, words=words)
            known = finding if known is not None and words == known.words else self._learn(name, finding)
        self.found[name] = known
        self.watch.asked_rule(name)
        return known.words

    def edges(self, name: str, rule: Callable[[], EdgeTable], terms: Terms | None = None) -> EdgeTable:
        """Return the edges that a rule finds."""
        terms = terms or Terms()
        known = self._holding(name, terms)
        if known is None or len(_in_files(known.edges, self._changed.keys())):
            with self._noting(terms) as looks:
                edges = rule()
            known = self._learn(name, Finding(looks, edges))
        self.found[name] = known
        return known.edges

    def edges_in(self, name: str, rule: EdgesIn, terms: Terms) -> EdgeTable:
        """Return the edges that a rule finds which can look at some files only."""
        known = self._holding(name, terms)
        known = self._brought_up_to_date(known, rule, terms) if known is not None else None
        if known is None:
            with self._noting(terms) as looks:
                edges = rule(None)
            known = self._learn(name, Finding(looks, edges))
        self.found[name] = known
        return known.edges

    def nodes(
        self,
        name: str,
        rule: Callable[[], Iterable[Node]],
        lines_in: Callable[[FileFacts], Lines],
        terms: Terms,
        remade: Callable[[NodeTable, AbstractSet[str]], NodeTable | None],
    ) -> NodeTable:
        """Return the nodes that a rule makes; ``lines_in`` tells the lines of those in a file, by their keys.

        Where members changed, known nodes are ``remade``, given the paths of the files that declare them.
        """
        known = self._holding(name, terms)
        nodes = self._nodes_as_now(known.nodes, lines_in, remade) if known is not None else None
        if known is None or nodes is None:
            with self._noting(terms) as looks:
                nodes = NodeTable.of(rule())
            known = self._learn(name, Finding(looks, nodes=nodes))
        self.found[name] = known._replace(nodes=nodes)
        return nodes

    def _holding(self, name: str, terms: Terms) -> Finding | None:
        """Return what a rule found, unless it looked at something that changed."""
        known = self._known.get(name)
        if known is None or not self._different.keys().isdisjoint(terms.after):
            return None
        if self._members.reached is not None and not terms.is_of_declarations:
            return None
        if terms.is_sharing and not self._different.get(SHARED, NO_KEYS).isdisjoint(
            (EVERYWHERE, *known.looks.told)
        ):
            return None
        if not known.looks.rules <= self.found.keys() - self._different.keys():
            return None
        if known.looks.look_at(self._seen) or self._mean_something_to(terms, known.looks):
            return None
        if known.looks.ask_for(self._seen):
            if not terms.is_by_file:
                return None
            # names lead to files that changed: those are idle unless something is found there
            idle = known.looks.idle | self._changed.keys()
            known = known._replace(looks=replace(known.looks, idle=idle))
        is_by_name = terms.reach is not Reach.OWN
        for path in known.looks.idle & (self._touched if is_by_name else self._changed).keys():
            if terms.finds is None or any(True for _ in terms.finds(self._touched[path], known.words)):
                return None
        return known

    def _mean_something_to(self, terms: Terms, looks: Looks) -> bool:
        """Say whether members that changed may let a rule find something else, but for files on which they bear."""
        changes = self._members
        if not changes.are_any:
            return False
        if terms.bear is None and (terms.regards is None or any(map(terms.regards, changes.members))):
            return True
        if terms.reach is Reach.OWN:
            return False
        if terms.reach is Reach.VALUES and (
            changes.in_values or (terms.regards is not None and any(map(terms.regards, changes.valued)))
        ):
            return True
        if changes.touched is None:
            return bool(looks.files or looks.idle)
        return not looks.files.isdisjoint(changes.touched)

    @contextmanager
    def _noting(self, terms: Terms) -> Iterator[Looks]:
        """Note what a rule looks at; what is found out once for several, others may have looked at before.

        Whoever asks for something that is told is noted each time.
        """
        if terms.is_sharing and SHARED not in self.found:
            self._find_shared()
        looks = Looks()
        with self.watch.noting(looks, *([self._shared] if terms.is_sharing else [])):
            yield looks
        if terms.is_sharing:
            looks.take(replace(self._shared, told=set()))

    def _find_shared(self) -> None:
        if self._share is None or not self._is_kept:
            return
        looks = Looks()
        with self.watch.noting(looks):
            words = self._share()
        looks.take(self._early)
        self._learn(SHARED, Finding(looks, words=words))

    def _learn(self, name: str, finding: Finding) -> Finding:
        """Take what a rule found anew; others go by what it says of keys."""
        known = self._known.get(name)
        if known is None or known.words != finding.words:
            before = known.words.items() if known is not None else ()
            self._different[name] = frozenset(key for key, _ in before ^ finding.words.items())
        self.found[name] = finding
        self.has_news = self.has_news or name != SHARED or name in self._different
        return finding

    def _brought_up_to_date(self, finding: Finding, rule: EdgesIn, terms: Terms) -> Finding | None:
        """Return known edges, those of files that changed or on which members bear as they are now.

        None where more than lines differs in others: what stands in files is also told by others then. What is asked
        for there counts from then on.
        """
        known, looks = finding.edges, Looks()
        bear = terms.bear if self._members.are_any else None
        other = {file.path: file for file in (bear(self._members) if bear is not None else ())}
        again = {**self._changed, **other}
        if not other and not len(_in_files(known, again.keys())):
            return finding
        with self.watch.noting(looks, self._early):
            found = rule(tuple(again.values()))
        found = _in_files(found, again.keys())
        moved = self._changed.keys() - other.keys()
        before, now = (said_in(_in_files(one, moved)) for one in (known, found))
        if {said: one[1:] for said, one in before.items()} != {said: one[1:] for said, one in now.items()}:
            return None
        edges = together([known.without(again.keys()), found])
        return finding._replace(looks=finding.looks.asking_as(looks), edges=edges)

    def _nodes_as_now(
        self,
        known: NodeTable,
        lines_in: Callable[[FileFacts], Lines],
        remade: Callable[[NodeTable, AbstractSet[str]], NodeTable | None],
    ) -> NodeTable | None:
        """Return known nodes with the lines on which they stand now; None where one is not told."""
        lines: dict[int, tuple[int, int]] = {}
        for path in self._changed.keys() - self._members.paths:
            told, places = lines_in(self._changed[path]), known.in_file(path)
            if not places.keys() <= told.keys():
                return None
            lines.update((place, told[key]) for key, place in places.items())
        moved = known.with_lines(lines) if lines else known
        return remade(moved, self._members.paths)


def _in_files(edges: EdgeTable, paths: AbstractSet[str]) -> EdgeTable:
    """Return the edges that stand in one of some files."""
    return edges.chosen(edges.have("source_file", paths))


def is_nothing(_: MemberFact) -> bool:
    """Say of a member that it is nothing to a rule but by its name."""
    return False


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
