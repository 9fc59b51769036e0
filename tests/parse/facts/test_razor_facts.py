"""What the facts of a Razor file say."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragduck.facts import Attribute, FileFacts, Import, TypeFact
from ragduck.model import Document
from ragduck.parse.facts.razor_code import method_body
from ragduck.parse.razor import outline
from ragduck.parse.razor_blocks import find_blocks

ReadFacts = Callable[..., Any]


@pytest.fixture(name="facts")
def facts_fixture(read: ReadFacts) -> ReadFacts:
    def reader(source: str, *, path: str = "Web/Orders.cshtml") -> Any:
        return read("razor", source, path=path)

    return reader


def code(text: str) -> list[str]:
    """Return the lines of code that markup is taken for, without empty ones."""
    lines = method_body(text, find_blocks(text)[0]).split("\n")
    return [line.strip() for line in lines if line.strip()]


# the file


def test_a_file_is_a_type_with_bases_from_directives(facts: ReadFacts) -> None:
    found = facts("@inherits Base<Order>\n@implements IDisposable\n@typeparam T where T : class\n<p></p>\n")

    assert found.facts.language == "razor"
    assert found.facts.types == (
        TypeFact(
            key="razor:Web.Orders|TYPE",
            name="Orders",
            qualified_name="Web.Orders",
            scope="Web",
            element_type="view",
            line=1,
            end_line=4,
            bases=("Base<Order>", "IDisposable"),
            type_parameters=("T",),
        ),
    )


def test_namespaces_are_imports(facts: ReadFacts) -> None:
    found = facts("""
        @using Shop.Core
        @using static Shop.Names
        @using Line = Shop.Core.OrderLine
        @namespace Shop.Web
        @using (Html.BeginForm()) { }
        """)

    assert found.facts.imports == (
        Import("Shop.Core"),
        Import("Shop.Names", is_static=True),
        Import("Shop.Core.OrderLine", "Line"),
        Import("Shop.Web"),
    )


def test_what_is_injected_is_a_member(facts: ReadFacts) -> None:
    found = facts("@inject IOptions<Shop.Options> Options\n@Options.Value.Limit\n")

    assert found.members == [("Web.Orders.Options|PROPERTY", "IOptions<Shop.Options>", "private", "")]
    assert found.facts.members[0].owner == "razor:Web.Orders|TYPE"
    assert found.accesses == [("Web.Orders", "Options.Value.Limit", "read")]


def test_code_blocks_give_members_at_their_lines(facts: ReadFacts) -> None:
    found = facts(
        """
        <p>@Title</p>
        @code {
            [Parameter]
            public string Title { get; set; }
            private Repo _repo = new();
        }
        @functions {
            Task Load() => _repo.Load(Title);
            enum Kind { A }
        }
        """,
        path="Web/Orders.razor",
    )

    assert [(one.key, one.type, one.line, one.owner) for one in found.facts.members] == [
        ("razor:Web.Orders.Title|PROPERTY", "string", 4, "razor:Web.Orders|TYPE"),
        ("razor:Web.Orders._repo|FIELD", "Repo", 5, "razor:Web.Orders|TYPE"),
        ("razor:Web.Orders.Load|METHOD", "Task", 8, "razor:Web.Orders|TYPE"),
        ("razor:Web.Orders.Kind.A|FIELD", "Kind", 9, "razor:Web.Orders.Kind|TYPE"),
    ]
    assert found.facts.members[0].attributes == (Attribute("Parameter"),)
    assert [(one.key, one.owner) for one in found.facts.types] == [
        ("razor:Web.Orders|TYPE", ""),
        ("razor:Web.Orders.Kind|TYPE", "razor:Web.Orders|TYPE"),
    ]
    assert found.calls == [("Web.Orders.Load", "_repo.Load(Title)", 8)]
    assert ("Web.Orders", "Title", "read") in found.accesses


def test_local_functions_of_code_blocks_are_members(facts: ReadFacts) -> None:
    found = facts("@{\n    var x = Make();\n    int Add(int a) { return Twice(a); }\n}\n@Add(x.Size)\n")

    assert [member[0] for member in found.members] == ["Web.Orders.Add|METHOD"]
    assert sorted(found.calls) == [
        ("Web.Orders", "Add(Make().Size)", 5),
        ("Web.Orders", "Make()", 2),
        ("Web.Orders.Add", "Twice(<a: int>)", 3),
    ]


def test_helpers_are_members(facts: ReadFacts) -> None:
    found = facts("""
        <p>@Row(Model.First)</p>
        @helper Row(Line line)
        {
            var total = line.Sum();
            if (total > 0)
            {
                <td class="a@(line.Last() ? "b" : null)">@Html.Price(total)</td>
            }
        }
        @Html.End()
        """)

    assert [(one.key, one.line, one.end_line) for one in found.facts.members] == [
        ("razor:Web.Orders.Row|METHOD", 2, 9)
    ]
    assert sorted(found.calls) == [
        ("Web.Orders", "Html.End()", 10),
        ("Web.Orders", "Row(Model.First)", 1),
        ("Web.Orders.Row", "<line: Line>.Last()", 7),
        ("Web.Orders.Row", "<line: Line>.Sum()", 4),
        ("Web.Orders.Row", "Html.Price(<line: Line>.Sum())", 7),
    ]


# from markup to code


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<p>@Model.Name</p>", ["return Model.Name;"]),
        ("<p>@Model.Lines[0]?.Name!.Length, text</p>", ["return Model.Lines[0]?.Name!.Length;"]),
        ("<p>@Model.</p> @x (not a call)", ["return Model;return x;"]),
        ('<p class="a@(Late ? ")" : null)b">', ['return (Late ? ")" : null);']),
        ("@await Html.PartialAsync(\"a\", (1, 'b'))", ["return await Html.PartialAsync(\"a\", (1, 'b'));"]),
        ("mail me@example.com or @@home @ 3", []),
        ("@* @Model.Name *@ <!-- @Shown -->", []),
        ("@{ var x = 1; }@x", ["var x = 1; return x;"]),
        (
            "@if (a) { <p>@b</p> } else if (c) { d(); } else { <br/> }",
            ["if (a) { return b; } else if (c) { d(); } else {  }"],
        ),
        (
            "@foreach (var x in xs) {\n<li>\n@x.Name: (@x.Size)\n</li>\n}\n<b>}</b>",
            ["foreach (var x in xs) {", "return x.Name;return x.Size;", "}"],
        ),
        ("@switch (a) { case 1: <p>@b</p> break; }", ["switch (a) { case 1: return b; break; }"]),
        (
            "@using (Html.BeginForm()) {\n@Html.Token()\n<p/>\n}",
            ["using (Html.BeginForm()) {", "return Html.Token();", "}"],
        ),
        (
            "@try { a(); } catch (Bad e) { <p>@e</p> } finally { }",
            ["try { a(); } catch (Bad e) { return e; } finally { }"],
        ),
        ("@{ if (a < b) { <p>@c</p> } }", ["if (a < b) { return c; }"]),
        ("@{ if (a) { @:text @b text\n c(); } }", ["if (a) { return b;", "c(); }"]),
        ("@{ // it's <p>\n <p>@a</p> }", ["return a;"]),
        ('@{ <input value="@a"> <p><br>@b</p> c(); }', ["return a; return b; c();"]),
        ("@{ var s = \"} <p>@a</p>\"; var c = '}'; }@b", ["var s = \"} <p>@a</p>\"; var c = '}'; return b;"]),
        ("@section Scripts { <script>if (a<b) { go('@c'); }</script> }@d", ["return c;return d;"]),
        ("@functions { int A() { return 1; } } @code { int B; }@c", ["return c;"]),
        (
            '<a asp-for="Lines[i].Id" asp-items="@Items" asp-for="@x.y">',
            ["return Model.Lines[i].Id;return Items;return x.y;"],
        ),
        (
            '<a @onclick="Go" @onclick="() => Go(1)" @bind="name" @onclick:stop="true">',
            ["return Go();return () => Go(1);return name;"],
        ),
        ("@(Html.Grid(@<p>@item.Name</p>))@b", ["return (Html.Grid(item => {return item.Name;}));return b;"]),
        (
            "@Html.Grid(c => { c.Add(@<p>y</p>); c.Own(@<b>@x</b>, 1); }).Render()@b",
            [
                "return Html.Grid(c => { c.Add(item => {}); c.Own(item => {return x;}, 1); }).Render();return b;"
            ],
        ),
        (
            "@if (y) { @(Grid(@<p>@a</p>, @<p>@b</p>)) c(); }",
            ["if (y) { return (Grid(item => {return a;}, item => {return b;})); c(); }"],
        ),
        ("@(Grid(@<p>a", []),
        ("@(Grid(@<p>a))", ["return (Grid(item => {}));"]),
        ("@{ Func<int, object> f = @<b>@item</b>; }", ["Func<int, object> f = item => {return item;};"]),
        (
            "@{ Html.Box().Show(@<p>@a</p>, 1).Hide(@<text>@b {</text>).Render(); c(); }@d",
            ["Html.Box().Show(item => {return a;}, 1).Hide(item => {return b;}).Render(); c(); return d;"],
        ),
        ("@if (x) { F(@<br/>); @<p> }", ["if (x) { F(item => {}); item => {}}"]),
        (
            "@helper Row(Line l, int n = 1) {<b>@l.Name</b>} @a",
            ["void Row(Line l, int n = 1) {return l.Name;}return a;"],
        ),
        ("@helper Row(", []),
        ("@helper Row() <b>@a</b>", ["return a;"]),
        ("@helper.Row(a)", ["return helper.Row(a);"]),
        ('@page "/x"\n@model A\n@inject B C\n@a', ["return a;"]),
        ("@if (a) { <p>never closed", ["if (a) { }"]),
        ("@(never closed", []),
    ],
)
def test_markup_becomes_code(markup: str, expected: list[str]) -> None:
    assert code(markup) == expected


def test_expressions_in_expressions_without_end_are_all_read() -> None:
    assert "".join(code("@X(@<p>))" * 200)).count("return X(") == 200


def test_code_stays_on_its_line() -> None:
    text = "<a>\n@if (a)\n{\n    <p>\n        @b\n    </p>\n}\n@c\n"

    lines = method_body(text, find_blocks(text)[0]).split("\n")

    assert [(number, line.strip()) for number, line in enumerate(lines, start=1) if line.strip()] == [
        (2, "if (a)"),
        (3, "{"),
        (5, "return b;"),
        (7, "}"),
        (8, "return c;"),
    ]


def test_markup_calls_and_reads_in_the_name_of_the_file(facts: ReadFacts) -> None:
    found = facts("""
        @model Order
        @foreach (var line in Model.Lines.OrderBy(l => l.Number))
        {
            <td>@line.Price.ToString("N2") @Total(line)</td>
        }
        @functions { decimal Total(Line line) => line.Price; }
        """)

    assert ("Web.Orders", "Total(Model.Lines.OrderBy(=>)[])", 4) in found.calls
    assert ("Web.Orders", "Model.Lines.OrderBy(=>)", 2) in found.calls
    assert ("Web.Orders.Total", "<line: Line>.Price", "read") in found.accesses


# what is named


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("@model IEnumerable<Shop.Order>", [("IEnumerable<Shop.Order>", "model", 1)]),
        ("@page\n@layout Main", [("", "page", 1), ("Main", "layout", 2)]),
        ('@page "/orders/{id:int}"', [("/orders/{id:int}", "page", 1)]),
        ("@inject ILogger<Order> Log;", [("ILogger<Order>", "inject", 1)]),
        ("@inherits Base<T>", [("Base<T>", "inherits", 1)]),
        ('@{\n    Layout = "_Layout";\n}', [("_Layout", "layout", 2)]),
        ('<a asp-controller="Order" asp-action="Edit">', [("Order.Edit", "action", 1)]),
        ('<form\n  asp-action="Edit">', [(".Edit", "action", 1)]),
        ('<a asp-area="Admin" asp-controller="Order">', [("Admin/Order.", "action", 1)]),
        ('<a asp-area="" asp-controller="Home" asp-action="Index">', [("/Home.Index", "action", 1)]),
        ('<a asp-route="Cart" asp-route-id="1">', [("Cart", "route", 1)]),
        ('<a asp-action="Edit" asp-route-id="1">', [(".Edit", "action", 1)]),
        ('<a class="x" asp-page="/Orders/Index">', [("/Orders/Index", "link", 1)]),
        ('<partial name="_Lines" model="x"/>', [("_Lines", "partial", 1)]),
        ('<component type="typeof(OpenItems)"/>', [("OpenItems", "component", 1)]),
        ("<vc:open-items count=1>", [("OpenItems", "view component", 1)]),
        ('@Html.Partial("_Lines", Model)', [("_Lines", "partial", 1)]),
        ('@{ await Html.RenderPartialAsync("_Lines"); }', [("_Lines", "partial", 1)]),
        ('@await Component.InvokeAsync("Cart")', [("Cart", "view component", 1)]),
        (
            "@await Component.InvokeAsync(typeof(Shop.CartViewComponent))",
            [("CartViewComponent", "view component", 1)],
        ),
        ('@* <partial name="_Lines"/> *@ <p asp-for="x">', []),
        ("<OpenItems/> <p>", []),
    ],
)
def test_views_name_what_they_show(
    facts: ReadFacts, markup: str, expected: list[tuple[str, str, int]]
) -> None:
    assert [tuple(view) for view in facts(markup).facts.views] == expected


def test_components_draw_components(facts: ReadFacts) -> None:
    found = facts(
        """
        @inject ILogger<Order> Log
        <div><OpenItems Count="3" /><Shop.Grid></Shop.Grid></div>
        @code { List<Line> lines; }
        """,
        path="Web/Orders.razor",
    )

    assert [tuple(view) for view in found.facts.views] == [
        ("ILogger<Order>", "inject", 1),
        ("OpenItems", "component", 2),
        ("OpenItems.Count", "parameter", 2),
        ("Shop.Grid", "component", 2),
    ]


# hostile input

SAMPLE = """@page "/x"
@using A.B
@model C<D>
@inject E F
@{ var g = "h"; @* i *@ void J() { k(); } }
<div class="@(l ? "m" : n)" @onclick="() => O(1)" asp-for="P[q].R"><br>@s.T(u)[v]!.w @@ x@y.z
@foreach (var a in B) { <p>@c</p> @if (d) { @: e @f
 } else { <g/> } }
@section H { <script>if (i<j) { '@k' }</script> } @(L(@<m>@n</m>)) @code { int o => 1; enum P { Q } }
"""


def facts_of(text: str) -> FileFacts | None:
    return outline(Document("Web/A.razor", text, "razor", "razor", "source", len(text), 0)).facts


@given(st.integers(0, len(SAMPLE)), st.integers(0, 60), st.text(max_size=8))
@settings(max_examples=150, deadline=None)
def test_mutilated_source_never_crashes(start: int, length: int, inserted: str) -> None:
    assert facts_of(SAMPLE[:start] + inserted + SAMPLE[start + length :]) is not None


@given(
    st.lists(
        st.sampled_from(
            ("@", "(", ")", "{", "}", "<a", ">", "</a>", '"', "'", "if", " ", "\n", "x", "@:", "*", "/")
        )
    )
)
@settings(max_examples=150, deadline=None)
def test_any_mixture_of_code_and_markup_keeps_its_lines(pieces: list[str]) -> None:
    text = "".join(pieces)

    body = method_body(text, find_blocks(text)[0])

    assert body.count("\n") <= text.count("\n")
    assert facts_of(text) is not None
