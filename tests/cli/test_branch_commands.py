"""drop, diff and info as people type them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

import ragduck
from ragduck import RagduckError, UsageError
from ragduck.cli.diff import diff
from ragduck.cli.drop import drop
from ragduck.cli.info import info
from ragduck.cli.map import map_command
from ragduck.cli.prepare import prepare
from ragduck.cli.search import search
from ragduck.cli.tables import table_lines
from ragduck.store.writer_lock import StoreBusyError, WriterLock

Git = Callable[..., str]


def run(command: click.Command, *arguments: object) -> Result:
    return CliRunner().invoke(command, [str(argument) for argument in arguments], catch_exceptions=False)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of two branches that differ in one table."""
    folder = tmp_path_factory.mktemp("made")
    (folder / "shop").mkdir()
    for branch, column in (("main", "Name"), ("next", "Label")):
        (folder / "shop" / "order.sql").write_text(f"create table dbo.[Order] (\n    {column} int\n);\n")
        ragduck.prepare(folder / "shop", folder / "s.duckdb", repo="shop", branch=branch, embed_model=None)
    return folder / "s.duckdb"


@pytest.fixture
def store(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(made, tmp_path / "s.duckdb"))


def test_diff_lists_objects_with_their_lines(store: Path) -> None:
    result = run(diff, store, "--from", "main", "--to", "next")

    header, _, row = result.stdout.splitlines()
    assert header.split() == ["change", "kind", "object", "+", "-", "location"]
    assert row.split() == ["changed", "TABLE", "dbo.Order", "1", "1", "order.sql:1-3"]
    assert result.stderr == "shop, from main to next: 1 changed\n"


def test_diff_shows_texts_when_asked(store: Path) -> None:
    result = run(diff, store, "--from", "main", "--to", "next", "--text")

    assert "\n-    Name int\n+    Label int\n" in result.stdout


def test_diff_prints_json(store: Path) -> None:
    result = run(diff, store, "--from", "next", "--to", "main", "--kind", "TABLE", "--json")

    found = json.loads(result.stdout)
    assert (found["repo"], found["from"], found["to"]) == ("shop", "next", "main")
    assert found["kinds"] == ["TABLE"]
    assert found["counts"] == {"added": 0, "removed": 0, "changed": 1, "moved": 0}
    assert [change["node_key"] for change in found["changes"]] == ["dbo.Order|TABLE"]


def test_diff_says_when_nothing_differs(store: Path) -> None:
    result = run(diff, store, "--from", "main", "--to", "main")

    assert (result.stdout, result.stderr) == ("", "shop, from main to main: no difference\n")


def test_diff_names_the_kinds_when_only_some_are_compared(store: Path) -> None:
    result = run(diff, store, "--from", "main", "--to", "next", "--kind", "proc", "--kind", "VIEW")

    assert (result.stdout, result.stderr) == ("", "shop, from main to next, only PROC, VIEW: no difference\n")


def test_diff_refuses_a_kind_that_there_is_not(store: Path) -> None:
    with pytest.raises(UsageError, match="there is no kind FOO"):
        run(diff, store, "--from", "main", "--to", "next", "--kind", "FOO")


def test_drop_says_what_it_dropped_and_what_stays(store: Path) -> None:
    result = run(drop, store, "--repo", "shop", "--branch", "next")

    assert result.stdout == ""
    dropped, left = result.stderr.splitlines()
    assert dropped == "dropped shop, next: 1 file"
    assert left.endswith("1 file, 1 chunk")


def test_drop_prints_json(store: Path) -> None:
    result = run(drop, store, "--repo", "shop", "--branch", "next", "--json", "--quiet")

    told = json.loads(result.stdout)
    assert [each["branch"] for each in told["dropped"]] == ["next"]
    assert [each["branch"] for each in told["kept"]] == ["main"]
    assert told["counts"]["files"] == 1


def test_info_has_a_state_for_every_branch(store: Path) -> None:
    result = run(info, store)

    header = next(line for line in result.stdout.splitlines() if line.startswith("repo "))
    assert header.split()[:5] == ["repo", "branch", "commit", "prepared", "state"]
    assert result.stdout.count("unknown (root not known here)") == 2
    assert result.stderr == f"name the folder to compare with: ragduck info {store} --root FOLDER\n"


def test_info_names_the_files_that_changed(made: Path, store: Path) -> None:
    result = run(info, store, "--root", made.parent / "shop", "--json")

    states = {each["branch"]: each["freshness"] for each in json.loads(result.stdout)["snapshots"]}
    assert (states["next"]["state"], states["next"]["changed"]) == ("fresh", [])
    assert (states["main"]["state"], states["main"]["changed"]) == ("stale", ["order.sql"])


@pytest.fixture
def checkout(git: Git, tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.md").write_text("# Invoices\n")
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "First")
    return folder


def test_search_warns_when_there_is_another_commit(git: Git, checkout: Path, tmp_path: Path) -> None:
    ragduck.prepare(checkout, tmp_path / "n.duckdb", embed_model=None)
    before = run(search, tmp_path / "n.duckdb", "invoices", "--mode", "bm25")
    git(checkout, "commit", "-q", "--allow-empty", "-m", "Second")

    after = run(search, tmp_path / "n.duckdb", "invoices", "--mode", "bm25")

    assert "stale" not in before.stderr
    assert after.stderr.rstrip().endswith("stale, there is another commit now: notes, main")


