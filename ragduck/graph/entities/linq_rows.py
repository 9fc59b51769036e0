"""Tell what an expression belongs to: a row of a query over a table, or an object that was loaded before."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum, auto

from ragduck.facts import Call, Element, Expression, LambdaParameter, Member, Name, New
from ragduck.graph.entities.linq_operations import ENDS, ENTRY_PARTS, INCLUDES, LOADS, QUERY_STEPS
from ragduck.graph.entities.linq_sets import SetReader
from ragduck.graph.entities.navigations import Navigations
from ragduck.graph.entities.sets import SET_TYPES
from ragduck.graph.types.catalog import TypeRef
from ragduck.graph.types.chains import MAX_LINKS, function_name, inward, receiver_of
from ragduck.graph.types.expressions import Evaluator
from ragduck.graph.types.externals import is_collection
from ragduck.graph.types.methods import best_overload, parameter_type

_QUERY_TYPES = SET_TYPES | {"IQueryable", "IOrderedQueryable", "IIncludableQueryable"}
_TOLD_TO_LOAD = INCLUDES | ENTRY_PARTS  # which are looked at for themselves
_OWN = frozenset(("this", "base"))


class Origin(Enum):
    """Where a value comes from."""

    QUERY = auto()  # a row of a query that runs in the database
    OBJECT = auto()  # an object in memory
    MADE = auto()  # an object that is made there, the own one, what a lambda only describes


class Rows:
    """Know which lambda parameters and range variables stand for rows of tables."""

    def __init__(self, navigations: Navigations, sets: SetReader) -> None:
        self._navigations = navigations
        self._sets = sets

    def origin(self, expression: Expression, evaluator: Evaluator) -> Origin:
        """Say where a value comes from."""
        for _ in range(MAX_LINKS):
            row = expression
            for row in inward(expression):
                if isinstance(row, (LambdaParameter, Element)):
                    break
                if isinstance(row, Call) and function_name(row) in LOADS:
                    return Origin.OBJECT
            if not isinstance(row, (LambdaParameter, Element)):
                is_own = isinstance(row, Name) and row.name in _OWN
                return Origin.MADE if is_own or isinstance(row, New) else Origin.OBJECT
            if isinstance(row, LambdaParameter) and function_name(row.call) in _TOLD_TO_LOAD:
                return Origin.MADE
            rows = row.collection if isinstance(row, Element) else receiver_of(row.call)
            if rows is None:
                return Origin.MADE
            if self._is_query(rows, evaluator):
                return Origin.QUERY
            if isinstance(row, LambdaParameter) and not _is_in_memory(rows, evaluator):
                return Origin.QUERY if _is_condition(row, evaluator) else Origin.MADE
            expression = rows
        return Origin.MADE

    def _is_query(self, expression: Expression, evaluator: Evaluator) -> bool:
        """Say whether a collection is a query over a table, and not what one was loaded into."""
        chain = list(_within_row(expression))
        if any(isinstance(one, Call) and function_name(one) in ENDS for one in chain):
            return False
        for one in chain:
            if self._is_of_table(evaluator.type_of(one)) or self._sets.is_query(one, evaluator):
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


def _within_row(expression: Expression) -> Iterator[Expression]:
    """Yield what a collection is made from, as far as that is not of a row of another."""
    for one in inward(expression):
        if isinstance(one, (LambdaParameter, Element)):
            return
        yield one


def _is_in_memory(rows: Expression, evaluator: Evaluator) -> bool:
    ref = evaluator.type_of(rows)
    return ref is not None and is_collection(ref)


def _is_condition(row: LambdaParameter, evaluator: Evaluator) -> bool:
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
