"""The SQL lexer: exact tokens, tolerance of what is never closed, and nothing lost."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ragduck.sqlreader.dialect import Dialect, default_schema, detect_dialect
from ragduck.sqlreader.tokens import DELIMITER, Token, declares_mark, tokenize

PLACEHOLDER = re.compile(r"\{[^\W\d]\w*\}")
DIALECTS: tuple[Dialect, ...] = ("tsql", "postgresql", "mysql", "sqlite", "firebird")


def kinds(text: str, dialect: Dialect = "tsql") -> list[tuple[str, str]]:
    return [(token.kind, token.text) for token in tokenize(text, dialect=dialect).tokens]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SELECT [a]]b]", [("word", "SELECT"), ("name", "[a]]b]")]),
        ("[Order Details]", [("name", "[Order Details]")]),
        ("'it''s'", [("string", "'it''s'")]),
        ("N'ż' + x'00'", [("string", "N'ż'"), ("punctuation", "+"), ("string", "x'00'")]),
        (r"'C:\' x", [("string", r"'C:\'"), ("word", "x")]),
        ('"a""b" `c`', [("name", '"a""b"'), ("name", "`c`")]),
        ("@x @@ROWCOUNT", [("variable", "@x"), ("variable", "@@ROWCOUNT")]),
        ("#t ##g", [("temp", "#t"), ("temp", "##g")]),
        ("1.5e3 0xFF .5", [("number", "1.5e3"), ("number", "0xFF"), ("number", ".5")]),
        ("a.b", [("word", "a"), ("punctuation", "."), ("word", "b")]),
        ("$(Db).x", [("word", "$(Db)"), ("punctuation", "."), ("word", "x")]),
        ("Größe_1", [("word", "Größe_1")]),
        ("-- x\ny", [("comment", "-- x"), ("word", "y")]),
        ("/* a /* b */ c */ d", [("comment", "/* a /* b */ c */"), ("word", "d")]),
        ("a - - b", [("word", "a"), ("punctuation", "-"), ("punctuation", "-"), ("word", "b")]),
        ("{owner}{prefix}T {a}", [("name", "[T]"), ("name", "[]")]),
        ("{owner}[{prefix}T x]", [("name", "[T x]")]),
        ("[{owner}].{prefix}T", [("name", "[]"), ("punctuation", "."), ("name", "[T]")]),
        ("{owner}.T", [("name", "[]"), ("punctuation", "."), ("word", "T")]),
        ("FK_{a}T_{a}U", [("name", "[FK_T_U]")]),
        ("'{a}' {1}", [("string", "'{a}'"), *[("punctuation", "{"), ("number", "1"), ("punctuation", "}")]]),
        ("x[\n]", [("word", "x"), ("punctuation", "["), ("punctuation", "]")]),
    ],
)
def test_tokens_of_tsql(text: str, expected: list[tuple[str, str]]) -> None:
    assert kinds(text) == expected


@pytest.mark.parametrize(
    ("dialect", "text", "expected"),
    [
        ("postgresql", "$$ a'b $$", [("string", "$$ a'b $$")]),
        ("postgresql", "$f$ $$ $f$ x", [("string", "$f$ $$ $f$"), ("word", "x")]),
        ("postgresql", r"E'\'' x", [("string", r"E'\''"), ("word", "x")]),
        ("mysql", r"'it\'s' x", [("string", r"'it\'s'"), ("word", "x")]),
        ("mysql", "# note\nx", [("comment", "# note"), ("word", "x")]),
        (
            "mysql",
            "DELIMITER $$\nEND$$",
            [("delimiter", "DELIMITER $$"), ("word", "END"), ("delimiter", "$$")],
        ),
        ("mysql", "/* a /* b */ c", [("comment", "/* a /* b */"), ("word", "c")]),
        (
            "firebird",
            "SET TERM ^ ;\nEND^\nSET TERM ;^\na",
            [
                ("delimiter", "SET TERM ^ ;"),
                ("word", "END"),
                ("delimiter", "^"),
                ("delimiter", "SET TERM ;^"),
                ("word", "a"),
            ],
        ),
        ("mysql", "SET TERM", [("word", "SET"), ("word", "TERM")]),
    ],
)
def test_tokens_of_other_dialects(dialect: Dialect, text: str, expected: list[tuple[str, str]]) -> None:
    assert kinds(text, dialect) == expected


@pytest.mark.parametrize("line", ["GO", "go", "  Go  ", "GO 5", "GO;", "GO -- next"])
def test_go_alone_on_its_line_separates_batches(line: str) -> None:
    tokens = tokenize(f"x\n{line}\ny").tokens

    assert [token.kind for token in tokens if token.kind != "comment"][:2] == ["word", "go"]


@pytest.mark.parametrize("text", ["GO x", "x GO", "GOTO", "'\nGO\n'", "/*\nGO\n*/", "[GO]"])
def test_go_elsewhere_does_not(text: str) -> None:
    assert "go" not in [token.kind for token in tokenize(text).tokens]


def test_tokens_know_their_offsets_and_lines() -> None:
    tokens = tokenize("a\n/* x\ny */ 'p\nq' b").tokens

    assert tokens == [
        Token("word", "a", 0, 1, 1),
        Token("comment", "/* x\ny */", 2, 11, 2),
        Token("string", "'p\nq'", 12, 17, 3),
        Token("word", "b", 18, 19, 4),
    ]
    assert [token.end_line for token in tokens] == [1, 3, 4, 4]


@pytest.mark.parametrize("opening", ["'never closed", "N'''", '"never', "/* never", "/* /* */"])
def test_an_unclosed_token_ends_with_its_batch(opening: str) -> None:
    lexed = tokenize(f"x\n{opening}\nGO\ny")

    assert [token.line for token in lexed.unclosed] == ([2] if opening != "/* /* */" else [])
    assert [(token.kind, token.line) for token in lexed.tokens[-2:]] == [("go", 3), ("word", 4)]


@pytest.mark.parametrize("text", ["{a}" * 50_000 + "[", "{a" * 50_000, "b{a}" * 50_000, "{a}" * 50_000 + "+"])
def test_hostile_placeholders_are_read_at_once(text: str) -> None:
    started = time.perf_counter()

    tokenize(text)

    assert time.perf_counter() - started < 2


@pytest.mark.parametrize(
    ("dialect", "text"),
    [("tsql", "'a"), ("tsql", "'a''"), ("tsql", "/*"), ("mysql", "'a\\'"), ("postgresql", "$x$ a")],
)
def test_an_unclosed_token_is_reported(dialect: Dialect, text: str) -> None:
    assert [token.text for token in tokenize(text, dialect=dialect).unclosed] == [text]


@pytest.mark.parametrize(
    ("dialect", "text"),
    [
        ("tsql", "'a'"),
        ("tsql", "''''"),
        ("tsql", "'\\'"),
        ("tsql", "[a]"),
        ("mysql", "'a\\\\'"),
        ("mysql", "`\\`"),
    ],
)
def test_a_closed_token_at_the_end_is_not_reported(dialect: Dialect, text: str) -> None:
    assert tokenize(text, dialect=dialect).unclosed == []


sql_pieces = st.sampled_from(
    ["'", '"', "[", "]", "`", "/*", "*/", "--", "\n", " ", "GO", "\nGO\n", "$$", "$a$", "a", "1",
     ".", ";", "\\", "@", "#", "(", ")", "DELIMITER //\n", "//", "N'", "E'"]
)  # fmt: skip


@given(st.one_of(st.text(), st.lists(sql_pieces).map("".join)), st.sampled_from(DIALECTS))
def test_tokens_and_white_space_make_up_the_text(text: str, dialect: Dialect) -> None:
    assume(not PLACEHOLDER.search(text))  # they are no part of names
    tokens = tokenize(text, dialect=dialect).tokens

    position = 0
    for token in tokens:
        assert text[position : token.start].strip() == ""
        assert token.text == text[token.start : token.end] != ""
        assert token.line == text.count("\n", 0, token.start) + 1
        position = token.end
    assert text[position:].strip() == ""


@pytest.mark.parametrize(
    ("text", "path", "dialect"),
    [
        ("SELECT 1\nGO\n", "mysql/a.sql", "tsql"),
        ("CREATE TABLE [dbo].[T] (Id INT)", "a.sql", "tsql"),
        ("SELECT 1", "a.sql", "tsql"),
        ("SELECT 1", "db/postgres/a.sql", "postgresql"),
        ("SELECT 1", "a.psql", "postgresql"),
        ("DO $$ BEGIN END $$;", "a.sql", "postgresql"),
        ("CREATE TABLE `a` (`b` INT);", "a.sql", "mysql"),
        ("SELECT 1", "MySqlMigrations/a.sql", "mysql"),
        ("/*!40101 SET NAMES utf8 */;", "a.sql", "mysql"),
        ("CREATE TABLE a (id INTEGER PRIMARY KEY AUTOINCREMENT);", "a.sql", "sqlite"),
        ("SET TERM ^ ;\nALTER PROCEDURE P AS\nBEGIN\nEND^", "a.sql", "firebird"),
        ("CREATE TABLE A (B Blob sub_type 1);", "a.sql", "firebird"),
        ("SELECT 1 FROM RDB$DATABASE;", "a.sql", "firebird"),
        ("SET GENERATOR G TO 0;", "a.sql", "firebird"),
        ("SELECT 1", "scripts/firebirdsql/a.sql", "firebird"),
        ("SET TERM = 1", "a.sql", "tsql"),
        ("UPDATE t\nSET Term = ''", "a.sql", "tsql"),
        ("SELECT 1 AS [sub_type], 'create' AS [generator]", "a.sql", "tsql"),
        ("-- execute procedure of the nightly load\nCREATE PROCEDURE P AS SELECT * FROM T", "a.sql", "tsql"),
        ("-- $Id$\n/* jsonb */ SELECT '$Rev$', 'it''s a::b'", "a.sql", "tsql"),
        ("GRANT SELECT ON SCHEMA::Sales TO Reader", "a.sql", "tsql"),
        ("SELECT hierarchyid::GetRoot(), Tools.Text::Upper(a) FROM T", "a.sql", "tsql"),
        ("EXEC sp_executesql N'SELECT a::b'", "postgres/a.sql", "tsql"),
        ("declare @json jsonb", "a.sql", "tsql"),
        ("SELECT 1\nGO 20\n", "postgres/a.sql", "tsql"),
        ("-- it's\nSELECT a::int FROM t", "a.sql", "postgresql"),
        ("SELECT type::text, b::numeric(10, 2) FROM t -- 'x", "a.sql", "postgresql"),
        ("SELECT a::varchar(20) FROM t", "a.sql", "postgresql"),
        ("CREATE FUNCTION f() RETURNS int AS $$ SELECT 'a' $$;", "a.sql", "postgresql"),
        ("-- used sp_executesql\nCREATE TABLE a (id serial)", "a.sql", "postgresql"),
        ("/* was dbo.a */ CREATE TABLE a (b text DEFAULT 'dbo.', id serial)", "a.sql", "postgresql"),
        ("SELECT [it's] FROM t\nGO\n", "postgres/a.sql", "tsql"),
        ("CREATE FUNCTION f() RETURNS int AS ' BEGIN END ' LANGUAGE 'plpgsql';", "a.sql", "postgresql"),
        ("DROP TRIGGER IF EXISTS t ON public.orders;", "a.sql", "postgresql"),
        ("DROP TRIGGER t ON DATABASE;", "a.sql", "tsql"),
        ("CREATE FUNCTION f() RETURNS int AS 'SELECT 1' LANGUAGE\n'sql';", "a.sql", "postgresql"),
        ("SET LANGUAGE 'Polish' -- LANGUAGE 'sql'", "a.sql", "tsql"),
        ("SELECT * FROM dbo.Orders", "a.sql", "tsql"),
        ("SELECT a::int, `b` FROM dbo.Orders", "a.sql", "tsql"),
        ("DO $$ BEGIN DELETE FROM dbo.Orders; END $$;", "a.sql", "postgresql"),
        ("DO $$ BEGIN DELETE FROM dbo.Orders; END $$;\nGO\n", "a.sql", "tsql"),
        ("INSERT INTO dbo.Orders (Id) VALUES (1)", "database/PgSql/a.sql", "postgresql"),
        ("INSERT INTO dbo.Orders (Id) VALUES (1)", "postgres-port/SqlServer/a.sql", "tsql"),
        ("INSERT INTO dbo.Orders (Id) VALUES (1)", "db/dbo.SyncPostgresCustomers.sql", "tsql"),
        ("INSERT INTO dbo.Orders (Id) VALUES (1)", "db/orders.psql", "postgresql"),
        ("INSERT INTO dbo.Orders (Id) VALUES (1)", "Shop.PostgreSql/Scripts/a.sql", "postgresql"),
        ("INSERT INTO dbo.Orders (Id) VALUES (1)", "PostgresImport/a.sql", "tsql"),
        ("SELECT $action FROM dbo.Orders -- $$ LANGUAGE plpgsql", "a.sql", "tsql"),
    ],
)
def test_dialect_is_told_by_content_then_path(text: str, path: str, dialect: Dialect) -> None:
    assert detect_dialect(text, path=path) == dialect


@pytest.mark.parametrize(
    ("directive", "has_mark"),
    [
        ("DELIMITER $$", True),
        ("DELIMITER ;;", True),
        ("delimiter ;", False),
        ("SET TERM ^ ;", True),
        ("SET TERM ; ^", False),
        ("  set term ;^", False),
        ("^", True),
    ],
)
def test_statements_end_with_a_mark_until_it_is_given_back(directive: str, has_mark: bool) -> None:
    assert declares_mark(Token(DELIMITER, directive, 0, len(directive), 1)) == has_mark


def test_default_schemas() -> None:
    assert [default_schema(dialect) for dialect in DIALECTS] == ["dbo", "public", "main", "main", "main"]
