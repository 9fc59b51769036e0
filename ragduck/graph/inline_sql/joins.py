"""Find the tables that Dapper's SqlBuilder joins: `builder.LeftJoin("dbo.Invoice i ON i.OrderId = o.Id")`."""

from __future__ import annotations

from collections.abc import Iterator

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
_BUILDER = "SqlBuilder"


def join_edges(catalog: Catalog, database: DatabaseCatalog, strings: StringEvaluator) -> Iterator[Edge]:
    """Yield an edge from each member to the tables that it adds to a statement by a join."""
    for file in catalog.files_calling(_JOINS):
        evaluators = Evaluators(catalog, file)
        for fact in file.calls:
            receiver = receiver_of(fact.call)
            if function_name(fact.call) not in _JOINS or receiver is None or not fact.call.arguments:
                continue
            ref = evaluators.within(fact.source).type_of(receiver)
            if ref is None or ref.name.rpartition(".")[2] != _BUILDER:
                continue
            joined = strings.evaluate(argument(fact.call, 0, name="sql"), file=file, source=fact.source)
            for text in joined.texts:
                statement = f"SELECT 1 FROM {UNKNOWN_PIECE} JOIN {readable_text(text)}"
                for reference in read_references(statement):
                    key = database.target_of(reference)
                    if key is not None and reference.relation == "ReadsFrom":
                        yield Edge(fact.source, key, "ReadsFrom", file.path, fact.line, RULE, CONFIDENCE)
