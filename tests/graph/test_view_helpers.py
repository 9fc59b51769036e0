"""Calls of helpers in Razor views: `Html.`, `Url.` and `Ajax.` lead to the extension methods that the view sees."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from ragduck.facts import FileFacts
from ragduck.graph.build import build_graph

HELPERS = """namespace Web.Framework;

public static class HtmlExtensions
{
    public static string LabelFor<TModel>(this HtmlHelper<TModel> html, string name) => name;
    public static string Home(this IUrlHelper url) => "/";
}
"""
CONFIG = """<configuration>
  <system.web.webPages.razor>
    <pages><namespaces>
      <add namespace="System.Web.Mvc" />
      <add namespace="Web.Framework"/>
    </namespaces></pages>
  </system.web.webPages.razor>
</configuration>
"""
VIEW = '@model Order\n<p>@Html.LabelFor("Total")</p>\n<a href="@Url.Home()">x</a>\n@Html.Raw("x")\n'

FactsOf = Callable[[Mapping[str, str]], list[FileFacts]]
EdgesOf = Callable[[Mapping[str, str]], set[tuple[str, str, int]]]


@pytest.fixture(scope="module")
def calls_of(facts_of: FactsOf) -> EdgesOf:
    def calls(texts: Mapping[str, str]) -> set[tuple[str, str, int]]:
        graph, problems = build_graph(facts_of(texts))
        assert not problems
        return {
            (edge.source_file, edge.to_key.rpartition(".")[2], edge.line)
            for edge in graph.edges
            if edge.relation == "Calls"
        }

    return calls


@pytest.mark.parametrize(
    "opened",
    [
        {"Web/Views/Web.config": CONFIG},
        {"Web/Views/_ViewImports.cshtml": "@using Web.Framework\n"},
    ],
)
def test_a_view_calls_the_extensions_that_it_sees(opened: Mapping[str, str], calls_of: EdgesOf) -> None:
    texts = {"Framework/HtmlExtensions.cs": HELPERS, "Web/Views/Order/Edit.cshtml": VIEW, **opened}

    assert calls_of(texts) == {
        ("Web/Views/Order/Edit.cshtml", "LabelFor|METHOD", 2),
        ("Web/Views/Order/Edit.cshtml", "Home|METHOD", 3),
    }


def test_one_helper_is_not_another(calls_of: EdgesOf) -> None:
    view = '<a href="@Url.LabelFor("x")">@Html.Home()</a>@Ajax.Home()'
    texts = {
        "Framework/HtmlExtensions.cs": HELPERS,
        "Web/Views/Edit.cshtml": view,
        "Web/Views/WEB.config": CONFIG,
    }

    assert calls_of(texts) == set()
    assert calls_of({**texts, "Web/Views/Edit.cshtml": "@Url.Home()"}) != set()


def test_other_folders_and_other_code_see_nothing(calls_of: EdgesOf) -> None:
    texts = {
        "Framework/HtmlExtensions.cs": HELPERS,
        "Admin/Views/Edit.cshtml": VIEW,
        "Web/Views/Web.config": CONFIG,
        "Web/Views/other.config": CONFIG,
    }

    assert calls_of(texts) == set()
