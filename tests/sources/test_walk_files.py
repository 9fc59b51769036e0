"""What the walk finds, what it skips, and the reasons it gives."""

import os
import shutil
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ragduck.errors import SourceError, UsageError
from ragduck.model import SkippedFile, SourceFile
from ragduck.sources import walk_files

Git = Callable[..., str]


def make(root: Path, *paths: str, text: str = "text") -> None:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")


def found(root: Path, **options: Any) -> list[str]:
    return [file.path for file in walk_files(root, **options) if isinstance(file, SourceFile)]


def skipped(root: Path, **options: Any) -> dict[str, str]:
    return {file.path: file.reason for file in walk_files(root, **options) if isinstance(file, SkippedFile)}


def test_files_come_sorted_by_path(tmp_path: Path) -> None:
    make(tmp_path, "b.cs", "a/z.cs", "a.cs", "a-b.cs", "a/b/c.cs", "A.cs")

    assert found(tmp_path) == ["A.cs", "a-b.cs", "a.cs", "a/b/c.cs", "a/z.cs", "b.cs"]


def test_a_file_carries_its_size_and_time(tmp_path: Path) -> None:
    make(tmp_path, "a.cs", text="żółw")

    (file,) = walk_files(tmp_path)

    assert isinstance(file, SourceFile)
    assert (file.size, file.mtime_ns) == (7, (tmp_path / "a.cs").stat().st_mtime_ns)
    assert Path(file.absolute_path).read_text(encoding="utf-8") == "żółw"


def test_names_may_hold_spaces_and_umlauts(tmp_path: Path) -> None:
    make(tmp_path, "mein ordner/größe 1.cs", "zażółć.sql")

    assert found(tmp_path) == ["mein ordner/größe 1.cs", "zażółć.sql"]


def test_a_name_that_is_not_unicode_is_skipped_readably(tmp_path: Path) -> None:
    try:
        (Path(os.fsdecode(os.fsencode(tmp_path) + b"/bad\xff.cs"))).write_text("x")
    except OSError:
        pytest.skip("this file system takes unicode names only")

    assert skipped(tmp_path) == {"bad\\udcff.cs": "file name is not unicode"}


@pytest.mark.parametrize(
    ("folder", "reason"),
    [
        (".git", "version control"),
        (".svn", "version control"),
        ("node_modules", "installed packages"),
        ("__pycache__", "cache"),
        (".venv", "virtual environment"),
        (".vs", "editor folder"),
    ],
)
def test_a_folder_of_no_interest_is_one_skipped_entry(tmp_path: Path, folder: str, reason: str) -> None:
    make(tmp_path, f"src/{folder}/one.js", f"src/{folder}/deep/two.js", "src/a.js")

    assert skipped(tmp_path) == {f"src/{folder}/": reason}


def test_a_virtual_environment_is_known_by_its_marker(tmp_path: Path) -> None:
    make(tmp_path, "anything/pyvenv.cfg", "anything/lib/a.py")

    assert skipped(tmp_path) == {"anything/": "virtual environment"}


def test_bin_and_obj_are_skipped_beside_a_project_file_only(tmp_path: Path) -> None:
    make(tmp_path, "Shop/Shop.csproj", "Shop/obj/a.cs", "Shop/bin/a.cs", "tools/bin/run.sh")

    assert found(tmp_path) == ["Shop/Shop.csproj", "tools/bin/run.sh"]
    assert skipped(tmp_path) == {"Shop/bin/": "build output", "Shop/obj/": "build output"}


def test_an_ignored_folder_is_one_entry_and_nothing_in_it_comes_back(tmp_path: Path) -> None:
    make(tmp_path, "out/a.cs", "out/keep.cs")
    make(tmp_path, ".gitignore", text="out/\n!out/keep.cs\n")

    assert skipped(tmp_path) == {"out/": "ignored by git"}


