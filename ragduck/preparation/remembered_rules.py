"""Remember what rules found from one run to the next, so that only those look again that looked at what changed.

Of statements it is noted what a rule looks at. All else is taken for looked at: which files there are, what they
declare, what views show and scripts name. Where any of that changed, all rules look again. Where few files changed,
and all rules found the same, what was kept stays as it is, and the next edit is compared with that.
"""

from __future__ import annotations

from collections.abc import Sequence

from ragduck.facts import FileFacts
from ragduck.facts.digests import beside_digest
from ragduck.facts.packing import declarations_of, named_in, read_mentions
from ragduck.graph.rule_memory import RuleMemory
from ragduck.graph.types.looks import Looks
from ragduck.preparation.known_facts import KnownFacts
from ragduck.preparation.rules_record import KeptRules, KnownFile, packed_rules, unpacked_rules

MOST_CHANGED = 50  # files, of which each is compared, and nearly every rule has looked at one
FEW_CHANGED = 8  # files that may differ from what was kept before it is kept anew


class RememberedRules:
    """What rules found in the files of a snapshot, as far as that still holds."""

    def __init__(self, facts: KnownFacts) -> None:
        self._facts = facts
        self._kept: KeptRules | None = None
        self._changed: frozenset[str] = frozenset()

    def begun(self, files: Sequence[FileFacts]) -> RuleMemory:
        """Return a memory of what rules found in an earlier run."""
        self._kept = self._usable()
        seen = self._seen(self._kept, files) if self._kept is not None else None
        if self._kept is None or seen is None:
            return RuleMemory(is_kept=self._facts.can_be_kept)
        self._changed = frozenset(seen.files)
        return RuleMemory(self._kept.findings, seen=seen, is_kept=True)

    def keep(self, memory: RuleMemory, files: Sequence[FileFacts]) -> None:
        """Keep what rules found, if it is not what was kept."""
        key = self._facts.key_of("rules")
        if key and (memory.has_news or len(self._changed) > FEW_CHANGED):
            kept = KeptRules(self._facts.declarations, self._known_files(files), memory.all_found())
            self._facts.keep(lambda: {key: packed_rules(kept, key=key)})

    def _usable(self) -> KeptRules | None:
        """Return what was kept of the same files with the same declarations."""
        key = self._facts.key_of("rules")
        data = self._facts.read(key)
        kept = (
            unpacked_rules(data, key=key, declarations=self._facts.declarations) if data is not None else None
        )
        return kept if kept is not None and kept.files.keys() == self._facts.digests.keys() else None

    def _seen(self, kept: KeptRules, files: Sequence[FileFacts]) -> Looks | None:
        """Return what can be seen of the files that changed; None where that is more than statements and lines."""
        changed = {path for path, digest in self._facts.digests.items() if kept.files[path].facts != digest}
        if len(changed) > MOST_CHANGED:
            return None
        seen = Looks()
        for file in files if changed else ():
            if file.path in changed:
                before = kept.files[file.path]
                if before.beside != self._beside(file):
                    return None
                seen.take_change(file.path, read_mentions(before.mentions), file.statements.mentions())
        return seen

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
