"""The rules of a ``.gitignore`` against single entries."""

import os
import shutil
import subprocess
import time
import warnings
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ragduck.model import SourceFile
from ragduck.sources import walk_files
from ragduck.sources.gitignore import IgnoreFile


@pytest.mark.parametrize(
    ("pattern", "path", "is_ignored"),
    [
        ("*.log", "deep/down/a.log", True),
        ("/a.log", "deep/a.log", False),
        ("deep/*.log", "deep/a.log", True),
        ("deep/*.log", "x/deep/a.log", False),
        ("**/logs/*.txt", "x/y/logs/a.txt", True),
        ("a/**/b", "a/b", True),
        ("a/**/b", "a/x/y/b", True),
        ("a/**", "a", False),
        ("a/**", "a/b", True),
        ("folder/", "folder", False),
        ("name?", "name1", True),
        ("[a-c]x", "bx", True),
        ("[!a-c]x", "bx", False),
        ("[]x]", "]", True),
        ("[[:digit:]]", "7", True),
        ("[open", "[open", False),
        ("\\#hash", "#hash", True),
        ("\\!bang", "!bang", True),
        ("space\\ ", "space ", True),
        ("space  ", "space", True),
        ("crlf\r", "crlf", True),
        ("# comment", "# comment", False),
        ("żółć*", "żółć.txt", True),
        ("a*b*c", "a-b-b-c", True),
        ("*x*/y", "axb/y", True),
        ("a**/x", "ax", True),
        ("a**/x", "ab/c/x", True),
        ("*a**/x", "ax", False),
        ("x/a**", "x/a", True),
        ("/a**/**", "a", True),
    ],
)
def test_a_pattern_matches_as_git_says(pattern: str, path: str, is_ignored: bool) -> None:
    verdict = IgnoreFile(pattern).verdict(path, is_folder=False)

    assert (verdict is True) is is_ignored


def test_the_last_rule_that_matches_decides() -> None:
    rules = IgnoreFile("*.log\n!keep.log\nkeep.*\n!keep.log")

    assert rules.verdict("keep.log", is_folder=False) is False


def test_folders_can_be_taken_back_in_from_a_star() -> None:
    rules = IgnoreFile("*\n!*/\n!*.cs")

    assert rules.verdict("src", is_folder=True) is False
    assert rules.verdict("src/a.cs", is_folder=False) is False
    assert rules.verdict("src/a.js", is_folder=False) is True


@pytest.mark.parametrize(
    "pattern", ["*a" * 40 + "b", "**/a/" * 40 + "b", "[!b]*" * 40 + "c", "?*" * 60 + "z"]
)
def test_a_hostile_pattern_does_not_backtrack(pattern: str) -> None:
    rules = IgnoreFile(pattern)
    started = time.perf_counter()

    rules.verdict("a/" * 400 + "a" * 250, is_folder=False)

    assert time.perf_counter() - started < 1


@given(
    st.lists(st.text("ab*?[]!^-\\/:&~|# \r{}", max_size=12), max_size=6),
    st.text("ab-[]/&~|", min_size=1, max_size=8),
)
def test_any_text_is_a_gitignore(lines: list[str], path: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rules = IgnoreFile("\n".join(lines))

    assert rules.verdict(path, is_folder=False) in {True, False, None}


NAMES = st.sampled_from(["a", "b", "ab", "abc", "a.b", "b.c", "a b", "c"])
FILES = st.lists(st.lists(NAMES, min_size=1, max_size=4).map("/".join), min_size=1, max_size=12)
PATTERN_PARTS = st.sampled_from(
    ["a", "b", "*", "**", "?", ".", "/", "[ab]", "[!a]", "[^b-c]", "\\a", " ", "!", "***"]
)
PATTERNS = st.builds(
    "{}{}{}".format,
    st.sampled_from(["", "", "!", "/"]),
    st.lists(PATTERN_PARTS, max_size=5).map("".join),
    st.sampled_from(["", "/"]),
)
IGNORE_FILES = st.dictionaries(
    st.sampled_from(["", "a/", "a/b/", "ab/"]),
    st.lists(PATTERNS, min_size=1, max_size=5).map("\n".join),
    max_size=3,
)


def write_tree(root: Path, contents: dict[str, str]) -> None:
    for path, text in contents.items():
        target = root / path
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text)
        except OSError:
            continue  # the generated name is a folder or lies below a file


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git to compare with")
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(files=FILES, ignores=IGNORE_FILES)
def test_the_walk_finds_the_files_that_git_lists(
    tmp_path_factory: pytest.TempPathFactory, files: list[str], ignores: dict[str, str]
) -> None:
    root = tmp_path_factory.mktemp("tree")
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    subprocess.run(["git", "init", "-q", root], check=True, env=environment)
    write_tree(root, dict.fromkeys(files, "text"))
    write_tree(root, {f"{folder}.gitignore": text for folder, text in ignores.items()})

    found = [file.path for file in walk_files(root) if isinstance(file, SourceFile)]

    listed = subprocess.run(
        ["git", "ls-files", "-z", "--others", "--cached", "--exclude-standard"],
        cwd=root, env=environment, check=True, capture_output=True, text=True,
    ).stdout.split("\0")  # fmt: skip
    assert found == sorted(path for path in listed if path)