def test_a_nested_gitignore_rules_its_own_folder(tmp_path: Path) -> None:
    make(tmp_path, "a.log", "sub/a.log", "sub/b.log", "sub/only.txt", "only.txt")
    make(tmp_path, ".gitignore", text="*.log\n")
    make(tmp_path, "sub/.gitignore", text="!a.log\n/only.txt\n")

    assert found(tmp_path) == [".gitignore", "only.txt", "sub/.gitignore", "sub/a.log"]


def test_a_subfolder_of_a_checkout_obeys_the_gitignore_above(tmp_path: Path) -> None:
    make(tmp_path, ".git/HEAD", text="ref: refs/heads/main\n")
    make(tmp_path, ".gitignore", text="*.log\n/src/app/secret.cs\n")
    make(tmp_path, "src/app/a.log", "src/app/secret.cs", "src/app/a.cs")

    assert found(tmp_path / "src/app") == ["a.cs"]


def test_a_root_that_git_ignores_is_walked_as_it_was_named(tmp_path: Path) -> None:
    make(tmp_path, ".git/HEAD", text="ref: refs/heads/main\n")
    make(tmp_path, ".gitignore", text="out\n")
    make(tmp_path, "out/a.cs")

    assert found(tmp_path / "out") == ["a.cs"]


def test_a_gitignore_outside_of_a_checkout_is_not_looked_for_above_the_root(tmp_path: Path) -> None:
    make(tmp_path, ".gitignore", text="*.cs\n")
    make(tmp_path, "src/a.cs")

    assert found(tmp_path / "src") == ["a.cs"]


def test_include_restricts_and_exclude_removes(tmp_path: Path) -> None:
    make(tmp_path, "src/a.cs", "src/a.sql", "src/gen/b.cs", "docs/a.md")

    result = skipped(tmp_path, include=["*.cs", "docs/"], exclude=["gen/"])

    assert result == {"src/a.sql": "not included", "src/gen/": "excluded"}


def test_a_pattern_that_cannot_be_read_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        walk_files(tmp_path, include=["!"])


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("logo.PNG", "binary"),
        ("Shop.dll", "binary"),
        ("package-lock.json", "lock file"),
        ("Orders.sql~", "backup of an editor"),
        ("Orders.sql~RF16a80ef1.TMP", "backup of an editor"),
        ("Orders.cs.orig", "backup of an editor"),
        ("Shop.sln.old", "backup of an editor"),
        ("packages.lock.json", "lock file"),
        ("app.min.js", "minified"),
        ("app.js.map", "minified"),
        ("server.pem", "not text we index"),
    ],
)
def test_a_file_is_skipped_by_its_name_unopened(tmp_path: Path, name: str, reason: str) -> None:
    make(tmp_path, name)

    assert skipped(tmp_path) == {name: reason}


def test_a_file_above_the_limit_is_too_large(tmp_path: Path) -> None:
    make(tmp_path, "big.sql", "fits.sql", text="x" * 11)

    (big, fits) = walk_files(tmp_path, max_bytes=11), walk_files(tmp_path, max_bytes=10)

    assert all(isinstance(file, SourceFile) for file in big)
    assert next(fits) == SkippedFile("big.sql", "too large", "11 bytes")


def test_links_are_never_followed(tmp_path: Path) -> None:
    make(tmp_path, "root/real/a.cs", "outside/secret.cs")
    root = tmp_path / "root"
    (root / "loop").symlink_to(root, target_is_directory=True)
    (root / "copy.cs").symlink_to(root / "real/a.cs")
    (root / "escape").symlink_to(tmp_path / "outside", target_is_directory=True)
    (root / "escape.cs").symlink_to("../outside/secret.cs")
    (root / "nowhere").symlink_to("missing")
    (root / "self").symlink_to("self")

    assert found(root) == ["real/a.cs"]
    assert skipped(root) == {
        "copy.cs": "symlink",
        "escape": "symlink leaves the root",
        "escape.cs": "symlink leaves the root",
        "loop": "symlink",
        "nowhere": "broken symlink",
        "self": "broken symlink",
    }


def test_a_root_that_is_a_link_itself_is_walked(tmp_path: Path) -> None:
    make(tmp_path, "real/a.cs")
    (tmp_path / "link").symlink_to("real", target_is_directory=True)

    assert found(tmp_path / "link") == ["a.cs"]


