"""Tell what saves changes: SaveChanges, and the methods of a snapshot that only pass it on, like Commit."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator

from ragduck.facts import Call, CallFact, FileFacts, MemberFact, Parameter, StatementFacts
from ragduck.graph.code.senders import called
from ragduck.graph.entities.linq_operations import SAVES, both
from ragduck.graph.types.catalog import Catalog, TypeInfo
from ragduck.graph.types.chains import function_name
from ragduck.graph.types.expressions import Evaluator, Evaluators
from ragduck.graph.types.methods import best_overload

_PASSES_ON = re.compile(r"(?:Save|Commit|Complete|Flush|Persist|Submit)(?=[A-Z]|$)")
_SWITCHES = frozenset(("CancellationToken", "bool"))  # parameters that do not say what is to be saved
_VALUES = frozenset(
    ("Guid", "int", "long", "string")
)  # that need not be given: of what saves is done for, if at all
_MAX_ROUNDS = 4  # a service that saves by a unit of work that saves by a context


class Savers:
    """The methods of a snapshot that save whatever has been changed: they are told nothing of it."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._keys: set[str] = set()
        self._names: set[str] = set()
        fresh = set(both(SAVES))
        for _ in range(_MAX_ROUNDS):
            files = tuple(catalog.files_calling(fresh))
            fresh = {name for file in files for name in self._read(file)}
            self._names |= fresh

    @property
    def told(self) -> object:
        """Which methods save."""
        return sorted(self._keys), sorted(self._names)

    def files(self) -> Iterator[FileFacts]:
        """Yield the files that may save changes."""
        return self._catalog.files_calling(both(SAVES) | self._names)

    def may_save(self, names: Iterable[str]) -> bool:
        """Say whether something that is called by one of these names may save changes."""
        return any(name in self._names or name.startswith(SAVES) for name in names)

    def saves(self, call: Call, evaluator: Evaluator) -> bool:
        """Say whether a call saves changes."""
        name = function_name(call)
        if name.startswith(SAVES):
            return True
        if name not in self._names or len(call.arguments) > len(_SWITCHES):
            return False
        found = called(call, evaluator)
        if found is None:
            return False
        method = best_overload(found, count=len(call.arguments), generic=len(call.type_arguments))
        return method.key in self._keys and _is_told_nothing(method)

    def sources(self, statements: StatementFacts, within: Callable[[str], Evaluator]) -> frozenset[str]:
        """Return the declarations of a file that save changes; ``within`` tells the types in each."""
        return frozenset(fact.source for fact in self._saving(statements, within))

    def _saving(self, statements: StatementFacts, within: Callable[[str], Evaluator]) -> Iterator[CallFact]:
        for fact in statements.calls:
            name = function_name(fact.call)
            if (name in self._names or name.startswith(SAVES)) and self.saves(fact.call, within(fact.source)):
                yield fact

    def _read(self, file: FileFacts) -> Iterator[str]:
        """Note which methods of a file pass on that changes are saved; yield the names of new ones."""
        if file.file_class == "test":
            return
        within = Evaluators(self._catalog, file).within
        members: defaultdict[str, list[MemberFact]] = defaultdict(list)
        for member in file.members:
            members[member.key].append(member)
        for fact in self._saving(file.statements.unpacked(), within):
            owner = self._catalog.owner_of(fact.source)
            for member in members[fact.source] if owner is not None else ():
                if member.line <= fact.line <= member.end_line:
                    yield from self._note(member, owner)

    def _note(self, member: MemberFact, owner: TypeInfo | None) -> Iterator[str]:
        """Note a method and the declarations that it implements."""
        is_noted = _PASSES_ON.match(member.name) is not None and _is_told_nothing(member)
        if not is_noted or member.key in self._keys or member.name.startswith(SAVES):
            return
        self._keys.add(member.key)
        for base in self._catalog.ancestors(owner) if owner is not None else ():
            declared = base.info.members.get(member.name, ()) if base.info is not None else ()
            self._keys.update(one.key for one in declared)
        yield member.name


def _is_told_nothing(method: MemberFact) -> bool:
    return all(_says_nothing(one.type.rstrip("?").rpartition(".")[2], one) for one in method.parameters)


def _says_nothing(name: str, parameter: Parameter) -> bool:
    return name in _SWITCHES or (parameter.is_optional and name in _VALUES)
