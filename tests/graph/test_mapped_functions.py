"""Methods that designers make of procedures run them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from ragduck.facts import FileFacts, ObjectFact, ObjectName
from ragduck.graph.database.graph import DatabaseCatalog
from ragduck.graph.inline_sql.graph import inline_sql_graph
from ragduck.graph.types.catalog import Catalog
from tests.graph.conftest import bare

FactsOf = Callable[[Mapping[str, str]], list[FileFacts]]
Edges = set[tuple[str, str, str, str, float]]
EdgesOf = Callable[..., Edges]

KNOWN = (("Order_Place", "PROC"), ("fnTotal", "FUNC"), ("Order", "TABLE"))
PLACE = "dbo.Order_Place|PROC"


@pytest.fixture(scope="session")
def edges_of(facts_of: FactsOf) -> EdgesOf:
    """The edges of a method `Shop.Run` as (from, relation, to, rule, confidence)."""

    def edges(mark: str, body: str, *, base: str = "DbContext") -> Edges:
        code = f"class Shop : {base} {{ {mark} public int Run(int id) {{ {body} return 0; }} }}"
        facts = facts_of({"Shop/Shop.cs": code})
        created = [
            ObjectFact(f"dbo.{name}|{kind}", kind, ObjectName(name, "dbo"), 1, 1) for name, kind in KNOWN
        ]
        found = inline_sql_graph(Catalog(facts), DatabaseCatalog(facts, created=created)).edges
        return {(bare(one.from_key), one.relation, one.to_key, one.rule, one.confidence) for one in found}

    return edges


@pytest.mark.parametrize(
    ("mark", "expected"),
    [
        ('[Function(Name = "dbo.Order_Place")]', ("Executes", PLACE)),
        (
            '[global::System.Data.Linq.Mapping.FunctionAttribute(Name="dbo.[Order_Place]")]',
            ("Executes", PLACE),
        ),
        ('[Function(Name = "dbo.fnTotal", IsComposable = true)]', ("Calls", "dbo.fnTotal|FUNC")),
        ('[Function(Name = "dbo.Order_Gone")]', ("Executes", "dbo.Order_Gone|PROC")),
        ("[Function]", ("Executes", "dbo.Run|PROC")),
    ],
)
def test_a_method_that_is_marked_runs_what_the_mark_names(
    edges_of: EdgesOf, mark: str, expected: tuple[str, str]
) -> None:
    assert edges_of(mark, "", base="System.Data.Linq.DataContext") == {
        ("Shop.Run", *expected, "Function attribute", 1.0)
    }


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ('[StoredProcedure("Order_Place")] class Place { public int Id { get; set; } }', {("Place", PLACE)}),
        ('[StoredProcedureAttribute(Name = "dbo.Order_Place")] class Place { }', {("Place", PLACE)}),
        ("class Orders { [StoredProc(Names.Place)] public void Place() { } }", {("Orders.Place", PLACE)}),
        ('[StoredProcedure("Order_Gone")] class Place { }', set()),
        ('[Display("Order_Place")] class Place { }', set()),
    ],
)
def test_what_is_marked_with_a_known_procedure_runs_it(
    facts_of: FactsOf, code: str, expected: set[tuple[str, str]]
) -> None:
    facts = facts_of(
        {"Shop/A.cs": f'{code} static class Names {{ public const string Place = "dbo.Order_Place"; }}'}
    )
    created = [ObjectFact("dbo.Order_Place|PROC", "PROC", ObjectName("Order_Place", "dbo"), 1, 1)]

    found = inline_sql_graph(Catalog(facts), DatabaseCatalog(facts, created=created)).edges

    assert {(bare(one.from_key), one.to_key) for one in found} == expected


def test_a_mark_outside_of_a_context_is_another_one(edges_of: EdgesOf) -> None:
    assert edges_of('[Function("Order_Place")]', "", base="Reports") == set()


@pytest.mark.parametrize(
    "body",
    [
        'base.ExecuteFunction("Order_Place", id);',
        '((IObjectContextAdapter)this).ObjectContext.ExecuteFunction<Order>("Order_Place", id);',
        'base.ExecuteFunction("ShopEntities.Order_Place", id);',
    ],
)
def test_a_function_import_runs_the_procedure_of_its_name(edges_of: EdgesOf, body: str) -> None:
    assert edges_of("", body) == {("Shop.Run", "Executes", PLACE, "function import", 0.9)}


@pytest.mark.parametrize(
    ("body", "base"),
    [
        ('base.ExecuteFunction("Order_Gone", id);', "DbContext"),
        ('base.ExecuteFunction("Order", id);', "DbContext"),
        ('base.ExecuteFunction("Order_Place", id);', "ApiController"),
    ],
)
def test_a_name_that_is_no_procedure_s_or_no_context_s_is_none(
    edges_of: EdgesOf, body: str, base: str
) -> None:
    assert edges_of("", body, base=base) == set()
