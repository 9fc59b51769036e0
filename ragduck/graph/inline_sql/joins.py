"""Find the tables that builders of statements are told of.

Dapper's SqlBuilder joins them, `builder.LeftJoin("dbo.Invoice i ON i.OrderId = o.Id")`, the `Sql` of PetaPoco and
NPoco reads them as well, `Sql.Builder.Select("*").From("dbo.Invoice")`.
"""

from __future__ import annotations

from collections.abc import Iterator

from ragduck.facts import Call, Expression, Member, Name, New
from ragduck.graph.database.graph import DatabaseCatalog
from ragduck.graph.inline_sql.strings import StringEvaluator
from ragduck.graph.types.catalog import Catalog
from ragduck.graph.types.chains import argument, function_name, receiver_of
from ragduck.graph.types.expressions import Evaluators
from ragduck.model import Edge
from ragduck.sqlreader.recognition import UNKNOWN_PIECE, readable_text
from ragduck.sqlreader.references import read_references

RULE = "inline sql"
CONFIDENCE = 0.9
_JOINS = frozenset(("Join", "InnerJoin", "LeftJoin", "RightJoin"))
_FROM = "From"
_SQL = "Sql"
_BUILDERS = frozenset(("SqlBuilder", _SQL))
_MADE_BY = Member(Name(_SQL), "Builder")


def join_edges(catalog: Catalog, database: DatabaseCatalog, strings: StringEvaluator) -> Iterator[Edge]:
    """Yield an edge from each member to the tables that it adds to a statement by a call."""
    for file in catalog.files_calling(_JOINS | {_FROM}):
        evaluators = Evaluators(catalog, file)
        for fact in file.calls:
            receiver, name = receiver_of(fact.call), function_name(fact.call)
            if name not in (*_JOINS, _FROM) or receiver is None or not fact.call.arguments:
                continue
            ref = evaluators.within(fact.source).type_of(receiver)
            if _builder_behind(receiver) not in _BUILDERS and (
                ref is None or _simple(ref.name) not in _BUILDERS
            ):
                continue
            before = "" if name == _FROM else f"{UNKNOWN_PIECE} JOIN "
            joined = strings.evaluate(argument(fact.call, 0, name="sql"), file=file, source=fact.source)
            for text in joined.texts:
                statement = f"SELECT 1 FROM {before}{readable_text(text)}"
                for reference in read_references(statement):
                    key = database.target_of(reference)
                    if key is not None and reference.relation == "ReadsFrom":
                        yield Edge(fact.source, key, "ReadsFrom", file.path, fact.line, RULE, CONFIDENCE)


def _builder_behind(receiver: Expression) -> str:
    """Return the type of the object that a chain of calls begins with, if it says so."""
    while isinstance(receiver, Call) and isinstance(receiver.function, Member):
        receiver = receiver.function.receiver
    if isinstance(receiver, New):
        return _simple(receiver.type)
    return _SQL if receiver == _MADE_BY else ""


def _simple(name: str) -> str:
    return name.partition("<")[0].rpartition(".")[2]
