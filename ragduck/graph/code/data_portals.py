"""Find what data portals of CSLA run: `portal.FetchAsync(id)` the `[Fetch]` or `DataPortal_Fetch` of the class."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ragduck.facts import Call, FileFacts, Member, MemberFact, Name
from ragduck.graph.code.edges import EdgeCollector, Site
from ragduck.graph.types.catalog import Catalog, TypeInfo
from ragduck.graph.types.chains import function_name
from ragduck.graph.types.declarations import family_of, is_interface_name
from ragduck.graph.types.expressions import Evaluator, Evaluators
from ragduck.graph.types.externals import is_collection
from ragduck.graph.types.methods import parameter_type

RULE = "data portal"
TOLD = 0.8
PORTALS = frozenset(("IDataPortal", "IChildDataPortal", "DataPortal", "ChildDataPortal"))
_STATIC = "DataPortal"  # of versions before 6, which is told the class by a type argument
_FACTORY = "GetPortal"
_SAVING = re.compile(r"Business\w*Base")
_WRITING = ("Insert", "Update", "DeleteSelf")
_CONVENTION = re.compile(r"(DataPortal|Child)_(\w+?)(?:Async)?")
_CHILD = ("", "Child")
_OPERATIONS = frozenset(
    f"{one}{child}" for one in ("Create", "Fetch", *_WRITING, "Delete", "Execute") for child in _CHILD
)


def _forms(name: str) -> Iterator[str]:
    yield from (f"{begin}{name}{end}" for begin in ("", "Begin") for end in ("", "Async"))


_ASKED = {
    form: (verb, child)
    for verb in ("Create", "Fetch", "Update", "Delete", "Execute")
    for child in _CHILD
    for form in _forms(f"{verb}{child}")
}
_SAVED = dict.fromkeys((form for verb in ("Save", "SaveAndMerge") for form in _forms(verb)), ("Update", ""))
_CALLS = _ASKED | _SAVED


def add_data_portal_calls(catalog: Catalog, edges: EdgeCollector) -> None:
    """Relate who asks a data portal for an object of a class to the data access methods of that."""
    operations = _Operations(catalog)
    for file in catalog.files_calling(_CALLS) if operations else ():
        if family_of(file.language) == "csharp":
            _add_of(file, catalog, edges, operations=operations)


def _add_of(file: FileFacts, catalog: Catalog, edges: EdgeCollector, *, operations: _Operations) -> None:
    evaluators = Evaluators(catalog, file)
    for fact in file.calls:
        if function_name(fact.call) in _CALLS and isinstance(fact.call.function, Member):
            site = Site(file.path, fact.line)
            for one in operations.run_by(fact.call, evaluators.within(fact.source)):
                edges.add(fact.source, one.key, relation="Calls", rule=RULE, at=site, confidence=TOLD)


class _Operations:
    """The data access methods of a snapshot: what they do and for which class."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._of: dict[str, list[tuple[str, MemberFact]]] = {}
        for info in catalog.types.values():
            is_class = family_of(info.language) == "csharp" and not info.is_interface
            found = list(_operations(info)) if is_class else []
            if found:
                self._of[info.key] = found

    def __bool__(self) -> bool:
        return bool(self._of)

    def run_by(self, call: Call, evaluator: Evaluator) -> Iterator[MemberFact]:
        """Yield the methods that a call of a data portal, or one that saves an object, runs."""
        name = function_name(call)
        info = self._asked(call, evaluator) if name in _ASKED else self._saved(call, evaluator)
        if info is None:
            return
        verb, child = _CALLS[name]
        count = len(call.arguments)
        if verb == "Execute" and count == 1:  # of a command, or with criteria
            command = evaluator.type_of(call.arguments[0].value)
            count = 0 if command is not None and command.info is info else 1
        if verb == "Update":
            for one in _WRITING:
                yield from self._fitting(info, f"{one}{child}", count=max(count - 1, 0))
        else:
            yield from self._fitting(info, f"{verb}{child}", count=count)

    def _asked(self, call: Call, evaluator: Evaluator) -> TypeInfo | None:
        """Return the class for which a data portal is asked."""
        receiver = call.function.receiver if isinstance(call.function, Member) else None
        if (
            isinstance(receiver, (Member, Name))
            and receiver.name == _STATIC
            and len(call.type_arguments) == 1
        ):
            return evaluator.resolve(call.type_arguments[0]).info
        if isinstance(receiver, Call) and function_name(receiver) == _FACTORY and receiver.type_arguments:
            return evaluator.resolve(receiver.type_arguments[0]).info
        portal = evaluator.type_of(receiver) if receiver is not None else None
        if portal is None or portal.name not in PORTALS or len(portal.arguments) != 1:
            return None
        return portal.arguments[0].info

    def _saved(self, call: Call, evaluator: Evaluator) -> TypeInfo | None:
        """Return the class of an object that is told to save itself."""
        receiver = call.function.receiver if isinstance(call.function, Member) else None
        saved = evaluator.bound(evaluator.type_of(receiver)) if receiver is not None else None
        if saved is None or saved.info is None:
            return None
        bases = self._catalog.ancestors(saved.info)
        return saved.info if any(_SAVING.fullmatch(one.name) for one in bases) else None

    def _fitting(self, info: TypeInfo, operation: str, *, count: int) -> Sequence[MemberFact]:
        """Return the methods of a class, or the nearest of its bases, that take so much beside services."""
        for one in (info, *(ref.info for ref in self._catalog.inherited(info))):
            found = [each for done, each in self._of.get(one.key, ()) if done == operation] if one else []
            given = [each for each in found if self._given(each) == count]
            exact = given or [each for each in found if len(each.parameters) == count]
            more = [each for each in found if len(each.parameters) > count]
            if exact or more:
                return exact or more
        return []

    def _given(self, member: MemberFact) -> int:
        """Count the parameters of a method that are no services."""
        types = (parameter_type(self._catalog, member, position=at) for at in range(len(member.parameters)))
        return sum(
            not (one.info.is_interface if one.info is not None else is_interface_name(one.name))
            or is_collection(one)
            for one in types
            if one is not None
        )


def _operations(info: TypeInfo) -> Iterator[tuple[str, MemberFact]]:
    """Yield the methods of a type that are marked for an operation, or called for it, with that operation."""
    for members in info.members.values():
        for one in members:
            yield from ((operation, one) for operation in _operations_of(one))


def is_operation(member: MemberFact) -> bool:
    """Say whether a member is marked or called like a data access method."""
    return any(True for _ in _operations_of(member))


def _operations_of(one: MemberFact) -> Iterator[str]:
    if one.kind != "METHOD":
        return
    marks = {mark.name.rpartition(".")[2] for mark in one.attributes} & _OPERATIONS if one.attributes else ()
    yield from sorted(marks)
    named = _CONVENTION.fullmatch(one.name) if not marks and "_" in one.name else None
    operation = f"{named[2]}{'Child' if named[1] == 'Child' else ''}" if named is not None else ""
    if operation in _OPERATIONS:
        yield operation
