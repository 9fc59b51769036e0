"""A line that is longer than a chunk may be is cut where one would break it, and its data is left out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragduck.model import Chunk, Document
from ragduck.parse import ChunkSettings, parse_document
from ragduck.parse.long_lines import OVERSHOOT, pieces_of

ROW = "(17, N'Blue chair, folded', 12.50)"
DATA = "aGVsbG8gd29ybGQxMjM0NTY3ODkw" * 200  # base64


def chunks_of(text: str, *, language: str = "json", file_type: str = "json") -> tuple[Chunk, ...]:
    document = Document(f"a.{file_type}", text, language, file_type, "source", size=len(text), mtime_ns=0)
    return parse_document(document, settings=ChunkSettings(max_chars=300)).chunks


def cut(line: str, *, max_chars: int) -> list[str]:
    return [line[start:end] for start, end in pieces_of(line, max_chars=max_chars)]


@given(st.text(max_size=500), st.integers(20, 200))
def test_the_pieces_of_a_line_are_the_line_and_none_is_long(line: str, max_chars: int) -> None:
    pieces = cut(line, max_chars=max_chars)

    assert "".join(pieces) == line
    assert all(len(piece) <= max_chars * OVERSHOOT for piece in pieces)


@pytest.mark.parametrize(
    ("line", "ends"),
    [
        ("The chair is sold. " * 9, ". "),
        ("word and word " * 9, " "),
        (f"insert into dbo.Product values {', '.join([ROW] * 5)};", "), "),
        ("<td>Chair</td>" * 9, ">"),
        ("a1b2c3d4/" * 20, "/"),
    ],
)
def test_a_line_is_cut_behind_what_ends_something(line: str, ends: str) -> None:
    *pieces, _ = cut(line, max_chars=80)

    assert pieces
    assert all(piece.endswith(ends) for piece in pieces)


def test_the_pieces_of_a_line_are_parts_of_one_object_on_that_line() -> None:
    line = '{"name": "chair", "price": 12.5}, ' * 40
    text = f'{{"rows": [\n{line}\n], "total": 40}}\n'

    chunks = [chunk for chunk in chunks_of(text) if chunk.start_line == 2]

    assert "".join(chunk.text for chunk in chunks) == line
    assert {(chunk.start_line, chunk.end_line) for chunk in chunks} == {(2, 2)}
    assert len({(chunk.object_id, chunk.chunk_part) for chunk in chunks}) == len(chunks) > 3


def test_a_long_row_of_an_insert_is_cut_at_its_values() -> None:
    text = f"insert into dbo.Product values {', '.join([ROW] * 60)};\n"

    chunks = chunks_of(text, language="sql", file_type="sql")

    assert max(len(chunk.text) for chunk in chunks) <= 300
    assert all(chunk.text.endswith("), ") for chunk in chunks[:-1])


def test_the_data_within_a_long_line_is_in_no_chunk() -> None:
    text = f'{{"name": "logo of the shop", "image": "{DATA}", "alternative text": "a blue chair"}}\n'

    chunks = chunks_of(text)

    assert "logo of the shop" in chunks[0].text
    assert "a blue chair" in chunks[-1].text
    assert sum(len(chunk.text) for chunk in chunks) < 900


def test_long_sql_in_a_literal_is_cut_like_any_line() -> None:
    columns = ", ".join(f"p.Column{number}" for number in range(60))
    text = (
        "class Products\n{\n    void Read() => Run(\n"
        f'        "select {columns} from dbo.Product as p where p.ProductId = @id");\n}}\n'
    )

    chunks = chunks_of(text, language="csharp", file_type="cs")

    inline = [chunk for chunk in chunks if chunk.file_type == "inline_sql"]
    assert len(inline) > 1
    assert max(len(chunk.text) for chunk in inline) <= 300 * OVERSHOOT
