"""Clients of gRPC lead to the services that answer, though both are generated from files of another kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from ragduck.facts import FileFacts
from ragduck.graph.code.graph import code_graph
from ragduck.graph.types.catalog import Catalog

FactsOf = Callable[[Mapping[str, str]], list[FileFacts]]
SERVICE = """
namespace Api;
public class Baskets : Basket.BasketBase {
    public override async Task<Reply> GetBasket(Ask request, ServerCallContext context) => Make();
    static Reply Make() => null;
}
"""


def calls(facts_of: FactsOf, client: str, *, service: str = SERVICE) -> set[tuple[str, str, float]]:
    facts = facts_of({"Api/Baskets.cs": service, "Web/Client.cs": client})
    return {
        (edge.from_key, edge.to_key, edge.confidence)
        for edge in code_graph(Catalog(facts)).edges
        if edge.relation == "Calls" and edge.rule == "grpc"
    }


@pytest.mark.parametrize(
    "client",
    [
        "class C(Basket.BasketClient it) { void Run() => it.GetBasketAsync(new()); }",
        "class C { readonly BasketClient it = new Basket.BasketClient(channel); void Run() => it.GetBasket(ask); }",
        "using Client = Api.Basket.BasketClient; class C(Client it) { void Run() => it.GetBasketAsync(new()); }",
        "class C(Kept.Basket.BasketClient it) { void Run() => it.GetBasketAsync(new()); } namespace Kept "
        "{ static class Basket { public class BasketClient { public int GetBasketAsync(int a) => 1; } } }",
    ],
)
def test_a_client_calls_the_method_of_the_service(facts_of: FactsOf, client: str) -> None:
    assert calls(facts_of, client) == {
        ("csharp:C.Run|METHOD", "csharp:Api.Baskets.GetBasket|METHOD", 0.8),
    }


@pytest.mark.parametrize(
    "client",
    [
        "class C(BasketStore it) { void Run() => it.GetBasketAsync(1); }",
        "class C(Order.OrderClient it) { void Run() => it.GetBasketAsync(1); }",
        "class C(BasketClient it) { void Run() => it.GetBasketAsync(1); } class BasketClient { }",
        "class C(Basket.BasketClient it) { void Run() => it.Make(); }",
    ],
)
def test_others_call_no_service(facts_of: FactsOf, client: str) -> None:
    assert calls(facts_of, client) == set()


def test_a_base_that_is_only_called_so_is_no_service(facts_of: FactsOf) -> None:
    service = SERVICE.replace("Basket.BasketBase", "BasketBase")

    assert (
        calls(facts_of, "class C(Basket.BasketClient it) { void Run() => it.GetBasket(1); }", service=service)
        == set()
    )
