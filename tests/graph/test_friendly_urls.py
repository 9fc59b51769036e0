"""Addresses without the ending of a page lead to it where its project turns friendly URLs on."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from ragduck.facts import FileFacts
from ragduck.graph.build import build_graph

FactsOf = Callable[[Mapping[str, str]], list[FileFacts]]
Links = set[tuple[str, str, str]]
LinksOf = Callable[..., Links]

ROUTES = "class Routes { static void Register(RouteCollection routes) { routes.EnableFriendlyUrls(); } }"
PAGES = ("Edit.aspx", "Default.aspx", "Admin/Users/Edit.aspx", "Admin/Users.aspx")


@pytest.fixture(scope="module")
def links_of(facts_of: FactsOf) -> LinksOf:
    """What leads to pages of a web project, as (from, rule, page)."""

    def links(files: Mapping[str, str], routes: str = ROUTES) -> Links:
        site = {f"Web/{page}": "<b></b>" for page in PAGES}
        graph, problems = build_graph(
            facts_of({**site, "Web/Web.csproj": "<Project />", "Web/Routes.cs": routes, **files})
        )
        assert not problems
        return {
            (one.from_key.partition(":")[2].rpartition("|")[0], one.rule, one.to_key[9:-5])
            for one in graph.edges
            if one.to_key.startswith("file:Web/") and one.relation in ("LeadsTo", "Uses")
        }

    return links


def code(statement: str) -> str:
    return f"""
        using System.Web.UI.WebControls;
        namespace Web {{ class List : Page {{ void Go(int id, string next, HyperLink link) {{ {statement} }} }} }}
    """


@pytest.mark.parametrize(
    ("statement", "rule", "page"),
    [
        ('Response.Redirect("~/Edit");', "redirect", "Edit.aspx"),
        ('Response.Redirect("/edit?id=1");', "redirect", "Edit.aspx"),
        ('Response.Redirect("~/Admin/Users/Edit/5");', "redirect", "Admin/Users/Edit.aspx"),
        ('Response.Redirect("~/Admin/Users/" + id);', "redirect", "Admin/Users.aspx"),
        ('Response.Redirect(string.Format("~/Edit/{0}/1", id));', "redirect", "Edit.aspx"),
        (
            'Response.Redirect(FriendlyUrl.Href("~/Admin/Users/Edit", id));',
            "redirect",
            "Admin/Users/Edit.aspx",
        ),
        ('link.NavigateUrl = "~/Edit";', "link", "Edit.aspx"),
        ('Response.Redirect("~/Edit" + next);', "", ""),
        ('Response.Redirect("~/Edit{0}");', "", ""),
        ('Response.Redirect("~/Missing/Edit");', "", ""),
        ('Response.Redirect("http://example.org/Edit");', "", ""),
        ("Response.Redirect(next);", "", ""),
        ('Response.Redirect("~/");', "", ""),
    ],
)
def test_code_leads_to_the_page_of_an_address_without_its_ending(
    statement: str, rule: str, page: str, links_of: LinksOf
) -> None:
    found = links_of({"Web/List.aspx.cs": code(statement)})

    assert found == ({("Web.List.Go", rule, page)} if rule else set())


@pytest.mark.parametrize(
    ("markup", "page"),
    [
        ('<a runat="server" href="~/Edit">x</a>', "Edit.aspx"),
        ('<asp:HyperLink runat="server" NavigateUrl="~/Admin/Users/5" />', "Admin/Users.aspx"),
        ("<asp:HyperLink runat=\"server\" NavigateUrl='~/Edit/<%# Id %>' />", "Edit.aspx"),
        ('<link href="~/Edit.css" />', ""),
        ('<a href="~/Missing">x</a>', ""),
    ],
)
def test_markup_leads_to_it_as_well(markup: str, page: str, links_of: LinksOf) -> None:
    found = links_of({"Web/List.aspx": f'<%@ Page Language="C#" %>\n{markup}'})

    assert found == ({("Web/List.aspx", "link", page)} if page else set())


def test_elsewhere_such_an_address_is_no_page(links_of: LinksOf) -> None:
    files = {"Web/List.aspx.cs": code('Response.Redirect("~/Edit");')}
    other = {"Mvc/Mvc.csproj": "<Project />", "Mvc/List.cs": code('Response.Redirect("~/Edit");')}

    assert links_of(files, routes="class Routes { }") == set()
    assert links_of(other) == set()
