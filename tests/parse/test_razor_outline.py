"""What the outline of a Razor file holds."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragduck.model import Document, Outline, Symbol
from ragduck.parse.razor import outline


def outline_of(source: str, *, path: str = "Shop.Web/Pages/Index.razor") -> Outline:
    text = dedent(source).lstrip("\n")
    return outline(Document(path, text, "razor", "razor", "source", len(text), 0))


def walk(symbols: tuple[Symbol, ...]) -> Iterator[Symbol]:
    for symbol in symbols:
        yield symbol
        yield from walk(symbol.children)


def rows(source: str) -> list[tuple[str, str, int, int]]:
    symbols = walk(outline_of(source).symbols)
    return [(s.element_type, s.qualified_name, s.start_line, s.end_line) for s in symbols]


def test_the_file_is_a_component_with_the_members_of_its_code() -> None:
    found = rows("""
        @page "/invoices"
        <h1>Größe</h1>
        @code {
            [Parameter]
            public int Id { get; set; }

            /// <summary>Load.</summary>
            protected override async Task OnInitializedAsync()
            {
                await Load();
            }
        }
        <p>end</p>
        @functions{ int Two() => 2; }
        """)

    assert found == [
        ("component", "Shop.Web.Pages.Index", 1, 14),
        ("property", "Shop.Web.Pages.Index.Id", 4, 5),
        ("method", "Shop.Web.Pages.Index.OnInitializedAsync", 7, 11),
        ("method", "Shop.Web.Pages.Index.Two", 14, 14),
    ]


def test_local_functions_of_code_blocks_are_symbols() -> None:
    assert rows("@{\n    var x = 1;\n    int Add(int a) { return a; }\n}\n")[1:] == [
        ("function", "Shop.Web.Pages.Index.Add", 3, 3)
    ]


def test_helpers_are_symbols() -> None:
    text = """
        <p>1</p>
        @helper Row(Line line, int level = 0)
        {
            @{ int Twice(int a) { return 2 * a; } }
            <b title="@(line.Is("}") ? "a" : null)">}</b>
        }
        @functions { int Two() => 2; }
        """

    found = outline_of(text, path="Views/A.cshtml").symbols[0].children

    assert [(s.element_type, s.qualified_name, s.start_line, s.end_line, s.signature) for s in found] == [
        ("function", "Views.A.Row", 2, 6, "Row(Line line, int level)"),
        ("method", "Views.A.Two", 7, 7, "int Two()"),
    ]


def test_long_helpers_are_cut() -> None:
    text = "<p/>\n@helper Row()\n{\n" + ("    <p>x</p>\n" * 24 + "\n") * 3 + "}\n"

    helper = outline_of(text, path="Views/A.cshtml").symbols[0].children[0]

    assert (helper.start_line, helper.end_line, helper.cuts) == (2, 79, (29, 54))


@pytest.mark.parametrize(
    ("path", "text", "element_type"),
    [
        ("Pages/A.razor", "<p/>", "component"),
        ("Pages/A.cshtml", "@page\n<p/>", "page"),
        ("Views/A.cshtml", "<p/>", "view"),
    ],
)
def test_element_type_follows_extension_and_directive(path: str, text: str, element_type: str) -> None:
    symbol = outline_of(text, path=path).symbols[0]

    assert (symbol.element_type, symbol.kind) == (element_type, "TYPE")


def test_signature_is_made_of_the_directives() -> None:
    symbol = outline_of('@page "/x"\n@using A\n@model  Shop.Y\n<p/>\n').symbols[0]

    assert symbol.signature == '@page "/x" @model Shop.Y'


@pytest.mark.parametrize(
    "code",
    [
        'string a = "}";',
        'string a = @"}""}";',
        'string a = """ } " } """;',
        'string a = $"{(b ? "}" : "{")} }}";',
        "char a = '}';",
        "// it's }\n",
        "/* } */",
        "@* } *@",
        'RenderFragment a = @<p class="}">don\'t</p>;',
        '// "\n',
    ],
)
def test_braces_in_strings_comments_and_markup_do_not_end_the_code(code: str) -> None:
    found = outline_of(f"@code {{ {code} int Last() => 1; }}\n<p>}}</p>\n")

    assert [symbol.name for symbol in found.symbols[0].children][-1] == "Last"


def test_what_is_commented_or_escaped_is_no_code() -> None:
    assert rows("@* @code { int A() => 1; } *@\n@@code { int B() => 1; }\n") == [
        ("component", "Shop.Web.Pages.Index", 1, 2)
    ]


def test_an_unclosed_block_is_markup_and_reported() -> None:
    found = outline_of("<p/>\n@code {\n int A() => 1;\n")

    assert found.symbols[0].children == ()
    assert [problem.line for problem in found.problems] == [2]


def test_broken_code_is_reported_where_it_is() -> None:
    found = outline_of("<p/>\n@code {\n int A( => 1;\n}\n")

    assert [problem.line for problem in found.problems] == [3]


def test_long_markup_is_cut_at_blank_lines_and_outer_tags() -> None:
    section = "<section>\n" + "    <p>x</p>\n" * 10 + "</section>\n"

    symbol = outline_of(section * 4).symbols[0]

    assert symbol.cuts == (25,)


def test_markup_without_margins_is_cut_all_the_same() -> None:
    symbol = outline_of("<body>\n" + "    <p>x</p>\n" * 100 + "</body>\n").symbols[0]

    assert symbol.cuts == (41, 81)


def test_hostile_text_is_survived() -> None:
    for text in ("@{" * 5_000, '@code {\\"' * 5_000, "@code {/*" * 5_000, "@*" * 20_000, '@{$"{' * 5_000):
        outline_of(text)


FRAGMENTS = st.sampled_from(
    [
        "@code {",
        "@functions{",
        "@{",
        "{",
        "}",
        "<p>",
        "</p>",
        "\n",
        '"',
        '@"',
        '$"',
        '"""',
        "'",
        "//",
        "/*",
        "*/",
        "@*",
        "*@",
        "int x;",
        "void M() ",
        "@page",
        "@@",
        "ä",
        '$$"""',
    ]
)


@given(st.one_of(st.text(), st.lists(FRAGMENTS).map("".join)))
def test_razor_symbols_nest_and_do_not_overlap_whatever_the_text(text: str) -> None:
    found = outline(Document("a.razor", text, "razor", "razor", "source", len(text), 0))

    assert_well_formed(found.symbols, first=1, last=text.count("\n") + 1)


def assert_well_formed(symbols: tuple[Symbol, ...], *, first: int, last: int) -> None:
    for symbol in symbols:
        assert first <= symbol.start_line <= symbol.end_line <= last
        assert list(symbol.cuts) == sorted({*symbol.cuts})
        assert all(symbol.start_line < cut <= symbol.end_line for cut in symbol.cuts)
        assert_well_formed(symbol.children, first=symbol.start_line, last=symbol.end_line)
        first = symbol.end_line
