"""Freshness: what changed since a prepare is told, and nothing is called fresh that is not."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import ragduck
from ragduck.errors import UsageError
from ragduck.freshness import Freshness
from ragduck.search import BranchStatus
from ragduck.store.roots import Root, remember_roots, roots_of, state_folder

Git = Callable[..., str]


def write(folder: Path, files: dict[str, str]) -> Path:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return folder


def freshness(store: Path, *folders: Path) -> Freshness:
    """What is known of the only branch of a store."""
    with ragduck.open(store) as opened:
        (only,) = opened.freshness(folders)
    return only


NOTES = {"a.md": "# A\n", "b.md": "# B\n", "deep/c.md": "# C\n", "blob.txt": "\0\1\2\3\4", "empty.md": ""}


def moved(prepared: Path, folder: Path) -> Path:
    """Copy a store to where its notes were copied, as if it had been prepared there."""
    store = Path(shutil.copy(prepared, folder / prepared.name))
    roots = roots_of(prepared).values()
    remember_roots(store, [replace(root, folder=str((folder / "notes").resolve())) for root in roots])
    return store


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of notes and their store; not to be changed."""
    folder = tmp_path_factory.mktemp("plain")
    ragduck.prepare(write(folder / "notes", NOTES), folder / "s.duckdb", embed_model=None)
    return folder


