from __future__ import annotations

import errno
import io
from typing import Any

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragduck.cli import commands, output
from ragduck.cli.amounts import age_text, amount_of, counted, size_text
from ragduck.cli.exit_codes import ExitCode
from ragduck.cli.failures import run_to_exit_code
from ragduck.cli.output import make_streams_tolerant, visible, visible_line


def ended_by(error: BaseException) -> ExitCode:
    def run() -> None:
        raise error

    return run_to_exit_code(run)


@given(st.text())
def test_visible_text_holds_nothing_that_a_terminal_obeys(text: str) -> None:
    shown = visible(text)

    assert len(shown) == len(text)
    assert all(
        character.isprintable() or ord(character) >= 0xA0 or character in "\t\n" for character in shown
    )


def test_name_with_a_line_end_stays_on_its_line() -> None:
    assert visible_line("a\n2. b") == "a␊2. b"


@pytest.mark.parametrize(
    ("error", "first_line"),
    [
        (
            OSError(errno.ENOSPC, "No space left on device", "x.duckdb"),
            "error: No space left on device: x.duckdb",
        ),
        (
            PermissionError(errno.EACCES, "Permission denied", "x.duckdb"),
            "error: Permission denied: x.duckdb",
        ),
        (MemoryError(), "error: there is not enough memory"),
        (ValueError("two\nlines"), "error: unexpected ValueError: two lines"),
    ],
)
def test_failure_is_one_line_and_a_hint(
    capsys: pytest.CaptureFixture[str], error: Exception, first_line: str
) -> None:
    code = ended_by(error)

    lines = capsys.readouterr().err.splitlines()
    assert code is ExitCode.FAILED
    assert lines[0] == first_line
    assert lines[1].startswith("hint: ")
    assert len(lines) == 2


@pytest.mark.parametrize("error", [KeyboardInterrupt(), RuntimeError("Query interrupted")])
def test_interruption_is_told_in_words(capsys: pytest.CaptureFixture[str], error: BaseException) -> None:
    code = ended_by(error)

    assert code is ExitCode.INTERRUPTED
    assert capsys.readouterr().err.startswith("interrupted\nhint: ")


def test_unexpected_failure_asks_for_a_report(capsys: pytest.CaptureFixture[str]) -> None:
    ended_by(KeyError("x"))

    assert "RAGDUCK_DEBUG=1" in capsys.readouterr().err


def test_long_message_is_cut(capsys: Any) -> None:
    ended_by(ValueError("x" * 100_000))

    assert len(capsys.readouterr().err) < 1_200


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        (counted(1, "file"), "1 file"),
        (counted(1204, "file"), "1,204 files"),
        (amount_of(1, "chunks of scripts"), "1 chunk of scripts"),
        (amount_of(1, "javascript files"), "1 javascript file"),
        (amount_of(1204, "TYPE nodes"), "1,204 TYPE nodes"),
        (size_text(999), "999 B"),
        (size_text(4_730_880), "4.7 MB"),
        (age_text(30), "just now"),
        (age_text(90), "1 minute ago"),
        (age_text(3 * 86_400), "3 days ago"),
    ],
)
def test_amounts_are_written_as_people_read_them(shown: str, expected: str) -> None:
    assert shown == expected


def test_patterns_are_not_taken_for_names_of_files_on_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    given: dict[str, object] = {}
    monkeypatch.setattr(click.Group, "main", lambda *_, **settings: given.update(settings))

    commands.ragduck.main([], standalone_mode=False)

    assert given["windows_expand_args"] is False


def stdout_of_windows(monkeypatch: pytest.MonkeyPatch) -> io.TextIOWrapper:
    """Put stdout in place as Windows hands it to another program."""
    stream = io.TextIOWrapper(io.BytesIO(), encoding="cp1252")
    monkeypatch.setattr("sys.stdout", stream)
    monkeypatch.delenv("PYTHONIOENCODING", raising=False)
    return stream


def written(stream: io.TextIOWrapper, text: str) -> bytes:
    stream.write(text)
    stream.flush()
    assert isinstance(stream.buffer, io.BytesIO)
    return stream.buffer.getvalue()


def test_what_a_terminal_cannot_show_has_a_likeness_or_a_code(monkeypatch: pytest.MonkeyPatch) -> None:
    stdout = stdout_of_windows(monkeypatch)

    make_streams_tolerant()

    assert written(stdout, "├─ → żółw") == rb"|- -> \u017c" + "ó".encode("cp1252") + rb"\u0142w"


@pytest.mark.parametrize(
    ("variable", "expected"), [(None, "├─ é".encode()), ("cp1252", "|- é".encode("cp1252"))]
)
def test_windows_hands_utf_8_to_other_programs_unless_told_otherwise(
    monkeypatch: pytest.MonkeyPatch, variable: str | None, expected: bytes
) -> None:
    stdout = stdout_of_windows(monkeypatch)
    monkeypatch.setattr(output, "IS_WINDOWS", True)
    if variable:
        monkeypatch.setenv("PYTHONIOENCODING", variable)

    make_streams_tolerant()

    assert written(stdout, "├─ é") == expected
