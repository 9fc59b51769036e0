"""Where Web Forms lead: their tags, scripts and includes, what code writes out, and redirects of what is no page."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from ragduck.facts import FileFacts
from ragduck.graph.build import build_graph

FactsOf = Callable[[Mapping[str, str]], list[FileFacts]]
Links = set[tuple[str, str, str, float]]
LinksOf = Callable[[Mapping[str, str]], Links]

PAGES = {"Web/Edit.aspx": "<b></b>", "Web/Admin/Deep.aspx": "<b></b>", "Web/Web.csproj": "<Project />"}


@pytest.fixture(scope="module")
def links_of(facts_of: FactsOf) -> LinksOf:
    """What leads to forms, as (from, rule, to, confidence)."""

    def links(files: Mapping[str, str]) -> Links:
        graph, problems = build_graph(facts_of({**PAGES, **files}))
        assert not problems
        return {
            (
                edge.from_key.partition(":")[2].rpartition("|")[0],
                edge.rule,
                edge.to_key[9:-5],
                edge.confidence,
            )
            for edge in graph.edges
            if edge.to_key.startswith("file:Web/") and edge.relation in ("LeadsTo", "Uses")
        }

    return links


@pytest.fixture(scope="module")
def used_by_module(facts_of: FactsOf) -> Callable[[str], set[tuple[str, float]]]:
    """The controls that `Details.ascx` of a module of DotNetNuke registers under a path, with the confidence."""

    def used(path: str) -> set[tuple[str, float]]:
        files = {
            "src/Orders.csproj": "<Project />",
            "src/Details.ascx": f'<%@ Register Src="{path}" TagPrefix="o" TagName="Part" %>',
            "src/Parts/Icons.ascx": "<b></b>",
            "src/List.ascx": "<b></b>",
            "src/View.ascx": "<b></b>",
            "Other/View.ascx": "<b></b>",
        }
        graph, problems = build_graph(facts_of(files))
        assert not problems
        return {(one.to_key[5:-5], one.confidence) for one in graph.edges if one.rule == "control"}

    return used


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("~/DesktopModules/Orders/Parts/Icons.ascx", {("src/Parts/Icons.ascx", 0.8)}),
        ("/desktopmodules/orders/parts/icons.ascx", {("src/Parts/Icons.ascx", 0.8)}),
        ("~/DesktopModules/Company/Orders/Parts/Icons.ascx", {("src/Parts/Icons.ascx", 0.8)}),
        ("~/DesktopModules/Orders/List.ascx", {("src/List.ascx", 0.7)}),
        ("~/DesktopModules/Other/View.ascx", {("Other/View.ascx", 0.8)}),
        ("~/DesktopModules/Gone/View.ascx", set()),
        ("~/Modules/Orders/Parts/Icons.ascx", set()),
        ("~/DesktopModules/A/B/C/D/Parts/Icons.ascx", set()),
    ],
)
def test_a_module_is_installed_below_the_site_that_its_paths_count_from(
    path: str, expected: set[tuple[str, float]], used_by_module: Callable[[str], set[tuple[str, float]]]
) -> None:
    assert used_by_module(path) == expected


@pytest.mark.parametrize(
    ("markup", "rule"),
    [
        ('<form action="Edit.aspx" method="post"></form>', "link"),
        ('<iframe src="~/Edit.aspx?id=1"></iframe>', "link"),
        ("<a href=Edit.aspx?id=<%= Id %>>x</a>", "link"),
        ("<script>location.href = 'Edit.aspx?id=' + id;</script>", "link"),
        ("<script>window.location=\"Edit.aspx\"; if (location == 'Gone.aspx') {}</script>", "link"),
        ("<script>window.open('Edit.aspx?id=1', 'x');</script>", "link"),
        ('<asp:Button runat="server" OnClientClick="window.open(\'Edit.aspx\');" />', "link"),
        ('<!-- #include file = "edit.aspx" -->', "include"),
        ('<!--#include virtual="/Edit.aspx"-->', "include"),
        ('<div action="Edit.aspx" src="Edit.aspx">Edit.aspx</div>', ""),
        ('<form action="http://example.org/Edit.aspx"></form>', ""),
        ("<script>if (location.href == 'Edit.aspx') { other.open('Edit.aspx'); }</script>", ""),
        ('<%-- <form action="Edit.aspx"></form> <!-- #include file="Edit.aspx" --> --%>', ""),
    ],
)
def test_markup_and_scripts_of_a_form_lead_to_others(markup: str, rule: str, links_of: LinksOf) -> None:
    found = links_of({"Web/List.aspx": f'<%@ Page Language="C#" %>\n{markup}'})

    assert found == ({("Web/List.aspx", rule, "Edit.aspx", 1.0)} if rule else set())


@pytest.mark.parametrize(
    ("statement", "rule"),
    [
        ('Response.Write("<a href=\'Edit.aspx?id=" + id + "\'>x</a>")', "link"),
        ('Response.Write("<a href=Edit.aspx>")', "link"),
        ('writer.WriteLine("<form action=\\"Edit.aspx\\">")', "link"),
        ('Page.RegisterStartupScript("k", "window.location=\'Edit.aspx\';")', "link"),
        ('Server.Execute("Edit.aspx?id=" + id)', "redirect"),
        ('Context.Server.Execute("~/Edit.aspx")', "redirect"),
        ('command.Execute("Edit.aspx")', ""),
        ('Response.Write("Edit.aspx is gone, data-href=Edit.aspx")', ""),
        ('Response.Write("<a href=Missing.aspx>")', ""),
        ('log.Info("<a href=Edit.aspx>")', ""),
    ],
)
def test_code_leads_to_the_forms_of_the_markup_that_it_writes(
    statement: str, rule: str, links_of: LinksOf
) -> None:
    code = f"using System.Web; namespace Web {{ class List : Page {{ void Go(int id) {{ {statement}; }} }} }}"

    found = links_of({"Web/List.aspx.cs": code})

    assert found == ({("Web.List.Go", rule, "Edit.aspx", 1.0)} if rule else set())


@pytest.mark.parametrize(
    ("path", "address", "reached", "confidence"),
    [
        ("Web/Code/Security.cs", "Edit.aspx", "Edit.aspx", 0.8),
        ("Web/Code/Security.cs", "Admin/Deep.aspx?id=1", "Admin/Deep.aspx", 0.8),
        ("Web/Code/Security.cs", "../../Edit.aspx", "Edit.aspx", 0.8),
        ("Web/Code/Security.cs", "Deep.aspx", "Admin/Deep.aspx", 0.7),
        ("Web/Controls/Menu.ascx.cs", "Edit.aspx", "Edit.aspx", 0.8),
        ("Web/Code/Security.cs", "Missing.aspx", "", 0),
        ("Web/Code/Security.cs", "Twice.aspx", "", 0),
        ("Other/Security.cs", "Deep.aspx", "", 0),
        ("Web/Other/List.aspx.cs", "Edit.aspx", "", 0),
    ],
)
def test_what_is_no_page_redirects_from_whatever_page_was_requested(
    path: str, address: str, reached: str, confidence: float, links_of: LinksOf
) -> None:
    code = f'namespace Web {{ class List {{ void Go() {{ Response.Redirect("{address}"); }} }} }}'

    found = links_of({path: code, "Web/A/Twice.aspx": "<b></b>", "Web/B/Twice.aspx": "<b></b>"})

    assert found == ({("Web.List.Go", "redirect", reached, confidence)} if reached else set())