@pytest.fixture(scope="module")
def under_git(git: Git, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout of notes, a store of its files and one of its branch `next`; not to be changed."""
    folder = tmp_path_factory.mktemp("git")
    notes = write(folder / "notes", NOTES)
    git(notes, "init", "-q", "-b", "main")
    git(notes, "add", "-A")
    git(notes, "commit", "-q", "-m", "First")
    git(notes, "branch", "next")
    ragduck.prepare(notes, folder / "s.duckdb", embed_model=None)
    ragduck.prepare(notes, folder / "r.duckdb", branch="next", embed_model=None)
    return folder


@pytest.fixture
def notes(plain: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(plain / "notes", tmp_path / "notes"))


@pytest.fixture
def store(plain: Path, notes: Path) -> Path:
    return moved(plain / "s.duckdb", notes.parent)


@pytest.fixture
def checkout(under_git: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(under_git / "notes", tmp_path / "notes"))


@pytest.fixture
def checkout_store(under_git: Path, checkout: Path) -> Path:
    return moved(under_git / "s.duckdb", checkout.parent)


def test_what_did_not_change_is_fresh(store: Path, notes: Path) -> None:
    found = freshness(store)

    assert (found.state, found.text, found.folder) == ("fresh", "fresh", str(notes.resolve()))
    assert (found.checkout_moved, found.commit_now) == (None, None)


def test_files_that_differ_are_counted_and_named(store: Path, notes: Path) -> None:
    write(notes, {"a.md": "# Another\n", "new.md": "# New\n"})
    (notes / "deep/c.md").unlink()

    found = freshness(store)

    assert found.text == "stale (1 changed, 1 added, 1 deleted)"
    assert (found.changed, found.added, found.deleted) == (("a.md",), ("new.md",), ("deep/c.md",))


def test_a_change_that_keeps_the_size_is_seen_by_its_time(store: Path, notes: Path) -> None:
    write(notes, {"a.md": "# Z\n"})
    os.utime(notes / "a.md", (1, 1))

    assert freshness(store).changed == ("a.md",)


def test_a_file_that_was_only_touched_is_unchanged(store: Path, notes: Path) -> None:
    os.utime(notes / "a.md", (1, 1))

    assert freshness(store).text == "fresh"


def test_other_line_ends_are_no_change(store: Path, notes: Path) -> None:
    (notes / "a.md").write_bytes(b"# A\r\n")

    assert freshness(store).text == "fresh"


def test_a_text_that_became_binary_is_a_change(store: Path, notes: Path) -> None:
    (notes / "a.md").write_bytes(bytes(range(32)) * 10)

    assert freshness(store).changed == ("a.md",)


def test_what_prepare_left_out_is_not_added(notes: Path, tmp_path: Path) -> None:
    ragduck.prepare(notes, tmp_path / "s.duckdb", exclude=["deep/"], max_file_bytes=100, embed_model=None)
    write(notes, {"large.md": "x" * 200})

    assert freshness(tmp_path / "s.duckdb").text == "fresh"


def test_a_root_that_is_gone_is_unknown(store: Path, notes: Path) -> None:
    shutil.rmtree(notes)

    assert freshness(store).text == "unknown (root not reachable)"


def test_a_store_from_elsewhere_is_unknown(store: Path, tmp_path: Path) -> None:
    copied = Path(shutil.copy(store, tmp_path / "copied.duckdb"))

    assert freshness(copied).text == "unknown (root not known here)"


def test_a_store_from_elsewhere_is_compared_with_the_folder_given(
    store: Path, notes: Path, tmp_path: Path
) -> None:
    copied = Path(shutil.copy(store, tmp_path / "copied.duckdb"))
    clone = Path(shutil.copytree(notes, tmp_path / "elsewhere" / "notes", copy_function=shutil.copyfile))

    assert freshness(copied, clone).text == "fresh"
    write(clone, {"a.md": "# Changed\n"})
    assert freshness(copied, clone).text == "stale (1 changed)"


def test_a_folder_that_is_none_of_the_roots_is_refused(store: Path, notes: Path, tmp_path: Path) -> None:
    ragduck.prepare(write(tmp_path / "other", {"o.md": "# O\n"}), store)

    with ragduck.open(store) as opened, pytest.raises(UsageError, match="no root of this store") as error:
        opened.freshness([write(tmp_path / "third", {"x.md": "x\n"})])

    assert error.value.hint == "it holds notes, other"


def test_a_new_commit_is_told_even_when_no_file_differs(
    git: Git, checkout: Path, checkout_store: Path
) -> None:
    git(checkout, "commit", "-q", "--allow-empty", "-m", "Second")

    found = freshness(checkout_store)

    commit = git(checkout, "rev-parse", "HEAD")
    assert found.text == f"stale (now at {commit[:10]})"
    assert (found.checkout_moved, found.commit_now) == (True, commit)


def test_changes_that_are_not_committed_are_seen(checkout: Path, checkout_store: Path) -> None:
    write(checkout, {"a.md": "# Another\n"})

    found = freshness(checkout_store)

    assert (found.text, found.checkout_moved) == ("stale (1 changed)", False)


def test_a_branch_is_not_judged_by_the_files_of_another(
    git: Git, checkout: Path, checkout_store: Path
) -> None:
    git(checkout, "checkout", "-q", "-b", "feature")
    write(checkout, {"a.md": "# Another\n"})
    git(checkout, "commit", "-q", "-a", "-m", "Feature")

    found = freshness(checkout_store)

    assert found.text == "unknown (main is not checked out, changes on disk cannot be seen)"
    assert found.changed == ()


def test_a_branch_that_moved_on_while_another_is_checked_out_is_stale(
    git: Git, checkout: Path, checkout_store: Path
) -> None:
    git(checkout, "checkout", "-q", "-b", "feature")
    git(checkout, "commit", "-q", "--allow-empty", "-m", "Feature")
    git(checkout, "branch", "-f", "main", "feature")

    assert freshness(checkout_store).text.startswith("stale (main is now at ")


@pytest.fixture
def revision_store(under_git: Path, checkout: Path) -> Path:
    return moved(under_git / "r.duckdb", checkout.parent)


def test_a_revision_is_fresh_while_its_branch_stays(checkout: Path, revision_store: Path) -> None:
    write(checkout, {"a.md": "# Changed, but of another branch\n"})

    assert freshness(revision_store).text == "fresh"


def test_a_revision_is_stale_when_its_branch_moved(git: Git, checkout: Path, revision_store: Path) -> None:
    git(checkout, "commit", "-q", "--allow-empty", "-m", "Second")
    git(checkout, "branch", "-f", "next", "main")

    found = freshness(revision_store)

    assert found.state == "stale"
    assert found.commit_now == git(checkout, "rev-parse", "main")


def test_a_revision_that_is_gone_is_unknown(git: Git, checkout: Path, revision_store: Path) -> None:
    git(checkout, "branch", "-D", "next")

    assert freshness(revision_store).text == "unknown (no revision next in notes)"


def status(store: Path) -> BranchStatus:
    with ragduck.open(store) as opened:
        (only,) = opened.search("A", mode="bm25").status.branches
    return only


def test_every_answer_tells_how_old_its_branches_are(git: Git, checkout: Path, checkout_store: Path) -> None:
    told = status(checkout_store).to_dict()

    assert 0 <= told["age_seconds"] < 1_000
    assert {name: told[name] for name in ("repo", "branch", "commit", "model", "mirror", "checkout_moved")} == {
        "repo": "notes", "branch": "main", "commit": git(checkout, "rev-parse", "HEAD"),
        "model": None, "mirror": None, "checkout_moved": False,
    }  # fmt: skip


@pytest.mark.parametrize("packed", [False, True])
def test_an_answer_tells_that_the_checkout_has_moved(
    git: Git, checkout: Path, checkout_store: Path, packed: bool
) -> None:
    git(checkout, "commit", "-q", "--allow-empty", "-m", "Second")
    if packed:
        git(checkout, "pack-refs", "--all")

    assert status(checkout_store).checkout_moved is True


def test_an_answer_tells_that_a_revision_has_moved(git: Git, checkout: Path, revision_store: Path) -> None:
    git(checkout, "commit", "-q", "--allow-empty", "-m", "Second")
    git(checkout, "branch", "-f", "next", "main")

    assert status(revision_store).checkout_moved is True


@pytest.mark.parametrize("name", ["v1", "HEAD~0"])
def test_an_answer_claims_nothing_of_what_only_git_can_tell(
    git: Git, checkout: Path, tmp_path: Path, name: str
) -> None:
    git(checkout, "tag", "-a", "v1", "-m", "One")
    ragduck.prepare(checkout, tmp_path / "t.duckdb", revision=name, embed_model=None)

    assert status(tmp_path / "t.duckdb").checkout_moved is None
    assert freshness(tmp_path / "t.duckdb").text == "fresh"


def test_a_store_that_lost_its_root_has_answers_all_the_same(checkout: Path, checkout_store: Path) -> None:
    shutil.rmtree(checkout)

    assert status(checkout_store).checkout_moved is None


@pytest.mark.parametrize(
    "text", ["", "[]", "{", '{"branches": [{"repo": 1}]}', '{"branches": 5}', "[" * 100_000]
)
def test_a_state_file_that_is_broken_counts_as_none(store: Path, text: str) -> None:
    folder = state_folder()
    assert folder is not None
    for file in (folder / "stores").iterdir():
        if str(store) in file.read_text():
            file.write_text(text)

    assert roots_of(store) == {}
    assert freshness(store).state == "unknown"


def test_nothing_is_kept_when_the_state_folder_is_empty(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAGDUCK_STATE_DIR", "")

    remember_roots(store, [Root("r", "b", "/x")])

    assert state_folder() is None
    assert roots_of(store) == {}


def test_a_state_folder_that_cannot_be_written_fails_nothing(
    notes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("RAGDUCK_STATE_DIR", str(tmp_path / "file"))

    ragduck.prepare(notes, tmp_path / "s.duckdb", embed_model=None)

    assert freshness(tmp_path / "s.duckdb").state == "unknown"


@pytest.mark.parametrize(
    ("environment", "folder"),
    [
        ({"RAGDUCK_STATE_DIR": "/x"}, Path("/x")),
        ({"XDG_STATE_HOME": "/y"}, Path("/y/ragduck")),
        ({"XDG_STATE_HOME": "relative"}, Path.home() / ".local/state/ragduck"),
        ({"RAGDUCK_STATE_DIR": ""}, None),
    ],
)
def test_the_state_folder_follows_the_environment(environment: dict[str, str], folder: Path | None) -> None:
    assert state_folder(environment) == folder


def test_no_path_of_this_machine_is_in_the_store(checkout_store: Path, checkout: Path) -> None:
    assert str(checkout.parent).encode() not in checkout_store.read_bytes()
