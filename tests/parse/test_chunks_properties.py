"""Chunks reproduce their file: exact lines, in order, nothing twice, nothing left out that says something."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragduck.model import Chunk, Document, Outline, SkippedFile, Symbol
from ragduck.parse import ChunkSettings, parse_document
from ragduck.parse.chunk import chunks_of
from ragduck.parse.wording import says_something
from ragduck.sources import read_document, walk_files

SHOP = Path(__file__).parents[1] / "data" / "shop"
OVERSHOOT = 1.25
RAISED = re.compile(r"\w+(Error|Exception): ")  # a parser gave up rather than report

LINE = st.one_of(
    st.sampled_from(
        [
            "",
            "    ",
            "{",
            "}",
            "  return a + b;",
            "\tprivate int größe;",
            "-- GO",
            "zażółć 1",
            "²",
            "#endregion",
            "GO",
        ]
    ),
    st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"]), max_size=60),
    st.text("ab ", min_size=80, max_size=200),
)
KINDS = st.sampled_from(["TYPE", "METHOD", "PROPERTY", "FIELD", "PROC", None])


@st.composite
def symbol_trees(draw: st.DrawFn, start: int, end: int, depth: int = 0) -> tuple[Symbol, ...]:
    """Symbols within lines ``start`` to ``end`` that do not overlap, save that two may share a line."""
    symbols: list[Symbol] = []
    line = start
    for _ in range(draw(st.integers(0, 3))):
        first = draw(st.integers(line, end))
        last = draw(st.integers(first, end))
        cuts = draw(st.lists(st.integers(first, last), max_size=5, unique=True).map(sorted))
        children = draw(symbol_trees(first, last, depth + 1)) if depth < 3 else ()
        name = draw(st.sampled_from(["Place", "Größe", "dbo.Invoice", "Order.Place"]))
        symbols.append(
            Symbol(
                name=name,
                qualified_name=f"Shop.{name}",
                element_type=draw(st.sampled_from(["method", "class", "section", "table", "script"])),
                start_line=first,
                end_line=last,
                kind=draw(KINDS),
                cuts=tuple(cuts),
                children=children,
            )
        )
        line = last + draw(st.integers(0, 1))
        if line > end:
            break
    return tuple(symbols)


@st.composite
def outlined_documents(draw: st.DrawFn) -> tuple[Document, Outline]:
    lines = draw(st.lists(LINE, min_size=1, max_size=40))
    language = draw(st.sampled_from(["csharp", "java", "python", "sql", "markdown", "json"]))
    return document_of("\n".join(lines), language=language), Outline(draw(symbol_trees(1, len(lines))))


@st.composite
def any_trees(draw: st.DrawFn) -> tuple[Symbol, ...]:
    """Symbols that a broken parser might return: out of order, overlapping, outside the file."""
    spans = draw(st.lists(st.tuples(st.integers(-3, 30), st.integers(-3, 30)), max_size=6))
    leaves = [Symbol("a", "a", "method", start, end, kind="METHOD") for start, end in spans]
    return (*leaves[::2], Symbol("b", "b", "class", 2, 20, kind="TYPE", children=tuple(leaves[1::2])))


ENCODED = "H4sIAAAAAAAEAO1d3XLcuHK+" * 9  # the beginning of a zipped file, as base64 has it


def document_of(text: str, *, language: str = "csharp") -> Document:
    return Document("src/Order.cs", text, language, "cs", "source", size=len(text), mtime_ns=0)


def assert_reproduces(document: Document, chunks: tuple[Chunk, ...], *, max_chars: int) -> None:
    lines = document.text.split("\n")
    chunks = tuple(chunk for chunk in chunks if chunk.file_type != "inline_sql")  # it lies in other chunks
    covered = [number for chunk in chunks for number in range(chunk.start_line, chunk.end_line + 1)]
    language = document.language
    worded = {number for number, line in enumerate(lines, 1) if says_something([line], language=language)}
    too_long = [
        chunk
        for chunk in chunks
        if chunk.end_line > chunk.start_line and len(chunk.text) + 1 > max_chars * OVERSHOOT
    ]

    assert all(c.text == "\n".join(lines[c.start_line - 1 : c.end_line]) for c in chunks)
    assert all(1 <= c.start_line <= c.end_line <= len(lines) for c in chunks)
    assert covered == sorted(set(covered))
    assert worded <= set(covered)
    assert too_long == []


def assert_parts_count_up(chunks: tuple[Chunk, ...]) -> None:
    parts: dict[str, list[int]] = defaultdict(list)
    for chunk in chunks:
        parts[chunk.object_id].append(chunk.chunk_part)
    totals = Counter(chunk.object_id for chunk in chunks)

    assert all(numbers == list(range(len(numbers))) for numbers in parts.values())
    assert all(chunk.chunk_total == totals[chunk.object_id] for chunk in chunks)


@settings(deadline=None, max_examples=100)
@given(outlined_documents(), st.integers(20, 400))
def test_chunks_of_any_document_reproduce_its_lines(
    outlined: tuple[Document, Outline], max_chars: int
) -> None:
    document, outline = outlined

    chunks = chunks_of(document, outline, settings=ChunkSettings(max_chars=max_chars))

    assert_reproduces(document, chunks, max_chars=max_chars)
    assert_parts_count_up(chunks)


@settings(deadline=None, max_examples=100)
@given(st.lists(LINE, min_size=1, max_size=25), any_trees(), st.integers(20, 400))
def test_chunks_reproduce_the_lines_even_of_a_broken_outline(
    lines: list[str], symbols: tuple[Symbol, ...], max_chars: int
) -> None:
    document = document_of("\n".join(lines))

    chunks = chunks_of(document, Outline(symbols), settings=ChunkSettings(max_chars=max_chars))

    assert_reproduces(document, chunks, max_chars=max_chars)


@settings(deadline=None, max_examples=100)
@given(outlined_documents())
def test_a_chunk_never_crosses_into_another_method(outlined: tuple[Document, Outline]) -> None:
    document, outline = outlined
    methods = [s for s in outline.symbols if s.kind in ("PROC", "TYPE") and not s.children]

    chunks = chunks_of(document, outline, settings=ChunkSettings())

    first_lines = first_owned_lines(outline)
    assert not [
        (chunk.start_line, method.start_line)
        for method in methods
        if method.start_line == first_lines[method]  # one that shares its first line cannot be cut off there
        for chunk in chunks
        for other in outline.symbols
        if other is not method and other in first_lines
        if any(map(str.isalnum, "".join(document.lines[other.start_line - 1 : other.end_line])))
        if chunk.start_line <= first_lines[other] < first_lines[method] <= chunk.end_line
    ]


def first_owned_lines(outline: Outline) -> dict[Symbol, int]:
    """The first line of each top-level symbol that no symbol before it has taken; past its end if none is left."""
    owned: dict[Symbol, int] = {}
    free = 1
    for symbol in outline.symbols:
        first = max(symbol.start_line, free)
        owned[symbol] = first if first <= symbol.end_line else 10**9
        free = max(free, symbol.end_line + 1)
    return owned


@settings(deadline=None, max_examples=50)
@given(outlined_documents())
def test_chunks_are_the_same_each_time(outlined: tuple[Document, Outline]) -> None:
    document, outline = outlined

    first = chunks_of(document, outline, settings=ChunkSettings())
    second = chunks_of(document, outline, settings=ChunkSettings())

    assert first == second


def shop_documents() -> list[Document]:
    documents = [read_document(file) for file in walk_files(SHOP) if not isinstance(file, SkippedFile)]
    return [document for document in documents if isinstance(document, Document)]


@pytest.mark.parametrize("max_chars", [96, 600, 1536])
@pytest.mark.parametrize("document", shop_documents(), ids=lambda document: document.path)
def test_chunks_of_the_sample_shop_reproduce_its_files(document: Document, max_chars: int) -> None:
    parsed = parse_document(document, settings=ChunkSettings(max_chars=max_chars))

    assert_reproduces(document, parsed.chunks, max_chars=max_chars)
    assert_parts_count_up(parsed.chunks)


@settings(deadline=None, max_examples=100)
@given(
    st.lists(
        st.one_of(
            LINE,
            st.sampled_from([
                "public class A {", "void B() {", "}", "namespace N;", "def f():", "    pass", "class C:",
                "create table dbo.T (", "  Id int,", ")", "GO", "create procedure dbo.P as", "begin", "end",
                "# Title", "## Part", "```", "export function f() {", "@code {", "<p>@Model.Name</p>", "/*", "'",
                '"""', "func F() {", "type T struct {", "[Obsolete]", "{", "#if DEBUG", "#endif", "<a>", "key:",
            ]),
        ),
        max_size=40,
    ),
    st.sampled_from([
        ("csharp", "cs"), ("python", "py"), ("sql", "sql"), ("markdown", "md"), ("typescript", "ts"),
        ("javascript", "js"), ("java", "java"), ("go", "go"), ("razor", "cshtml"), ("razor", "razor"),
        ("json", "json"), ("yaml", "yaml"), ("xml", "xml"), ("text", "txt"),
    ]),
)  # fmt: skip
def test_chunks_of_any_text_reproduce_it_through_the_parsers(
    lines: list[str], language: tuple[str, str]
) -> None:
    name, file_type = language
    text = "\n".join(lines)
    document = Document(f"src/Any.{file_type}", text, name, file_type, "source", size=len(text), mtime_ns=0)

    parsed = parse_document(document, settings=ChunkSettings(max_chars=300))

    assert_reproduces(document, parsed.chunks, max_chars=300)
    assert_parts_count_up(parsed.chunks)
    assert not [problem for problem in parsed.problems if RAISED.match(problem.message)]


