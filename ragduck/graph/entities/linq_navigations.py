"""Find what code reads and writes through navigations: `Where(o => o.Lines.Any())`, `order.Lines.Add(line)`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ragduck.facts import (
    Argument,
    Call,
    CallFact,
    Element,
    Expression,
    LambdaParameter,
    Member,
    Name,
    New,
)
from ragduck.graph.entities.builders import element_type
from ragduck.graph.entities.linq_operations import (
    COLLECTION_ADDS,
    COLLECTION_CHANGES,
    ENDS,
    ENTRY_PARTS,
    INCLUDES,
    QUERY_STEPS,
    SAVES,
)
from ragduck.graph.entities.linq_sets import SetReader
from ragduck.graph.entities.navigations import Lead, Navigations
from ragduck.graph.entities.sets import SET_TYPES
from ragduck.graph.types.catalog import TypeInfo, TypeRef
from ragduck.graph.types.chains import MAX_LINKS, function_name, inward, receiver_of
from ragduck.graph.types.expressions import Evaluator
from ragduck.graph.types.externals import is_collection
from ragduck.graph.types.methods import best_overload, parameter_type

RULE = "navigation"
IN_QUERY = 0.9
SAVED = 0.8
NOT_SEEN_SAVED = 0.6  # saving is left to whoever calls
_QUERY_TYPES = SET_TYPES | {"IQueryable", "IOrderedQueryable", "IIncludableQueryable"}
_OWN = frozenset(("this", "base"))
_SAVING = re.compile(r"(?:Save|Update|Insert|Add|Create|Delete|Remove|Attach|Upsert|Merge|Store)(?=[A-Z]|$)")


class Reached(NamedTuple):
    """What a navigation reads or changes: the table of an entity, unless ``table`` is the key of another."""

    entity: TypeInfo
    confidence: float
    table: str = ""


class NavigationReader:
    """Know the navigations of a snapshot by name, to ask for types only where it may be worth it."""

    def __init__(self, navigations: Navigations, sets: SetReader) -> None:
        self._navigations = navigations
        self._sets = sets

    def may_read(self, expression: Expression) -> bool:
        """Say whether a chain of members has a navigation, told by names alone."""
        while isinstance(expression, Member):
            if expression.name in self._navigations.names:
                return True
            expression = expression.receiver
        return False

    def read(self, expression: Expression | None, evaluator: Evaluator) -> Iterator[Reached]:
        """Yield what the members at the end of a chain lead to, where that stands within a query."""
        above = ""
        while isinstance(expression, Member):
            name, expression = expression.name, expression.receiver
            if name in self._navigations.names and self._is_in_query(expression, evaluator):
                ref = evaluator.bound(evaluator.type_of(expression))
                lead = self._navigations.lead(ref.info, name) if ref is not None else None
                if lead is not None and not _is_key(above, lead):
                    yield from _tables(lead, confidence=IN_QUERY)
            above = name

    def may_change(self, receiver: Expression | None) -> bool:
        """Say whether what is added to or removed from may be a navigation: told by its name alone."""
        return isinstance(receiver, (Name, Member)) and receiver.name in self._navigations.collections

    def changed(
        self, fact: CallFact, evaluator: Evaluator, *, calls: Iterable[CallFact]
    ) -> Iterator[Reached]:
        """Yield what `order.Lines.Add(line)` changes: rows of lines, or pairs of a many-to-many relation.

        ``calls`` are all that the same declaration makes.
        """
        receiver = receiver_of(fact.call)
        if not isinstance(receiver, (Name, Member)):
            return
        owner = self._owner(receiver, evaluator)
        lead = self._navigations.lead(owner, receiver.name)
        if lead is None and _is_own(receiver):
            lead = self._navigations.lead_behind(owner, receiver.name)
        if owner is None or lead is None or not lead.is_collection:
            return
        is_saved = _is_saved(owner, fact, evaluator=evaluator, calls=calls)
        if is_saved or evaluator.file.file_class != "test":  # where entities are made that nobody keeps
            yield from _changed(lead, fact.call, confidence=SAVED if is_saved else NOT_SEEN_SAVED)

    def _owner(self, receiver: Name | Member, evaluator: Evaluator) -> TypeInfo | None:
        if isinstance(receiver, Name):
            return evaluator.owner
        ref = evaluator.bound(evaluator.type_of(receiver.receiver))
        return ref.info if ref is not None else None

    def _is_in_query(self, expression: Expression, evaluator: Evaluator) -> bool:
        """Say whether a value is of a row of a query over a table: a lambda's parameter, or a range variable."""
        for _ in range(MAX_LINKS):
            row = next(
                (one for one in inward(expression) if isinstance(one, (LambdaParameter, Element))), None
            )
            if row is None or _is_told_to_load(row):
                return False
            rows = row.collection if isinstance(row, Element) else receiver_of(row.call)
            if self._is_query(rows, evaluator):
                return True
            if isinstance(row, LambdaParameter) and self._is_predicate(row, evaluator):
                return True
            if rows is None:
                return False
            expression = rows
        return False

    def _is_query(self, expression: Expression | None, evaluator: Evaluator) -> bool:
        """Say whether a collection is a query over a table, and not what one was loaded into."""
        chain = list(_within_row(expression)) if expression is not None else []
        if any(isinstance(one, Call) and function_name(one) in ENDS for one in chain):
            return False
        for one in chain:
            if self._is_of_table(evaluator.type_of(one)):
                is_test = evaluator.file.file_class == "test"  # where what is no set stands for a double
                return not is_test or any(self._sets.held(each, evaluator) for each in chain)
            if not (isinstance(one, Call) and function_name(one) in QUERY_STEPS):
                return False
        return False

    def _is_of_table(self, ref: TypeRef | None) -> bool:
        return (
            ref is not None
            and ref.info is None
            and ref.name in _QUERY_TYPES
            and bool(ref.arguments)
            and self._navigations.is_entity(ref.arguments[-1].info)
        )

    def _is_predicate(self, row: LambdaParameter, evaluator: Evaluator) -> bool:
        """Say whether a method of the snapshot takes the lambda as a condition that a query has."""
        function, at = row.call.function, len(row.call.arguments)
        if evaluator.file.file_class == "test" or not isinstance(function, Member):
            return False
        found = evaluator.find(evaluator.type_of(function.receiver), function.name)
        if found is None or not found.is_method:
            return False
        method = best_overload(found, count=at + 1, generic=len(row.call.type_arguments))
        taken = parameter_type(evaluator.catalog, method, position=at + found.is_extension)
        if taken is None or taken.name != "Expression" or not taken.arguments:
            return False
        delegate = taken.arguments[0]
        return delegate.name == "Func" and bool(delegate.arguments) and delegate.arguments[-1].name == "bool"


