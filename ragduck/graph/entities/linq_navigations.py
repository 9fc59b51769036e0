"""Find what code reads and writes through navigations: `Where(o => o.Lines.Any())`, `order.Lines.Add(line)`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ragduck.facts import (
    AccessFact,
    Argument,
    Call,
    CallFact,
    Expression,
    LambdaParameter,
    Member,
    Mentions,
    Name,
    New,
)
from ragduck.graph.entities.builders import element_type
from ragduck.graph.entities.linq_operations import COLLECTION_ADDS, COLLECTION_CHANGES, SQL_READS
from ragduck.graph.entities.linq_rows import Origin, Rows
from ragduck.graph.entities.linq_saving import Savers
from ragduck.graph.entities.linq_sets import SetReader
from ragduck.graph.entities.navigations import Lead, Navigations
from ragduck.graph.entities.sets import SET_TYPES
from ragduck.graph.types.catalog import TypeInfo
from ragduck.graph.types.chains import function_name, receiver_of
from ragduck.graph.types.expressions import Evaluator
from ragduck.graph.types.externals import is_collection

RULE = "navigation"
LAZY_RULE = "lazy loading"
IN_QUERY = 0.9
LAZY = 0.6  # unless it was loaded before
SAVED = 0.8
SET_AND_SAVED = 0.6  # maybe to an empty collection
NOT_SEEN_SAVED = 0.6  # which is left to whoever calls
_OWN = frozenset(("this", "base"))
_SAVING = re.compile(r"(?:Save|Update|Insert|Add|Create|Delete|Remove|Attach|Upsert|Merge|Store)(?=[A-Z]|$)")


class Reached(NamedTuple):
    """What a navigation reads or changes: the table of an entity, unless ``table`` is the key of another."""

    entity: TypeInfo
    confidence: float
    rule: str
    table: str = ""


class NavigationReader:
    """Know the navigations of a snapshot by name, to ask for types only where it may be worth it."""

    def __init__(self, navigations: Navigations, sets: SetReader, savers: Savers) -> None:
        self._navigations = navigations
        self._savers = savers
        self._rows = Rows(navigations, sets)

    @property
    def told(self) -> object:
        """Where navigations lead."""
        return self._navigations.told

    def may_be_among(self, named: Mentions) -> bool:
        """Say whether anything that a file names may be a navigation."""
        found = self._navigations
        return not (found.names.isdisjoint(named.read) and found.collections.isdisjoint(named.read))

    def may_read(self, expression: Expression) -> bool:
        """Say whether a chain of members has a navigation, told by names alone."""
        while isinstance(expression, Member):
            if expression.name in self._navigations.names:
                return True
            expression = expression.receiver
        return False

    def read(self, expression: Expression, evaluator: Evaluator) -> Iterator[Reached]:
        """Yield what the members at the end of a chain lead to, within a query or where they are loaded lazily."""
        above = ""
        while isinstance(expression, Member):
            name, expression = expression.name, expression.receiver
            if name in self._navigations.names:
                yield from self._read_member(expression, name, above, evaluator=evaluator)
            above = name

    def _read_member(
        self, owner: Expression, name: str, above: str, *, evaluator: Evaluator
    ) -> Iterator[Reached]:
        origin = self._rows.origin(owner, evaluator)
        is_lazy = name in self._navigations.lazy and evaluator.file.file_class != "test"
        if origin is Origin.MADE or (origin is Origin.OBJECT and not is_lazy):
            return
        lead = self._navigations.lead(self._type_of(owner, evaluator), name)
        if lead is not None and origin is Origin.QUERY and not _is_key(above, lead):
            yield from _tables(lead, confidence=IN_QUERY)
        elif lead is not None and origin is Origin.OBJECT and lead.is_lazy:
            yield from _tables(lead, confidence=LAZY, rule=LAZY_RULE)

    def _type_of(self, expression: Expression, evaluator: Evaluator) -> TypeInfo | None:
        ref = evaluator.bound(evaluator.type_of(expression))
        return ref.info if ref is not None else None

    def table_between(self, owner: TypeInfo | None, name: str) -> str:
        """Return the key of the table that holds the pairs of a many-to-many relation; empty for other properties."""
        lead = self._navigations.lead(owner, name)
        return lead.between if lead is not None else ""

    def may_change(self, receiver: Expression | None) -> bool:
        """Say whether what is added to or removed from may be a navigation: told by its name alone."""
        return isinstance(receiver, (Name, Member)) and receiver.name in self._navigations.collections

    def changed(
        self, fact: CallFact | AccessFact, evaluator: Evaluator, *, calls: Iterable[CallFact]
    ) -> Iterator[Reached]:
        """Yield what `order.Lines.Add(line)` or `order.Lines = lines` changes: rows, or pairs of many to many.

        ``calls`` are all that the same declaration makes. What is set counts only where that saves it: a class sets
        collections to be empty, too.
        """
        is_set = isinstance(fact, AccessFact)
        changed = fact.expression if isinstance(fact, AccessFact) else receiver_of(fact.call)
        if not isinstance(changed, (Name, Member)) or _keeps_ends_alike(fact):
            return
        owner = evaluator.owner if isinstance(changed, Name) else self._type_of(changed.receiver, evaluator)
        lead = self._lead(owner, changed)
        if owner is None or lead is None or not lead.is_collection:
            return
        adds_new = isinstance(fact, CallFact) and _adds_new(fact.call)
        if _is_saved(owner, fact, evaluator=evaluator, calls=calls, savers=self._savers):
            yield from _changed(lead, adds_new=adds_new, confidence=SET_AND_SAVED if is_set else SAVED)
        elif not is_set and not _only_makes_objects(evaluator, calls):
            yield from _changed(lead, adds_new=adds_new, confidence=NOT_SEEN_SAVED)

    def may_set(self, expression: Expression) -> bool:
        """Say whether what is set may be a collection of another object, told by names alone."""
        return (
            isinstance(expression, Member)
            and expression.name in self._navigations.collections
            and not _is_own(expression)
        )

    def _lead(self, owner: TypeInfo | None, changed: Name | Member) -> Lead | None:
        lead = self._navigations.lead(owner, changed.name)
        if lead is None and _is_own(changed):
            return self._navigations.lead_behind(owner, changed.name)
        return lead


def _is_own(receiver: Name | Member) -> bool:
    if isinstance(receiver, Name):
        return True
    return isinstance(receiver.receiver, Name) and receiver.receiver.name in _OWN


def _is_key(name: str, lead: Lead) -> bool:
    """Say whether only the key of the other row is asked for, which this row has itself."""
    return not lead.is_collection and name.lower() in ("id", f"{lead.target.name}id".lower())


def _tables(lead: Lead, *, confidence: float, rule: str = RULE) -> Iterator[Reached]:
    confidence = min(confidence, lead.confidence)
    yield Reached(lead.target, confidence, rule)
    if lead.between:
        yield Reached(lead.target, confidence, rule, lead.between)


def _changed(lead: Lead, *, adds_new: bool, confidence: float) -> Iterator[Reached]:
    """Yield the row of a many-to-many relation, and the new entity that is put into it."""
    for one in _tables(lead, confidence=confidence):
        if one.table or adds_new or not lead.is_many_to_many:
            yield one


def _keeps_ends_alike(fact: CallFact | AccessFact) -> bool:
    """Say whether a property tells the other end of a relation that it is set: `value.Lines.Add(this)`."""
    if isinstance(fact, AccessFact) or not fact.source.endswith("|PROPERTY"):
        return False
    return any(one.value == Name("this") for one in fact.call.arguments)


def _adds_new(call: Call) -> bool:
    return function_name(call) in COLLECTION_ADDS and any(
        isinstance(one.value, New) for one in call.arguments
    )


def _only_makes_objects(evaluator: Evaluator, calls: Iterable[CallFact]) -> bool:
    """Say whether entities are made that nobody keeps, as in tests, or of rows that are read."""
    return evaluator.file.file_class == "test" or any(function_name(one.call) in SQL_READS for one in calls)


def _is_saved(
    owner: TypeInfo,
    change: CallFact | AccessFact,
    *,
    evaluator: Evaluator,
    calls: Iterable[CallFact],
    savers: Savers,
) -> bool:
    """Say whether a declaration saves changes, or hands such an entity to what is called like that."""
    is_test = evaluator.file.file_class == "test"
    for fact in calls:
        name = function_name(fact.call)
        if savers.saves(fact.call, evaluator) and not (is_test and _is_of_double(fact.call, evaluator)):
            return True
        may_save = not is_test and fact is not change and _SAVING.match(name) is not None
        if (
            may_save
            and not _is_of_list(fact.call, evaluator)
            and any(_is_of(one, owner, evaluator) for one in fact.call.arguments[:3])
        ):
            return True
    return False


def _is_of_double(call: Call, evaluator: Evaluator) -> bool:
    """Say whether a call in a test is one of a mock, or only describes one: `mock.Verify(c => c.SaveChanges())`."""
    receiver = receiver_of(call)
    if receiver is None or isinstance(receiver, LambdaParameter):
        return isinstance(receiver, LambdaParameter)
    ref = evaluator.type_of(receiver)
    return ref is None or ref.info is None or ref.info.is_interface


def _is_of_list(call: Call, evaluator: Evaluator) -> bool:
    """Say whether a call only puts something into a collection in memory."""
    receiver = receiver_of(call) if function_name(call) in COLLECTION_CHANGES else None
    ref = evaluator.type_of(receiver) if receiver is not None else None
    return ref is not None and is_collection(ref) and ref.name not in SET_TYPES


def _is_of(argument: Argument, owner: TypeInfo, evaluator: Evaluator) -> bool:
    ref = evaluator.type_of(argument.value)
    return ref is not None and element_type(ref).info is owner
