"""Tables of rows fit into the terminal."""

from __future__ import annotations

import os
import sys

import pytest

from ragduck.cli.tables import GAP, NARROWEST, has_room, record_lines, table_lines

KEYS = [f"csharp:Shop.Data.Tests.Orders.OrderPersistenceTests.Can_save_{name}|METHOD" for name in ("a", "b")]
PATHS = [f"src/Tests/Shop.Data.Tests/Orders/OrderPersistenceTests{number}.cs" for number in (1, 2)]
NOTES = ["what is said of it, in words that are many more than a line has room for"] * 2
ROWS = list(zip(KEYS, PATHS, (7, 12_000), NOTES, strict=True))
COLUMNS = ("from_key", "source_file", "line", "note")


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> int:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setattr("shutil.get_terminal_size", lambda: os.terminal_size((request.param, 24)))
    return int(request.param)


@pytest.mark.parametrize("terminal", [80, 100, 160, 400], indirect=True)
def test_lines_are_as_long_as_the_terminal_is_wide(terminal: int) -> None:
    lines = list(table_lines(COLUMNS, ROWS))

    whole = sum(len(max(column, key=len)) for column in (KEYS, PATHS, ["12000"], NOTES)) + 3 * GAP
    assert max(map(len, lines)) == min(terminal, whole)


@pytest.mark.parametrize("terminal", [80], indirect=True)
def test_the_ends_of_keys_and_paths_and_the_beginnings_of_sentences_stay(terminal: int) -> None:
    *_, first, second = table_lines(COLUMNS, ROWS)

    assert ["Can_save_a|METHOD" in first, "Can_save_b|METHOD" in second] == [True, True]
    assert ["Tests1.cs" in first, "Tests2.cs" in second] == [True, True]
    assert first.endswith("what is said of it, in…")


@pytest.mark.parametrize("terminal", [20], indirect=True)
def test_cells_keep_some_columns(terminal: int) -> None:
    _, rule, *_ = table_lines(COLUMNS, ROWS)

    assert [len(part) for part in rule.split()] == [NARROWEST, NARROWEST, 5, NARROWEST]


@pytest.mark.parametrize("terminal", [20], indirect=True)
def test_whole_values_are_never_cut(terminal: int) -> None:
    *_, first, _ = table_lines(COLUMNS, ROWS, max_cell=None)

    assert NOTES[0] in first


def test_what_is_no_terminal_is_not_narrowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.get_terminal_size", lambda: os.terminal_size((20, 24)))

    *_, first, _ = table_lines(COLUMNS, ROWS)

    assert KEYS[0] in first
    assert PATHS[0] in first


@pytest.mark.parametrize("terminal", [58, 59], indirect=True)
def test_a_table_has_room_where_its_narrowest_columns_have(terminal: int) -> None:
    assert has_room(COLUMNS, ROWS) == (terminal >= 3 * NARROWEST + len("12000") + 3 * GAP)


def test_what_is_no_terminal_has_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.get_terminal_size", lambda: os.terminal_size((20, 24)))

    assert has_room(COLUMNS, ROWS)


@pytest.mark.parametrize("terminal", [50], indirect=True)
def test_records_have_a_line_for_each_column(terminal: int) -> None:
    lines = list(record_lines(COLUMNS, ROWS))

    assert [line.split()[0] for line in lines] == ["───", *COLUMNS] * 2
    assert (lines[5], lines[8]) == ("─── 2 ───────", "line         12000")
    assert lines[1].endswith("PersistenceTests.Can_save_a|METHOD")
    assert max(map(len, lines)) == terminal


def test_records_that_nobody_reads_on_a_terminal_are_whole() -> None:
    *_, note = record_lines(COLUMNS, ROWS)

    assert note == f"note         {NOTES[0]}"
