"""What a store holds under a name is not replaced by something else that has this name by chance."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import ragduck
from ragduck.errors import SourceError, UsageError

Git = Callable[..., str]


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "s.duckdb"


@pytest.fixture
def shop(git: Git, tmp_path: Path) -> Path:
    """A checkout of main; feature, which is not checked out, has another text."""
    folder = tmp_path / "shop"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "feature")
    (folder / "a.md").write_text("# Feature\n\nText of the feature.\n")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "Add the feature")
    git(folder, "checkout", "-q", "-b", "main")
    (folder / "a.md").write_text("# Main\n\nText of main.\n")
    git(folder, "commit", "-q", "-a", "-m", "Go on")
    return folder


def texts_of(store: Path, branch: str) -> set[str]:
    with ragduck.open(store) as opened:
        return {row["text"] for row in opened.sql("select text from documents where branch = ?", [branch])}


def test_a_branch_that_git_no_longer_has_is_not_replaced_by_what_is_on_disk(
    git: Git, shop: Path, store: Path
) -> None:
    ragduck.prepare(shop, store, branch="feature", embed_model=None)
    before = texts_of(store, "feature")
    git(shop, "branch", "-q", "-D", "feature")

    with pytest.raises(SourceError, match="shop has no revision feature any more") as refused:
        ragduck.prepare(shop, store, branch="feature", embed_model=None)

    assert texts_of(store, "feature") == before
    assert "ragduck drop" in (refused.value.hint or "")


@pytest.mark.parametrize("is_detached", [False, True])
def test_without_git_another_branch_is_not_taken_for_what_is_on_disk(
    git: Git, shop: Path, store: Path, monkeypatch: pytest.MonkeyPatch, is_detached: bool
) -> None:
    ragduck.prepare(shop, store, branch="feature", embed_model=None)
    before = texts_of(store, "feature")
    if is_detached:
        git(shop, "checkout", "-q", "--detach")
    monkeypatch.setenv("PATH", "")

    with pytest.raises(SourceError, match="feature"):
        ragduck.prepare(shop, store, branch="feature", embed_model=None)

    assert texts_of(store, "feature") == before


def test_what_is_called_otherwise_where_no_branch_is_checked_out_is_told(
    git: Git, shop: Path, store: Path
) -> None:
    git(shop, "checkout", "-q", "--detach")
    commit = git(shop, "rev-parse", "HEAD")

    report = ragduck.prepare(shop, store, branch="release/9", embed_model=None)
    of_known = ragduck.prepare(shop, store, branch="main", embed_model=None)

    assert report.to_dict()["sources"][0]["notes"] == [
        f"shop has no revision release/9: what is checked out, {commit[:10]}, was read from disk and is called "
        f"release/9; list its branches with: git -C {shop} branch --all"
    ]
    assert of_known.to_dict()["sources"][0]["notes"] == []


def test_another_folder_of_the_same_name_does_not_replace_the_first(tmp_path: Path, store: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name / "lib").mkdir(parents=True)
        (tmp_path / name / "lib" / "a.md").write_text(f"# {name}\n\nText of {name}.\n")
    ragduck.prepare(tmp_path / "a" / "lib", store, embed_model=None)

    with pytest.raises(UsageError, match="would replace it") as refused:
        ragduck.prepare(tmp_path / "b" / "lib", store, embed_model=None)
    on_purpose = ragduck.prepare(tmp_path / "b" / "lib", store, repo="lib", embed_model=None)

    assert refused.value.hint == "keep both with --repo NAME, or replace it with --repo lib"
    assert on_purpose.counts["files"] == 1


def test_a_folder_that_was_moved_replaces_what_it_was(tmp_path: Path, store: Path) -> None:
    (tmp_path / "a" / "lib").mkdir(parents=True)
    (tmp_path / "a" / "lib" / "a.md").write_text("# A\n\nText.\n")
    ragduck.prepare(tmp_path / "a" / "lib", store, embed_model=None)
    (tmp_path / "a").rename(tmp_path / "b")

    assert ragduck.prepare(tmp_path / "b" / "lib", store, embed_model=None).counts["files"] == 1


def test_a_revision_called_head_is_that_of_the_branch(git: Git, shop: Path, store: Path) -> None:
    ragduck.prepare(shop, store, revision="HEAD", embed_model=None)
    git(shop, "checkout", "-q", "feature")

    with ragduck.open(store) as opened:
        assert [each.text for each in opened.freshness()] == ["fresh"]
    git(shop, "checkout", "-q", "main")
    git(shop, "commit", "-q", "--allow-empty", "-m", "Further")
    git(shop, "checkout", "-q", "feature")

    with ragduck.open(store) as opened:
        assert [each.state for each in opened.freshness()] == ["stale"]
