"""What the outline of a Web Form holds, and how its text is taken apart."""

from __future__ import annotations

from pathlib import PurePosixPath
from textwrap import dedent
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragduck.model import Document, ParsedDocument
from ragduck.parse import ChunkSettings, parse_document
from ragduck.parse.facts.webforms import is_at_server
from ragduck.parse.webforms_text import WebFormText
from ragduck.sources import classify

PAGE = """
    <%@ Page Language="C#" Inherits="System.Web.UI.Page" %>
    <script runat="server">
        protected void Page_Load(object sender, EventArgs e)
        {
            Show(1);
        }
        int Two() { return 2; }
    </script>
    <script>var two = <%= Two() %>;</script>
    """
HANDLER = """
    <%@ WebHandler Language="C#" Class="Shop.Ping" %>
    namespace Shop
    {
        public class Ping : IHttpHandler
        {
            public void ProcessRequest(HttpContext context) { }
        }
    }
    """


def parsed(source: str, *, path: str = "Web/Orders.aspx") -> ParsedDocument:
    text = dedent(source).lstrip("\n")
    kind = classify(path, text)
    document = Document(path, text, kind.language, kind.file_type, kind.file_class, len(text), 0)
    return parse_document(document, settings=ChunkSettings(max_chars=100))


@pytest.mark.parametrize(
    "path", ["a.aspx", "A.ASCX", "Site.Master", "Global.asax", "x.ashx", "x.asmx", "x.svc"]
)
def test_forms_handlers_and_services_are_web_forms(path: str) -> None:
    kind = classify(path, "<%@ Page %>")

    assert (kind.language, kind.file_type) == ("webforms", PurePosixPath(path).suffix.lower().lstrip("."))


def test_a_page_is_a_type_with_the_members_of_its_server_scripts() -> None:
    found = parsed(PAGE)

    assert not found.problems
    keys = {(chunk.node_key, chunk.element_type) for chunk in found.chunks}
    assert ("webforms:ASP.Web.Orders_aspx|TYPE", "page") in keys
    assert ("webforms:ASP.Web.Orders_aspx.Page_Load|METHOD", "method") in keys
    assert [(one.key, one.line) for one in found.facts.members] == [
        ("webforms:ASP.Web.Orders_aspx.Page_Load|METHOD", 3),
        ("webforms:ASP.Web.Orders_aspx.Two|METHOD", 7),
    ]
    assert [(fact.source, fact.line) for fact in found.facts.calls] == [
        ("webforms:ASP.Web.Orders_aspx.Page_Load|METHOD", 5),
        ("webforms:ASP.Web.Orders_aspx|TYPE", 9),
    ]


def test_a_handler_with_its_code_beside_the_directive_is_one_of_csharp() -> None:
    found = parsed(HANDLER, path="Web/Ping.ashx")

    assert not found.problems
    keys = {chunk.node_key: chunk.cs_key for chunk in found.chunks}
    assert keys["csharp:Shop.Ping|TYPE"] == "Shop.Ping"
    assert keys["csharp:Shop.Ping.ProcessRequest|METHOD"] == "Shop.Ping.ProcessRequest"
    assert not any(key.startswith("webforms:") for key in keys)
    assert found.facts.types[0].key == "csharp:Shop.Ping|TYPE"


def test_what_is_commented_out_for_the_server_is_blank() -> None:
    form = WebFormText(
        "a.aspx", '<%-- <asp:A runat="server" /> --%>\n<!-- <%= X %> -->\n<b><%= Y %></b>\n<!-- open'
    )

    assert [form.text[block.start : block.end] for block in form.code] == [" X ", " Y "]
    assert [tag.name for tag in form.tags()] == ["b"]


@pytest.mark.parametrize(
    ("markup", "lines"),
    [
        ("<%= A() %>\n<% foreach (var x in B()) { %>\n<%= C() %>\n<% } // end %>", [1, 2, 3]),
        ("<% A(); // all %><%= B() %>\n<%= C() %>", [1, 1, 2]),
        ("<%= A() // first %>\n<%= B() %>\n<%= C() %>", [1, 2, 3]),
        ('<%= A("http://a") %>\n<%= B(@"\\\\a") %>\n<%= C() %>', [1, 2, 3]),
        ("<%= A('\"') // quote %>\n<%= B() %>\n<%= C() %>", [1, 2, 3]),
        ("<%#\n\n  A() %>\n<%= B() %>\n<%= C(); %>", [3, 4, 5]),
    ],
)
def test_all_inline_code_is_read_at_its_lines(markup: str, lines: list[int]) -> None:
    calls = parsed(markup).facts.calls

    assert [(fact.call.function.name, fact.line) for fact in calls] == list(zip("ABC", lines, strict=True))


@pytest.mark.parametrize(
    "source",
    [
        '<%@ WebHandler Class="Web.A" %>\n{code}',
        '<%@ Assembly Name="x" %>\n<%@ WebHandler Class="Web.A" %>\n{code}',
        '<%@ WebHandler Class="Web.A" %>\n<%@ Assembly Name="x" %>\n{code}',
    ],
)
def test_code_of_a_handler_may_write_markup(source: str) -> None:
    code = 'namespace Web { class A { void F() { Write("<!-- <%-- "); G(); } void G() { } } }'
    found = parsed(source.replace("{code}", code), path="Web/A.ashx")

    assert not found.problems
    assert [one.name for one in found.facts.members] == ["F", "G"]
    assert {one.line for one in found.facts.members} == {source.count("\n") + 1}


