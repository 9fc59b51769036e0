"""Changes that size and time of a file do not tell: a time that was set back, rights that came or went."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import ragduck
from ragduck.model import UNREADABLE, SkippedFile
from ragduck.preparation.collecting import fingerprint_to_keep
from ragduck.preparation.gathering import FileRules, gather
from ragduck.sources import source_of
from ragduck.store.identity import stored_time

LONG_AGO = 315_532_800  # as builds that can be repeated set times


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    write(folder / "a.md", "one")
    return folder


def write(path: Path, word: str) -> None:
    path.write_text(f"# Notes\n\nThe word is {word}.\n")
    os.utime(path, (LONG_AGO, LONG_AGO))


def prepare(notes: Path, **settings: Any) -> ragduck.PrepareReport:
    return ragduck.prepare(notes, notes.parent / "s.duckdb", embed_model=None, **settings)


def text_of(notes: Path) -> str:
    with ragduck.open(notes.parent / "s.duckdb") as store:
        return " ".join(row["text"] for row in store.sql("select text from documents order by chunk_no"))


def states(store: Path) -> list[str]:
    with ragduck.open(store) as opened:
        return [each.text for each in opened.freshness()]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no time of the last change of a file's own data")
def test_another_text_of_the_same_length_and_time_is_noticed(notes: Path) -> None:
    prepare(notes)
    write(notes / "a.md", "two")

    assert states(notes.parent / "s.duckdb") == ["stale (1 changed)"]
    assert not prepare(notes).unchanged
    assert "two" in text_of(notes)
    assert states(notes.parent / "s.duckdb") == ["fresh"]


def test_another_project_above_the_folder_is_noticed(tmp_path: Path) -> None:
    folder = tmp_path / "shop" / "src"
    (folder / "deep").mkdir(parents=True)
    (folder / "One.csproj").write_text("<Project/>\n")
    (folder / "deep" / "A.cs").write_text("class A { void Run() { } }\n")
    (tmp_path / "shop" / ".git").mkdir()
    (tmp_path / "shop" / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    store = tmp_path / "s.duckdb"
    ragduck.prepare(folder / "deep", store, embed_model=None)
    before = states(store)
    (folder / "One.csproj").rename(folder / "Two.csproj")

    assert (before, states(store)) == (["fresh"], ["stale (1 changed)"])
    ragduck.prepare(folder / "deep", store, embed_model=None)
    assert states(store) == ["fresh"]


def test_without_the_cache_all_is_read_although_nothing_looks_changed(notes: Path) -> None:
    prepare(notes)

    assert prepare(notes).unchanged
    assert not prepare(notes, cache=False).unchanged


@pytest.mark.parametrize(
    ("path", "reason", "is_kept"),
    [("a.md", UNREADABLE, False), ("a.md", "binary", True), ("locked/", UNREADABLE, True)],
)
def test_a_file_that_could_not_be_read_is_tried_again(
    notes: Path, path: str, reason: str, is_kept: bool
) -> None:
    gathered = gather(source_of(notes), rules=FileRules(), settings=())
    gathered.report.skipped.append(SkippedFile(path, reason))

    assert fingerprint_to_keep(gathered) == (gathered.fingerprint if is_kept else "")


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="all may be read")
def test_a_file_that_may_be_read_again_is(notes: Path) -> None:
    write(notes / "b.md", "locked")
    (notes / "b.md").chmod(0)
    first = prepare(notes)
    (notes / "b.md").chmod(0o644)

    assert [file.path for file in first.sources[0].skipped] == ["b.md"]
    assert states(notes.parent / "s.duckdb") == ["stale (1 added)"]
    assert not prepare(notes).unchanged
    assert "locked" in text_of(notes)
    assert prepare(notes).unchanged


@pytest.mark.parametrize("seconds", [-(10**12), 10**12])
def test_times_that_python_does_not_know_are_the_nearest_that_it_does(seconds: int) -> None:
    assert stored_time(seconds * 10**9).year in (1, 9999)
    assert stored_time(0) == datetime.fromtimestamp(0, UTC).replace(tzinfo=None)