def test_search_tells_programs_how_old_the_branches_are(checkout: Path, tmp_path: Path) -> None:
    ragduck.prepare(checkout, tmp_path / "n.duckdb", embed_model=None)

    result = run(search, tmp_path / "n.duckdb", "invoices", "--mode", "bm25", "--json")

    (branch,) = json.loads(result.stdout)["status"]["branches"]
    assert (branch["repo"], branch["branch"], branch["checkout_moved"]) == ("notes", "main", False)


def test_prepare_reads_a_branch_that_is_not_checked_out(git: Git, checkout: Path, tmp_path: Path) -> None:
    git(checkout, "checkout", "-q", "-b", "next")
    (checkout / "b.md").write_text("# B\n")

    result = run(prepare, checkout, "-o", tmp_path / "n.duckdb", "--branch", "main", "--embed-model", "none")

    assert "  notes, main: 1 file, 1 chunk, 1 parsed anew\n" in result.stderr


def test_prepare_says_that_a_name_is_no_revision(checkout: Path, tmp_path: Path) -> None:
    result = run(prepare, checkout, "-o", tmp_path / "n.duckdb", "--branch", "x", "--embed-model", "none")

    assert (
        "  note: notes has no revision x: main was read from disk and is called x; "
        f"list its branches with: git -C {checkout} branch --all\n"
    ) in result.stderr


def test_a_name_that_is_no_revision_is_told_even_quietly_and_once_more(
    checkout: Path, tmp_path: Path
) -> None:
    asked = (checkout, "-o", tmp_path / "n.duckdb", "--branch", "x", "--embed-model", "none")

    first, second = run(prepare, *asked, "--quiet"), run(prepare, *asked)

    assert first.stderr.startswith("note: notes has no revision x: ")
    assert len(first.stderr.splitlines()) == 1
    assert first.stderr in second.stderr


def test_prepare_says_that_no_branch_is_checked_out(git: Git, checkout: Path, tmp_path: Path) -> None:
    git(checkout, "checkout", "-q", "--detach")
    asked = (checkout, "-o", tmp_path / "n.duckdb", "--embed-model", "none")

    result, named = run(prepare, *asked), run(prepare, *asked, "--branch", "v1")

    assert "  note: no branch is checked out, so that this is called HEAD; " in result.stderr
    assert "give it a name with: --branch main\n" in result.stderr
    assert "no branch is checked out" not in named.stderr
    assert f"ragduck drop {tmp_path / 'n.duckdb'} --repo notes --branch HEAD\n" in named.stderr


def test_prepare_calls_a_commit_of_no_branch_as_the_build_server_does(
    git: Git, checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BUILD_SOURCEVERSION", git(checkout, "rev-parse", "HEAD"))
    monkeypatch.setenv("BUILD_SOURCEBRANCH", "refs/heads/release/2")
    git(checkout, "checkout", "-q", "--detach")
    asked = (checkout, "-o", tmp_path / "n.duckdb", "--embed-model", "none")

    first, second = run(prepare, *asked), run(prepare, *asked, "--no-cache", "--chunk-size", "900")

    assert "no branch is checked out; it is called release/2 as BUILD_SOURCEBRANCH says\n" in first.stderr
    with ragduck.open(tmp_path / "n.duckdb") as store:
        assert [each.branch for each in store.snapshots()] == ["release/2"]
    assert "found twice" not in second.stderr


def test_a_folder_that_is_held_under_another_name_is_told(checkout: Path, tmp_path: Path) -> None:
    store = tmp_path / "n.duckdb"
    run(prepare, checkout, "-o", store, "--embed-model", "none")

    result = run(prepare, checkout, "-o", store, "--repo", "again", "--embed-model", "none")

    assert (
        "  note: the store holds this folder as notes, main, too, so that it is found twice; "
        in result.stderr
    )
    assert f"ragduck drop {store} --repo notes --branch main\n" in result.stderr


def test_no_other_name_is_told_once_it_is_dropped(checkout: Path, tmp_path: Path) -> None:
    store = tmp_path / "n.duckdb"
    run(prepare, checkout, "-o", store, "--embed-model", "none")
    run(prepare, checkout, "-o", store, "--repo", "again", "--embed-model", "none")
    run(drop, store, "--repo", "notes")
    (checkout / "b.md").write_text("# More\n")

    result = run(prepare, checkout, "-o", store, "--repo", "again", "--embed-model", "none")

    assert "note:" not in result.stderr


def test_info_groups_the_digits_of_counts() -> None:
    (*_, row) = table_lines(("kind", "chunks"), [("METHOD", 12_345)], thousands=True)

    assert row == "METHOD  12,345"


@pytest.mark.parametrize("command", [drop, map_command])
def test_another_writer_is_waited_for(command: click.Command, store: Path) -> None:
    rest = ("--repo", "shop", "--branch", "next") if command is drop else ("--level", "file")
    with ThreadPoolExecutor() as pool:
        lock = WriterLock(store)
        lock.acquire(wait=0)
        with pytest.raises(StoreBusyError):
            run(command, store, "--wait", "0.2", *rest)
        later = pool.submit(CliRunner().invoke, command, [str(store), "--wait=60", *rest])
        is_waiting = not wait([later], timeout=1).done
        lock.release()

    assert is_waiting
    assert not isinstance(later.result().exception, StoreBusyError)


def test_a_store_that_looks_like_an_option_is_told_so_that_it_can_be_typed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    with pytest.raises(RagduckError) as error:
        run(search, "./-x.duckdb", "orders")

    assert str(tmp_path / "-x.duckdb") in str(error.value.hint)
