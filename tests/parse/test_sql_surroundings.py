"""What stands around an object in a SQL file and is only about it: guarded drops, permissions, owners."""

from __future__ import annotations

from textwrap import dedent

import pytest

from ragduck.model import Chunk, Document, Symbol
from ragduck.parse import ChunkSettings, parse_document
from ragduck.parse.sql import outline

BODY = "CREATE PROCEDURE dbo.P AS\nSELECT 1 FROM dbo.A\nGO\n"


def document_of(text: str, path: str = "db/shop.sql") -> Document:
    return Document(path, text, "sql", "sql", "source", len(text), 0)


def symbols_of(text: str, path: str = "db/shop.sql") -> tuple[Symbol, ...]:
    return outline(document_of(dedent(text), path)).symbols


def spans(text: str, path: str = "db/shop.sql") -> list[tuple[str, str, int, int]]:
    return [
        (symbol.element_type, symbol.qualified_name, symbol.start_line, symbol.end_line)
        for symbol in symbols_of(text, path)
    ]


def chunks_of(text: str) -> tuple[Chunk, ...]:
    return parse_document(document_of(text), settings=ChunkSettings()).chunks


@pytest.mark.parametrize(
    "guard",
    [
        "DROP PROCEDURE IF EXISTS dbo.P",
        "if exists (select * from sys.procedures where name = 'P')\n\tDrop Procedure p;",
        "IF OBJECT_ID('dbo.P') IS NOT NULL\nBEGIN\n    DROP PROC [dbo].[P]\n    PRINT 'gone'\nEND",
        "DROP PROCEDURE dbo.P\nGO\nSET ANSI_NULLS ON\nGO\nSET QUOTED_IDENTIFIER, NOCOUNT OFF",
        "DROP PROC P\nGO\nIF OBJECT_ID('P') IS NULL\n    EXEC ('CREATE PROC P AS SELECT 1')",
    ],
)
def test_a_batch_that_only_drops_the_next_object_leads_to_it(guard: str) -> None:
    found = spans(f"{guard}\nGO\n{BODY}")

    assert found == [("procedure", "dbo.P", 1, guard.count("\n") + 4)]


@pytest.mark.parametrize(
    "guard",
    [
        "DROP PROCEDURE dbo.P2",
        "DROP PROCEDURE Sales.P",
        "DROP PROCEDURE Other.dbo.P",
        "DROP FUNCTION dbo.P",
        "DROP PROCEDURE dbo.P, dbo.Q",
        "DROP PROCEDURE dbo.P\nDELETE FROM dbo.A",
        "IF OBJECT_ID('dbo.P') IS NOT NULL\nBEGIN\n    DROP PROCEDURE dbo.P\n    DELETE FROM dbo.A\nEND",
        "IF OBJECT_ID('dbo.P') IS NOT NULL\n    PRINT 'there'",
        "SET ANSI_NULLS ON",
    ],
)
def test_what_does_more_or_drops_another_object_stays_a_script(guard: str) -> None:
    found = spans(f"{guard}\nGO\n{BODY}")

    assert [element_type for element_type, *_ in found] == ["script", "procedure"]
    assert found[1][2] == guard.count("\n") + 3


@pytest.mark.parametrize(
    "right",
    [
        "GRANT EXECUTE ON dbo.P TO public",
        "Grant Execute on OBJECT::p to [app user], other;\nGO\nDENY EXECUTE ON dbo.P TO guest",
        "REVOKE EXECUTE ON [dbo].[P] FROM public",
        "SET QUOTED_IDENTIFIER OFF\nGO\nGRANT EXECUTE ON dbo.P TO public",
        "IF USER_ID('app') IS NOT NULL\n    GRANT EXECUTE ON dbo.P TO app",
        "EXEC sp_procxmode 'dbo.P', 'anymode'",
    ],
)
def test_a_batch_of_rights_on_the_object_before_is_its_tail(right: str) -> None:
    found = spans(f"{BODY}{right}\nGO\n")

    assert found == [("procedure", "dbo.P", 1, right.count("\n") + 4)]


