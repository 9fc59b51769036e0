"""Views have the base class that a Web.config, or the imports of a folder above, gives them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from ragduck.facts import FileFacts
from ragduck.facts.digests import NO_DECLARATIONS, declarations_digest
from ragduck.graph.code.graph import code_graph
from ragduck.graph.types.catalog import Catalog

FactsOf = Callable[[Mapping[str, str]], list[FileFacts]]
CodeEdges = Callable[[str, str | Mapping[str, str]], set[tuple[str, str, str]]]

FRAMEWORK = """
    namespace Web.Framework;
    public class Order { public int Total { get; set; } }
    public interface IWork { void Reset(); }
    public abstract class ShopPage<TModel> : System.Web.Mvc.WebViewPage<TModel>
    {
        public TModel Shown { get; }
        public IWork Work { get; }
        protected string Say(string key) => key;
    }
    public abstract class ShopPage : ShopPage<dynamic> { }
    public abstract class AdminPage<TModel> { protected string Say(string key) => key; }
    """
VIEW = "@model Web.Framework.Order\n<p>@Say(Shown.Total)</p>\n@{ Work.Reset(); }\n"
PATH = "Web/Views/Order/Edit.cshtml"


def config(base: str, *, section: str = "system.web.webPages.razor") -> str:
    return f"""
        <configuration>
          <system.web><pages pageBaseType="Web.Framework.OtherPage" /></system.web>
          <!-- <{section}><pages pageBaseType="Web.Framework.OldPage" /></{section}> -->
          <{section}>
            <pages pageBaseType="{base}" />
          </{section}>
        </configuration>
        """


@pytest.mark.parametrize(
    "above",
    [
        {"Web/Views/Web.config": config("Web.Framework.ShopPage")},
        {"Web/web.config": config("Web.Framework.ShopPage, Web.Framework, Version=1.0")},
        {"Web/Views/_ViewImports.cshtml": "@using Web.Framework\n@inherits ShopPage<TModel>\n"},
        {
            "Web/Views/Web.config": config("Web.Framework.ShopPage"),
            "Web/Web.config": config("Web.Framework.AdminPage"),
        },
    ],
)
def test_a_view_has_the_base_that_the_nearest_file_above_gives(
    above: Mapping[str, str], code_edges: CodeEdges
) -> None:
    files = {"Framework/Page.cs": FRAMEWORK, PATH: VIEW, **above}

    assert {edge[1] for edge in code_edges("Calls", files)} == {
        "Web.Framework.ShopPage.Say",
        "Web.Framework.IWork.Reset",
    }
    assert ("Web.Views.Order.Edit", "Web.Framework.Order.Total", "reads member") in code_edges("Uses", files)
    assert ("Web.Views.Order.Edit", "Web.Framework.ShopPage", "page base") in code_edges("Inherits", files)


@pytest.mark.parametrize(
    ("path", "text", "above"),
    [
        (PATH, "@inherits Other.Page\n@Say()", {"Web/Views/Web.config": config("Web.Framework.ShopPage")}),
        ("Admin/Views/Edit.cshtml", VIEW, {"Web/Views/Web.config": config("Web.Framework.ShopPage")}),
        ("Web/Views/_ViewStart.cshtml", VIEW, {"Web/Views/Web.config": config("Web.Framework.ShopPage")}),
        ("Web/Pages/Edit.razor", VIEW, {"Web/Web.config": config("Web.Framework.ShopPage")}),
        (PATH, VIEW, {"Web/Views/Web.config": config("Web.Framework.ShopPage", section="system.web")}),
        (PATH, VIEW, {"Web/Views/Web.config": config("System.Web.Mvc.WebViewPage")}),
    ],
)
def test_other_files_have_no_such_base(
    path: str, text: str, above: Mapping[str, str], code_edges: CodeEdges
) -> None:
    assert code_edges("Calls", {"Framework/Page.cs": FRAMEWORK, path: text, **above}) == set()


def test_the_line_that_gives_the_base_is_the_evidence(facts_of: FactsOf) -> None:
    given = {"Web/Views/Web.config": config("Web.Framework.ShopPage")}
    edges = code_graph(Catalog(facts_of({"Framework/Page.cs": FRAMEWORK, PATH: VIEW, **given}))).edges

    assert [(edge.source_file, edge.line) for edge in edges if edge.rule == "page base"] == [
        ("Web/Views/Web.config", 5)
    ]


def test_statements_are_read_again_if_views_are_given_another_base(facts_of: FactsOf) -> None:
    digests = {
        declarations_digest(facts_of({"Web/Views/Web.config": config(base)})[0])
        for base in ("Web.Framework.ShopPage", "Web.Framework.AdminPage")
    }

    assert len(digests) == 2
    assert NO_DECLARATIONS not in digests
