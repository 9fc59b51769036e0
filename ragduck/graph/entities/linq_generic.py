"""Follow generic repositories: what `Repository<T>` does with the set of `T`, its closed types do with a table."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from ragduck.facts import AccessFact, Call, CallFact, Expression, FileFacts, Member, MemberFact, Name
from ragduck.graph.code.implementations import Implementations, to_implement
from ragduck.graph.entities.builders import element_type
from ragduck.graph.entities.kin import told_of_kin
from ragduck.graph.entities.linq import FileReader
from ragduck.graph.entities.linq_saving import Savers
from ragduck.graph.entities.linq_uses import WRITES, Use, rows_of, uses_of
from ragduck.graph.file_rows import FileRows, FileRule, Reach, ReadOff
from ragduck.graph.types.catalog import Catalog, TypeInfo, TypeRef
from ragduck.graph.types.chains import function_name, receiver_of
from ragduck.graph.types.expressions import Evaluator, Evaluators
from ragduck.graph.types.findings import Found
from ragduck.graph.types.inheritance import binding_of, substitute
from ragduck.graph.types.methods import best_overload

RULE = "generic repository"
CLOSED = 0.9
SAVED = 0.8  # a method takes an entity and saves the changes
_MAX_ROUNDS = 4  # repositories around repositories


class _Effect(NamedTuple):
    """What a member does with the table of whatever is put in for a type parameter."""

    relation: str
    parameter: str
    confidence: float


_Effects = dict[tuple[str, str], set[_Effect]]  # by type key and member name


class GenericUses:
    """Find the uses of tables through members of generic types."""

    def __init__(
        self, catalog: Catalog, readers: Sequence[FileReader], savers: Savers, *, rows: FileRows
    ) -> None:
        self._catalog = catalog
        self._readers = readers
        self._savers = savers
        self._rows = rows
        self._effects: _Effects = {}

    def uses(self, direct: Iterable[Use]) -> Iterator[Use]:
        """Yield what calls of generic members do to the tables that their types are closed with."""
        fresh = self._learn(direct)
        if fresh:
            fresh |= self._learn_saves()
        for turn in range(_MAX_ROUNDS):
            if not fresh:
                break
            found = list(self._round(fresh, turn))
            yield from (use for use in found if use.entity.info is not None)
            fresh = self._learn(found)
        yield from self._closed_types()

    def _learn(self, uses: Iterable[Use]) -> dict[tuple[str, str], set[_Effect]]:
        """Note what members do with type parameters; return what was not known before."""
        fresh: _Effects = defaultdict(set)
        for use in uses:
            owner = self._catalog.owner_of(use.source) if use.entity.info is None else None
            if owner is None or use.source == owner.key:
                continue
            name = use.source.rpartition("|")[0].rpartition(".")[2]
            parameter = use.entity.name
            if parameter in owner.type_parameters or self._is_of_method(owner, name, parameter=parameter):
                effect = _Effect(use.relation, parameter, use.confidence)
                known = self._effects.setdefault((owner.key, name), set())
                if all((one.relation, one.parameter) != effect[:2] for one in known):
                    known.add(effect)
                    fresh[owner.key, name].add(effect)
        return dict(fresh)

    def _is_of_method(self, owner: TypeInfo, name: str, *, parameter: str) -> bool:
        return any(parameter in one.type_parameters for one in owner.members.get(name, ()))

    def _learn_saves(self) -> _Effects:
        """Take `Update(T entity) { _context.SaveChanges(); }` of a repository for a write."""
        fresh: _Effects = {}
        for key in sorted({key for key, _ in self._effects}):
            info = self._catalog.types[key]
            saving = {
                source
                for file in info.files
                for source in self._savers.sources(
                    file.statements.unpacked(), Evaluators(self._catalog, file).within
                )
            }
            for name, members in info.members.items():
                taken = next((one for one in members if one.key in saving), None)
                parameter = self._taken_parameter(members, info) if taken is not None else ""
                if parameter and (key, name) not in self._effects:
                    fresh[key, name] = {_Effect(WRITES, parameter, SAVED)}
        self._effects.update(fresh)
        return fresh

    def _taken_parameter(self, members: Sequence[MemberFact], info: TypeInfo) -> str:
        for member in members:
            for parameter in member.parameters:
                ref = self._catalog.resolve(parameter.type, file=self._catalog.home_of(member), owner=info)
                name = element_type(ref).name
                if name in info.type_parameters:
                    return name
        return ""

    def _round(self, fresh: _Effects, turn: int) -> Iterator[Use]:
        names = frozenset(name for _, name in fresh)
        effects = sorted((*key, sorted(found)) for key, found in fresh.items())
        kin = told_of_kin(
            self._catalog, [self._catalog.types[key] for key in sorted({key for key, _ in fresh})]
        )
        told = effects, self._told_of_implementations, kin
        rule = FileRule(f"uses of generic members, {turn}", Reach.NAMES, told)
        readers = {reader.file.path: reader for reader in self._readers}

        def read(file: FileFacts) -> ReadOff:
            is_of_use = readers[file.path].names_some(names)
            return ReadOff(rows_of(self._in(file, names, fresh)) if is_of_use else ())

        for file, rows in self._rows.read(rule, (reader.file for reader in self._readers), read):
            yield from uses_of(file, rows, self._catalog)

    @cached_property
    def _implementations(self) -> Implementations:
        return Implementations(self._catalog)

    @cached_property
    def _told_of_implementations(self) -> object:
        """What implementations depend on beside declarations, in order."""
        told = (self._implementations.told_of_choices, self._implementations.applications.told)
        return [sorted((key, sorted(names)) for key, names in each.items()) for each in told]

    def _in(self, file: FileFacts, names: frozenset[str], fresh: _Effects) -> Iterator[Use]:
        """Yield what a file does with members of these names."""
        statements = file.statements.unpacked()
        evaluators = Evaluators(self._catalog, file)
        for fact in statements.calls:
            for used, call in _mentioned(fact.call, names):
                evaluator = evaluators.within(fact.source)
                yield from self._at(used, call, fact=fact, evaluator=evaluator, fresh=fresh)
        for access in statements.accesses:
            expression = access.expression
            if not access.is_write and isinstance(expression, (Name, Member)) and expression.name in names:
                evaluator = evaluators.within(access.source)
                yield from self._at(expression, None, fact=access, evaluator=evaluator, fresh=fresh)

    def _at(
        self,
        used: Expression,
        call: Call | None,
        *,
        fact: CallFact | AccessFact,
        evaluator: Evaluator,
        fresh: _Effects,
    ) -> Iterator[Use]:
        found = _find(used, evaluator)
        if found is None:
            return
        for relation, entity, confidence in sorted(
            set(self._closed(found, used, call=call, evaluator=evaluator, fresh=fresh)),
            key=lambda one: (one[0], one[1].name),
        ):
            yield Use(fact.source, relation, entity, evaluator.file.path, fact.line, RULE, confidence)

    def _closed(
        self, found: Found, used: Expression, *, call: Call | None, evaluator: Evaluator, fresh: _Effects
    ) -> Iterator[tuple[str, TypeRef, float]]:
        """Put the types in that a member is used with here."""
        info = found.declaring.info
        if info is None:
            return
        name = found.members[0].name
        binding = dict(binding_of(found.declaring))
        arguments = self._method_arguments(found, used, call=call, evaluator=evaluator)
        for effect in fresh.get((info.key, name), ()):
            yield from _bound(effect, binding, arguments=arguments, members=found.members, confidence=CLOSED)
        is_open = info.is_interface or "abstract" in found.members[0].modifiers
        if not is_open or evaluator.file.file_class == "test":  # where interfaces stand for doubles
            return
        receiver = evaluator.bound(evaluator.type_of(used.receiver)) if isinstance(used, Member) else None
        asked = to_implement(self._catalog, found.declaring, receiver=receiver)
        for choice in self._implementations.of(asked, near=evaluator.file, by=evaluator.owner):
            declaring = self._declaring(choice.info, found.declaring, name=name)
            if declaring is None or declaring.info is None:
                continue
            members = declaring.info.members[name]
            is_only = choice.confidence > 0.5 and bool(found.declaring.arguments)
            confidence = CLOSED if is_only else choice.confidence
            for effect in fresh.get((declaring.info.key, name), ()):
                yield from _bound(
                    effect, binding_of(declaring), arguments=arguments, members=members, confidence=confidence
                )

    def _declaring(self, info: TypeInfo, interface: TypeRef, *, name: str) -> TypeRef | None:
        """Return the class that implements a member for an implementation, in the interface's type arguments."""
        declaring = self._catalog.declaring(info, name)
        if declaring is None or declaring.info is None or declaring.info.is_interface:
            return None
        for ref in self._catalog.ancestors(info):
            if ref.info is interface.info:
                binding = {
                    own.name: given
                    for own, given in zip(ref.arguments, interface.arguments, strict=False)
                    if own.info is None and not own.arguments
                }
                return substitute(declaring, binding)
        return declaring

    def _method_arguments(
        self, found: Found, used: Expression, *, call: Call | None, evaluator: Evaluator
    ) -> tuple[TypeRef | None, ...]:
        """Return the type arguments of a generic method, in order."""
        if call is None or not found.is_method:
            return ()
        method = best_overload(found, count=len(call.arguments), generic=len(call.type_arguments))
        if not method.type_parameters:
            return ()
        receiver = evaluator.type_of(used.receiver) if isinstance(used, Member) else None
        binding = evaluator.method_binding(method, call, receiver, found)
        return tuple(binding.get(name) for name in method.type_parameters)

    def _closed_types(self) -> Iterator[Use]:
        """Say of `class OrderRepository : Repository<Order>` what the members that it inherits do."""
        by_type: dict[str, set[str]] = defaultdict(set)
        for key, name in self._effects:
            by_type[key].add(name)
        for info in self._catalog.types.values():
            if info.language != "csharp" or info.is_interface or info.type_parameters:
                continue
            declared = info.declarations[0]
            for ref in self._catalog.ancestors(info):
                if ref.info is None or ref.info.key not in by_type or "abstract" in declared.modifiers:
                    continue
                for relation, entity, confidence in self._inherited(info, ref, names=by_type[ref.info.key]):
                    path = info.files[0].path
                    yield Use(info.key, relation, entity, path, declared.line, RULE, confidence)

    def _inherited(
        self, info: TypeInfo, base: TypeRef, *, names: Iterable[str]
    ) -> Iterator[tuple[str, TypeRef, float]]:
        binding = binding_of(base)
        seen: set[tuple[str, str]] = set()
        for name in sorted(names):
            declaring = self._catalog.declaring(info, name)
            if declaring is None or declaring.info is not base.info or base.info is None:
                continue
            for effect in sorted(self._effects[base.info.key, name]):
                ref = binding.get(effect.parameter)
                if ref is not None and ref.info is not None and (effect.relation, ref.info.key) not in seen:
                    seen.add((effect.relation, ref.info.key))
                    yield effect.relation, ref, min(CLOSED, effect.confidence)


def _mentioned(call: Call, names: frozenset[str]) -> Iterator[tuple[Expression, Call | None]]:
    """Yield the method that is called, and the property that it is called on."""
    if function_name(call) in names:
        yield call.function, call
    receiver = receiver_of(call)
    if isinstance(receiver, (Name, Member)) and receiver.name in names:
        yield receiver, None


def _find(used: Expression, evaluator: Evaluator) -> Found | None:
    if isinstance(used, Member):
        return evaluator.find(evaluator.type_of(used.receiver), used.name)
    return evaluator.root(used).found if isinstance(used, Name) else None


def _bound(
    effect: _Effect,
    binding: Mapping[str, TypeRef],
    *,
    arguments: Sequence[TypeRef | None],
    members: Sequence[MemberFact],
    confidence: float,
) -> Iterator[tuple[str, TypeRef, float]]:
    ref = binding.get(effect.parameter)
    if ref is None:
        method = next((one for one in members if effect.parameter in one.type_parameters), None)
        at = method.type_parameters.index(effect.parameter) if method is not None else len(arguments)
        ref = arguments[at] if at < len(arguments) else None
    if ref is not None:
        yield effect.relation, ref, min(confidence, effect.confidence)
