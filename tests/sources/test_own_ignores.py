"""What git ignores beside `.gitignore` files is left out, and so is what ragduck wrote itself."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from ragduck.model import SkippedFile
from ragduck.sources import walk_files

Git = Callable[..., str]


@pytest.fixture
def shop(git: Git, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "shop"
    (folder / "src").mkdir(parents=True)
    for name in ("a.md", "mine.md", "src/mine.md", "src/local.md", "src/kept.md"):
        (folder / name).write_text("# Text\n")
    git(folder, "init", "-q")
    (folder / ".git" / "info").mkdir(exist_ok=True)
    (folder / ".git" / "info" / "exclude").write_text("")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "gitconfig"))
    return folder


def taken(root: Path) -> set[str]:
    return {file.path for file in walk_files(root) if not isinstance(file, SkippedFile)}


def test_what_is_excluded_for_one_checkout_is_left_out(shop: Path) -> None:
    (shop / ".git" / "info" / "exclude").write_text("mine.md\n/src/local.md\n")

    assert taken(shop) == {"a.md", "src/kept.md"}
    assert taken(shop / "src") == {"kept.md"}


def test_what_is_tracked_is_taken_all_the_same(git: Git, shop: Path) -> None:
    (shop / ".git" / "info" / "exclude").write_text("mine.md\n")
    git(shop, "add", "-f", "mine.md")

    assert taken(shop) == {"a.md", "mine.md", "src/local.md", "src/kept.md"}


def test_a_gitignore_counts_before_what_is_excluded(shop: Path) -> None:
    (shop / ".git" / "info" / "exclude").write_text("*.md\n")
    (shop / "src" / ".gitignore").write_text("!kept.md\n")

    assert taken(shop) == {"src/kept.md", "src/.gitignore"}


@pytest.mark.parametrize("is_named", [False, True])
def test_what_a_user_excludes_everywhere_is_left_out(shop: Path, tmp_path: Path, is_named: bool) -> None:
    ignores = tmp_path / "mine" if is_named else tmp_path / "config" / "git" / "ignore"
    ignores.parent.mkdir(parents=True, exist_ok=True)
    ignores.write_text("mine.md\n")
    if is_named:
        (tmp_path / "gitconfig").write_text(f"[core]\n\texcludesFile = {ignores.as_posix()}\n")

    assert taken(shop) == {"a.md", "src/local.md", "src/kept.md"}


def test_a_repository_does_not_say_which_file_that_is(git: Git, shop: Path, tmp_path: Path) -> None:
    (tmp_path / "theirs").write_text("*.md\n")
    git(shop, "config", "core.excludesFile", str(tmp_path / "theirs"))

    assert "a.md" in taken(shop)


@pytest.mark.parametrize(
    ("manifest", "is_taken"),
    [
        ({"format": "ragduck_faiss_mirror_v1"}, False),
        ({"format": "unified_index_manifest_v1"}, False),
        ({"format": "another"}, True),
        ({"format": 5}, True),
        (["ragduck_"], True),
    ],
)
def test_what_ragduck_wrote_is_left_out(shop: Path, manifest: object, is_taken: bool) -> None:
    (shop / "s.faiss").mkdir()
    (shop / "s.faiss" / "manifest.json").write_text(json.dumps(manifest))

    assert ("s.faiss/manifest.json" in taken(shop)) is is_taken
    told = [(file.path, file.reason) for file in walk_files(shop) if isinstance(file, SkippedFile)]
    assert (("s.faiss/", "written by ragduck") in told) is not is_taken
    assert taken(shop / "s.faiss") == {"manifest.json"}  # who names it wants it
