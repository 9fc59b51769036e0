"""Watching: a store follows its folders, and nothing that goes wrong meanwhile ends it."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Event, Timer
from typing import Any

import pytest

import ragduck
from ragduck.errors import UsageError
from ragduck.preparation.options import PrepareOptions
from ragduck.preparation.watching import Refresh, watch

pytestmark = pytest.mark.slow

pytest.importorskip("watchfiles")


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.md").write_text("# A\n\nwombat\n", encoding="utf-8")
    (folder / ".gitignore").write_text("*.tmp\n", encoding="utf-8")
    return folder


@pytest.fixture
def watching(source: Path, tmp_path: Path) -> Iterator[Iterator[Refresh]]:
    """A watch whose first run is done; the store lies in the folder that is watched."""
    stop = Event()
    refreshes = watch(
        [source], source / "s.duckdb", embed_model=None, stop=stop, options=PrepareOptions(processes=1)
    )
    next(refreshes)
    yield refreshes
    stop.set()
    refreshes.close()


def words(store: Path) -> set[str]:
    with ragduck.open(store) as opened:
        return {row["text"].split()[-1] for row in opened.sql("select text from documents")}


def test_each_change_is_told_and_in_the_store(watching: Iterator[Refresh], source: Path) -> None:
    (source / "b.md").write_text("# B\n\nquokka\n", encoding="utf-8")
    (source / "a.md").unlink()

    refresh = next(watching)

    assert (refresh.added, refresh.changed, refresh.deleted) == (("notes/b.md",), (), ("notes/a.md",))
    assert refresh.report is not None
    assert {"quokka"} <= words(source / "s.duckdb")
    assert "wombat" not in words(source / "s.duckdb")


@pytest.fixture
def notes(tmp_path: Path) -> Iterator[tuple[Path, Iterator[Refresh]]]:
    """A folder of its own that is watched, for half a minute at most."""
    folder, stop = tmp_path / "notes", Event()
    patience = Timer(30, stop.set)
    patience.start()
    folder.mkdir()
    (folder / "a.md").write_text("# A\n\nwombat\n", encoding="utf-8")
    refreshes = watch(
        [folder], tmp_path / "s.duckdb", embed_model=None, stop=stop, options=PrepareOptions(processes=1)
    )
    next(refreshes)
    yield folder, refreshes
    patience.cancel()
    stop.set()


def test_a_folder_that_comes_back_is_watched_anew(notes: tuple[Path, Iterator[Refresh]]) -> None:
    folder, refreshes = notes
    (folder / "a.md").unlink()
    folder.rmdir()
    gone = next(refreshes)
    time.sleep(1.0)
    folder.mkdir()
    (folder / "b.md").write_text("# B\n\nquokka\n", encoding="utf-8")
    back = next(refreshes)
    (folder / "c.md").write_text("# C\n\nnumbat\n", encoding="utf-8")
    after = next(refreshes)

    assert gone.error is not None
    assert (back.error, back.added, back.deleted) == (None, ("notes/b.md",), ("notes/a.md",))
    assert after.added == ("notes/c.md",)


def test_a_folder_that_comes_back_at_once_is_watched_anew(notes: tuple[Path, Iterator[Refresh]]) -> None:
    folder, refreshes = notes
    (folder / "a.md").unlink()
    folder.rmdir()
    folder.mkdir()  # often by the number of the one that went
    (folder / "b.md").write_text("# B\n\nquokka\n", encoding="utf-8")
    while "notes/b.md" not in next(refreshes).added:
        pass
    (folder / "c.md").write_text("# C\n\nnumbat\n", encoding="utf-8")

    assert next(refreshes).added == ("notes/c.md",)


def test_what_prepare_would_not_take_refreshes_nothing(watching: Iterator[Refresh], source: Path) -> None:
    (source / "x.tmp").write_text("ignored\n", encoding="utf-8")
    time.sleep(1.0)
    (source / "b.md").write_text("# B\n\nquokka\n", encoding="utf-8")

    refresh = next(watching)

    assert refresh.added == ("notes/b.md",)


def test_a_commit_is_noticed_and_so_is_another_branch(source: Path, git: Any, tmp_path: Path) -> None:
    git(source, "init", "-q", "-b", "main")
    git(source, "add", "-A")
    git(source, "commit", "-q", "-m", "first")
    stop, store = Event(), tmp_path / "s.duckdb"
    refreshes = watch([source], store, embed_model=None, stop=stop, options=PrepareOptions(processes=1))
    next(refreshes)

    git(source, "commit", "-q", "--allow-empty", "-m", "second")
    committed = next(refreshes)
    git(source, "checkout", "-q", "-b", "topic")
    next(refreshes)
    stop.set()
    refreshes.close()

    assert (committed.added, committed.changed, committed.deleted) == ((), (), ())
    with ragduck.open(store) as opened:
        assert [(each.branch, each.state) for each in opened.freshness()] == [
            ("main", "unknown"),  # as what is on disk may have changes
            ("topic", "fresh"),
        ]
        commits = opened.sql("select distinct commit_sha from snapshots")
    assert commits == [{"commit_sha": git(source, "rev-parse", "HEAD")}]


def test_an_error_does_not_end_it_and_is_mended_by_the_next_change(
    watching: Iterator[Refresh], source: Path
) -> None:
    for path in source.glob("*.md"):
        path.unlink()
    (source / ".gitignore").unlink()
    failed = next(watching)
    (source / "b.md").write_text("# B\n\nquokka\n", encoding="utf-8")

    mended = next(watching)

    assert "nothing to index" in str(failed.error)
    assert (mended.error, mended.added) == (None, ("notes/b.md",))
    assert words(source / "s.duckdb") == {"quokka"}


def test_a_revision_of_git_is_refused(source: Path, git: Any, tmp_path: Path) -> None:
    git(source, "init", "-q", "-b", "main")
    git(source, "add", ".")
    git(source, "commit", "-q", "-m", "first")

    with pytest.raises(UsageError, match="read from git"):
        next(watch([source], tmp_path / "s.duckdb", options=PrepareOptions(revision="main")))


@pytest.mark.skipif(os.name == "nt", reason="needs signals")
def test_ctrl_c_ends_the_command(
    ragduck_command: list[str], ragduck_environment: dict[str, str], source: Path, tmp_path: Path
) -> None:
    options = ["-o", str(tmp_path / "s.duckdb"), "--embed-model", "none", "--watch"]
    process = subprocess.Popen(
        [*ragduck_command, "prepare", str(source), *options],
        env=ragduck_environment, stderr=subprocess.PIPE, text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )  # fmt: skip
    assert process.stderr is not None
    said = []
    while not said or "watching" not in said[-1]:
        said.append(process.stderr.readline())
        assert said[-1], said
    (source / "b.md").write_text("# B\n\nquokka\n", encoding="utf-8")
    said.append(process.stderr.readline())

    process.send_signal(signal.SIGINT)
    rest = process.communicate(timeout=60)[1]

    assert said[-1].startswith("1 added: refreshed in ")
    assert rest.splitlines()[-1] == "stopped watching"
    assert process.returncode == 130
