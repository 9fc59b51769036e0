"""Folders that are called alike are of another repository unless git tells that they are clones of one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from ragduck.sources.same_repository import is_of_another

Git = Callable[..., str]

ALIKE = [
    ("https://github.com/acme/api.git", "git@github.com:acme/api.git", False),
    ("https://github.com/acme/api", "ssh://git@github.com/Acme/api/", False),
    ("https://github.com/acme/api.git", "https://gitlab.com/other/api.git", True),
    ("https://github.com/acme/api.git", None, True),
]


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    one, other = tmp_path / "a" / "lib", tmp_path / "b" / "lib"
    one.mkdir(parents=True)
    other.mkdir(parents=True)
    return one, other


def test_folders_without_git_are_others(folders: tuple[Path, Path]) -> None:
    one, other = folders

    assert is_of_another(one, other)
    assert not is_of_another(one, one)


def test_a_folder_that_is_gone_was_moved(folders: tuple[Path, Path]) -> None:
    one, other = folders
    other.rmdir()

    assert not is_of_another(one, other)


@pytest.mark.parametrize(("origin", "others", "is_other"), ALIKE)
def test_checkouts_are_known_by_where_they_were_cloned_from(
    git: Git, folders: tuple[Path, Path], origin: str, others: str | None, is_other: bool
) -> None:
    for folder, address in zip(folders, (origin, others), strict=True):
        git(folder, "init", "-q")
        if address:
            git(folder, "remote", "add", "origin", address)

    assert is_of_another(*folders) is is_other


def test_a_clone_of_a_folder_is_of_its_repository(git: Git, folders: tuple[Path, Path]) -> None:
    one, other = folders
    git(one, "init", "-q")
    git(one, "commit", "-q", "--allow-empty", "-m", "first")
    git(other, "clone", "-q", str(one), ".")
    (other / "src").mkdir()

    assert not is_of_another(other, one)
    assert not is_of_another(one, other / "src")


def test_working_trees_of_one_repository_are_alike(git: Git, folders: tuple[Path, Path]) -> None:
    one, other = folders
    git(one, "init", "-q")
    git(one, "commit", "-q", "--allow-empty", "-m", "first")
    git(one, "worktree", "add", "-q", str(other / "tree"))

    assert not is_of_another(one, other / "tree")


def test_a_checkout_and_a_folder_without_git_are_others(git: Git, folders: tuple[Path, Path]) -> None:
    one, other = folders
    git(one, "init", "-q")

    assert is_of_another(one, other)
    assert is_of_another(other, one)
