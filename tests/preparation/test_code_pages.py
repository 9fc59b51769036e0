"""Files that do not tell their encoding: what they are taken for is told, and can be named."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import ragduck
from ragduck.errors import UsageError
from ragduck.preparation.reports import PrepareReport

TABLE = "create table dbo.Zamówienie (Opis nvarchar(50)); -- złożone\n"
CLASS = "// zamówienie zostało złożone\nclass Zamówienie { }\n"


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("RAGDUCK_CACHE_DIR", str(tmp_path / "cache"))
    folder = tmp_path / "source"
    folder.mkdir()
    (folder / "orders.sql").write_bytes(TABLE.encode("cp1250"))
    (folder / "Order.cs").write_bytes(CLASS.encode("cp1250"))
    (folder / "plain.md").write_text("# Zażółć\n\ntext\n", encoding="utf-8")
    for file in folder.iterdir():
        os.utime(file, (1_700_000_000, 1_700_000_000))
    return folder


def prepared(source: Path, **settings: Any) -> PrepareReport:
    return ragduck.prepare(
        source, source.parent / "s.duckdb", repo="r", branch="b", embed_model=None, processes=1, **settings
    )


def texts(source: Path) -> dict[str, str]:
    with ragduck.open(source.parent / "s.duckdb") as store:
        rows = store.sql("select file_path, text from source_documents order by all")
    return {row["file_path"]: row["text"] for row in rows}


def test_files_that_were_taken_for_windows_1252_are_told_each_time(source: Path) -> None:
    first = prepared(source)
    (source / "plain.md").write_text("# other\n", encoding="utf-8")

    second = prepared(source)

    for report in (first, second):
        (note,) = report.sources[0].notes
        assert note.startswith("2 files, Order.cs and orders.sql, are read as Windows-1252;")
        assert "--code-page" in note
    assert second.parsed == 1


def test_a_code_page_that_is_named_gives_texts_and_keys_their_letters(source: Path) -> None:
    report = prepared(source, code_page="windows-1250")

    assert report.sources[0].notes == []
    assert texts(source) == {"Order.cs": CLASS, "orders.sql": TABLE, "plain.md": "# Zażółć\n\ntext\n"}
    with ragduck.open(source.parent / "s.duckdb") as store:
        keys = store.sql("select node_key from nodes where kind in ('TABLE', 'TYPE') order by all")
    assert [row["node_key"] for row in keys] == ["csharp:Zamówienie|TYPE", "dbo.Zamówienie|TABLE"]


def test_another_code_page_reads_files_again_that_did_not_change(source: Path) -> None:
    prepared(source)

    again = prepared(source, code_page="cp1250")

    assert not again.unchanged
    assert (again.parsed, texts(source)["Order.cs"]) == (2, CLASS)
    assert prepared(source, code_page="cp1250").unchanged
    assert not prepared(source).unchanged


def test_a_file_that_was_only_touched_is_fresh_in_its_code_page(source: Path) -> None:
    prepared(source, code_page="cp1250")
    os.utime(source / "Order.cs", (1_700_000_001, 1_700_000_001))

    with ragduck.open(source.parent / "s.duckdb") as store:
        (freshness,) = store.freshness()

    assert (freshness.state, freshness.reason) == ("fresh", "")


@pytest.mark.parametrize("name", ["cp037", "unicode_escape"])
def test_what_has_other_letters_in_the_place_of_ascii_is_refused(source: Path, name: str) -> None:
    with pytest.raises(UsageError, match="other letters"):
        prepared(source, code_page=name)


@pytest.mark.parametrize("name", ["cp9999", "rot13", "", "no such\0page", "idna", "punycode", "utf-16"])
def test_what_is_no_code_page_is_refused(source: Path, name: str) -> None:
    with pytest.raises(UsageError, match="there is no code page") as raised:
        prepared(source, code_page=name)

    assert "cp1250" in (raised.value.hint or "")
