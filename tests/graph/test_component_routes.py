"""Links and navigation of Blazor lead to the components whose `@page` says the path."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from ragduck.facts import FileFacts
from ragduck.graph.build import build_graph

FactsOf = Callable[[Mapping[str, str]], list[FileFacts]]

PAGES = {
    "Web/Pages/Orders.razor": '@page "/orders"\n',
    "Web/Pages/Order.razor": '@page "/orders/{Id:int}"\n@page "/order/{Id:int}/{Tab?}"\n',
    "Web/Pages/Home.razor": '@page "/"\n',
    "Web/Mail.cshtml": '@page "/mail"\n<a href="/orders">x</a>\n',
}


def led_to(facts: list[FileFacts]) -> set[tuple[str, str, str, int, float]]:
    graph, problems = build_graph(facts)
    assert not problems
    return {
        (
            edge.from_key.rpartition(".")[2],
            edge.to_key.rpartition(".")[2].removesuffix("|TYPE"),
            edge.rule,
            edge.line,
            edge.confidence,
        )
        for edge in graph.edges
        if edge.relation == "LeadsTo"
    }


@pytest.mark.parametrize(
    ("tag", "page"),
    [
        ('<a class="b" href="/orders">x</a>', "Orders"),
        ('<NavLink href="orders?all=1#top">x</NavLink>', "Orders"),
        ('<MyLink Href="ORDERS/" />', "Orders"),
        ('<a href="orders/5">x</a>', "Order"),
        ('<a href="orders/@item.Id">x</a>', "Order"),
        ('<a href="/order/@(item.Id)/lines">x</a>', "Order"),
        ('<a href="@($"order/{item.Id}")">x</a>', "Order"),
    ],
)
def test_a_link_leads_to_the_page_of_its_path(facts_of: FactsOf, tag: str, page: str) -> None:
    found = led_to(facts_of({**PAGES, "Web/Menu.razor": f"<p></p>\n{tag}\n"}))

    assert found == {("razor|FILE", page, "link", 2, 0.95)}


@pytest.mark.parametrize(
    "tag",
    [
        '<a href="https://host.com/orders">x</a>',
        '<a href="@Base/orders">x</a>',
        '<a href="@Url("orders")">x</a>',
        '<a href="#orders">x</a>',
        '<a href="/orders/new">x</a>',
        '<a href="mail">x</a>',
        '<link href="orders" />',
        "@* <a href='orders'></a> *@",
    ],
)
def test_other_addresses_lead_to_no_page(facts_of: FactsOf, tag: str) -> None:
    assert led_to(facts_of({**PAGES, "Web/Menu.razor": f"{tag}\n"})) == set()


def test_code_navigates_to_a_page(facts_of: FactsOf) -> None:
    files = {
        "Web/Menu.razor": """
            @inject NavigationManager Nav
            @inject Robot Robot
            @code {
                void Own() { Nav.NavigateTo("/orders", true); }
                void Given(int id) { Nav.NavigateTo($"order/{id}"); }
                void Any(string path) { Nav.NavigateTo($"{path}/orders"); }
                void Other() { Robot.NavigateTo("/orders"); }
            }
        """,
        "Other/Service.cs": """
            class Service { NavigationManager _nav; void Go() { _nav.NavigateTo("/orders"); } }
        """,
    }

    assert led_to(facts_of({**PAGES, **files})) == {
        ("Own|METHOD", "Orders", "redirect", 4, 0.95),
        ("Given|METHOD", "Order", "redirect", 5, 0.95),
        ("Go|METHOD", "Orders", "redirect", 1, 0.8),
    }


def test_a_path_that_two_other_projects_have_leads_nowhere(facts_of: FactsOf) -> None:
    files = {
        "A/Orders.razor": '@page "/orders"\n',
        "B/Orders.razor": '@page "/orders"\n<a href="orders">x</a>\n',
        "C/Menu.razor": '<a href="orders">x</a>\n',
    }

    graph, _ = build_graph(facts_of(files))

    assert {edge.to_key for edge in graph.edges if edge.relation == "LeadsTo"} == {"razor:B.Orders|TYPE"}
