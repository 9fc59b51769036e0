from __future__ import annotations

import os
import resource
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import duckdb
import pytest
from click.testing import Result

from ragduck.store.work_file import work_file_of

HOLD_OPEN = "import duckdb, sys; c = duckdb.connect(sys.argv[1]); print('open', flush=True); sys.stdin.read()"


def failed(result: Any, *, code: int, saying: str) -> bool:
    """Whether the command ended with two lines, the first of which says what happened."""
    lines = result.stderr.splitlines()
    returned = result.exit_code if isinstance(result, Result) else result.returncode
    assert returned == code, result.stderr
    assert len(lines) == 2, result.stderr
    assert lines[0].startswith("error: ")
    assert lines[1].startswith("hint: ")
    assert saying in lines[0], lines[0]
    return result.stdout == ""


@pytest.fixture
def held_open() -> Iterator[Any]:
    """Return a function that opens a database for writing in another process until the test ends."""
    holders: list[subprocess.Popen[bytes]] = []

    def hold(path: Path) -> None:
        holder = subprocess.Popen(
            [sys.executable, "-c", HOLD_OPEN, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        holders.append(holder)
        assert holder.stdout is not None
        holder.stdout.readline()

    yield hold
    for holder in holders:
        holder.communicate()


@pytest.mark.parametrize(
    ("arguments", "code", "saying"),
    [
        (["search", "missing.duckdb", "orders"], 1, "there is no store at missing.duckdb"),
        (["search", ".", "orders"], 1, "is a folder"),
        (["search", "text.duckdb", "orders"], 1, "is not a DuckDB file"),
        (["search", "other.duckdb", "orders"], 1, "not a ragduck store"),
        (["search", "newer.duckdb", "orders"], 1, "has schema version 99"),
        (["info", "text.duckdb"], 1, "is not a DuckDB file"),
        (["check", "missing.duckdb"], 1, "there is no store"),
        (["show", "shop.duckdb", "no.such.thing"], 2, "nothing called 'no.such.thing'"),
        (["show", "shop.duckdb", "README.md:900-901"], 2, "README.md has lines 1 to"),
        (["search", "shop.duckdb", ""], 2, "the question is empty"),
        (["search", "shop.duckdb", "?!"], 2, "has no word"),
        (["search", "shop.duckdb", "x" * 100_000], 2, "100,000 characters long"),
        (["search", "shop.duckdb", "orders", "-k", "0"], 2, "top_k is 0"),
        (["search", "shop.duckdb", "orders", "-k", "many"], 2, "'many' is not a valid integer"),
        (["search", "shop.duckdb", "orders", "--filter", "kind"], 2, "is not field=value"),
        (["search", "shop.duckdb", "orders", "--filter", "knd=PROC"], 2, "unknown filter field 'knd'"),
        (["search", "shop.duckdb", "orders", "--relax", "knd"], 2, "cannot relax unknown field 'knd'"),
        (["search", "shop.duckdb", "orders", "--where", "kind ="], 2, "is no expression"),
        (["search", "shop.duckdb", "orders", "--where", "no_such = 1"], 2, "no_such"),
        (["search", "shop.duckdb", "orders", "--where", "start_line = 'x'"], 2, "cannot be answered"),
        (["search", "shop.duckdb", "orders", "--mode", "telepathy"], 2, "'telepathy' is not one of"),
        (["search", "shop.duckdb", "orders", "--embed-model", "hashing:32"], 1, "hashing"),
        (["search", "shop.duckdb", "orders", "--vector-weight", "2", "--weighted"], 2, "vector_weight is 2"),
        (["search", "shop.duckdb", "orders", "--vector-weight", "0.3"], 2, "without --weighted"),
        (["search", "shop.duckdb", "orders", "--source-docs"], 2, "JSON only"),
        (["search", "shop.duckdb", "orders", "--branch", "main"], 2, "--branch is a field, not an option"),
        (["eval", "shop.duckdb", "queries.tsv", "--kind", "PROC"], 2, "--kind is a field, not an option"),
        (["search", "shop.duckdb"], 2, "Missing argument 'QUESTION'"),
        (["sql", "shop.duckdb", "selec 1"], 2, "syntax error"),
        (["sql", "shop.duckdb", "select 1; select 2"], 2, "give one statement, not 2"),
        (["sql", "shop.duckdb", "delete from documents"], 2, "DELETE is not allowed"),
        (["sql", "shop.duckdb", "attach 'x.duckdb'"], 2, "ATTACH is not allowed"),
        (["sql", "shop.duckdb", "copy documents to 'x.csv'"], 2, "COPY is not allowed"),
        (["sql", "shop.duckdb", "select * from read_text('text.duckdb')"], 2, "may not reach outside"),
        (["sql", "shop.duckdb", "select nosuch from documents"], 2, "nosuch"),
        (["prepare", "missing", "-o", "new.duckdb"], 1, "there is no folder missing"),
        (["prepare", "text.duckdb", "-o", "new.duckdb"], 1, "is a file, not a folder"),
        (["prepare", "empty", "-o", "new.duckdb", "--embed-model", "none"], 1, "nothing to index"),
        (["prepare", "binaries", "-o", "new.duckdb", "--embed-model", "none"], 1, "2 binary"),
        (["prepare", "notes", "-o", "no/such/folder/new.duckdb"], 1, "there is no folder"),
        (["prepare", "notes", "-o", "text.duckdb"], 1, "is not a DuckDB file"),
        (["search", "sqlite.db", "orders"], 1, "is not a DuckDB file"),
        (["prepare", "notes", "-o", "sqlite.db", "--overwrite"], 1, "is not a DuckDB file"),
        (["prepare", "notes", "-o", "shop.duckdb", "--embed-model", "hashing:32"], 1, "holds vectors of"),
        (["prepare", "notes", "-o", "new.duckdb", "--embed-model", "telepathy"], 1, "no embedding model"),
        (["prepare", "notes", "-o", "new.duckdb", "--chunk-size", "1"], 2, "chunk_size is 1"),
        (["prepare", "notes", "-o", "new.duckdb", "--max-file-size", "huge"], 2, "'huge' is no size"),
        (["prepare", "notes", "-o", "new.duckdb", "--processes", "0"], 2, "0 is not in the range"),
        (["prepare", "notes"], 2, "Missing option '-o'"),
        (["serch", "shop.duckdb", "orders"], 2, "Did you mean 'search'?"),
        (["search", "shop.duckdb", "orders", "--fitler", "kind=PROC"], 2, "--filter"),
    ],
)  # fmt: skip
def test_bad_input_ends_with_an_error_and_a_hint(
    invoke: Any,
    workplace: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    code: int,
    saying: str,
) -> None:
    before = (workplace / "shop.duckdb").stat()
    monkeypatch.chdir(workplace)

    result = invoke(*arguments)

    assert failed(result, code=code, saying=saying)
    assert (workplace / "shop.duckdb").stat().st_mtime_ns == before.st_mtime_ns
    assert not (workplace / "new.duckdb").exists()


@pytest.fixture(scope="module")
def workplace(shop_store: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a store, with things that are none, and with sources that give nothing."""
    folder = tmp_path_factory.mktemp("workplace")
    shutil.copy(shop_store, folder / "shop.duckdb")
    (folder / "text.duckdb").write_text("this is no database\n" * 500)
    with closing(sqlite3.connect(folder / "sqlite.db")) as other:
        other.execute("create table orders (id int)")
    duckdb.connect(str(folder / "other.duckdb")).execute("create table t as select 1 as a").close()
    shutil.copy(shop_store, folder / "newer.duckdb")
    with duckdb.connect(str(folder / "newer.duckdb")) as newer:
        newer.execute("update ragduck_meta set value = '99' where key = 'schema_version'")
    for name in ("empty", "binaries", "notes"):
        (folder / name).mkdir()
    for name in ("a.bin", "b.dat"):
        (folder / "binaries" / name).write_bytes(bytes(range(256)) * 8)
    (folder / "notes" / "a.md").write_text("# Notes\n\nOrders ship on Mondays.\n")
    return folder


def test_process_tells_a_failure_from_a_wrong_use(run_ragduck: Any, workplace: Path) -> None:
    failure = run_ragduck("search", "missing.duckdb", "orders", cwd=workplace)
    wrong_use = run_ragduck("search", "shop.duckdb", "", cwd=workplace)

    assert failed(failure, code=1, saying="there is no store")
    assert failed(wrong_use, code=2, saying="the question is empty")


def test_hint_names_the_field_that_was_meant(invoke: Any, workplace: Path) -> None:
    result = invoke("search", workplace / "shop.duckdb", "orders", "--filter", "knd=PROC")

    assert "did you mean kind?" in result.stderr.splitlines()[1]


def test_hint_of_a_usage_error_names_the_help_of_the_command(invoke: Any, workplace: Path) -> None:
    result = invoke("search", workplace / "shop.duckdb", "orders", "--nonsense")

    assert result.stderr.splitlines()[1] == "hint: ragduck search --help"


def test_store_that_another_process_writes_is_reported_as_locked(
    run_ragduck: Any, notes_store: Path, held_open: Any
) -> None:
    held_open(notes_store)

    result = run_ragduck("search", notes_store, "orders")

    assert failed(result, code=1, saying="is locked by another process")


def test_second_prepare_of_a_store_is_refused(
    run_ragduck: Any, notes: Path, notes_store: Path, held_open: Any
) -> None:
    held_open(work_file_of(notes_store, model_key="none"))
    before = notes_store.read_bytes()
    (notes / "new.md").write_text("# New\n\nchanged\n", encoding="utf-8")

    result = run_ragduck("prepare", notes, "-o", notes_store)

    assert failed(result, code=1, saying="another prepare is writing")
    assert notes_store.read_bytes() == before


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write everywhere")
def test_folder_that_cannot_be_written_is_reported(run_ragduck: Any, notes: Path, tmp_path: Path) -> None:
    folder = tmp_path / "closed"
    folder.mkdir(mode=0o555)

    result = run_ragduck("prepare", notes, "-o", folder / "new.duckdb", "--embed-model", "none")

    assert failed(result, code=1, saying="cannot be written")


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no /proc")
def test_place_that_takes_no_files_is_reported(run_ragduck: Any, notes: Path) -> None:
    result = run_ragduck("prepare", notes, "-o", "/proc/new.duckdb", "--embed-model", "none")

    assert failed(result, code=1, saying="/proc")


@pytest.mark.skipif(os.name == "nt", reason="no resource limits there")
def test_full_disk_leaves_the_store_as_it_was(run_ragduck: Any, shop_store: Path, tmp_path: Path) -> None:
    shop = Path(__file__).parents[1] / "data" / "shop"
    store = tmp_path / "shop.duckdb"
    shutil.copy(shop_store, store)
    before = store.read_bytes()

    result = run_ragduck(
        "prepare", shop, "-o", store, "--repo", "shop", "--branch", "other",
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000)),
    )  # fmt: skip

    assert failed(result, code=1, saying="could not be written")
    assert store.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir() if ".ragduck-new" in path.name) == []


def test_a_store_that_cannot_be_written_is_to_be_copied(
    invoke: Any, shop_store: Path, tmp_path: Path
) -> None:
    store = Path(shutil.copy(shop_store, tmp_path / "s.duckdb"))
    store.with_name("s.duckdb.ragduck-lock").mkdir()

    for arguments in (["drop", store, "--repo", "shop"], ["embed", store, "--model", "none"]):
        result = invoke(*arguments)

        assert failed(result, code=1, saying="cannot be written")
        assert "copy it to one that you may write to" in result.stderr


def test_an_answer_that_was_not_saved_names_no_session_to_go_on_with(
    invoke: Any, shop_store: Path, tmp_path: Path
) -> None:
    store = Path(shutil.copy(shop_store, tmp_path / "s.duckdb"))
    store.with_name("s.duckdb.ragduck-journal.lock").mkdir()

    result = invoke("ask", store, "How is stock reserved?")

    assert "This turn was not saved" in result.stdout + result.stderr
    assert "go on:" not in result.stderr


def test_damaged_store_is_reported(run_ragduck: Any, shop_store: Path, tmp_path: Path) -> None:
    torn = tmp_path / "torn.duckdb"
    content = bytearray(shop_store.read_bytes())
    content[20_000:-20_000] = b"\x00" * (len(content) - 40_000)
    torn.write_bytes(content)

    result = run_ragduck("search", torn, "orders", "--mode", "bm25")

    assert failed(result, code=1, saying="torn.duckdb")


def test_traceback_is_shown_on_request_only(run_ragduck: Any, tmp_path: Path) -> None:
    result = run_ragduck("info", tmp_path / "missing.duckdb", env={"RAGDUCK_DEBUG": "1"})

    assert "Traceback" in result.stderr
    assert result.returncode == 1


@pytest.mark.parametrize(
    "command",
    [
        ["prepare", "notes", "-o", "-"],
        ["export", "graphml", "notes.duckdb", "-"],
        ["export", "parquet", "notes.duckdb", "-"],
        ["map", "notes.duckdb", "-o", "-"],
        ["upgrade", "notes.duckdb", "-o", "-"],
    ],
)
def test_standard_output_is_refused_where_a_file_is_made(
    invoke: Any, notes_store: Path, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    monkeypatch.chdir(notes_store.parent)

    result = invoke(*command)

    assert failed(result, code=2, saying="it cannot be standard input or output; a file of that name is ./-")
    assert not Path("-").exists()
