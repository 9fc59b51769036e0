"""Components of Blazor have the namespace that Blazor gives them, so that code can name them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from ragduck.facts import FileFacts
from ragduck.graph.build import build_graph
from ragduck.graph.types.catalog import Catalog

FactsOf = Callable[[Mapping[str, str]], list[FileFacts]]
CodeEdges = Callable[[str, Mapping[str, str]], set[tuple[str, str, str]]]

PROJECT = '<Project Sdk="Microsoft.NET.Sdk.Web"><PropertyGroup>{0}</PropertyGroup></Project>'
ROOT = "<RootNamespace>{0}</RootNamespace>"
GRID = "<p>x</p>\n@code { public string Reload() { return Title; } public string Title; }\n"
WEB = {
    "src/My.Web/My.Web.csproj": PROJECT.format(""),
    "src/My.Web/_Imports.razor": "@using My.Web.Parts\n",
    "src/My.Web/Parts/Grid.razor": GRID,
}
RELOAD = "src.My.Web.Parts.Grid.Reload"


def namespace_of(catalog: Catalog, path: str) -> str:
    (declared,) = catalog.files[path].types
    return catalog.types[declared.key].namespace


@pytest.mark.parametrize(
    ("files", "namespace"),
    [
        ({"src/Web/Shop Web.csproj": PROJECT.format("")}, "Shop_Web.Parts.A1._2_b"),
        ({"src/Web/Web.csproj": PROJECT.format(ROOT.format("My.Shop"))}, "My.Shop.Parts.A1._2_b"),
        (
            {"src/Web/Web.csproj": PROJECT.format(""), "src/Web/_Imports.razor": "@namespace My\n"},
            "My.Parts.A1._2_b",
        ),
        (
            {
                "src/Web/Web.csproj": PROJECT.format(""),
                "src/Web/_Imports.razor": "@namespace My\n",
                "src/Web/Parts/_imports.razor": "@namespace My.Other\n",
            },
            "My.Other.A1._2_b",
        ),
        (
            {
                "src/Web/Web.csproj": PROJECT.format(""),
                "src/Directory.Build.props": f"<Project>{ROOT.format('Shop.$(MSBuildProjectName)')}</Project>",
            },
            "Shop.Web.Parts.A1._2_b",
        ),
        (
            {"src/Web/Web.csproj": PROJECT.format(""), "src/_Imports.razor": "@namespace Above\n"},
            "Web.Parts.A1._2_b",
        ),
        ({"src/Web/Web.csproj": PROJECT.format(ROOT.format("$(Unknown)"))}, "src.Web.Parts.A1.2-b"),
        ({}, "src.Web.Parts.A1.2-b"),
    ],
)
def test_a_component_has_the_namespace_of_its_project_or_imports_and_its_folders(
    facts_of: FactsOf, files: Mapping[str, str], namespace: str
) -> None:
    path = "src/Web/Parts/A1/2-b/Grid.razor"
    catalog = Catalog(facts_of({path: GRID, **files}))

    assert namespace_of(catalog, path) == namespace


def test_a_component_may_say_its_namespace_itself(facts_of: FactsOf) -> None:
    path = "src/My.Web/Parts/Grid.razor"
    imports = {"src/My.Web/_Imports.razor": "@namespace My.Other\n"}
    catalog = Catalog(facts_of({**WEB, **imports, path: f"@namespace Own.Parts\n{GRID}"}))
    template = Catalog(facts_of({**WEB, path: f"@namespace [Owner].Parts\n{GRID}"}))

    assert namespace_of(catalog, path) == "Own.Parts"
    assert namespace_of(template, path) == "src.My.Web.Parts"


@pytest.mark.parametrize(
    "code",
    [
        "private Grid _grid; void Run() { _grid.Reload(); }",
        "private Parts.Grid _grid; void Run() { _grid.Reload(); }",
        "void Run() { new Grid().Reload(); }",
        "void Run() { Find<Grid>().Reload(); } T Find<T>() => default;",
    ],
)
def test_code_calls_the_members_of_a_component_whose_namespace_it_sees(
    code_edges: CodeEdges, code: str
) -> None:
    inside = code_edges("Calls", {**WEB, "src/My.Web/Pages/Home.razor": f"@code {{ {code} }}\n"})
    plain = f"using My.Web.Parts;\nnamespace My.Web;\nclass Home {{ {code} }}\n"
    outside = code_edges("Calls", {**WEB, "src/My.Web/Home.cs": plain})

    assert ("src.My.Web.Pages.Home.Run", RELOAD) in {edge[:2] for edge in inside}
    assert ("My.Web.Home.Run", RELOAD) in {edge[:2] for edge in outside}


def test_code_that_does_not_open_the_namespace_of_a_component_does_not_mean_it(code_edges: CodeEdges) -> None:
    other = "namespace Elsewhere;\nclass Home { private Grid _grid; void Run() { _grid.Reload(); } }\n"

    assert code_edges("Calls", {**WEB, "src/My.Web/Home.cs": other}) == set()


def test_both_halves_of_a_component_are_one_type(code_edges: CodeEdges) -> None:
    files = {
        **WEB,
        "src/My.Web/Base.cs": "namespace My.Web;\nclass Base { protected void Tell() { } }\n",
        "src/My.Web/Clock.cs": "namespace My.Web;\npublic class Clock { public void Tick() { } }\n",
        "src/My.Web/Pages/Home.razor": "@inherits Base\n@inject Clock Clock\n@code { void Own() { } }\n",
        "src/My.Web/Pages/HomeParts.cs": """namespace My.Web.Pages;
            public partial class Home { public void Run() { Tell(); Clock.Tick(); Own(); } }
        """,
        "src/My.Web/Pages/Other.razor": "@code { Home _home; void Ask() { _home.Run(); _home.Own(); } }\n",
    }

    assert {edge[:2] for edge in code_edges("Calls", files)} == {
        ("My.Web.Pages.Home.Run", "My.Web.Base.Tell"),
        ("My.Web.Pages.Home.Run", "My.Web.Clock.Tick"),
        ("My.Web.Pages.Home.Run", "src.My.Web.Pages.Home.Own"),
        ("src.My.Web.Pages.Other.Ask", "My.Web.Pages.Home.Run"),
        ("src.My.Web.Pages.Other.Ask", "src.My.Web.Pages.Home.Own"),
    }
    assert ("src.My.Web.Pages.Other._home", "src.My.Web.Pages.Home", "holds") in code_edges("Uses", files)


def test_a_type_within_a_component_is_found_by_the_name_of_that(code_edges: CodeEdges) -> None:
    files = {
        **WEB,
        "src/My.Web/Parts/Grid.razor": "@code { public class Row { public void Mark() { } } }\n",
        "src/My.Web/Home.cs": """using My.Web.Parts;
            namespace My.Web;
            class Home { void Run(Grid.Row row) { row.Mark(); } }
        """,
    }

    assert {edge[:2] for edge in code_edges("Calls", files)} == {
        ("My.Web.Home.Run", "src.My.Web.Parts.Grid.Row.Mark")
    }


def tags_of(facts: list[FileFacts]) -> set[tuple[str, str]]:
    graph, _ = build_graph(facts)
    return {
        (edge.source_file, edge.to_key.partition(":")[2].rpartition("|")[0])
        for edge in graph.edges
        if edge.rule == "component"
    }


def test_of_components_of_one_name_a_tag_means_the_one_that_is_seen(facts_of: FactsOf) -> None:
    files = {
        **WEB,
        "src/My.Maui/My.Maui.csproj": PROJECT.format(""),
        "src/My.Maui/Grid.razor": "<p>y</p>\n",
        "src/Site/Site.csproj": PROJECT.format(""),
        "src/Site/_Imports.razor": "@using My.Web.Parts\n",
        "src/Site/Home.razor": "<Grid />\n<My.Maui.Grid />\n",
        "src/Other/Other.csproj": PROJECT.format(""),
        "src/Other/Home.razor": "<Grid />\n",
    }

    assert tags_of(facts_of(files)) == {
        ("src/Site/Home.razor", "src.My.Web.Parts.Grid"),
        ("src/Site/Home.razor", "src.My.Maui.Grid"),
    }


def test_a_tag_may_mean_a_component_of_which_the_namespace_is_not_known(facts_of: FactsOf) -> None:
    files = {
        **WEB,
        "src/Lib/Lib.csproj": PROJECT.format(ROOT.format("$(Company).Lib")),
        "src/Lib/Box.razor": "<p>y</p>\n",
        "src/My.Web/Unseen/Box.razor": "<p>z</p>\n",
        "src/My.Web/Home.razor": "@using Acme.Lib\n<Box />\n<Cup />\n",
        "src/My.Web/Unseen/Cup.razor": "<p>z</p>\n",
    }

    assert tags_of(facts_of(files)) == {("src/My.Web/Home.razor", "src.Lib.Box")}


def test_a_tag_does_not_name_a_class_that_cannot_be_a_component(facts_of: FactsOf) -> None:
    classes = """namespace My.Web;
        public class Header { }
        public class Model : IModel { }
        public class Title : ComponentBase { }
        public class Subtitle : Title { }
        public class Plain : IComponent { }
    """
    page = "<Grid><Header>x</Header><Model /><Title /><Subtitle /><Plain /></Grid>\n"

    found = tags_of(facts_of({**WEB, "src/My.Web/C.cs": classes, "src/My.Web/Pages/Home.razor": page}))

    names = {name for _, name in found}
    assert names == {"src.My.Web.Parts.Grid", "My.Web.Title", "My.Web.Subtitle", "My.Web.Plain"}
