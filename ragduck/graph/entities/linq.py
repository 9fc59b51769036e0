"""Find who reads and writes tables through sets of entities: LINQ queries, Add, Remove, SaveChanges."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from ragduck.facts import (
    AccessFact,
    Call,
    CallFact,
    Expression,
    FileFacts,
    Lambda,
    Member,
    MemberFact,
    Text,
    TypeOf,
)
from ragduck.graph.entities.builders import Scope
from ragduck.graph.entities.linq_arguments import ArgumentReader, executes
from ragduck.graph.entities.linq_foreign import BY_NAME, ForeignRepositories
from ragduck.graph.entities.linq_identity import BY_MANAGER, IdentityManagers
from ragduck.graph.entities.linq_identity import RULE as IDENTITY
from ragduck.graph.entities.linq_includes import IncludeReader
from ragduck.graph.entities.linq_navigations import NavigationReader, Reached
from ragduck.graph.entities.linq_operations import (
    COLLECTION_CHANGES,
    CONTEXT_READS,
    CONTEXT_WRITES,
    ENTRY_PARTS,
    ENTRY_STATES,
    INCLUDES,
    LOADING,
    NEUTRAL,
    PROJECTIONS,
    QUERY_WRITES,
    SESSION_QUERY,
    SET_CALLS,
    SET_WRITES,
)
from ragduck.graph.entities.linq_sets import Held, SetReader, entry_of, is_set_call, told_sets
from ragduck.graph.entities.linq_tracking import TrackedReader, Tracking
from ragduck.graph.entities.linq_uses import READS, WRITES, Use
from ragduck.graph.entities.micro_orms import OPERATIONS, is_select, opens_micro_orm, read_operation
from ragduck.graph.entities.model import EntityModel
from ragduck.graph.entities.sets import held_type
from ragduck.graph.types.catalog import TypeRef
from ragduck.graph.types.chains import argument, function_name, receiver_of
from ragduck.graph.types.expressions import Evaluator, Evaluators

_OF_CONTEXTS = CONTEXT_WRITES | CONTEXT_READS | INCLUDES | ENTRY_PARTS | {"SetValues", SESSION_QUERY}
_WORTH_A_LOOK = _OF_CONTEXTS | QUERY_WRITES


class Known(NamedTuple):
    """What is known of all files when one is read."""

    model: EntityModel
    sets: SetReader
    tracking: Tracking
    repositories: ForeignRepositories
    navigations: NavigationReader
    managers: IdentityManagers

    @property
    def told(self) -> object:
        """All that uses in a file depend on beside what types and members are declared as."""
        sets, tracking = self.sets.told, self.tracking.told
        others = self.repositories.told, self.navigations.told, self.managers.told
        return self.model.told, sets, tracking, *others


class FoundUses(NamedTuple):
    """The uses of sets in a file; not ``is_lasting`` where constants tell them that are made of others elsewhere."""

    uses: tuple[Use, ...]
    is_lasting: bool


class FileReader:
    """Read the uses of sets in one file."""

    def __init__(self, file: FileFacts, *, known: Known) -> None:
        self.file = file
        self._known = known

    def names_some(self, names: frozenset[str]) -> bool:
        """Say whether the file calls or reads something of these names, the last ones of each chain."""
        named = self._known.model.catalog.mentions_of(self.file)
        return not (names.isdisjoint(named.called) and names.isdisjoint(named.read))

    def uses(self) -> FoundUses:
        """Return what the file does with sets."""
        if not self._may_use_some():
            return FoundUses((), is_lasting=True)
        statements = _Statements(self.file, self._known)
        return FoundUses(tuple(statements.uses()), statements.is_lasting)

    def _may_use_some(self) -> bool:
        """Say whether any statement is worth a look: whatever `_Statements` looks at has one of these names."""
        known = self._known
        named = known.model.catalog.mentions_of(self.file)
        if not (_WORTH_A_LOOK.isdisjoint(named.called) and ENTRY_STATES.isdisjoint(named.read)):
            return True
        parts = (known.sets, known.repositories, known.managers, known.navigations)
        return (
            any(part.may_be_among(named) for part in parts)
            or known.tracking.is_saved_around
            or known.tracking.savers.may_save(named.called)
            or opens_micro_orm(known.model.catalog, self.file)
        )


class _Statements:
    """The statements of one file, unpacked as long as they are read; each declaration's types are worked out once."""

    def __init__(self, file: FileFacts, known: Known) -> None:
        self.file = file
        self._facts = file.statements.unpacked()
        self._catalog = known.model.catalog
        self._sets = known.sets
        self._tracking = known.tracking
        self._repositories = known.repositories
        self._navigations = known.navigations
        self._managers = known.managers
        self._includes = IncludeReader(known.navigations)
        self._arguments = ArgumentReader(self._facts, known.model)
        self.evaluator = Evaluators(self._catalog, file).within
        named = self._catalog.mentions_of(file)
        self._tracked = TrackedReader(self._facts, known.tracking, within=self.evaluator, named=named)
        self._has_micro_orm = opens_micro_orm(self._catalog, file)
        self._written: set[int] = set()  # sets, and queries over them, that are not read but written
        self.is_lasting = True  # until constants tell something

    def uses(self) -> Iterator[Use]:
        """Yield what they do with sets; what helpers do counts where a declaration does not write itself."""
        written: set[tuple[str, int]] = set()
        for use in self._own_uses():
            yield use
            written |= {(use.source, id(use.entity.info))} if use.relation == WRITES else set()
        helped = self._changed_by_helpers()
        yield from (use for use in helped if (use.source, id(use.entity.info)) not in written)

    def _own_uses(self) -> Iterator[Use]:
        queried: set[tuple[str, str]] = set()  # declarations that ask sets, and what those hold
        calls = [(fact, function_name(fact.call), receiver_of(fact.call)) for fact in self._facts.calls]
        sets = {id(receiver) for _, _, receiver in calls if self._sets.may_be_set(receiver)}
        for fact, name, receiver in calls:
            if id(receiver) in sets:
                queried.update((fact.source, held) for held in told_sets(receiver))
            if name in QUERY_WRITES:
                yield from self._query_write(fact)
        for fact, name, receiver in calls:  # each of them: what is looked at is told by names first
            may_be_set = id(receiver) in sets
            if may_be_set or name in _OF_CONTEXTS:
                yield from self._of_call(fact, may_be_set=may_be_set)
            if self._may_use_repository(fact, name, receiver):
                yield from self._of_repository(fact)
            if self._has_micro_orm and name in OPERATIONS:
                yield from self._of_micro_orm(fact)
            if self._managers.may_use(name, receiver):
                yield from self._of_manager(fact)
            if (
                name in SET_CALLS
                and is_set_call(fact.call)
                and (fact.source, fact.call.type_arguments[0]) not in queried
            ):
                yield from self._read_alone(fact)
            if self._tracked.may_save(fact.source) and self._tracking.is_setter(name):
                yield from self._changed(fact)
            if name in COLLECTION_CHANGES and self._navigations.may_change(receiver):
                yield from self._collection_changed(fact)
            elif isinstance(receiver, Member) and self._navigations.may_read(receiver):
                yield from self._navigated(fact, receiver)
                if name in PROJECTIONS:
                    yield from self._included(fact)
        for access in self._facts.accesses:
            if access.is_write or self._sets.may_be_set(access.expression):
                yield from self._of_access(access)
            if access.is_write and self._navigations.may_set(access.expression):
                yield from self._collection_changed(access)
            elif not access.is_write and self._navigations.may_read(access.expression):
                yield from self._navigated(access, access.expression)
            if not access.is_write and self._managers.may_use("", access.expression):
                yield from self._of_manager(access)

    def _use(self, fact: CallFact | AccessFact, relation: str, *, held: Held, rule: str = "DbSet") -> Use:
        use = Use(fact.source, relation, held.ref, self.file.path, fact.line, rule, held.confidence)
        return use._replace(context=held.context)

    def _query_write(self, fact: CallFact) -> Iterator[Use]:
        """Read `_db.Orders.Where(…).ExecuteDelete()`, and see to it that the query before is no read."""
        receiver = receiver_of(fact.call)
        if not isinstance(receiver, Call) or is_set_call(receiver):
            return
        found = self._sets.held_at_root(receiver, self.evaluator(fact.source))
        if found is not None:
            held, next_to_set = found
            self._written.add(id(next_to_set))
            yield self._use(fact, WRITES, held=held)

    def _of_call(self, fact: CallFact, *, may_be_set: bool) -> Iterator[Use]:
        call, name, receiver = fact.call, function_name(fact.call), receiver_of(fact.call)
        held = self._sets.held(receiver, self.evaluator(fact.source)) if may_be_set else None
        if held is not None and name in SET_WRITES:
            self._written.add(id(receiver))
            if not self._only_loads(held.ref, fact, by=name):
                yield self._use(fact, WRITES, held=held)
        elif (
            held is not None and name not in NEUTRAL and id(call) not in self._written and not executes(call)
        ):
            yield self._use(fact, READS, held=held)
        if name in INCLUDES or name in ENTRY_PARTS:
            yield from self._included(fact)
        elif held is None and (name in CONTEXT_WRITES or name == "SetValues"):
            yield from self._context_write(fact)
        elif held is None and (name in CONTEXT_READS or name == SESSION_QUERY):
            yield from self._context_read(fact)

    def _of_micro_orm(self, fact: CallFact) -> Iterator[Use]:
        """Read `connection.Get<Order>(id)` and `db.Insert(order)`."""
        evaluator = self.evaluator(fact.source)
        operation = read_operation(fact.call, evaluator)
        if operation is None:
            return
        relation = WRITES if operation.is_write else READS
        refs = [ref for ref in operation.types if self._arguments.is_entity(ref)]
        for value in operation.values if not refs else ():
            found = self._arguments.entity_of(value, evaluator, source=fact.source)
            refs += [found[0]] if found is not None and not refs else []
        for ref in refs:
            yield self._use(fact, relation, held=Held(ref, operation.confidence), rule="micro-ORM")

    def _of_repository(self, fact: CallFact) -> Iterator[Use]:
        for is_write, ref in self._repositories.uses(fact.call, self.evaluator(fact.source)):
            if self._arguments.is_entity(ref):
                relation = WRITES if is_write else READS
                yield self._use(fact, relation, held=Held(ref, BY_NAME), rule="generic repository")

    def _of_manager(self, fact: CallFact | AccessFact) -> Iterator[Use]:
        for one in self._managers.uses(fact, self.evaluator(fact.source)):
            if self._arguments.is_entity(one.entity):
                held = Held(one.entity, BY_MANAGER)
                use = self._use(fact, WRITES if one.is_write else READS, held=held, rule=IDENTITY)
                yield use._replace(table=one.table)

    def _may_use_repository(self, fact: CallFact, name: str, receiver: Expression | None) -> bool:
        """Say whether a call may be one of a repository of a package, or of a class that is derived from one."""
        if self._has_micro_orm and is_select(receiver):
            return True
        if not self._repositories.may_use(name, receiver):
            return False
        return receiver is not None or self._repositories.is_one(self._catalog.owner_of(fact.source))

    def _included(self, fact: CallFact) -> Iterator[Use]:
        name, scope = function_name(fact.call), Scope(self._catalog, self.file, fact.source)
        self.is_lasting = self.is_lasting and isinstance(argument(fact.call, 0), (Lambda, Text))
        if name in INCLUDES:
            find = self._includes.included
        else:
            find = self._includes.loaded if name in ENTRY_PARTS else self._includes.included_within
        for one in find(fact.call, scope=scope, evaluator=self.evaluator(fact.source)):
            yield self._reached(fact, READS, one)

    def _changed(self, fact: CallFact) -> Iterator[Use]:
        """Take `order.Cancel()` for a write, if that sets properties of the order and changes are saved."""
        receiver, name = receiver_of(fact.call), function_name(fact.call)
        held = self._tracked.entity(receiver, fact) if receiver is not None else None
        if held is not None and self._tracking.changes_itself(held.ref.info, name):
            yield self._use(fact, WRITES, held=held, rule="tracked entity")

    def _changed_by_helpers(self) -> Iterator[Use]:
        """Take `Map(command, order)` for a write, if that sets properties of the order and changes are saved."""
        for fact in self._facts.calls if self._tracked.may_save_some else ():
            if self._tracked.may_save(fact.source) and self._tracking.setters.may_set(
                function_name(fact.call)
            ):
                for given in self._tracking.setters.changed(fact.call, self.evaluator(fact.source)):
                    held = self._tracked.entity(given, fact)
                    if held is not None:
                        yield self._use(fact, WRITES, held=held, rule="tracked entity")

    def _collection_changed(self, fact: CallFact | AccessFact) -> Iterator[Use]:
        evaluator, calls = self.evaluator(fact.source), self._calls[fact.source]
        for one in self._navigations.changed(fact, evaluator, calls=calls):
            yield self._reached(fact, WRITES, one)

    def _navigated(self, fact: CallFact | AccessFact, expression: Expression) -> Iterator[Use]:
        for one in self._navigations.read(expression, self.evaluator(fact.source)):
            yield self._reached(fact, READS, one)

    def _reached(self, fact: CallFact | AccessFact, relation: str, found: Reached) -> Use:
        ref = TypeRef(found.entity.name, found.entity)
        use = self._use(fact, relation, held=Held(ref, found.confidence), rule=found.rule)
        return use._replace(table=found.table)

    @cached_property
    def _calls(self) -> Mapping[str, Sequence[CallFact]]:
        """Return the calls of each declaration."""
        calls: defaultdict[str, list[CallFact]] = defaultdict(list)
        for fact in self._facts.calls:
            calls[fact.source].append(fact)
        return calls

    def _read_alone(self, fact: CallFact) -> Iterator[Use]:
        """Take `from o in _db.Set<Order>()` for a read, unless the set is only kept or handed on."""
        held = self._sets.held(fact.call, self.evaluator(fact.source))
        if held is not None and not self._keeps_sets(fact.source):
            yield self._use(fact, READS, held=held)

    def _keeps_sets(self, source: str) -> bool:
        """Say whether a declaration is a constructor, or holds or returns a set itself."""
        member = self._member(source)
        if member is None:
            return False
        return member.element_type == "constructor" or held_type(member.type) is not None

    def _member(self, source: str) -> MemberFact | None:
        owner = self._catalog.owner_of(source)
        name = source.rpartition("|")[0].rpartition(".")[2]
        members = owner.members.get(name, ()) if owner is not None else ()
        return next((one for one in members if one.key == source), None)

    def _of_access(self, access: AccessFact) -> Iterator[Use]:
        expression = access.expression
        if access.is_write:
            if isinstance(expression, Member):
                yield from self._property_write(expression, access)
            return
        evaluator = self.evaluator(access.source)
        held = self._sets.held(expression, evaluator)
        is_written = isinstance(expression, Member) and id(expression) in self._written  # through a local
        if held is not None and not is_written and not self._keeps_sets(access.source):
            yield self._use(access, READS, held=held)

    def _property_write(self, expression: Member, access: AccessFact) -> Iterator[Use]:
        """Read `context.Entry(order).State = …` and `order.Total = …`, of an order that is loaded and saved."""
        entry = entry_of(expression.receiver) if expression.name in ENTRY_STATES else None
        if entry is not None:
            evaluator = self.evaluator(access.source)
            given, by = argument(entry, 0), expression.name
            yield from self._write_of(given, access, evaluator=evaluator, by=by, to=receiver_of(entry))
        else:
            held = self._tracked.entity(expression.receiver, access)
            if held is not None and self._tracking.keeps(held.ref.info, expression.name):
                yield self._use(access, WRITES, held=held, rule="tracked entity")

    def _context_write(self, fact: CallFact) -> Iterator[Use]:
        """Read `context.Add(order)` and `context.Entry(order).CurrentValues.SetValues(changed)`."""
        evaluator = self.evaluator(fact.source)
        if function_name(fact.call) == "SetValues":
            entry = entry_of(receiver_of(fact.call))
            if entry is not None:
                given = argument(entry, 0)
                yield from self._write_of(
                    given, fact, evaluator=evaluator, by="SetValues", to=receiver_of(entry)
                )
            return
        to = receiver_of(fact.call)
        if self._sets.is_context(to, evaluator):
            by, is_list = function_name(fact.call), "Range" in function_name(fact.call)
            for one in fact.call.arguments if is_list else fact.call.arguments[:3]:
                found = tuple(self._write_of(one.value, fact, evaluator=evaluator, by=by, to=to))
                yield from found
                if found and not is_list:
                    return

    def _context_read(self, fact: CallFact) -> Iterator[Use]:
        """Read `context.Find<Order>(id)`, `session.Query<Order>()` and `session.Load(typeof(Order), id)`."""
        evaluator, call = self.evaluator(fact.source), fact.call
        if function_name(call) == SESSION_QUERY and call.arguments:
            return
        named = [one.value.type for one in call.arguments[:1] if isinstance(one.value, TypeOf)]
        for written in (*call.type_arguments, *named)[:1]:
            ref = evaluator.resolve(written)
            if self._arguments.is_entity(ref) and self._sets.is_context(receiver_of(fact.call), evaluator):
                context = self._sets.context_of(receiver_of(fact.call), ref, evaluator)
                yield self._use(fact, READS, held=Held(ref, context=context), rule="context")

    def _write_of(
        self,
        expression: Expression,
        fact: CallFact | AccessFact,
        *,
        evaluator: Evaluator,
        by: str,
        to: Expression | None,
    ) -> Iterator[Use]:
        found = self._arguments.entity_of(expression, evaluator, source=fact.source)
        if found is not None and not self._only_loads(found[0], fact, by=by):
            held = Held(*found, self._sets.context_of(to, found[0], evaluator))
            yield self._use(fact, WRITES, held=held, rule="context")

    def _only_loads(self, ref: TypeRef, fact: CallFact | AccessFact, *, by: str) -> bool:
        """Say whether generic code makes a context only know what it has read: it saves nothing."""
        return ref.info is None and by in LOADING and fact.source not in self._tracked.saving
