"""SQL in string literals has chunks of its own, beside those of the members around it."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragduck.model import Chunk, Document
from ragduck.parse import ChunkSettings, parse_document

CODE = """namespace Shop;

class Orders
{
    const string All = "SELECT * FROM dbo.[Order]";

    void Read(IDbConnection db)
    {
        db.Query(@"
            SELECT Id
            FROM dbo.[Order]");
        db.Execute("DELETE FROM dbo.[Order]");
        Show("Select an order from the list");
        db.Query("dbo.Order_Read", commandType: CommandType.StoredProcedure);
    }
}
"""


def inline_chunks(
    text: str, *, max_chars: int = 1536, language: str = "csharp", path: str = "A.cs"
) -> list[Chunk]:
    document = Document(path, text, language, "cs", "source", size=len(text), mtime_ns=0)
    parsed = parse_document(document, settings=ChunkSettings(max_chars=max_chars))
    return [chunk for chunk in parsed.chunks if chunk.file_type == "inline_sql"]


def test_each_statement_is_a_chunk_of_exactly_its_lines() -> None:
    chunks = inline_chunks(CODE)

    assert [(chunk.start_line, chunk.end_line) for chunk in chunks] == [(5, 5), (9, 11), (12, 12)]
    assert all(
        chunk.text == "\n".join(CODE.split("\n")[chunk.start_line - 1 : chunk.end_line]) for chunk in chunks
    )


def test_a_chunk_is_named_after_its_member() -> None:
    chunk = inline_chunks(CODE)[1]

    assert chunk.object_id == "sql:inline:Shop.Orders.Read"
    assert chunk.node_key == "csharp:Shop.Orders.Read|METHOD"
    assert (chunk.element_type, chunk.element_name) == ("inline_sql", "Orders.Read")
    assert (chunk.data_type, chunk.file_type) == ("db_code", "inline_sql")
    assert (chunk.class_name, chunk.member, chunk.cs_key) == ("Orders", "Read", "Shop.Orders.Read")


def test_the_literals_of_a_member_are_parts_of_one_object() -> None:
    chunks = inline_chunks(CODE)

    assert [(chunk.chunk_part, chunk.chunk_total) for chunk in chunks] == [(0, 1), (0, 2), (1, 2)]


def test_a_literal_outside_of_members_belongs_to_its_file() -> None:
    (chunk,) = inline_chunks('db.Query("SELECT * FROM dbo.T");\n')

    assert chunk.node_key == "file:A.cs|FILE"
    assert chunk.object_id == "sql:inline:A.cs"
    assert chunk.element_name == "A.cs"


def test_a_statement_from_several_lines_is_one_chunk() -> None:
    text = 'class A { string S =\n"SELECT a " +\n"FROM dbo.T " +\n"WHERE b = 1"; }'

    assert [(chunk.start_line, chunk.end_line) for chunk in inline_chunks(text)] == [(2, 4)]


def test_two_statements_on_one_line_are_one_chunk() -> None:
    text = 'class A { string S = "SELECT 1 FROM dbo.T"; string U = "SELECT 2 FROM dbo.T"; }'

    assert [(chunk.start_line, chunk.chunk_total) for chunk in inline_chunks(text)] == [(1, 1)]


def test_literals_that_share_a_line_are_two_chunks() -> None:
    text = 'class A { string S = @"SELECT 1\nFROM dbo.T"; string U = @"SELECT 2\nFROM dbo.T"; }'

    assert [(chunk.start_line, chunk.end_line) for chunk in inline_chunks(text)] == [(1, 2), (2, 3)]


def test_an_unmarked_statement_is_a_chunk_where_it_is_run() -> None:
    run = 'class A { void M() { db.Execute("delete from cache"); } }'
    shown = 'class A { void M() { Show("delete from cache"); } }'

    assert len(inline_chunks(run)) == 1
    assert inline_chunks(shown) == []


@pytest.mark.parametrize(
    "statement",
    [
        'logger.LogInformation("SELECT a FROM dbo.T");',
        'throw new ArgumentException("SELECT a FROM dbo.T");',
        'Show("Update the print queue from the intranet.");',
        'db.Execute("dbo.Order_Read", commandType: CommandType.StoredProcedure);',
    ],
)
def test_other_strings_are_no_chunks(statement: str) -> None:
    assert inline_chunks(f"class A {{ void M() {{ {statement} }} }}") == []


def test_a_choice_of_statements_is_a_chunk() -> None:
    text = 'class A { void M(bool b) {\n db.Query(b\n ? "SELECT a FROM dbo.T"\n : "SELECT b FROM dbo.T"); } }'

    chunks = inline_chunks(text)

    assert {line for chunk in chunks for line in range(chunk.start_line, chunk.end_line + 1)} >= {3, 4}


def test_a_long_literal_is_cut_at_lines() -> None:
    columns = ",\n".join(f"column_number_{number}" for number in range(100))
    text = f'class A {{ string S = @"SELECT\n{columns}\nFROM dbo.T"; }}'

    chunks = inline_chunks(text, max_chars=600)

    assert len(chunks) > 2
    assert all(len(chunk.text) <= 600 for chunk in chunks)
    assert [chunk.start_line for chunk in chunks[1:]] == [chunk.end_line + 1 for chunk in chunks[:-1]]
    assert [chunk.chunk_part for chunk in chunks] == list(range(len(chunks)))


@pytest.mark.parametrize("sql", ["update t set a = 1", "DELETE FROM t"])
def test_the_use_of_a_local_is_no_chunk(sql: str) -> None:
    text = f'class A {{\n void m() {{\n  String sql = "{sql}";\n  jdbc.update(sql);\n }}\n}}'

    chunks = inline_chunks(text, language="java", path="A.java")

    assert [(chunk.start_line, chunk.end_line) for chunk in chunks] == [(3, 3)]


def test_sql_in_python_has_chunks_too() -> None:
    text = 'def read(cursor):\n    cursor.execute("""\n        SELECT a\n        FROM t""")\n'

    (chunk,) = inline_chunks(text, language="python", path="shop/orders.py")

    assert (chunk.start_line, chunk.end_line) == (2, 4)
    assert chunk.node_key == "python:shop.orders.read|METHOD"
    assert chunk.cs_key is None


PIECES = (
    '"SELECT a FROM dbo.T"', '@"SELECT a\nFROM dbo.T"', '$"DELETE FROM dbo.T WHERE a = {1}"', '"""', " + ", "(", ");",
    "\n", "class A { ", "void M() { ", "db.Query(", "}", "string s = ", "$@", "?", ":", '"', "{", "-- ",
)  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=40))
def test_chunks_are_lines_in_order_whatever_the_text(pieces: list[str]) -> None:
    text = "".join(pieces)
    lines = text.split("\n")

    chunks = inline_chunks(text, max_chars=64)

    assert all(chunk.text == "\n".join(lines[chunk.start_line - 1 : chunk.end_line]) for chunk in chunks)
    assert all(one.end_line <= other.start_line for one, other in pairwise(chunks))