def test_directives_alone_are_no_code() -> None:
    text = '<%@ Assembly Name="x" %>\n<%@ WebHandler Class="Web.A" CodeBehind="A.ashx.cs" %>\n'

    assert parsed(text, path="Web/A.ashx").facts.language == "webforms"


@pytest.mark.parametrize(
    ("block", "mark"),
    [
        ("<%= X %>", "="),
        ("<% = X %>", "="),
        ("<%: X %>", ":"),
        ("<%#X%>", "#"),
        ("<%#: X %>", "#:"),
        ("<%X%>", ""),
    ],
)
def test_blocks_show_or_run_what_is_in_them(block: str, mark: str) -> None:
    form = WebFormText("a.aspx", block)

    assert [(form.text[one.start : one.end].strip(), one.mark) for one in form.code] == [("X", mark)]


def test_values_of_attributes_have_their_lines_and_no_references() -> None:
    form = WebFormText(
        "a.aspx", '<a>\n<asp:X Id=one\n  SQL=\'select\n  1 &gt; 0\' Text="<%# Eval("A") %>" runat="Server" />'
    )

    tag = list(form.tags())[1]

    assert tag.get("sql") == "select\n  1 > 0"
    assert (tag.attributes["sql"].line, tag.attributes["sql"].end_line) == (3, 4)
    assert (tag.get("id"), tag.get("text"), is_at_server(tag)) == ("one", "", True)


def test_scripts_of_browsers_and_of_other_files_hide_no_server_script() -> None:
    text = '<script src="a.js" />\n<script runat="server" src="b.cs" />\n<script runat="server">void F() { }</script>'

    assert [(one.name, one.line) for one in parsed(text).facts.members] == [("F", 3)]


@pytest.mark.parametrize("language", ["VB", "vb", "VisualBasic"])
def test_code_of_visual_basic_is_written_as_csharp(language: str) -> None:
    text = f"""<%@ Page Language="{language}" %><%# Bind(
        "a") %>
        <% For Each x In all ' why
        %><b><%= x(0) %></b><% Next %>
        <script runat="server">
            Sub A()
            End Sub
        </script>
        """
    form = WebFormText("a.aspx", text)
    written = form.in_csharp()

    code = [" ".join(written.text[one.start : one.end].split()) for one in written.code]
    assert form.is_visual_basic
    assert code == ['Bind ( "a" )', "foreach (var x in all ) {", "x [ 0 ]", "}"]
    assert "public void A( ) {" in written.text
    assert [one.line for one in parsed(text).facts.members] == [6]
    assert written.text.count("\n") == text.count("\n")


def test_members_of_visual_basic_have_the_signatures_of_the_source() -> None:
    found = parsed(
        '<%@ Page Language="VB" %>\n<script runat="server">\n'
        "Sub A(b As Long)\nRun(b)\nRun(b)\nRun(b)\nEnd Sub\n</script>"
    )

    assert [one.signature for one in found.chunks if one.member == "A"] == ["Sub A(b As Long)"]


def test_a_handler_of_visual_basic_is_outlined_as_its_code_is() -> None:
    found = parsed(
        """
        <%@ WebHandler Language="VB" Class="Ping" %>
        Public Class Ping
            Implements IHttpHandler
            Public Sub ProcessRequest(context As HttpContext) Implements IHttpHandler.ProcessRequest
            End Sub
        End Class
        """,
        path="Web/Ping.ashx",
    )

    assert [one.key for one in found.facts.members] == ["csharp:Ping.ProcessRequest|METHOD"]
    assert [(one.name, one.how) for one in found.facts.views] == [("Ping", "class")]


@settings(deadline=None)
@given(st.text(alphabet="<%@=#:$-!>\"'/ a\nscriptunverag", max_size=200))
def test_any_text_is_read_and_keeps_its_lines(text: str) -> None:
    form = WebFormText("a.aspx", text)

    assert form.text.count("\n") == text.count("\n")
    assert len(form.text) == len(text)
    assert all(1 <= tag.line <= text.count("\n") + 1 for tag in form.tags())
    assert parsed(text).facts is not None


@pytest.mark.parametrize(
    "piece",
    [
        "<%",
        "<% ",
        "<%--",
        "<!--",
        "<script runat=server>",
        '<a b="',
        "<a b='",
        "<%@ Page ",
        "<a ",
        "<%= a %>",
        '<a b="c" ',
    ],
)
def test_hostile_files_are_read_in_a_moment(piece: str) -> None:
    text = piece * (400_000 // len(piece))
    start = process_time()

    form = WebFormText("a.aspx", text)

    counted = (
        sum(1 for _ in form.tags()),
        sum(1 for _ in form.code),
        len(form.directives),
        len(form.scripts),
    )
    assert max(counted) <= len(text)
    assert process_time() - start < 5


@pytest.mark.parametrize(
    ("path", "block"),
    [
        ("a.aspx", '<script runat="server">int a() {{ return {n}; }}</script>\n'),
        ("a.razor", "@code {{ int a() => {n}; }}\n"),
    ],
)
def test_many_blocks_of_code_are_read_in_a_moment(path: str, block: str) -> None:
    start = process_time()

    found = parsed("".join(block.format(n=n) for n in range(6_000)), path=path)

    assert found.facts.members[-1].line == 6_000
    assert found.chunks[-1].end_line == 6_000
    assert process_time() - start < 8
