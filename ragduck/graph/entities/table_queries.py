"""Read queries of SqlKata, which name their tables: `db.Query("Orders").Where("Id", id).Update(values)`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ragduck.facts import Call, CallFact, Expression, Member, Name, New, Typed
from ragduck.graph.entities.builders import Scope
from ragduck.graph.entities.model import EntityModel
from ragduck.graph.inline_sql.procedures import bare_name
from ragduck.graph.types import libraries
from ragduck.graph.types.catalog import Catalog
from ragduck.graph.types.chains import argument, function_name, inward, receiver_of
from ragduck.graph.types.declarations import family_of
from ragduck.graph.types.expressions import Evaluator, Evaluators
from ragduck.model import Edge

RULE = "query builder"
CONFIDENCE = 0.9
_BEGIN = "Query"
_TABLES = frozenset((_BEGIN, "From", "Join", "CrossJoin", "LeftJoin", "RightJoin"))
_ALIAS = re.compile(r"\s+as\s+\w+\s*", re.IGNORECASE)
_FACTORY = re.compile(r"\w*(?:QueryFactory|XQuery)")
_CALLED_FACTORY = re.compile(r"_?\w*(?:db|query|factory)", re.IGNORECASE)
_WRITES = frozenset(
    f"{word}{ending}"
    for word in (
        *(
            "AsDelete",
            "AsInsert",
            "AsUpdate",
            "Decrement",
            "Delete",
            "Increment",
            "Insert",
            "InsertGetId",
            "Update",
        ),
    )
    for ending in ("", "Async")
)


def query_edges(catalog: Catalog, model: EntityModel) -> Iterator[Edge]:
    """Yield who reads and who writes the tables that queries name."""
    for file in catalog.files_calling(_TABLES):
        if family_of(file.language) != "csharp" or not catalog.opens(file, libraries.SQL_KATA):
            continue
        calls = file.statements.unpacked().calls
        within = Evaluators(catalog, file).within
        written = {id(begun) for fact in calls if (begun := _written(fact.call)) is not None}
        for fact in calls:
            if function_name(fact.call) in _TABLES and _is_query(fact.call, within(fact.source)):
                table = _table(fact, Scope(catalog, file, fact.source), model)
                relation = "WritesTo" if id(fact.call) in written else "ReadsFrom"
                if table is not None:
                    yield Edge(fact.source, table, relation, file.path, fact.line, RULE, CONFIDENCE)


def _is_query(call: Call, evaluator: Evaluator) -> bool:
    """Say whether a call begins a query at a factory, or goes on with one that began so or as `new Query()`."""
    receiver = receiver_of(call)
    if function_name(call) != _BEGIN:
        inner = inward(receiver) if receiver is not None else ()
        return any(_is_begun(one) for one in inner)
    ref = evaluator.type_of(receiver) if receiver is not None else None
    if ref is not None:
        return _FACTORY.fullmatch(ref.name.rpartition(".")[2]) is not None
    name = receiver.name if isinstance(receiver, (Name, Member, Typed)) else ""
    return _CALLED_FACTORY.fullmatch(name) is not None


def _is_begun(expression: Expression) -> bool:
    if isinstance(expression, Call):
        return function_name(expression) == _BEGIN
    return isinstance(expression, (New, Typed)) and expression.type.rpartition(".")[2] == _BEGIN


def _written(call: Call) -> Expression | None:
    """Return the call that begins a query which ends with a write."""
    if function_name(call) not in _WRITES:
        return None
    begun = [one for one in inward(call) if isinstance(one, Call) and function_name(one) in ("Query", "From")]
    return begun[-1] if begun else None


def _table(fact: CallFact, scope: Scope, model: EntityModel) -> str | None:
    text = scope.text(argument(fact.call, 0)) or ""
    name = bare_name(_ALIAS.sub("", text))
    return model.key_for(name) if name is not None else None
