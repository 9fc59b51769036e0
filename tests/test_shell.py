from __future__ import annotations

import shlex

import pytest

from ragduck import shell


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shell, "IS_WINDOWS", True)


@pytest.mark.parametrize("text", ["s.duckdb", "a b", "it's", 'the "one"', "$HOME", "", "a;b", "ä"])
def test_a_posix_shell_reads_what_was_meant(text: str) -> None:
    assert shlex.split(shell.quote(text)) == [text]


@pytest.mark.parametrize(
    ("text", "written"),
    [
        (r"C:\code\s.duckdb", r"C:\code\s.duckdb"),
        (r"C:\my code\s.duckdb", r'"C:\my code\s.duckdb"'),
        ("it's", '"it\'s"'),
        ('the "one"', '"the ""one"""'),
        ("a&b", '"a&b"'),
        ("", '""'),
        ("C:\\my dir\\", '"C:\\my dir\\\\"'),
        ("a,b", '"a,b"'),
    ],
)
def test_windows_is_given_double_quotes(windows: None, text: str, written: str) -> None:
    assert shell.quote(text) == written


def test_commands_are_those_of_windows(windows: None) -> None:
    assert shell.folder_command(r"C:\my code") == r'mkdir "C:\my code"'
    assert shell.removal_command("s.duckdb") == "del s.duckdb"


def test_commands_are_those_of_a_posix_shell() -> None:
    assert shell.folder_command("my code") == "mkdir -p 'my code'"
    assert shell.removal_command("s.duckdb") == "rm s.duckdb"
