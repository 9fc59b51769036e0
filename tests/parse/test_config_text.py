"""Outlines of files without symbols: one symbol, cut where the structure is shallow."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragduck.model import Document, Symbol
from ragduck.parse.config import outline


def symbols_of(path: str, text: str) -> tuple[Symbol, ...]:
    return outline(Document(path, text, "text", "text", "config", len(text), 0)).symbols


def cuts(path: str, text: str) -> tuple[int, ...]:
    (symbol,) = symbols_of(path, text)
    return symbol.cuts


def test_the_whole_file_is_one_symbol() -> None:
    assert symbols_of("src/app settings.json", '{\n  "a": 1\n}\n') == (
        Symbol("app settings.json", "src/app settings.json", "file", 1, 3, cuts=(2,)),
    )


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("a.json", '{\n  "a": {\n    "b": {\n      "c": 1\n    },\n    "d": 2\n  }\n}', (2, 3, 6)),
        ("a.yml", "a:\n  b:\n    c: 1\n\n# about d\nd:\n  - e\n", (2, 5, 7)),
        (
            "a.csproj",
            "<Project>\n  <ItemGroup>\n    <A>\n      <B />\n    </A>\n  </ItemGroup>\n</Project>",
            (2, 3),
        ),
        ("a.html", "<html>\n<!-- x -->\n<body>\ntext\n<p>\n</body>", (2, 3, 5)),
        ("a.css", "/* x */\na {\n  b: c;\n}\n\n/* y */\nd,\ne { f: g; }\nh { }", (6, 9)),
        ("a.scss", "$a: 1;\n$b: 2;\n@media x {\n  a {\n    b: c;\n  }\n  d {\n  }\n}", (2, 3, 7)),
        ("a.txt", "one\ntwo\n\nthree\n\n\nfour", (4, 7)),
        ("a.ini", "[one]\na=1\n[two]\nb=2", (3,)),
        ("Dockerfile", "FROM x\n\nRUN y\n", (3,)),
    ],
)
def test_cuts_by_kind_of_file(path: str, text: str, expected: tuple[int, ...]) -> None:
    assert cuts(path, text) == expected


def test_text_without_structure_is_cut_every_40_lines() -> None:
    assert cuts("a.txt", "x\n" * 100) == (41, 81)
    assert cuts("a.json", "1\n" * 50 + "\n\n") == (41,)


@pytest.mark.parametrize("text", ["", "\n", " \n\t\n"])
def test_a_file_without_text_has_no_symbol(text: str) -> None:
    assert symbols_of("a.txt", text) == ()


@given(
    st.sampled_from(["a.json", "a.yml", "a.xml", "a.css", "a.txt"]),
    st.one_of(st.text(), st.lists(st.sampled_from("{}[]<a/ \t\n#:-;")).map("".join)),
)
def test_cuts_are_valid_for_any_text(path: str, text: str) -> None:
    for symbol in symbols_of(path, text):
        assert symbol.end_line == text.count("\n") + (not text.endswith("\n"))
        assert list(symbol.cuts) == sorted(set(symbol.cuts))
        assert all(1 < cut <= symbol.end_line for cut in symbol.cuts)
