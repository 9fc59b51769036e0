"""Remember what rules found from one run to the next, so that only those look again that looked at what changed.

Of statements it is noted what a rule looks at. All else is taken for looked at: which files there are, what they
declare, what views show and scripts name. Where any of that changed, all rules look again, unless it is only that
types of C# have other members: to many rules these are nothing. Where few files changed, and all rules found the
same, what was kept stays as it is, and the next edit is compared with that.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from ragduck.facts import FileFacts
from ragduck.facts.packing import named_in
from ragduck.graph.file_rows import Reach
from ragduck.graph.rule_memory import RuleMemory
from ragduck.graph.types.looks import ChangedMembers
from ragduck.preparation.compared_files import Changes, ComparedFiles
from ragduck.preparation.declared_otherwise import texts_in, words_in
from ragduck.preparation.known_facts import KnownFacts
from ragduck.preparation.packed_tables import unpacked_tables
from ragduck.preparation.remembered_rows import RememberedRows, RowsPlace, Since
from ragduck.preparation.rules_record import KeptRules, KnownFile, Libraries, packed_rules

FEW_CHANGED = 8  # files that may differ from what was kept before it is kept anew


class RememberedRules:
    """What rules found in the files of a snapshot, as far as that still holds.

    ``compared`` are the files, which may have been compared by now. ``since`` tells which of them may use something
    else since uses were kept, by what had been declared then.
    """

    def __init__(self, facts: KnownFacts, compared: ComparedFiles, since: Since) -> None:
        self._facts = facts
        self._compared = compared
        self._since = since
        self._rows = RememberedRows(RowsPlace(facts.table.path, facts.key_of("rows of code"), since))

    def begun(self, files: Sequence[FileFacts]) -> RuleMemory:
        """Return a memory of what rules found in an earlier run."""
        self._compared.compare(self._since.again.get(Reach.OWN, set()), files)
        kept, changes = self._compared.kept, self._compared.changes
        if kept is None or changes is None:
            return RuleMemory(is_kept=self._facts.can_be_kept, rows=self._rows)
        members = changes.types or self._members(kept, changes)
        return RuleMemory(kept.findings, seen=changes.looks, members=members, is_kept=True, rows=self._rows)

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
        before = self._compared.kept.libraries if self._compared.kept is not None else {}
        return {of: before.get(of, set()) | now.get(of, set()) for of in before.keys() | now.keys()}

    def _are_few_changes(self) -> bool:
        """Say whether the next run may be compared with what is kept."""
        kept, changes = self._compared.kept, self._compared.changes
        is_declared = kept is not None and kept.declarations == self._facts.declarations
        return is_declared and (changes is None or len(changes.looks.files) <= FEW_CHANGED)

    def _members(self, kept: KeptRules, changes: Changes) -> ChangedMembers:
        """Return what there is to know of members that changed.

        Of files apart uses know no more than whether a name stands in the values of members.
        """
        members = tuple(one for found in changes.members.values() for one in found)
        if not members:
            return ChangedMembers()
        again = self._since.again if self._declared_with_uses() == kept.declarations else {}
        touched = again.get(Reach.VALUES, again.get(Reach.NAMES))
        names = {one.name.rpartition(".")[2] for one in members}
        return ChangedMembers(
            members=members,
            paths=frozenset(changes.members),
            touched=frozenset(touched) if touched is not None else None,
            in_values=Reach.VALUES not in again or any(_names_one(file, names) for file in changes.apart),
            valued=self._since.valued,
        )

    def _declared_with_uses(self) -> bytes:
        """Return the hash of all declarations with which uses were kept."""
        key = self._facts.key_of("uses")
        data = self._facts.read(key)
        tables = unpacked_tables(data, key, count=1) if data is not None else None
        found: bytes = tables[0].schema.metadata[b"declarations"] if tables is not None else b""
        return found

    def _known_files(self, files: Sequence[FileFacts]) -> dict[str, KnownFile]:
        known = self._compared.kept.files if self._compared.kept is not None else {}
        found: dict[str, KnownFile] = {}
        for file in files:
            before, digest = known.get(file.path), self._facts.digests[file.path]
            if before is None or before.facts != digest:
                before = KnownFile(
                    digest, self._compared.beside(file), named_in(self._facts.packed[file.path])
                )
            found[file.path] = before
        return found


def _names_one(file: FileFacts, names: AbstractSet[str]) -> bool:
    """Say whether what a file says beside values may name a member."""
    marks = ([one.attributes for one in file.types], [one.attributes for one in file.members])
    return not names.isdisjoint(words_in(texts_in((marks, file.views))))