def test_pipes_and_sockets_are_special_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tmp_path / "pipe.cs")
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket.cs")

        assert skipped(tmp_path) == {"pipe.cs": "special file", "socket.cs": "special file"}


def test_a_gitignore_of_any_length_is_cut_between_rules(tmp_path: Path) -> None:
    make(tmp_path, "a.cs", "b.cs")
    make(tmp_path, ".gitignore", text="/a.cs\n" + "x" * 199_990 + "\n*.cs\n")

    assert found(tmp_path) == [".gitignore", "b.cs"]


def test_a_pipe_called_gitignore_does_not_block(tmp_path: Path) -> None:
    make(tmp_path, "a.cs")
    os.mkfifo(tmp_path / ".gitignore")

    assert found(tmp_path) == ["a.cs"]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="nothing is unreadable to root")
def test_an_unreadable_folder_is_reported(tmp_path: Path) -> None:
    make(tmp_path, "closed/a.cs", "open.cs")
    (tmp_path / "closed").chmod(0)

    result = skipped(tmp_path)
    (tmp_path / "closed").chmod(0o700)

    assert result == {"closed/": "unreadable"}


def test_a_folder_that_vanishes_meanwhile_is_reported(tmp_path: Path) -> None:
    make(tmp_path, "a.cs", "b/c.cs")
    walk = walk_files(tmp_path)
    next(walk)
    shutil.rmtree(tmp_path / "b")

    assert list(walk) == [SkippedFile("b/", "unreadable", "No such file or directory")]


def test_a_very_deep_tree_ends_with_a_reason(tmp_path: Path) -> None:
    deep = tmp_path.joinpath(*["d"] * 150)
    deep.mkdir(parents=True)

    (end,) = walk_files(tmp_path)

    assert end == SkippedFile("d/" * 101, "too deep")


def test_a_missing_root_is_a_source_error(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no folder at"):
        walk_files(tmp_path / "missing")


def test_a_file_as_root_is_a_source_error(tmp_path: Path) -> None:
    make(tmp_path, "a.cs")

    with pytest.raises(SourceError, match="is a file"):
        walk_files(tmp_path / "a.cs")


def test_a_tracked_file_is_taken_whatever_the_gitignore_says(git: Git, tmp_path: Path) -> None:
    make(
        tmp_path,
        "Views/Packages/Show.cshtml",
        "Views/Packages/new.cshtml",
        "Views/Packages/sub/old.cs",
        "packages/x.cs",
    )
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "Views/Packages/Show.cshtml")
    make(tmp_path, ".gitignore", text="[Pp]ackages/\n")

    assert found(tmp_path) == [".gitignore", "Views/Packages/Show.cshtml"]
    assert found(tmp_path / "Views") == ["Packages/Show.cshtml"]
    assert skipped(tmp_path) == {
        ".git/": "version control",
        "Views/Packages/new.cshtml": "ignored by git",
        "Views/Packages/sub/": "ignored by git",
        "packages/": "ignored by git",
    }


def test_what_a_submodule_or_a_linked_checkout_tracks_is_known(git: Git, tmp_path: Path) -> None:
    lib, system = tmp_path / "größe lib", tmp_path / "system"
    make(lib, "out/kept.cs")
    git(lib, "init", "-q", "-b", "main")
    git(lib, "add", "-A")
    make(lib, ".gitignore", text="out\n")
    git(lib, "add", "-A")
    git(lib, "commit", "-q", "-m", "Keep one")
    system.mkdir()
    git(system, "init", "-q")
    git(system, "submodule", "--quiet", "add", str(lib), "lib")
    git(lib, "worktree", "add", "-q", "--detach", str(tmp_path / "linked"))

    assert found(system / "lib") == [".gitignore", "out/kept.cs"]
    assert found(tmp_path / "linked") == [".gitignore", "out/kept.cs"]
    assert found(system) == [".gitmodules", "lib/.gitignore", "lib/out/kept.cs"]
