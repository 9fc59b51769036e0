"""Remember what rules found from one run to the next, so that only those look again that looked at what changed.

Of statements it is noted what a rule looks at. All else is taken for looked at: which files there are, what they
declare, what views show and scripts name. Where any of that changed, all rules look again, unless it is only that
types of C# have other members: to many rules these are nothing. Where few files changed, and all rules found the
same, what was kept stays as it is, and the next edit is compared with that.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet

from ragduck.facts import FileFacts, MemberFact
from ragduck.facts.digests import NO_DECLARATIONS, beside_digest, declarations_digest, other_members
from ragduck.facts.packing import declarations_of, named_in, read_head, read_mentions
from ragduck.graph.file_rows import Reach
from ragduck.graph.rule_memory import RuleMemory
from ragduck.graph.types.looks import ChangedMembers, Looks
from ragduck.preparation.declared_otherwise import LANGUAGE, last_name, words_in
from ragduck.preparation.imported_otherwise import imported_otherwise
from ragduck.preparation.known_facts import KnownFacts
from ragduck.preparation.named_values import texts_in
from ragduck.preparation.packed_tables import unpacked_tables
from ragduck.preparation.reached_declarations import reached_declarations
from ragduck.preparation.remembered_rows import RememberedRows, RowsPlace, Since
from ragduck.preparation.rules_record import KeptRules, KnownFile, Libraries, packed_rules, unpacked_rules
from ragduck.preparation.uses_record import unpacked_heads

MOST_CHANGED = 50  # files, of which each is compared, and nearly every rule has looked at one
FEW_CHANGED = 8  # files that may differ from what was kept before it is kept anew


class RememberedRules:
    """What rules found in the files of a snapshot, as far as that still holds.

    ``since`` tells which files may use something else since uses were kept, by what had been declared then.
    """

    def __init__(self, facts: KnownFacts, since: Since) -> None:
        self._facts = facts
        self._since = since
        self._kept: KeptRules | None = None
        self._changed: frozenset[str] = frozenset()
        self._rows = RememberedRows(RowsPlace(facts.table.path, facts.key_of("rows of code"), since))

    def begun(self, files: Sequence[FileFacts]) -> RuleMemory:
        """Return a memory of what rules found in an earlier run."""
        self._kept = self._usable()
        heads = self._heads(self._kept) if self._kept is not None else None
        seen = self._seen(self._kept, heads, files) if self._kept is not None and heads is not None else None
        if self._kept is None or seen is None:
            return RuleMemory(is_kept=self._facts.can_be_kept, rows=self._rows)
        looks, members = seen
        self._changed = frozenset(looks.files)
        return RuleMemory(self._kept.findings, seen=looks, members=members, is_kept=True, rows=self._rows)

    def keep(self, memory: RuleMemory, files: Sequence[FileFacts]) -> None:
        """Keep what rules found, if it is not what was kept."""
        if self._rows.has_news:
            self._facts.keep(self._rows.packed)
        key = self._facts.key_of("rules")
        if key and (memory.has_news or not self._are_few_changes()):

            def packed() -> dict[bytes, bytes]:
                libraries = self._asked_for(memory.watch.libraries)
                kept = KeptRules(
                    self._facts.declarations, self._known_files(files), libraries, memory.all_found()
                )
                return {key: packed_rules(kept, key=key)}

            self._facts.keep(packed)

    def _asked_for(self, now: Libraries) -> Libraries:
        """Return the libraries that were asked for, now or when what is known was found."""
        before = self._kept.libraries if self._kept is not None else {}
        return {of: before.get(of, set()) | now.get(of, set()) for of in before.keys() | now.keys()}

    def _are_few_changes(self) -> bool:
        """Say whether the next run may be compared with what is kept."""
        is_declared = self._kept is not None and self._kept.declarations == self._facts.declarations
        return is_declared and len(self._changed) <= FEW_CHANGED

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

    def _seen(
        self, kept: KeptRules, heads: Mapping[str, bytes], files: Sequence[FileFacts]
    ) -> tuple[Looks, ChangedMembers] | None:
        """Return what can be seen of files that changed; None where that is more than members, statements, lines."""
        changed = {path for path, digest in self._facts.digests.items() if kept.files[path].facts != digest}
        if len(changed) > MOST_CHANGED:
            return None
        seen = Looks()
        others: dict[str, Sequence[MemberFact]] = {}
        declaring: dict[str, FileFacts] = {}  # something else now, as they were
        are_members = True
        apart: list[FileFacts] = []  # that nobody looked through for names
        looked_at = changed | self._since.again.get(Reach.OWN, set())
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
                beside = _beside_of(before) if before is not None and is_otherwise else self._beside(file)
                if (members is None and before is None) or known.beside != beside:
                    return None  # heads may be older than what rules saw
                if before is not None and is_otherwise:
                    declaring[file.path] = before
                are_members = are_members and members is not None
                if members:
                    others[file.path] = members
                before_and_now = read_mentions(known.mentions), file.statements.mentions()
                seen.take_change(file.path, *before_and_now, is_test=file.file_class == "test")
        changes = self._members(kept, others, apart) if are_members else self._declared(declaring, files)
        return (seen, changes) if changes is not None else None

    def _declared(self, before: Mapping[str, FileFacts], files: Sequence[FileFacts]) -> ChangedMembers | None:
        """Return what there is to know where files declare types otherwise than ``before``; None if that is much."""
        reached = reached_declarations(before, files, self._facts.packed)
        if reached is None:
            return None
        now = (file for file in files if file.path in before)
        members = tuple(one for file in (*before.values(), *now) for one in file.members)
        return ChangedMembers(members, frozenset(before), types=reached.keys, reached=reached.paths)

    def _members(
        self, kept: KeptRules, others: Mapping[str, Sequence[MemberFact]], apart: Iterable[FileFacts]
    ) -> ChangedMembers:
        """Return what there is to know of members that changed, by path.

        Of files ``apart`` uses know no more than whether a name stands in the values of members.
        """
        members = tuple(one for found in others.values() for one in found)
        if not members:
            return ChangedMembers()
        again = self._since.again if self._declared_with_uses() == kept.declarations else {}
        touched = again.get(Reach.VALUES, again.get(Reach.NAMES))
        names = {one.name.rpartition(".")[2] for one in members}
        return ChangedMembers(
            members=members,
            paths=frozenset(others),
            touched=frozenset(touched) if touched is not None else None,
            in_values=Reach.VALUES not in again or any(_names_one(file, names) for file in apart),
            valued=self._since.valued,
        )

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

    def _declared_with_uses(self) -> bytes:
        """Return the hash of all declarations with which uses were kept."""
        key = self._facts.key_of("uses")
        data = self._facts.read(key)
        tables = unpacked_tables(data, key, count=1) if data is not None else None
        found: bytes = tables[0].schema.metadata[b"declarations"] if tables is not None else b""
        return found

    def _known_files(self, files: Sequence[FileFacts]) -> dict[str, KnownFile]:
        known = self._kept.files if self._kept is not None else {}
        found: dict[str, KnownFile] = {}
        for file in files:
            before, digest = known.get(file.path), self._facts.digests[file.path]
            if before is None or before.facts != digest:
                before = KnownFile(digest, self._beside(file), named_in(self._facts.packed[file.path]))
            found[file.path] = before
        return found

    def _beside(self, file: FileFacts) -> bytes:
        return beside_digest(file, declarations=declarations_of(self._facts.packed[file.path]))


def _beside_of(file: FileFacts) -> bytes:
    return beside_digest(file, declarations=declarations_digest(file))


def _names_one(file: FileFacts, names: AbstractSet[str]) -> bool:
    """Say whether what a file says beside values may name a member."""
    marks = ([one.attributes for one in file.types], [one.attributes for one in file.members])
    return not names.isdisjoint(words_in(texts_in((marks, file.views))))
