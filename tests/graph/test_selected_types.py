"""What `Select` makes of a collection holds what its lambda returns, not what the lambda mentions."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

CodeEdges = Callable[[str, str | Mapping[str, str]], set[tuple[str, str, str]]]

SHOP = """
    class Customer { public void Greet() {} public Card Card; }
    class Order { public Customer Customer; public Customer Payer; public List<Customer> Guests; }
    class Card { public Card(Customer owner) {} public void Greet() {} }
    static class Cards { public static Card ToCard(this Customer owner) { return null; } }
    class Desk {
        IMapper mapper; List<Order> orders;
        Func<Order, Card> asCard; static Expression<Func<Order, Card>> AsCard { get; }
        Card Map(Customer owner) { return null; }
        Task<Card> Load(Customer owner) { return null; }
        void Run() { foreach (var one in orders.SELECTED.ToList()) { one.Greet(); } }
    }
"""


def greeted(code_edges: CodeEdges, selected: str) -> set[str]:
    """Return whom `Desk.Run` greets."""
    edges = code_edges("Calls", SHOP.replace("SELECTED", selected))
    return {to for source, to, _ in edges if source == "Desk.Run" and to.endswith(".Greet")}


@pytest.mark.parametrize(
    "selected",
    [
        "Select(o => new Card(o.Customer))",
        "Select(o => { var owner = o.Customer; return new Card(owner); })",
        "Select(o => Map(o.Customer))",
        "Select(o => this.Map(o.Customer))",
        "Select(o => o.Customer.ToCard())",
        "Select(o => mapper.Map<Card>(o.Customer))",
        "Select(o => o.Customer.Card)",
        "Select(o => o.Customer).Select(c => c.Card)",
        "Select(o => o.Customer).Select(Map)",
        "Select(o => o.Customer).Select(this.Map)",
        "Select(o => o.Customer).Select(Cards.ToCard)",
        "Select(asCard)",
        "Select(AsCard)",
        "Select(static (o, at) => new Card(o.Customer))",
        "Select(o => o.Guests.Select(g => new Card(g)).First())",
        "SelectMany(o => o.Guests.Select(g => g.Card))",
        "Select(o => o.Payer == null ? null : new Card(o.Payer))",
    ],
)
def test_a_collection_holds_what_a_lambda_returns(code_edges: CodeEdges, selected: str) -> None:
    assert greeted(code_edges, selected) == {"Card.Greet"}


@pytest.mark.parametrize(
    "selected",
    [
        "Select(o => o.Customer)",
        "Select(o => o.Payer ?? o.Customer)",
        "SelectMany(o => o.Guests)",
        "SelectMany(o => o.Guests.Where(g => g.Card != null))",
        "Select(o => o.Guests.OrderBy(g => g.Card).First())",
        "Select(o => o.Guests[0])",
    ],
)
def test_a_chain_of_members_leads_to_what_it_ends_with(code_edges: CodeEdges, selected: str) -> None:
    assert greeted(code_edges, selected) == {"Customer.Greet"}


@pytest.mark.parametrize(
    "selected",
    [
        "Select(async o => await Load(o.Customer))",
        "Select(o => o.Customer.ToString())",
        "Select(o => Elsewhere(o.Customer))",
        "Select(o => new { o.Customer })",
        'Select(o => $"{o.Customer}")',
    ],
)
def test_what_a_lambda_mentions_is_not_what_it_returns(code_edges: CodeEdges, selected: str) -> None:
    assert greeted(code_edges, selected) == set()
