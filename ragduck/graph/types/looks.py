"""Note what rules look at of the statements of files, so that it can be told what an edit means to them.

Declarations are looked at by all of them, and statements through few doors: those of one file are unpacked, or it is
asked which files call or make something of a name.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypeVar

from ragduck.facts import FileFacts, HeldStatements, MemberFact, Mentions, StatementFacts

Found = TypeVar("Found")


def beside_tests(name: str) -> str:
    """Say of a name that it was asked for in files that are no tests."""
    return f"{name} beside tests"


@dataclass(slots=True)
class Looks:
    """What was looked at: the paths of files, and the names of which it was asked who calls or makes them.

    In ``idle`` files was nothing of what was looked for. ``acting`` holds where properties that act were asked for.
    ``rules`` are names of others that were asked what they say, ``told`` names what was asked for of all that is told
    of all files together.
    """

    files: set[str] = field(default_factory=set)
    idle: set[str] = field(default_factory=set)
    called: set[str] = field(default_factory=set)
    made: set[str] = field(default_factory=set)
    perhaps: set[str] = field(default_factory=set)
    rules: set[str] = field(default_factory=set)
    told: set[str] = field(default_factory=set)
    acting: bool = False

    def take(self, other: Looks) -> None:
        """Add what another has."""
        self.files |= other.files
        self.idle |= other.idle
        self.called |= other.called
        self.made |= other.made
        self.perhaps |= other.perhaps
        self.rules |= other.rules
        self.told |= other.told
        self.acting |= other.acting

    def asking_as(self, other: Looks) -> Looks:
        """Return the same with what another asked for by name."""
        return replace(
            self,
            called=self.called | other.called,
            made=self.made | other.made,
            perhaps=self.perhaps | other.perhaps,
            told=self.told | other.told,
        )

    def take_change(self, path: str, before: Mentions, now: Mentions, *, is_test: bool = False) -> None:
        """Add all that may be seen of a file whose statements changed, by what they named and name."""
        self.files.add(path)
        for names, some, others in (
            (self.called, before.called, now.called),
            (self.made, before.made, now.made),
            (self.perhaps, before.perhaps, now.perhaps),
        ):
            other = set(some) ^ set(others)
            names.update(other if is_test else (*other, *map(beside_tests, other)))
        self.acting |= before.acting != now.acting

    def ask_for(self, other: Looks) -> bool:
        """Say whether it was asked for files by a name that another has."""
        pairs = ((self.called, other.called), (self.made, other.made), (self.perhaps, other.perhaps))
        return not all(own.isdisjoint(names) for own, names in pairs)

    def look_at(self, other: Looks) -> bool:
        """Say whether files were looked at that another has, or what acts, beside files in which nothing was."""
        return not self.files.isdisjoint(other.files) or (self.acting and other.acting)

    def are_apart_from(self, other: Looks) -> bool:
        """Say whether nothing was looked at that another has, but for files in which nothing was."""
        return not (self.look_at(other) or self.ask_for(other))


class ChangedMembers(NamedTuple):
    """Members of types that are declared otherwise than when rules looked, as they were and as they are.

    ``paths`` are those of the files that declare them. ``touched`` are the files in whose statements one of their
    names stands, None where that may be any. They are ``in_values`` where a name may stand in what others declare;
    where that is known, ``valued`` are the others.

    Where types are declared otherwise, too, ``types`` has the keys of all that these files declared and declare, and
    ``reached`` the files in whose declarations something may mean something else by that; members are all of theirs.
    """

    members: tuple[MemberFact, ...] = ()
    paths: frozenset[str] = frozenset()
    touched: frozenset[str] | None = frozenset()
    in_values: bool = False
    valued: tuple[MemberFact, ...] = ()
    types: frozenset[str] = frozenset()
    reached: frozenset[str] | None = None

    @property
    def are_any(self) -> bool:
        """Whether anything is declared otherwise."""
        return bool(self.members) or self.reached is not None


class Watch:
    """Stand at the doors, and tell those that are noting who went through.

    ``libraries`` are those of which somebody asked whether a file opens them, with the paths of these files.
    """

    def __init__(self) -> None:
        self.libraries: defaultdict[tuple[str, ...], set[str]] = defaultdict(set)
        self._noting: tuple[Looks, ...] = ()

    @contextmanager
    def noting(self, *looks: Looks) -> Iterator[None]:
        """Note what is looked at within, and not for who was noting before."""
        before = self._noting
        self._noting = looks
        try:
            yield
        finally:
            self._noting = before

    def all_in(self, file: FileFacts, find: Callable[[], Iterable[Found]]) -> list[Found]:
        """Return what is found in the statements of a file; it is ``idle`` if that is nothing."""
        looks = Looks()
        with self.noting(looks):
            found = list(find())
        if not found and looks.files <= {file.path}:
            looks.files, looks.idle = set(), looks.files
        self.saw(looks)
        return found

    def once(self, find: Callable[[], Found]) -> Callable[[], Found]:
        """Return what calls a function once; whoever asks has looked at what that looked at."""
        known: list[tuple[Looks, Found]] = []

        def found() -> Found:
            if not known:
                looks = Looks()
                with self.noting(looks):
                    known.append((looks, find()))
            looks, answer = known[0]
            self.saw(looks)
            return answer

        return found

    def over(self, file: FileFacts) -> FileFacts:
        """Return a file that tells when its statements are unpacked."""
        return file._replace(statements=_Watched(file.statements, file.path, self))

    def saw(self, looks: Looks) -> None:
        """Note what somebody has looked at before."""
        for each in self._noting:
            each.take(looks)

    def saw_file(self, path: str) -> None:
        """Note that statements were unpacked."""
        for each in self._noting:
            each.files.add(path)

    def asked_called(self, names: Iterable[str]) -> None:
        """Note that it was asked who calls something of some names."""
        for each in self._noting:
            each.called.update(names)

    def asked_made(self, name: str) -> None:
        """Note that it was asked who makes something of a name."""
        for each in self._noting:
            each.made.add(name)

    def asked_perhaps(self, name: str) -> None:
        """Note that it was asked who may make something of a name."""
        for each in self._noting:
            each.perhaps.add(name)

    def asked_rule(self, name: str) -> None:
        """Note that a rule was asked."""
        for each in self._noting:
            each.rules.add(name)

    def asked_opened(self, path: str, libraries: tuple[str, ...]) -> None:
        """Note that it was asked whether a file opens something of some libraries, for whomever."""
        self.libraries[libraries].add(path)

    def asked_told(self, key: str) -> None:
        """Note that something was asked for of what is told of all files together."""
        for each in self._noting:
            each.told.add(key)

    def asked_acting(self) -> None:
        """Note that it was asked which properties act."""
        for each in self._noting:
            each.acting = True


class _Watched:
    """The statements of a file; what they name is asked for by `Called` alone, which tells of it itself."""

    __slots__ = ("_held", "_path", "_watch")

    def __init__(self, held: HeldStatements, path: str, watch: Watch) -> None:
        self._held = held
        self._path = path
        self._watch = watch

    def unpacked(self) -> StatementFacts:
        self._watch.saw_file(self._path)
        return self._held.unpacked()

    def mentions(self) -> Mentions:
        return self._held.mentions()
