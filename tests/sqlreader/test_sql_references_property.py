"""Reading references holds up against any text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragduck.sqlreader.definitions import words
from ragduck.sqlreader.dialect import Dialect
from ragduck.sqlreader.names import HOLE
from ragduck.sqlreader.references import read_references

DIALECTS: tuple[Dialect, ...] = ("tsql", "postgresql", "mysql", "sqlite", "firebird")
PIECES = [
    *sorted(
        words(
            "SELECT FROM JOIN APPLY USING ON INTO VALUES WITH AS FOR NEXT VALUE UNION WHERE SET OUTPUT OPTION"
        )
    ),
    *sorted(
        words(
            "INSERT UPDATE DELETE MERGE TRUNCATE TABLE EXEC CALL DECLARE CREATE ALTER DROP ADD COLUMN INDEX"
        )
    ),
    *sorted(
        words(
            "PROC VIEW TRIGGER FUNCTION REFERENCES FOREIGN KEY CONSTRAINT BEGIN END IF ELSE WHEN THEN RETURN"
        )
    ),
    *("CASE", "CAST", "CONCAT", "REPLACE", "IIF", "COLLATE", "FETCH", "OUTPUT"),
    *("sp_executesql", "sp_rename", "SYSTEM_TIME", "CHANGETABLE", "STATISTICS", "SYNONYM", "inserted"),
    *(
        "a",
        "dbo",
        "T",
        "[x y]",
        '"q"',
        "@v",
        "@p0",
        "#t",
        "N'SELECT 1 FROM dbo.U'",
        "'''",
        "$(Var)",
        "$$",
        "1",
    ),
    *(".", ",", ";", "(", ")", "=", "+", "*", ":", "{", "\n", "\nGO\n", "--c\n", "/*c*/", HOLE),
]
SQL = st.lists(st.sampled_from(PIECES), max_size=60).flatmap(
    lambda pieces: st.sampled_from(["", " "]).map(lambda space: space.join(pieces))
)
LENGTH = 30_000  # enough for a quadratic reader to stall the suite


@given(SQL | st.text(), st.sampled_from(DIALECTS))
def test_any_text_is_read_and_no_name_has_an_unknown_piece(sql: str, dialect: Dialect) -> None:
    for reference in read_references(sql, dialect=dialect):
        assert reference.name.name
        assert not any(mark in part for part in reference.name for mark in (HOLE, "@p0", "#t"))
        assert 1 <= reference.line <= sql.count("\n") + 1


@pytest.mark.parametrize(
    "piece",
    [
        "(", "a.", "a.b(", "FROM a,", "DELETE a,", "DROP TABLE a,", "EXEC('", "EXEC(", "EXEC(@a + 'x'\n", HOLE,
        "SELECT * FROM (", "SELECT * FROM (SELECT 1 FROM t) x JOIN ", "SELECT 1 FROM t UNION ", "WITH a AS (",
        "SET @s += 'x'\nEXEC(@s)\n", "SET @s = 'x'\nEXEC(@s)\n", "UPDATE t SET a=1 ", "DECLARE @a dbo.T = 1, ",
        "ALTER TABLE t ADD a int REFERENCES b, ", "CREATE TABLE t (FOREIGN KEY (",
        "CREATE PROC p AS SELECT 1 FROM t\nGO\n", "EXEC(CASE WHEN 'x' THEN ", "SET @s = 'x' + (", "SET @s = CAST(",
        "EXEC(" + "REPLACE(" * 9, "EXEC(CHAR(", "EXEC(CASE ", "EXEC @s\n", "EXEC sp_add_jobstep ",
        "SET @s = 'x' + @s + @s\n", "SET @s = CASE WHEN 1=1 THEN @s + 'x' ELSE @s + 'y' END\n",
    ],
)  # fmt: skip
def test_a_piece_without_end_is_read_to_the_end(piece: str) -> None:
    sql = piece * (LENGTH // len(piece)) + ";\nSELECT 1 FROM dbo.Last"

    found = read_references(sql)

    assert isinstance(found, tuple)
