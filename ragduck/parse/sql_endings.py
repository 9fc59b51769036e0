"""Tell what a script leaves of what it creates: a later DROP takes it away, sp_rename gives it another name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ragduck.facts import ObjectFact, ObjectName, ReferenceFact
from ragduck.sqlreader.definitions import MODULES, read_name, word
from ragduck.sqlreader.statements import GUARDS, Start
from ragduck.sqlreader.system import is_system_object
from ragduck.sqlreader.tokens import Token

ENDING = frozenset({"DROP", "EXEC", "EXECUTE"})
KINDS = MODULES | {"TABLE"}
_EXISTENCE = frozenset({"EXISTS", "OBJECT_ID", "OBJECTPROPERTY"})
_BEFORE_SOURCES = frozenset({"FROM", "JOIN", "APPLY"})
_IS_CHANGED = "alter"  # the action of what is no definition


class _Gone(NamedTuple):
    places: list[int]
    line: int


class _Later(NamedTuple):
    name: str
    line: int


class Endings:
    """Follows the statements of a script in their order; keys are compared without regard to case.

    A script that leaves nothing has a part that undoes it, or cleans up what a reader may well look for: all that
    it creates counts.
    """

    def __init__(self) -> None:
        self._alive: dict[str, list[int]] = {}  # places among the objects
        self._gone: dict[str, _Gone] = {}
        self._renamed: dict[str, str] = {}
        self._later: dict[str, _Later] = {}  # what tables are called from a line on

    def create(self, key: str, place: int) -> None:
        """Take in a definition."""
        folded = key.casefold()
        if folded.rpartition("|")[2].upper() in KINDS:
            before = self._gone.pop(folded, _Gone([], 0)).places
            self._alive.setdefault(folded, before).append(place)

    def drop(self, key: str, *, line: int) -> None:
        """Take in the end of an object."""
        places = self._alive.pop(key.casefold(), None)
        if places is not None:
            self._gone[key.casefold()] = _Gone(places, line)

    def rename(self, old: str, new: str, *, line: int) -> None:
        """Take in that a table is called differently: it may be a new version of one that is gone."""
        places = self._alive.pop(old.casefold(), None)
        replaced = self._gone.pop(new.casefold(), None)
        if replaced is not None:
            self._alive[new.casefold()] = replaced.places
            if places is not None:
                self._gone[old.casefold()] = _Gone(places, line)
                self._later[old.casefold()] = _Later(new, line)
        elif places is not None and new.casefold() not in self._alive:
            self._alive[new.casefold()] = places
            self._renamed[old.casefold()] = new
            self._later[old.casefold()] = _Later(new, line)

    def left_objects(self, objects: Sequence[ObjectFact]) -> tuple[ObjectFact, ...]:
        """Return the objects of the script, those that it drops as no definitions."""
        if not self._is_in_force():
            return tuple(objects)
        gone = {place for one in self._gone.values() for place in one.places}
        return tuple(self._left(fact, is_gone=place in gone) for place, fact in enumerate(objects))

    def left_references(
        self, references: Iterable[ReferenceFact], *, script: str, schema: str
    ) -> tuple[ReferenceFact, ...]:
        """Return the references of the script, without those of and to what it has dropped.

        ``schema`` is that of names without one.
        """
        if not self._is_in_force():
            return tuple(references)
        lines: dict[str, int] = {}
        for key, gone in self._gone.items():
            lines[key.rpartition("|")[0]] = gone.line
        return tuple(
            one._replace(
                source=self._renamed.get(one.source.casefold(), one.source),
                name=self._later_name(one, schema=schema),
            )
            for one in references
            if one.source.casefold() not in self._gone
            and not (one.source == script and one.line <= lines.get(_folded(one, schema), 0))
        )

    def _later_name(self, reference: ReferenceFact, *, schema: str) -> ObjectName:
        """Return what the table is called in the end that a reference names."""
        later = self._later.get(f"{_folded(reference, schema)}|table")
        if later is None or later.line <= reference.line or reference.kind not in ("", "TABLE"):
            return reference.name
        return reference.name._replace(name=later.name.rpartition("|")[0].rpartition(".")[2])

    def _is_in_force(self) -> bool:
        return bool(self._alive) and bool(self._gone or self._renamed)

    def _left(self, fact: ObjectFact, *, is_gone: bool) -> ObjectFact:
        if is_gone or fact.table.casefold() in self._gone:
            return fact._replace(action=_IS_CHANGED)
        new = self._renamed.get(fact.key.casefold())
        if new is not None:
            name = new.rpartition("|")[0].rpartition(".")[2]
            return fact._replace(key=new, name=fact.name._replace(name=name))
        return fact._replace(table=self._renamed.get(fact.table.casefold(), fact.table))


def _folded(reference: ReferenceFact, schema: str) -> str:
    return f"{reference.name.schema or schema}.{reference.name.name}".casefold()


def leaves_sure(tokens: Sequence[Token], start: Start) -> bool:
    """Say whether the statements of a block after this one run with the script as surely as those before it.

    What depends on nothing but whether something exists does, what handles an error does not.
    """
    if start.keyword == "BEGIN" and word(tokens, start.at + 1) == "CATCH":
        return False
    return start.keyword not in GUARDS or _asks_for_existence(tokens, start)


def _asks_for_existence(tokens: Sequence[Token], start: Start) -> bool:
    """Say whether a guard asks for nothing but objects: by their names, or among those that the server lists."""
    condition = tokens[start.at + 1 : start.end]
    if start.keyword != "IF" or any(word(condition, at) == "OR" for at in range(len(condition))):
        return False
    return all(_is_existence(part) for part in _parts(condition))


def _is_existence(condition: Sequence[Token]) -> bool:
    words = [word(condition, at) for at in range(len(condition))]
    sources = [at + 1 for at, written in enumerate(words) if written in _BEFORE_SOURCES]
    if _EXISTENCE.isdisjoint(words) or ("EXISTS" in words and not sources):
        return False
    return all(_is_catalog(condition, at) for at in sources)


def _is_catalog(tokens: Sequence[Token], at: int) -> bool:
    """Say whether a query reads what the server lists there; what stands in parentheses is looked at by itself."""
    name = read_name(tokens, at)[0]
    if name is None:
        return at < len(tokens) and tokens[at].text == "("
    return is_system_object(ObjectName(name.name, name.schema or "", name.database or ""))


def _parts(condition: Sequence[Token]) -> Iterator[Sequence[Token]]:
    """Yield what AND puts together, not that within a query."""
    depth, begin, opened = 0, 0, -1
    for at, token in enumerate(condition):
        if token.text == "(" and word(condition, at + 1) == "SELECT" and opened < 0:
            opened = depth
        depth += (token.text == "(") - (token.text == ")")
        if token.text == ")" and depth == opened:
            opened = -1
        if opened < 0 and word(condition, at) == "AND":
            yield condition[begin:at]
            begin = at + 1
    yield condition[begin:]
