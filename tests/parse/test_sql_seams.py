"""Where a statement is cut that is longer than a chunk: between queries, else between clauses."""

from __future__ import annotations

from itertools import pairwise
from textwrap import dedent

from hypothesis import given
from hypothesis import strategies as st

from ragduck.model import Document
from ragduck.parse import ChunkSettings, parse_document
from ragduck.parse.sql import outline

COLUMNS = "".join(
    f"    , a.column_{number} AS name_{number}\n" for number in range(40)
)  # some 1,200 characters
JOINS = "".join(
    f"LEFT OUTER JOIN dbo.Other_{number} AS o{number}\n    ON o{number}.id = a.id\n" for number in range(20)
)


def document_of(text: str) -> Document:
    return Document("db/shop.sql", text, "sql", "sql", "source", len(text), 0)


def seams_of(text: str) -> tuple[tuple[int, int], ...]:
    (symbol,) = outline(document_of(dedent(text))).symbols
    return symbol.seams


def first_lines(text: str) -> list[str]:
    """The lines with which the chunks of a script begin."""
    chunks = parse_document(document_of(text), settings=ChunkSettings()).chunks
    return [chunk.text.partition("\n")[0] for chunk in chunks]


def test_seams_lie_between_queries_and_then_between_clauses() -> None:
    found = seams_of("""\
        CREATE VIEW dbo.V AS
        WITH one AS (
            SELECT x FROM dbo.A
            UNION ALL
            SELECT y
            FROM dbo.B
        ),
        two (x, y) AS (SELECT 1, 2)
        , [three] AS (SELECT 1)
        SELECT x, LEFT(name, 3),
            CASE y
                WHEN 1 THEN 2
            END
        FROM one
        LEFT JOIN two ON two.x = one.x
            AND EXISTS (
                SELECT 1 FROM dbo.C
                WHERE C.x = one.x
            )
        CROSS APPLY dbo.F(x)
        WHERE x = 1
        -- the rest
        EXCEPT
        SELECT x, y FROM dbo.D
        """)

    between_queries = [(8, 0), (9, 0), (10, 0), (22, 0)]
    between_clauses = [(14, 2), (15, 2), (20, 2), (21, 2)]
    assert sorted(found) == sorted([*between_queries, *between_clauses, (4, 1), (6, 3), (18, 3)])


def test_each_statement_has_a_depth_of_its_own() -> None:
    found = seams_of("""\
        CREATE PROC dbo.P AS
        BEGIN
            SELECT CASE x WHEN 1
            MERGE dbo.A USING dbo.B ON A.x = B.x
            WHEN MATCHED THEN
                UPDATE SET x = 1;
            INSERT INTO dbo.A (x)
            SELECT y
            FROM dbo.B
        END
        """)

    assert (9, 2) in found
    assert not [line for line, rank in found if rank == 0]


def test_a_long_union_is_cut_between_its_queries() -> None:
    query = f"SELECT a.id\n{COLUMNS}FROM dbo.A AS a\n"

    assert first_lines(f"{query}UNION ALL\n{query}UNION ALL\n{query}") == [
        "SELECT a.id",
        "UNION ALL",
        "UNION ALL",
    ]


def test_short_queries_of_a_union_share_a_chunk() -> None:
    query = f"SELECT a.id\n{COLUMNS[:200]}\nFROM dbo.A AS a\n"

    lines = first_lines("UNION\n".join([query] * 12))

    assert len(lines) < 6
    assert set(lines) == {"SELECT a.id", "UNION"}


def test_long_common_tables_are_cut_between_them() -> None:
    query = f"SELECT a.id\n{COLUMNS}FROM dbo.A AS a\n"

    lines = first_lines(f"WITH one AS (\n{query})\n, two AS (\n{query})\nSELECT *\n{COLUMNS}FROM one\n")

    assert lines == ["WITH one AS (", ", two AS (", "SELECT *"]


def test_a_long_query_is_cut_between_clauses_in_parts_of_like_size() -> None:
    lines = first_lines(
        f"SELECT a.id\n{COLUMNS}FROM dbo.A AS a\n{JOINS}WHERE a.id = 1\nUNION\nSELECT 1\n{COLUMNS}"
    )

    assert lines[0] == "SELECT a.id"
    assert lines[1].startswith(("FROM", "LEFT OUTER JOIN"))
    assert lines[2] == "UNION"


def test_a_query_that_is_a_little_too_long_stays_whole() -> None:
    query = f"SELECT a.id\n{COLUMNS}FROM dbo.A AS a\n{JOINS[:600]}\n"

    assert first_lines(f"{query}UNION\n{query}") == ["SELECT a.id", "UNION"]


def test_statements_are_cut_before_seams() -> None:
    statement = f"SELECT a.id\n{COLUMNS[:600]}\nFROM dbo.A AS a\nWHERE a.id = 1\n"

    assert set(first_lines(statement * 6)) == {"SELECT a.id"}


def test_a_small_statement_goes_with_the_long_one_behind_it() -> None:
    query = f"SELECT a.id\n{COLUMNS}FROM dbo.A AS a\n"

    lines = first_lines(f"PRINT 'first'\n{query}UNION ALL\n{query}")

    assert lines == ["PRINT 'first'", "UNION ALL"]


@given(
    st.lists(
        st.sampled_from(
            ["SELECT 1", "UNION", "FROM a", "JOIN b", ", c AS (", ")", "CASE", "END", "GO", COLUMNS]
        )
    )
)
def test_chunks_are_whole_lines_in_order_whatever_the_seams(lines: list[str]) -> None:
    text = "\n".join(lines * 5)

    chunks = parse_document(document_of(text), settings=ChunkSettings(max_chars=200)).chunks

    assert all(
        chunk.text == "\n".join(text.split("\n")[chunk.start_line - 1 : chunk.end_line]) for chunk in chunks
    )
    assert all(one.end_line < two.start_line for one, two in pairwise(chunks))
