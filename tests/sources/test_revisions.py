"""Revisions read from git: which one is meant, what it holds, and what a hostile repository cannot do."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ragduck.errors import SourceError, UsageError
from ragduck.model import Document, SkippedFile, SourceFile
from ragduck.sources import Source, read_document, revision_tree, source_of, walk_files, walk_revision

Git = Callable[..., str]


def write(folder: Path, files: dict[str, str]) -> None:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")


def commit(git: Git, folder: Path, files: dict[str, str]) -> str:
    write(folder, files)
    git(folder, "add", "-A", "-f")
    git(folder, "commit", "-q", "--allow-empty", "-m", "Change the shop")
    return git(folder, "rev-parse", "HEAD")


@pytest.fixture
def shop(git: Git, tmp_path: Path) -> Path:
    """A checkout of develop; main has one file less and another text in the other."""
    folder = tmp_path / "shop"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    commit(git, folder, {"src/a.py": "a = 1\n"})
    git(folder, "tag", "-a", "v1", "-m", "First")
    git(folder, "checkout", "-q", "-b", "develop")
    commit(git, folder, {"src/a.py": "a = 2\n", "src/b.py": "b = 1\n"})
    return folder


def items(source: Source, folder: Path, **rules: Any) -> list[SourceFile | SkippedFile]:
    assert source.revision is not None
    folder.mkdir(exist_ok=True)
    return list(walk_revision(source.revision, folder, **rules))


def texts(source: Source, folder: Path) -> dict[str, str]:
    documents = [read_document(file) for file in items(source, folder) if isinstance(file, SourceFile)]
    return {document.path: document.text for document in documents if isinstance(document, Document)}


def skipped(source: Source, folder: Path, **rules: Any) -> dict[str, str]:
    found = items(source, folder, **rules)
    return {item.path: item.reason for item in found if isinstance(item, SkippedFile)}


def test_a_branch_that_is_not_checked_out_is_read_from_git(shop: Path, tmp_path: Path) -> None:
    source = source_of(shop, branch="main")

    assert (source.snapshot.branch, source.head) == ("main", "develop")
    assert texts(source, tmp_path / "tree") == {"src/a.py": "a = 1\n"}
    assert (shop / "src/a.py").read_text() == "a = 2\n"


def test_the_branch_that_is_checked_out_is_read_from_disk(shop: Path) -> None:
    source = source_of(shop, branch="develop")

    assert (source.revision, source.note) == (None, "")


@pytest.mark.parametrize("name", ["v1", "main", "main~0", "HEAD~1"])
def test_tags_and_steps_are_revisions(shop: Path, git: Git, name: str) -> None:
    source = source_of(shop, branch=name)

    assert source.snapshot.commit_sha == git(shop, "rev-parse", "main")
    assert source.snapshot.branch == name


@pytest.mark.parametrize("length", [7, 40])
def test_a_commit_may_be_abbreviated(shop: Path, git: Git, length: int) -> None:
    sha = git(shop, "rev-parse", "main")

    assert source_of(shop, branch=sha[:length]).snapshot.commit_sha == sha


def test_a_short_word_is_never_the_beginning_of_a_commit(shop: Path, git: Git) -> None:
    word = git(shop, "rev-parse", "main")[:5]

    source = source_of(shop, branch=word)

    assert source.revision is None
    assert source.snapshot.branch == word


def test_a_branch_of_origin_needs_no_remote_name(shop: Path, git: Git, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", str(shop), "clone")

    source = source_of(tmp_path / "clone", branch="main")

    assert source.snapshot.branch == "main"
    assert source.snapshot.commit_sha == git(shop, "rev-parse", "main")


def test_a_name_that_is_no_revision_is_a_label_and_a_note_says_so(shop: Path) -> None:
    source = source_of(shop, branch="weekly")

    assert (source.revision, source.snapshot.branch) == (None, "weekly")
    assert source.note == (
        "shop has no revision weekly: develop was read from disk and is called weekly; "
        f"list its branches with: git -C {shop} branch --all"
    )


def test_revision_reads_what_is_committed_even_of_the_branch_that_is_checked_out(
    shop: Path, tmp_path: Path
) -> None:
    write(shop, {"src/a.py": "a = 3  # not committed\n"})

    source = source_of(shop, revision="HEAD")

    assert source.snapshot.branch == "develop"
    assert texts(source, tmp_path / "tree")["src/a.py"] == "a = 2\n"


def test_revision_and_branch_say_what_to_read_and_what_to_call_it(shop: Path) -> None:
    source = source_of(shop, revision="v1", branch="released")

    assert source.snapshot.branch == "released"
    assert source.revision is not None
    assert source.revision.name == "v1"


def test_an_unknown_revision_is_an_error_that_names_close_ones(shop: Path) -> None:
    with pytest.raises(SourceError, match="no revision mian; close to it: main"):
        source_of(shop, revision="mian")


@pytest.mark.parametrize(
    "name", ["--output=x", "a\nb", "", "..", ":/Change", "main:src", "x" * 5_000, "\udcff"]
)
def test_what_cannot_name_a_commit_is_unknown(shop: Path, name: str) -> None:
    with pytest.raises(SourceError, match="no revision"):
        source_of(shop, revision=name)


def test_a_branch_has_a_name(shop: Path) -> None:
    with pytest.raises(UsageError, match="the branch has no name"):
        source_of(shop, branch="")


def test_a_folder_outside_git_has_no_revisions(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="in no git checkout"):
        source_of(tmp_path, revision="main")


def test_a_revision_needs_git(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")

    with pytest.raises(SourceError, match="without git"):
        source_of(shop, revision="main")


@pytest.mark.parametrize("branch", [None, "main"])
def test_a_bare_repository_is_a_source(shop: Path, git: Git, tmp_path: Path, branch: str | None) -> None:
    git(tmp_path, "clone", "-q", "--mirror", str(shop), "mirror.git")

    source = source_of(tmp_path / "mirror.git", branch=branch)

    assert source.snapshot.branch == (branch or "develop")
    assert set(texts(source, tmp_path / "tree")) == ({"src/a.py"} if branch else {"src/a.py", "src/b.py"})


def test_the_git_folder_of_a_checkout_is_a_bare_repository(shop: Path, tmp_path: Path) -> None:
    source = source_of(shop / ".git", branch="main")

    assert source.snapshot.repo == "shop"
    assert set(texts(source, tmp_path / "tree")) == {"src/a.py"}


def test_a_revision_gives_what_a_checkout_of_it_gives(git: Git, shop: Path, tmp_path: Path) -> None:
    files = {
        "package.json": '{"name": "shop"}', "src/Shop.csproj": "<Project/>", "src/C.cs": "class C {}\n",
        "node_modules/x/index.js": "x\n", "logo.png": "png", "ü/größe 1.sql": "select 1\n", "empty.py": "",
        "src/obj/gen.cs": "class G {}\n", "big.txt": "x" * 3_000, ".env": "SECRET=1\n",
    }  # fmt: skip
    commit(git, shop, files)
    (shop / "link.py").symlink_to("src/a.py")
    commit(git, shop, {})
    rules: dict[str, Any] = {"exclude": ["b.py"], "max_bytes": 2_000}

    unpacked = items(source_of(shop, revision="HEAD"), tmp_path / "tree", **rules)

    on_disk = [item for item in walk_files(shop, **rules) if item.path != ".git/"]
    assert [told(item) for item in unpacked] == [told(item) for item in on_disk]


def told(item: SourceFile | SkippedFile) -> tuple[Any, ...]:
    if isinstance(item, SkippedFile):
        return (item.path, item.reason, item.detail)
    return (item.path, item.size, item.project)


def test_a_folder_of_a_checkout_is_that_folder_of_the_revision(git: Git, shop: Path, tmp_path: Path) -> None:
    commit(git, shop, {"package.json": '{"name": "whole"}', "src/deep/c.py": "c = 1\n"})

    found = items(source_of(shop / "src", revision="HEAD"), tmp_path / "tree")

    assert [(file.path, file.project) for file in found if isinstance(file, SourceFile)] == [
        ("a.py", "whole"), ("b.py", "whole"), ("deep/c.py", "whole"),
    ]  # fmt: skip


def test_a_folder_that_the_revision_lacks_is_an_error(git: Git, shop: Path, tmp_path: Path) -> None:
    commit(git, shop, {"new/c.py": "c = 1\n"})

    with pytest.raises(SourceError, match="revision main has no folder new"):
        items(source_of(shop / "new", revision="main"), tmp_path / "tree")


def test_files_have_the_time_of_the_commit(git: Git, shop: Path, tmp_path: Path) -> None:
    seconds = int(git(shop, "log", "-1", "--format=%ct", "main"))

    (file,) = items(source_of(shop, branch="main"), tmp_path / "tree")

    assert isinstance(file, SourceFile)
    assert file.mtime_ns == seconds * 10**9


def test_no_gitignore_hides_a_tracked_file(git: Git, shop: Path, tmp_path: Path) -> None:
    commit(git, shop, {".gitignore": "*.log\n", "kept.log": "kept\n"})
    tree = tmp_path / "outer" / "tree"
    write(tmp_path / "outer", {".git/HEAD": "ref: refs/heads/x\n", ".gitignore": "*\n"})

    assert "kept.log" in texts(source_of(shop, revision="HEAD"), tree)


def test_links_submodules_and_pointers_are_skipped_and_counted(git: Git, shop: Path, tmp_path: Path) -> None:
    (shop / "link.py").symlink_to("/etc/hostname")
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n"
    commit(git, shop, {"model.txt": pointer})
    sha = git(shop, "rev-parse", "HEAD")
    git(shop, "update-index", "--add", "--cacheinfo", f"160000,{sha},libs/other")
    git(shop, "commit", "-q", "-m", "Add a submodule")
    source = source_of(shop, revision="HEAD")

    reasons = skipped(source, tmp_path / "tree")

    assert reasons == {"link.py": "symlink", "libs/other": "submodule"}
    assert not any(path.is_symlink() for path in (tmp_path / "tree").rglob("*"))
    assert "model.txt" not in texts(source, tmp_path / "again")


def test_a_large_file_is_never_written(git: Git, shop: Path, tmp_path: Path) -> None:
    commit(git, shop, {"big.txt": "x" * 5_000})

    reasons = skipped(source_of(shop, revision="HEAD"), tmp_path / "tree", max_bytes=4_000)

    assert reasons == {"big.txt": "too large"}
    assert (tmp_path / "tree/big.txt").stat().st_size == 0


def hostile(shop: Path, marker: Path) -> None:
    """Let the configuration, the attributes and the hooks of a repository leave a mark when anything runs."""
    program = shop / "leave_mark"
    program.write_text(f"#!/bin/sh\ntouch '{marker}'\ncat\n")
    program.chmod(0o755)
    with (shop / ".git/config").open("a") as config:
        config.write(
            f"[core]\n\tfsmonitor = {program}\n\tpager = {program}\n\tsshCommand = {program}\n\thooksPath = {shop}\n"
            f'[filter "x"]\n\tsmudge = {program}\n\tclean = {program}\n\tprocess = {program}\n\trequired = true\n'
            f'[diff "x"]\n\ttextconv = {program}\n\tcommand = {program}\n'
            f'[remote "origin"]\n\turl = ext::{program}\n\tpromisor = true\n\tuploadpack = {program}\n'
            f"[extensions]\n\tpartialClone = origin\n[core]\n\trepositoryformatversion = 1\n"
        )
    for hook in ("post-checkout", "post-index-change", "reference-transaction"):
        shutil.copy(program, shop / ".git/hooks" / hook)
        shutil.copy(program, shop / hook)


def test_nothing_of_the_repository_runs(git: Git, shop: Path, tmp_path: Path) -> None:
    commit(
        git, shop, {".gitattributes": "* filter=x diff=x text eol=crlf ident\n", "src/c.py": "c = '$Id$'\n"}
    )
    hostile(shop, tmp_path / "marker")

    found = texts(source_of(shop, revision="HEAD"), tmp_path / "tree")

    assert found["src/c.py"] == "c = '$Id$'\n"
    assert not (tmp_path / "marker").exists()


def test_what_a_partial_clone_lacks_is_skipped_and_not_fetched(git: Git, shop: Path, tmp_path: Path) -> None:
    sha = git(shop, "rev-parse", "HEAD:src/b.py")
    hostile(shop, tmp_path / "marker")
    (shop / ".git/objects" / sha[:2] / sha[2:]).unlink()

    reasons = skipped(source_of(shop, revision="HEAD"), tmp_path / "tree")

    assert reasons == {"src/b.py": "not in this clone"}
    assert not (tmp_path / "marker").exists()


def test_a_revision_whose_folders_are_missing_is_an_error(git: Git, shop: Path, tmp_path: Path) -> None:
    sha = git(shop, "rev-parse", "main:src")
    (shop / ".git/objects" / sha[:2] / sha[2:]).unlink()

    with pytest.raises(SourceError, match="git cannot read revision main"):
        items(source_of(shop, branch="main"), tmp_path / "tree")


def raw_tree(git: Git, shop: Path, entries: list[tuple[str, bytes, str]]) -> str:
    body = b"".join(f"{mode} ".encode() + name + b"\0" + bytes.fromhex(sha) for mode, name, sha in entries)
    return git(shop, "hash-object", "-t", "tree", "-w", "--literally", "--stdin", given=body)


def committed(git: Git, shop: Path, tree: str) -> str:
    return git(shop, "commit-tree", tree, "-m", "Hostile")


def test_names_that_lead_elsewhere_are_left_out(git: Git, shop: Path, tmp_path: Path) -> None:
    blob = git(shop, "rev-parse", "main:src/a.py")
    evil = raw_tree(git, shop, [("100644", b"evil.py", blob)])
    names: list[tuple[str, bytes, str]] = [
        ("40000", b"..", evil), ("40000", b".", evil), ("40000", b".GIT", evil), ("40000", b".git", evil),
        ("40000", b"/etc", evil), ("100644", b"../up.py", blob), ("100644", b"good.py", blob),
        ("100644", b"line\nend.py", blob), ("100644", b"n" * 300 + b".py", blob),
    ]  # fmt: skip
    source = source_of(shop, revision=committed(git, shop, raw_tree(git, shop, names)))
    tree = tmp_path / "outer" / "tree"
    tree.parent.mkdir()

    found = texts(source, tree)

    assert set(found) == {"good.py", "line\nend.py"}
    assert [path.name for path in tree.parent.iterdir()] == ["tree"]
    assert {path.name for path in tmp_path.iterdir()} == {"shop", "outer"}


def test_a_name_that_is_taken_is_left_out(git: Git, shop: Path, tmp_path: Path) -> None:
    blob, other = git(shop, "rev-parse", "main:src/a.py"), git(shop, "rev-parse", "develop:src/b.py")
    inner = raw_tree(git, shop, [("100644", b"x.py", other)])
    entries = [("100644", b"a.py", blob), ("100644", b"a.py", other), ("40000", b"a.py", inner)]
    source = source_of(shop, revision=committed(git, shop, raw_tree(git, shop, entries)))

    found = items(source, tmp_path / "tree")

    assert [item.path for item in found if isinstance(item, SourceFile)] == ["a.py"]
    assert [item.reason for item in found if isinstance(item, SkippedFile)] == [
        "no file of this name can be made"
    ] * 2


def test_a_tree_that_holds_itself_many_times_is_refused(
    git: Git, shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = git(shop, "rev-parse", "main:src")
    for _ in range(8):
        tree = raw_tree(git, shop, [("40000", f"d{number}".encode(), tree) for number in range(10)])
    monkeypatch.setattr(revision_tree, "MAX_ENTRIES", 2_000)

    with pytest.raises(SourceError, match="lists more than 2,000 files"):
        items(source_of(shop, revision=committed(git, shop, tree)), tmp_path / "tree")


def test_a_commit_that_claims_an_impossible_time_is_read(git: Git, shop: Path, tmp_path: Path) -> None:
    tree = git(shop, "rev-parse", "main^{tree}")
    body = f"tree {tree}\nauthor A <a> 1 +0000\ncommitter A <a> 99999999999999999999 +0000\n\nx\n"
    sha = git(shop, "hash-object", "-t", "commit", "-w", "--literally", "--stdin", given=body.encode())

    assert texts(source_of(shop, revision=sha), tmp_path / "tree") == {"src/a.py": "a = 1\n"}
