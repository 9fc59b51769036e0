"""Remember what statements use from one run to the next, so that only files that changed are read again.

What is read off a file depends on its own facts, on the declarations of all files, and on what is told of all files
together. An edit within a method mostly leaves all but the first as they are, and a method that is added or gone
matters to those that name it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from typing import Protocol

from ragduck.facts.digests import NO_DECLARATIONS
from ragduck.facts.packing import declarations_of, head_of
from ragduck.graph.code.file_uses import (
    FileUses,
    ReadUses,
    StatementReader,
    UsesOfFiles,
    read_uses,
    uses_together,
)
from ragduck.graph.file_rows import Reach
from ragduck.graph.told import EVERYWHERE, called_otherwise, renamed_otherwise, told_otherwise
from ragduck.preparation.compared_files import ComparedFiles
from ragduck.preparation.known_facts import KnownFacts, digest_of
from ragduck.preparation.known_words import known_words, words_to_keep
from ragduck.preparation.remembered_rows import RowsPlace, Since
from ragduck.preparation.touched_files import Touched, touched_files
from ragduck.preparation.uses_record import KeptUses, packed_heads, packed_uses, unpacked_heads, unpacked_uses

FEW_FILES = 50
FEW_SHARE = 0.05  # of all files, that changed; beyond, what became of the rest is not asked
READ_SHARE = 0.3  # of all files, that this process reads as fast as several read all; two do not even then
SHARED_FILES = (
    20  # that are touched: from there on another process reads some, once it has nothing else to do
)


class AskedElsewhereError(Exception):
    """Another process has not found out what it was asked."""


class Beside(Protocol):
    """Another process that finds out the same among the same files."""

    def touched(self, before: bytes) -> Callable[[], Touched | None]:
        """Ask what is touched since an earlier run. This and what it returns raise AskedElsewhereError."""

    def taken(self, paths: Sequence[str]) -> Iterator[str]:
        """Take over files, from the end on, as long as it has not begun with the next one."""

    def uses(self) -> ReadUses:
        """Return what those of them use that it read. Raises AskedElsewhereError."""


def shared_files(touched: AbstractSet[str], packed: Mapping[str, bytes]) -> list[str]:
    """Return the touched files that a process beside this one reads as well as this one, in order."""
    return sorted(touched & packed.keys()) if len(touched) > SHARED_FILES else []


class RememberedUses:
    """What the statements of a snapshot use: of files that are not touched, what an earlier run found in them.

    ``anew`` begins to find out what the statements of all files use. That is done at once where it is clear by now
    that nothing else will do. ``before`` stands for all facts of that run, and is empty where there was none.
    ``touched`` are the files that are read again, None where that may be many. What is ``beside`` reads some of
    those that are ``shared`` with it; until it knows what is touched, files are ``compared``.
    """

    def __init__(
        self,
        facts: KnownFacts,
        *,
        anew: Callable[[], UsesOfFiles],
        beside: Beside | None = None,
        compared: ComparedFiles | None = None,
    ) -> None:
        self._known = facts
        self._beside = beside
        self._compared = compared
        self.shared: Sequence[str] = ()  # with the other process, if that finds out the same
        self._key = facts.key_of("uses")
        self._heads_key = facts.key_of("heads")
        self._declarations = facts.declarations
        self._facts = facts.digests
        self._anew = anew
        self._kept = self._usable()
        kept = self._kept
        self.before = _stand_in(kept.declarations, kept.facts) if kept is not None else b""
        self.touched = self._touched_since(kept) if kept is not None else None
        self._begun = anew() if self.touched is None else None
        self.rows = RowsPlace(facts.table.path, facts.key_of("rows"), self._since())

    def __call__(self, reader: StatementReader) -> FileUses:
        """Return what statements use, and keep it unless it was kept before."""
        told, kept = reader.told, self._kept
        if kept is not None and kept.facts == self._facts and kept.told == told:
            return kept.uses
        paths = self._to_be_read(reader, told)
        if kept is None or paths is None:
            found = (self._begun or self._anew())(reader)
        else:
            others = kept.uses.without(paths).renamed(renamed_otherwise(kept.told, told))
            found = uses_together([others, *self._read(reader, paths)])
        self._keep(KeptUses(self._declarations, told, self._facts, found))
        return found

    def _read(self, reader: StatementReader, paths: AbstractSet[str]) -> Sequence[FileUses]:
        """Return what the statements of some files use, some of them read by what is beside."""

        beside, shared = self._beside, frozenset(self.shared)
        if beside is None or not shared:
            return [read_uses(reader, sorted(paths)).uses]
        others = read_uses(reader, sorted(paths - shared))
        taken = read_uses(reader, beside.taken(self.shared))
        found = [others.uses, taken.uses]
        left = shared - taken.paths
        with suppress(AskedElsewhereError):
            elsewhere = beside.uses() if left else None
            if elsewhere is not None and elsewhere.paths <= left:
                found.append(elsewhere.uses)
                left -= elsewhere.paths
        return [*found, read_uses(reader, sorted(left)).uses] if left else found

    def _to_be_read(self, reader: StatementReader, told: Mapping[str, str]) -> AbstractSet[str] | None:
        """Return the files that are touched, or asked for something that is told otherwise; None for all."""
        kept, touched = self._kept, self.touched
        if kept is None or touched is None:
            return None
        otherwise = told_otherwise(kept.told, told)
        if EVERYWHERE in otherwise:
            return None
        names = called_otherwise(otherwise)
        calling = reader.calling(names) if names else frozenset()
        paths = touched.reaching | kept.uses.asking(otherwise) | calling
        return paths if self._are_few(paths, share=READ_SHARE) else None

    def _usable(self) -> KeptUses | None:
        """Return what was kept, if few files have changed since."""
        data = self._known.read(self._key)
        kept = unpacked_uses(data, key=self._key) if data is not None else None
        changed = _new_in(self._facts, kept.facts) if kept is not None else set()
        return kept if self._are_few(changed, share=FEW_SHARE) else None

    def _touched_since(self, kept: KeptUses) -> Touched | None:
        """Return the files whose statements have to be read again; None if that is those of many."""
        changed = _new_in(self._facts, kept.facts) | _new_in(kept.facts, self._facts)
        if kept.declarations == self._declarations:
            return Touched(frozenset(changed), frozenset(changed))
        if self._beside is None:
            return self._touched_by(changed, kept)
        try:
            asked = self._beside.touched(self.before)
            files = self._known.files  # which this process needs, too, while the other one is at work
            if self._compared is not None:
                self._compared.compare(changed, tuple(files.values()))
            touched = asked()
        except AskedElsewhereError:
            return self._touched_by(changed, kept)
        self.shared = shared_files(touched.reaching, self._known.packed) if touched is not None else ()
        return touched

    def _touched_by(self, changed: AbstractSet[str], kept: KeptUses) -> Touched | None:
        """Return the files that some which changed touch, where others declare something else than they did."""
        data = self._known.read(self._heads_key)
        heads = (
            unpacked_heads(data, declarations=kept.declarations, key=self._heads_key)
            if data is not None
            else None
        )
        if heads is None:
            return None
        words = known_words(self._known)
        touched = touched_files(heads, self._known.packed, changed, lambda: self._known.files, words)
        is_few = touched is not None and self._are_few(touched.reaching, share=READ_SHARE)
        return touched if is_few else None

    def _since(self) -> Since:
        """Tell rules that read files one by one what has become of these."""
        now, kept = _stand_in(self._declarations, self._facts), self._kept
        if kept is None:
            return Since(self.before, now, {})
        again: dict[Reach, AbstractSet[str]] = {
            Reach.OWN: _new_in(self._facts, kept.facts) | _new_in(kept.facts, self._facts)
        }
        if self.touched is not None and not self.touched.types_may_differ:
            again[Reach.NAMES] = self.touched.paths
            if self.touched.through_values is not None:
                again[Reach.VALUES] = self.touched.paths | self.touched.through_values
        touched = self.touched
        if touched is None:
            return Since(self.before, now, again)
        through = touched.through_values
        paths = touched.paths | (through or frozenset())
        return Since(self.before, now, again, paths, through is None, touched.valued)

    def _are_few(self, paths: AbstractSet[str], *, share: float) -> bool:
        return len(paths) <= max(FEW_FILES, share * len(self._facts))

    def _keep(self, kept: KeptUses) -> None:
        has_other_heads = self._kept is None or self._kept.declarations != self._declarations

        def packed() -> dict[bytes, bytes]:
            rows = {self._key: packed_uses(kept, key=self._key)}
            if has_other_heads:
                rows[self._heads_key] = self._packed_heads()
            return {**rows, **words_to_keep(self._known)}

        if self._key:
            self._known.keep(packed)

    def _packed_heads(self) -> bytes:
        heads = {
            path: head_of(packed)
            for path, packed in self._known.packed.items()
            if declarations_of(packed) != NO_DECLARATIONS
        }
        return packed_heads(heads, declarations=self._declarations, key=self._heads_key)


def _stand_in(declarations: bytes, facts: Mapping[str, bytes]) -> bytes:
    """Hash all facts of all files."""
    return digest_of((declarations, sorted(facts.items())))


def _new_in(facts: Mapping[str, bytes], others: Mapping[str, bytes]) -> set[str]:
    """Return the paths of files that are not, or not as they are here, among others."""
    return {path for path, digest in facts.items() if others.get(path) != digest}