REGIONS = """namespace Shop;

public class DiscountService
{
    #region Methods

    public bool ValidateDiscount(Discount discount)
    {
        var isKnown = discounts.Contains(discount);
        Log(discount);
        return isKnown;
    }

    #endregion
    #region Utilities

    private void Log(Discount discount)
    {
        if (discount is null) return;
        logger.Write(discount);
        logger.Flush();
    }

    #endregion
}
"""


def test_what_only_closes_and_parts_is_no_chunk() -> None:
    parsed = parse_document(document_of(REGIONS), settings=ChunkSettings())

    assert [(chunk.element_name, chunk.start_line, chunk.end_line) for chunk in parsed.chunks] == [
        ("DiscountService", 1, 5),
        ("DiscountService.ValidateDiscount", 7, 12),
        ("DiscountService.Log", 17, 22),
    ]


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("csharp", "    #endregion"),
        ("csharp", "# region Methods"),
        ("csharp", "#if NET48 || DEBUG"),
        ("csharp", "#pragma warning disable CS1591"),
        ("csharp", "}"),
        ("sql", "GO"),
        ("sql", "go 5"),
        ("sql", "SET ANSI_NULLS, QUOTED_IDENTIFIER ON;"),
        ("razor", "  </div> </form>"),
        ("xml", "</a:b>"),
        ("python", "# ----"),
        ("xml", f"    <value>{ENCODED}=</value>"),
        ("text", ENCODED),
        ("csharp", ENCODED + "=="),
    ],
)
def test_a_line_that_says_nothing(language: str, line: str) -> None:
    assert not says_something(["", line], language=language)
    assert says_something([line, "total"], language=language)


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("csharp", "#error not for this platform"),
        ("csharp", "var go = 1;"),
        ("python", "#region of interest"),
        ("sql", "SET IDENTITY_INSERT dbo.Invoice ON"),
        ("sql", "GOTO done"),
        ("razor", "</b> total"),
        ("text", "GO"),
        ("csharp", "Orders" * 20),
        ("text", "ORDER66" * 20),
        ("text", f"key: {ENCODED}"),
        ("xml", f'<data name="Logo">{ENCODED}</data>'),
        ("text", ENCODED[:40]),
    ],
)
def test_a_line_that_says_something(language: str, line: str) -> None:
    assert says_something([line], language=language)


@pytest.mark.parametrize("start", ["GO", "SET a ON", "#region", "</a>", "<a>" * 9_999, "a0A" * 99_999])
def test_a_long_line_is_judged_at_once(start: str) -> None:
    line = start + " " * 1_000_000 + "x"

    for language in ("sql", "csharp", "razor"):
        assert says_something([line], language=language)
