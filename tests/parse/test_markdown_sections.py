"""Outlines of Markdown: sections by heading, and what is no heading."""

from __future__ import annotations

from itertools import pairwise
from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragduck.model import Document, Symbol
from ragduck.parse.markdown import outline, plain_title


def symbols_of(text: str) -> tuple[Symbol, ...]:
    return outline(Document("docs/guide.md", text, "markdown", "md", "docs", len(text), 0)).symbols


def spans(text: str) -> list[tuple[str, int, int]]:
    return [(s.qualified_name, s.start_line, s.end_line) for s in symbols_of(dedent(text))]


def test_a_section_per_heading_with_its_path() -> None:
    found = symbols_of("Intro\n\n# Install\n\n## Docker\ntext\n### Ports\n## Bare\n# End\n")

    assert [(s.name, s.signature, s.start_line, s.end_line) for s in found] == [
        ("guide", "guide", 1, 2),
        ("Install", "Install", 3, 4),
        ("Docker", "Install > Docker", 5, 6),
        ("Ports", "Install > Docker > Ports", 7, 7),
        ("Bare", "Install > Bare", 8, 8),
        ("End", "End", 9, 9),
    ]
    assert {(s.element_type, s.kind, s.children) for s in found} == {("section", None, ())}


def test_levels_may_be_skipped_and_headings_repeat() -> None:
    assert spans("### A\n# B\n### C\n### C\n") == [("A", 1, 1), ("B", 2, 2), ("B > C", 3, 3), ("B > C", 4, 4)]


def test_setext_headings_begin_with_their_text() -> None:
    found = spans("""\
        Title
        =====

        Two
        lines
        ---
        text

        ---
        - item
        ---
        > quote
        ---
        """)

    assert found == [("Title", 1, 3), ("Title > Two lines", 4, 13)]


@pytest.mark.parametrize(
    "text",
    [
        "#hashtag",
        "####### seven",
        "    # indented code",
        "\\# escaped",
        "```\n# code\n```",
        "~~~~ sh\n# code\n~~~\n# still\n~~~~",
        "1. ```\n   # code\n   ```",
        "```\n# never closed",
        "<!-- a\n# comment\n-->",
        "---\n# yaml\ntitle: x\n---\ntext",
        "+++\n# toml\n+++\ntext",
        "| a |\n|---|\n| b |",
        "    code\n---",
    ],
)
def test_what_is_no_heading(text: str) -> None:
    assert [(s.name, s.start_line, s.end_line) for s in symbols_of(text)] == [
        ("guide", 1, text.count("\n") + 1)
    ]


def test_headings_after_front_matter_fences_and_comments_count() -> None:
    found = spans("---\na: 1\n---\n```\n# x\n```\n# One\n<!-- # y -->\n# Two\n```js\n```\n# Three")

    assert found == [("guide", 1, 6), ("One", 7, 8), ("Two", 9, 11), ("Three", 12, 12)]


@pytest.mark.parametrize(
    ("markup", "title"),
    [
        ("Plain ##", "Plain"),
        ("C# and F#", "C# and F#"),
        ("**Bold** and _it_", "Bold and it"),
        ("`__init__` of `x`", "__init__ of x"),
        ("snake_case_name", "snake_case_name"),
        ("[Link](http://x/y) ![img](a.png)", "Link img"),
        ("[![badge](b.svg)](http://x)", "badge"),
        ('<a name="x"></a>Title &amp; more', "Title & more"),
        ("Title {#anchor}", "Title"),
        (r"a \* b", "a * b"),
        ("Zażółć gęślą", "Zażółć gęślą"),
    ],
)
def test_titles_lose_their_markup(markup: str, title: str) -> None:
    assert plain_title(markup) == title


def test_a_heading_without_text_is_named_after_the_file() -> None:
    assert spans("#\ntext\n## Sub\n") == [("guide", 1, 2), ("guide > Sub", 3, 3)]


def test_cuts_are_where_blocks_begin() -> None:
    text = dedent("""\
        # Title
        first
        paragraph

        second
        - item
          more
        - item

        ```python
        code

        code
        ```
        after
        | a | b |
        |---|---|
        | 1 | 2 |
        """)

    assert [s.cuts for s in symbols_of(text)] == [(2, 5, 6, 8, 10, 15, 16)]


def test_only_a_long_fenced_block_is_cut_inside() -> None:
    code = "line\n" * 29 + "\n"

    (short,) = symbols_of(f"# T\n```\n{code}```\n")
    (long,) = symbols_of(f"# T\n```\n{code * 3}```\n")

    assert short.cuts == (2,)
    assert long.cuts == (2, 33, 63)


@pytest.mark.parametrize("text", ["", "\n\n", "   \n"])
def test_a_file_without_text_has_no_sections(text: str) -> None:
    assert symbols_of(text) == ()


lines = st.lists(
    st.sampled_from(
        ["# a", "## b", "", "text", "---", "===", "```", "~~~", "<!--", "-->", "- x", "| t |", "+++", "> q"]
    )
)


@given(st.one_of(st.text(), lines.map("\n".join)))
def test_sections_follow_each_other_without_gap(text: str) -> None:
    symbols = symbols_of(text)

    for before, after in pairwise(symbols):
        assert after.start_line == before.end_line + 1
    for symbol in symbols:
        assert symbol.start_line <= symbol.end_line
        assert list(symbol.cuts) == sorted(set(symbol.cuts))
        assert all(symbol.start_line < cut <= symbol.end_line for cut in symbol.cuts)
    if symbols:
        assert symbols[-1].end_line == max(1, text.count("\n") + (not text.endswith("\n")))
        assert not "".join(text.split("\n")[: symbols[0].start_line - 1]).strip()
