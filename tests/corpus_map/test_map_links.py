"""Which links a Markdown text has, and at which lines."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragduck.corpus_map.links import links_of
from ragduck.corpus_map.prose import prose_of


def targets(text: str) -> list[str]:
    return [link.target for link in links_of(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[a](b.md)", ["b.md"]),
        ("[a](b.md 'A title')", ["b.md"]),
        ('[a](b.md "A (title)")', ["b.md"]),
        ("[a](<b c.md>)", ["b c.md"]),
        ("[a](b(1).md)", ["b(1).md"]),
        (r"[a](b\(1.md)", ["b(1.md"]),
        ("[a](b.md#part) and [c](../d.md?raw=1)", ["b.md#part", "../d.md?raw=1"]),
        ("[a](x&amp;y.md)", ["x&y.md"]),
        ("[a][one]\n\n[one]: b.md", ["b.md"]),
        ("[a][ONE  two]\n\n[one Two]: <b c.md> 'title'", ["b c.md"]),
        ("[one][]\n\n[one]: b.md", ["b.md"]),
        ("[one]\n\n[one]: b.md", ["b.md"]),
        ("[one]\n\n[one]:\n  b.md", ["b.md"]),
        ("[one]\n\n[one]: b.md\n[one]: c.md", ["b.md"]),
        ("[![logo](logo.png)](b.md)", ["b.md"]),
        ("[a [b](c.md) d](e.md)", ["c.md"]),
        ('<a class="x" href="b.md">text</a>', ["b.md"]),
        ("- [ ] a task\n- [x] [a](b.md)", ["b.md"]),
        ("> [a](b.md)", ["b.md"]),
        ("1. item\n\n    [a](b.md)", ["b.md"]),
        ("[a](b.md", []),
        (r"\[a](b.md)", []),
        ("![a](b.png)", []),
        ("[a] (b.md)", []),
        ("a note[^1]\n\n[^1]: b.md", []),
        ("[none][of these]", []),
    ],
)
def test_link_is_found_as_it_is_written(text: str, expected: list[str]) -> None:
    found = targets(text)

    assert found == expected


@pytest.mark.parametrize(
    "text",
    [
        "```\n[a](b.md)\n```",
        "~~~md\n[a](b.md)\n```\n~~~",
        "- item\n  ```\n  [a](b.md)\n  ```",
        "> ```\n> [a](b.md)\n",
        "`[a](b.md)`",
        "`` ` [a](b.md) ``",
        "    [a](b.md)",
        "<!-- [a](b.md) -->",
        "---\nlink: '[a](b.md)'\n---\n",
    ],
)
def test_code_comments_and_front_matter_hold_no_links(text: str) -> None:
    found = targets(f"{text}\n\n[c](d.md)")

    assert found == ["d.md"]


def test_unmatched_backtick_hides_nothing_beyond_its_paragraph() -> None:
    found = targets("a ` alone\n\n[a](b.md) and ` again")

    assert found == ["b.md"]


def test_link_tells_line_and_text() -> None:
    text = "# Title\n\nSee the\n[**bold** `code`\nguide](b.md).\n"

    (link,) = links_of(text)

    assert (link.line, link.text) == (4, "bold code guide")


@given(st.text(alphabet="ab[]()`~<>!\\#:\"' \n\t-|^.", max_size=300))
def test_any_text_gives_links_of_its_lines(text: str) -> None:
    found = links_of(text)

    assert all(1 <= link.line <= text.count("\n") + 1 for link in found)


@given(st.text(alphabet="a`~<>!- \n\t|\\", max_size=300))
def test_prose_has_the_lines_and_the_length_of_the_text(text: str) -> None:
    prose = prose_of(text)

    assert [len(line) for line in prose.split("\n")] == [len(line) for line in text.split("\n")]


PIECES = (
    "[", "](", "[a](", "[a](b ", "[a](b '", "![", "`", "``` ", "<!--", "<a ", "<a href=", "[a]: ", "\\[", "[a][",
    "> ",
)  # fmt: skip


@pytest.mark.parametrize("piece", PIECES)
def test_repetition_takes_no_longer_than_its_length(piece: str) -> None:
    text = piece * (60_000 // len(piece))

    began = time.process_time()
    links_of(text)

    assert time.process_time() - began < 3