def _within_row(expression: Expression) -> Iterator[Expression]:
    """Yield what a collection is made from, as far as that is not of a row of another."""
    for one in inward(expression):
        if isinstance(one, (LambdaParameter, Element)):
            return
        yield one


def _is_told_to_load(row: LambdaParameter | Element) -> bool:
    """Say whether a row is that of `Include(o => o.Lines)`, which is looked at for itself."""
    return isinstance(row, LambdaParameter) and function_name(row.call) in INCLUDES | ENTRY_PARTS


def _is_own(receiver: Name | Member) -> bool:
    if isinstance(receiver, Name):
        return True
    return isinstance(receiver.receiver, Name) and receiver.receiver.name in _OWN


def _is_key(name: str, lead: Lead) -> bool:
    """Say whether only the key of the other row is asked for, which this row has itself."""
    return not lead.is_collection and name.lower() in ("id", f"{lead.target.name}id".lower())


def _tables(lead: Lead, *, confidence: float) -> Iterator[Reached]:
    confidence = min(confidence, lead.confidence)
    yield Reached(lead.target, confidence)
    if lead.between:
        yield Reached(lead.target, confidence, lead.between)


def _changed(lead: Lead, call: Call, *, confidence: float) -> Iterator[Reached]:
    """Yield the row of a many-to-many relation, and the new entity that is put into it."""
    if not lead.is_many_to_many:
        yield from _tables(lead, confidence=confidence)
        return
    is_new = function_name(call) in COLLECTION_ADDS and any(map(_is_new, call.arguments))
    for one in _tables(lead, confidence=confidence):
        if one.table or is_new:
            yield one


def _is_new(argument: Argument) -> bool:
    return isinstance(argument.value, New)


def _is_saved(owner: TypeInfo, change: CallFact, *, evaluator: Evaluator, calls: Iterable[CallFact]) -> bool:
    """Say whether a declaration saves changes, or hands such an entity to what is called like that."""
    for fact in calls:
        name = function_name(fact.call)
        if name.startswith(SAVES):
            return True
        may_save = _SAVING.match(name) is not None and fact is not change
        if (
            may_save
            and not _is_of_list(fact.call, evaluator)
            and any(_is_of(one, owner, evaluator) for one in fact.call.arguments[:3])
        ):
            return True
    return False


def _is_of_list(call: Call, evaluator: Evaluator) -> bool:
    """Say whether a call only puts something into a collection in memory."""
    receiver = receiver_of(call) if function_name(call) in COLLECTION_CHANGES else None
    ref = evaluator.type_of(receiver) if receiver is not None else None
    return ref is not None and is_collection(ref) and ref.name not in SET_TYPES


def _is_of(argument: Argument, owner: TypeInfo, evaluator: Evaluator) -> bool:
    ref = evaluator.type_of(argument.value)
    return ref is not None and element_type(ref).info is owner
