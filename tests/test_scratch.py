"""Folders for a while: gone at the end, and those of killed processes with the next one."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from ragduck.scratch import LOCK, scratch_folder

HOLD = """
import sys
from ragduck.scratch import scratch_folder
with scratch_folder() as folder:
    (folder / "source.cs").write_text("class A { }")
    print(folder, flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    return tmp_path


def test_a_folder_is_gone_at_the_end(place: Path) -> None:
    with scratch_folder() as folder:
        (folder / "a.cs").write_text("class A { }")
        assert list(place.iterdir()) == [folder.parent]

    assert not list(place.iterdir())


def test_what_a_killed_process_left_is_removed_and_what_another_uses_is_not(place: Path) -> None:
    folders = []
    holders = [
        subprocess.Popen(
            [sys.executable, "-c", HOLD], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for _ in range(2)
    ]
    for holder in holders:
        assert holder.stdout is not None
        folders.append(Path(holder.stdout.readline().strip()))
    killed, running = holders
    killed.kill()
    killed.communicate()
    for folder in folders:
        assert (folder / "source.cs").exists()
        os.utime(folder.parent / LOCK, (0, 0))

    with scratch_folder():
        assert [folder.parent.exists() for folder in folders] == [False, True]

    running.communicate("")
    assert running.returncode == 0
    assert not list(place.iterdir())


def test_a_folder_that_is_about_to_be_held_stays(place: Path) -> None:
    (place / "ragduck-new").mkdir()
    (place / "ragduck-new" / LOCK).write_text("")

    with scratch_folder():
        assert (place / "ragduck-new").exists()


def test_folders_of_others_stay(place: Path) -> None:
    (place / "ragduck-of-someone").mkdir()
    (place / "other").mkdir()
    (place / "other" / "lock").write_text("")
    (place / "ragduck-link").symlink_to(place / "other")

    with scratch_folder():
        pass

    assert {path.name for path in place.iterdir()} == {"ragduck-of-someone", "ragduck-link", "other"}
