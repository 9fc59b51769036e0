"""Find the members of other objects that strings take text from: `{_names.Lock}`, `_names.GetLock()`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ragduck.facts import FileFacts, Member, MemberFact, Name
from ragduck.graph.inline_sql.heirs import is_concrete
from ragduck.graph.types.catalog import Catalog, TypeInfo
from ragduck.graph.types.expressions import Evaluators

_MAX_HEIRS = 100


class Objects:
    """Answer what is asked of an object by its type, where that tells which code runs."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._evaluators: Evaluators | None = None  # of the file that was asked for last

    def members_of(self, expression: Name | Member, *, file: FileFacts, source: str) -> Sequence[MemberFact]:
        """Return the members that a field, parameter, local or result has by a name.

        None where the object may be of a class that has another member of that name.
        """
        if not isinstance(expression, Member):
            return ()
        if self._evaluators is None or self._evaluators.file is not file:
            self._evaluators = Evaluators(self._catalog, file)
        ref = self._evaluators.within(source).type_of(expression.receiver)
        if ref is None or ref.info is None or not is_concrete(ref.info):
            return ()
        if any(expression.name in heir.members for heir in self._heirs(ref.info)):
            return ()
        return self._catalog.members(ref.info, expression.name)

    def _heirs(self, info: TypeInfo) -> Iterator[TypeInfo]:
        pending, seen = list(self._catalog.derived(info)), {info.key}
        while pending and len(seen) < _MAX_HEIRS:
            heir = pending.pop()
            if heir.key not in seen:
                seen.add(heir.key)
                pending.extend(self._catalog.derived(heir))
                yield heir
