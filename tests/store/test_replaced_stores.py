"""A store is replaced by each prepare: who opens it then reads the new file, and who has it open hears of it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from itertools import permutations
from pathlib import Path

import pytest

import ragduck
from ragduck.errors import ForeignFileError, StoreError
from ragduck.library import Store
from ragduck.store import connection
from ragduck.store.connection import StoreLockedError, open_database, open_for_writing
from ragduck.store.in_place import put_in_place
from ragduck.store.vectors import vector_batches

FUNCTIONS = ("pay", "ship", "refund")

Replace = Callable[[int], Path]


@pytest.fixture(scope="module")
def generations(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Stores of a file whose function is called otherwise in each."""
    folder = tmp_path_factory.mktemp("generations")
    source = folder / "source"
    source.mkdir()
    stores = [folder / f"{name}.duckdb" for name in FUNCTIONS]
    for name, store in zip(FUNCTIONS, stores, strict=True):
        (source / "shop.py").write_text(f"def {name}(invoice):\n    return invoice\n", encoding="utf-8")
        ragduck.prepare(source, store, repo="shop", branch="main", embed_model="hashing:32")
    return stores


@pytest.fixture
def replace(generations: Sequence[Path], tmp_path: Path) -> Replace:
    """Put a generation in place of what is there, as prepare does; return where."""

    def put(generation: int) -> Path:
        copy, store = tmp_path / "new.duckdb", tmp_path / "shop.duckdb"
        shutil.copy(generations[generation], copy)
        put_in_place(copy, store)
        return store

    return put


def function_in(store: Store) -> str:
    return str(store.sql("select name from nodes where kind = 'METHOD'")[0]["name"])


def test_who_opens_a_store_that_was_replaced_reads_the_new_file(replace: Replace) -> None:
    with ragduck.open(replace(0)) as first, ragduck.open(replace(1)) as second:
        assert [function_in(store) for store in (first, second)] == ["pay", "ship"]


def test_an_answer_of_the_replaced_file_says_so(replace: Replace) -> None:
    with ragduck.open(replace(0)) as first:
        assert first.search("invoice").status.notes == ()
        with ragduck.open(replace(1)) as second:
            assert "open it again" in first.search("invoice").status.notes[0]
            assert second.search("invoice").status.notes == ()


def test_a_replaced_store_is_searched_in_every_mode(replace: Replace) -> None:
    with ragduck.open(replace(0)), ragduck.open(replace(1)) as second:
        for mode in ("hybrid", "semantic", "bm25"):
            for _ in range(3):  # later questions to an open store take another way
                found = second.search("invoice", mode=mode, top_k=1).results
                assert "def ship" in found[0]["text"]


@pytest.mark.parametrize("order", list(permutations(range(4))))
def test_each_reader_keeps_its_file_whatever_is_closed_before(replace: Replace, order: Sequence[int]) -> None:
    stores = [ragduck.open(replace(0)), ragduck.open(replace(1)), ragduck.open(replace(2))]
    stores.append(ragduck.open(stores[0].path))  # the file of the one before
    reads = [*FUNCTIONS, FUNCTIONS[2]]

    for closed, number in enumerate(order):
        for one in order[closed:]:
            assert function_in(stores[one]) == reads[one]
        stores[number].close()


def test_all_vectors_of_a_replaced_store_can_be_read(replace: Replace) -> None:
    with open_database(replace(0)), open_database(replace(1)) as database:
        assert sum(len(batch.chunk_nos) for batch in vector_batches(database)) == 1


def test_a_store_that_is_read_is_not_written(replace: Replace) -> None:
    with ragduck.open(replace(0)) as first:
        second = ragduck.open(replace(1))
        first.close()
        with pytest.raises(StoreLockedError, match="in this process"):
            open_for_writing(second.path)
        second.close()

    open_for_writing(second.path).close()


@pytest.mark.parametrize(("content", "error"), [(b"no database", ForeignFileError), (None, StoreError)])
def test_what_takes_the_place_of_a_store_is_refused_as_ever(
    replace: Replace, content: bytes | None, error: type[Exception]
) -> None:
    with ragduck.open(replace(0)) as first:
        first.path.unlink()
        if content is not None:
            first.path.write_bytes(content)

        with pytest.raises(error):
            ragduck.open(first.path)
        assert function_in(first) == "pay"


def test_a_store_is_the_same_however_its_path_is_written(
    replace: Replace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "link.duckdb").symlink_to(tmp_path / "shop.duckdb")
    (tmp_path / "folder").mkdir()
    monkeypatch.chdir(tmp_path)
    with ragduck.open(Path(replace(0).name)) as first:
        monkeypatch.chdir(tmp_path / "folder")
        replace(1)
        assert first.search("invoice").status.notes
        for written in ("../shop.duckdb", "../folder/../shop.duckdb", tmp_path / "link.duckdb"):
            with ragduck.open(written) as second:
                assert function_in(second) == "ship"


def test_a_store_that_is_replaced_while_it_is_opened_is_told_from_the_earlier_one(
    replace: Replace, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = replace(0)
    opened_by = connection._open

    def replaced_meanwhile(path: Path, *, read_only: bool) -> connection.Database:
        monkeypatch.undo()
        replace(1)
        return opened_by(path, read_only=read_only)

    monkeypatch.setattr(connection, "_open", replaced_meanwhile)
    with ragduck.open(path) as first:
        assert function_in(first) == "ship"
        assert first.search("invoice").status.notes == ()
        replace(2)
        with ragduck.open(path) as second:
            assert (function_in(first), function_in(second)) == ("ship", "refund")


WRITES = "import sys, duckdb; duckdb.connect(sys.argv[1]).execute('create table other (n integer)')"


@pytest.mark.parametrize("is_replaced", [False, True])
def test_no_other_process_writes_what_is_read(replace: Replace, tmp_path: Path, *, is_replaced: bool) -> None:
    (tmp_path / "folder").mkdir()
    with ragduck.open(replace(0)), ragduck.open(replace(int(is_replaced))) as second:
        ragduck.open(tmp_path / "folder" / ".." / "shop.duckdb").close()  # which must not free the lock
        done = subprocess.run(
            [sys.executable, "-c", WRITES, str(second.path)], capture_output=True, text=True, check=False
        )

        assert "lock" in done.stderr
