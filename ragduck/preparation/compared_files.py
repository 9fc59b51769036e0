"""Compare files with what rules found in an earlier run: what changed in them since, as far as rules can see it.

That takes long where types are declared otherwise, and nothing but the files themselves, so that it can be done while
another process finds out whose statements that touches.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from ragduck.facts import FileFacts, MemberFact
from ragduck.facts.digests import NO_DECLARATIONS, beside_digest, declarations_digest, other_members
from ragduck.facts.packing import declarations_of, read_head, read_mentions
from ragduck.graph.types.looks import ChangedMembers, Looks
from ragduck.preparation.declared_otherwise import LANGUAGE, last_name
from ragduck.preparation.imported_otherwise import imported_otherwise
from ragduck.preparation.known_facts import KnownFacts
from ragduck.preparation.known_words import known_words
from ragduck.preparation.reached_declarations import reached_declarations
from ragduck.preparation.rules_record import KeptRules, unpacked_rules
from ragduck.preparation.uses_record import unpacked_heads

MOST_CHANGED = 50  # files, of which each is compared, and nearly every rule has looked at one


class Changes(NamedTuple):
    """What changed in files: what can be seen of them, and members that are declared otherwise, by their paths.

    Files ``apart`` differ, too, from those of which uses were kept. Where ``types`` are declared otherwise, that has
    all there is to know of declarations.
    """

    looks: Looks
    members: Mapping[str, Sequence[MemberFact]]
    apart: Sequence[FileFacts]
    types: ChangedMembers | None = None


class ComparedFiles:
    """The files of a snapshot, and what rules found in them in an earlier run.

    ``kept`` is None where nothing was kept of the same files.
    """

    def __init__(self, facts: KnownFacts) -> None:
        self._facts = facts
        self._is_compared = False
        self.kept: KeptRules | None = None
        self.changes: Changes | None = None

    def compare(self, own: AbstractSet[str], files: Sequence[FileFacts]) -> None:
        """Compare the ``files``, unless they were; their ``own`` facts differ from those of which uses were kept.

        There are no `changes` afterwards where they are more than members, statements, lines and types of C#.
        """
        if not self._is_compared:
            self._is_compared = True
            self.kept = self._usable()
            heads = self._heads(self.kept) if self.kept is not None else None
            if self.kept is not None and heads is not None:
                self.changes = self._changes(self.kept, heads, own, files)

    def beside(self, file: FileFacts) -> bytes:
        """Return a hash of what rules see of a file beside its declarations."""
        return beside_digest(file, declarations=declarations_of(self._facts.packed[file.path]))

    def _usable(self) -> KeptRules | None:
        """Return what was kept of the same files."""
        key = self._facts.key_of("rules")
        data = self._facts.read(key)
        kept = unpacked_rules(data, key=key) if data is not None else None
        return kept if kept is not None and kept.files.keys() == self._facts.digests.keys() else None

    def _heads(self, kept: KeptRules) -> Mapping[str, bytes] | None:
        """Return the packed declarations of files by path as they were, none if they are what they were."""
        if kept.declarations == self._facts.declarations:
            return {}
        key = self._facts.key_of("heads")
        data = self._facts.read(key)
        return unpacked_heads(data, declarations=kept.declarations, key=key) if data is not None else None

    def _changes(
        self,
        kept: KeptRules,
        heads: Mapping[str, bytes],
        own: AbstractSet[str],
        files: Sequence[FileFacts],
    ) -> Changes | None:
        changed = {path for path, digest in self._facts.digests.items() if kept.files[path].facts != digest}
        if len(changed) > MOST_CHANGED:
            return None
        seen = Looks()
        others: dict[str, Sequence[MemberFact]] = {}
        declaring: dict[str, FileFacts] = {}  # something else now, as they were
        are_members = True
        apart: list[FileFacts] = []  # that nobody looked through for names
        looked_at = changed | own
        for file in files if changed else ():
            if file.path not in looked_at:
                continue
            head = heads.get(file.path)
            before = read_head(head) if head is not None else None
            apart += [file] if before is None else [before, file]
            if file.path in changed:
                known = kept.files[file.path]
                members = self._other_members(before, file, files, kept) if heads else ()
                is_otherwise = before is not None and members != ()
                beside = _beside_of(before) if before is not None and is_otherwise else self.beside(file)
                if (members is None and before is None) or known.beside != beside:
                    return None  # heads may be older than what rules saw
                if before is not None and is_otherwise:
                    declaring[file.path] = before
                are_members = are_members and members is not None
                if members:
                    others[file.path] = members
                before_and_now = read_mentions(known.mentions), file.statements.mentions()
                seen.take_change(file.path, *before_and_now, is_test=file.file_class == "test")
        types = self._declared(declaring, files) if not are_members else None
        return Changes(seen, others, apart, types) if are_members or types is not None else None

    def _declared(self, before: Mapping[str, FileFacts], files: Sequence[FileFacts]) -> ChangedMembers | None:
        """Return what there is to know where files declare types otherwise than ``before``; None if that is much."""
        reached = reached_declarations(before, files, self._facts.packed, known_words(self._facts))
        if reached is None:
            return None
        now = (file for file in files if file.path in before)
        members = tuple(one for file in (*before.values(), *now) for one in file.members)
        return ChangedMembers(members, frozenset(before), types=reached.keys, reached=reached.paths)

    def _other_members(
        self,
        before: FileFacts | None,
        now: FileFacts,
        files: Sequence[FileFacts],
        kept: KeptRules,
    ) -> Sequence[MemberFact] | None:
        """Return the members that a file declares otherwise, if any; None where it declares more otherwise."""
        declarations = declarations_of(self._facts.packed[now.path])
        if declarations == (declarations_digest(before) if before is not None else NO_DECLARATIONS):
            return ()
        if before is None or now.language != LANGUAGE:
            return None
        if before.imports == now.imports:
            return other_members(before, now)
        others = {file.path: file for file in files if file.path != now.path}
        libraries = {one for of, paths in kept.libraries.items() if now.path in paths for one in of}
        names = imported_otherwise(before, now, others, libraries)
        if names is None:
            return None
        return tuple(one for one in (*before.members, *now.members) if last_name(one) in names)


def _beside_of(file: FileFacts) -> bytes:
    return beside_digest(file, declarations=declarations_digest(file))
