"""Names that other objects tell are known where the type of the object tells which code runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from ragduck.facts import FileFacts
from ragduck.graph.database.graph import DatabaseCatalog
from ragduck.graph.inline_sql.graph import inline_sql_graph
from ragduck.graph.types.catalog import Catalog

FactsOf = Callable[[Mapping[str, str]], list[FileFacts]]
FoundIn = Callable[[str], list[tuple[str, float]]]

NAMES = """
interface INames { string Lock { get; } }
class Names : INames
{
    public string Lock => "sales.Locks";
    public string GetLock() => "sales.Locks";
    public string Of(string name) => "sales." + name;
    public string Given { get; }
    public virtual string Open => "sales.Open";
    public Names(string given) { Given = given; }
}
class OtherNames : Names { public override string Open => "sales.Other"; }
class Holder { public Names Held { get; } }
class Store
{
    private readonly Names names;
    private readonly INames seen;
    private readonly Holder holder;
    private readonly string field;
    private SqlConnection c;
    Store(Names given) { field = given.Lock; }
"""


@pytest.fixture
def found_in(facts_of: FactsOf) -> FoundIn:
    def found(statements: str) -> list[tuple[str, float]]:
        facts = facts_of({"A.cs": f"{NAMES} void Run(Names given) {{ {statements} }} }}"})
        edges = inline_sql_graph(Catalog(facts), DatabaseCatalog(facts)).edges
        return [(edge.to_key, edge.confidence) for edge in edges]

    return found


@pytest.mark.parametrize(
    "statements",
    [
        'c.Execute($"DELETE FROM {names.Lock} WHERE Id = 1");',
        'c.Execute("DELETE FROM " + names.GetLock() + " WHERE Id = 1");',
        'c.Execute($"DELETE FROM {given.GetLock()} WHERE Id = 1");',
        'c.Execute($"DELETE FROM {this.names.Lock} WHERE Id = 1");',
        'c.Execute($"DELETE FROM {holder.Held.Lock} WHERE Id = 1");',
        'var name = names.GetLock(); c.Execute("DELETE FROM " + name + " WHERE Id = 1");',
        """c.Execute($"DELETE FROM {names.Of("Locks")} WHERE Id = 1");""",
        'c.Execute($"DELETE FROM {field} WHERE Id = 1");',
    ],
)
def test_an_object_of_a_class_tells_its_names(found_in: FoundIn, statements: str) -> None:
    assert found_in(statements) == [("sales.Locks|TABLE", 0.9)]


@pytest.mark.parametrize("name", ["seen.Lock", "names.Given", "names.Open", "names.Unseen"])
def test_what_may_be_anything_stays_unknown(found_in: FoundIn, name: str) -> None:
    assert found_in(f'c.Execute($"DELETE FROM {{{name}}} WHERE Id = 1");') == []
