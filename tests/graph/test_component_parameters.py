"""What a tag sets of a component is used by the file."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from ragduck.facts import FileFacts
from ragduck.graph.build import build_graph

FactsOf = Callable[[Mapping[str, str]], list[FileFacts]]

GRID = """@inherits GridBase
@code {
    [Parameter, EditorRequired] public string Title { get; set; }
    [Microsoft.AspNetCore.Components.Parameter] public Action OnSaved { get; set; }
    [Parameter] public int Page { get; set; }
    [Parameter] public EventCallback<int> PageChanged { get; set; }
    [CascadingParameter] public string Theme { get; set; }
    public string Hidden { get; set; }
}
"""
BASE = "namespace Web;\npublic class GridBase : ComponentBase { [Parameter] public int Size { get; set; } }\n"


@pytest.mark.parametrize(
    ("tag", "used"),
    [
        ('<Grid Title="a" Size=5 />', {"Title": 1, "Size": 1}),
        ('<Grid\n  Title="@Texts["a", 1]"\n  Size="@(Sum("Page=\\"", 2))" />', {"Title": 2, "Size": 3}),
        (
            '<Grid OnSaved="@(async () => await Save("Title=", \'"\'))" Page=@Number.Of[1] Size />',
            {"OnSaved": 1, "Page": 1, "Size": 1},
        ),
        ("<Grid @bind-Page='number' />", {"Page": 1, "PageChanged": 1}),
        ('<Grid @bind-Page:get="number" @bind-Page:set="Set" />', {"Page": 1, "PageChanged": 1}),
        ('<Grid class="a @(b ? "Title" : "c") Size" Title="x@y" @key="Page" />', {"Title": 1}),
        ('<Grid Theme="a" Hidden="b" title="c" data-Title="d" @onclick="Page" @ref="Size" />', {}),
        ('@* <Grid Title="a" /> *@ <Other Title="b" /> <p Title="c"></p>', {}),
    ],
)
def test_a_tag_uses_the_parameters_that_it_sets(facts_of: FactsOf, tag: str, used: Mapping[str, int]) -> None:
    files = {"Web/Grid.razor": GRID, "Web/GridBase.cs": BASE, "Web/Web.csproj": '<Project Sdk="A"></Project>'}

    graph, problems = build_graph(facts_of({**files, "Web/Home.razor": f"{tag}\n"}))

    assert not problems
    assert {
        edge.to_key.rpartition(".")[2].removesuffix("|PROPERTY"): edge.line
        for edge in graph.edges
        if edge.rule == "component parameter" and edge.from_key == "file:Web/Home.razor|FILE"
    } == used