@pytest.mark.parametrize(
    "right",
    [
        "GRANT EXECUTE ON dbo.Q TO public",
        "GRANT EXECUTE ON Sales.P TO public",
        "GRANT EXECUTE ON SCHEMA::P TO public",
        "GRANT EXECUTE TO public",
        "GRANT EXECUTE ON dbo.P TO public\nEXEC dbo.P",
        "EXEC dbo.P",
        "EXEC sp_procxmode 'dbo.Q', 'anymode'",
        "PRINT 'done'",
    ],
)
def test_rights_on_other_objects_are_scripts(right: str) -> None:
    found = spans(f"{BODY}{right}\nGO\n")

    assert [element_type for element_type, *_ in found] == ["procedure", "script"]


def test_rights_that_follow_another_object_are_one_script() -> None:
    found = spans(
        f"{BODY}CREATE TABLE dbo.A (x int)\nGO\nGRANT SELECT ON dbo.P TO a\nGO\nDENY SELECT ON dbo.P TO b\nGO\n"
    )

    assert found == [("procedure", "dbo.P", 1, 2), ("table", "dbo.A", 4, 4), ("script", "db.shop", 6, 8)]


def test_drops_and_rights_of_tables_and_indexes() -> None:
    found = spans("""\
        DROP TABLE IF EXISTS Sales.T;
        CREATE TABLE Sales.T (x int)
        GRANT SELECT (x) ON Sales.T TO a
        DROP INDEX IX ON Sales.T
        CREATE INDEX IX ON Sales.T (x)
        DROP INDEX IX ON Sales.U
        CREATE INDEX IX ON Sales.T (x)
        """)

    assert found == [
        ("table", "Sales.T", 1, 3),
        ("index", "Sales.T.IX", 4, 5),
        ("script", "db.shop", 6, 6),
        ("index", "Sales.T.IX", 7, 7),
    ]


def test_owners_and_rights_in_postgresql() -> None:
    found = spans(
        """\
        CREATE TABLE orders (id int);
        ALTER TABLE public.orders OWNER TO shop;
        ALTER TABLE orders ADD x int;
        DROP FUNCTION IF EXISTS total(int, text);
        CREATE FUNCTION total(id int, name text) RETURNS int AS 'SELECT 1' LANGUAGE sql;
        ALTER FUNCTION total(int, numeric(9, 2)) OWNER TO shop;
        grant execute on function total
        (
            int, --: id
            text
        ) to public;
        ALTER TABLE other OWNER TO shop;
        """,
        "postgres/shop.sql",
    )

    assert found == [
        ("table", "public.orders", 1, 2),
        ("alter_table", "public.orders", 3, 3),
        ("function", "public.total", 4, 11),
        ("alter_table", "public.other", 12, 12),
    ]


def test_the_database_of_a_drop_is_that_in_use() -> None:
    found = spans("USE Shop\nGO\nDROP PROCEDURE dbo.P\nGO\n" + BODY + "GRANT EXECUTE ON dbo.P TO a\nGO\n")

    assert found == [("script", "db.shop", 1, 1), ("procedure", "dbo.P", 3, 8)]


def test_a_chunk_has_all_lines_and_its_vector_those_of_the_object() -> None:
    text = f"DROP PROCEDURE dbo.P\nGO\n{BODY}GRANT EXECUTE ON dbo.P TO a\n"

    (chunk,) = chunks_of(text)

    assert (chunk.start_line, chunk.end_line, chunk.text) == (1, 6, text.rstrip("\n"))
    assert chunk.embedding_text == "dbo.P\n" + text.removeprefix("DROP PROCEDURE dbo.P\nGO\n").rstrip("\n")


def test_rights_are_no_chunk_of_their_own_behind_a_long_object() -> None:
    statements = "".join(
        f"UPDATE dbo.A SET name = 'a name of some length' WHERE id = {number}\n" for number in range(60)
    )

    chunks = chunks_of(f"DROP PROC P\nGO\nCREATE PROC P AS\n{statements}GO\nGRANT EXECUTE ON P TO a\nGO\n")

    assert {chunk.element_name for chunk in chunks} == {"dbo.P"}
    assert "CREATE PROC" in chunks[0].text
    assert chunks[-1].text.startswith("UPDATE")
    assert chunks[-1].text.endswith("TO a")


def test_the_graph_has_the_lines_of_the_object_alone() -> None:
    text = f"DROP PROCEDURE dbo.P\nGO\n{BODY}GRANT EXECUTE ON dbo.P TO a\n"

    (fact,) = outline(document_of(text)).facts.objects

    assert (fact.line, fact.end_line) == (3, 4)
