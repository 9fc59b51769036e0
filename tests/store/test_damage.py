"""A file with a damaged block, one that was not copied to its end, and an empty one: what is told, and what helps."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest
from click.testing import Result

import ragduck
from ragduck.conversation import Turn
from ragduck.errors import StoreError
from ragduck.preparation.reembedding import embed
from ragduck.store.checks import run_checks
from ragduck.store.connection import open_database
from ragduck.store.damage import DamagedStoreError, is_held, told_damage
from ragduck.store.history import StoreHistory

HEADERS, BLOCK = 3 * 4096, 262_144  # bytes, before the first block and of each


def with_damaged_block(store: Path, *, table: str, column: str) -> Path:
    """Change a few bytes in a block that holds a column of a table."""
    with duckdb.connect(str(store), read_only=True) as connection:
        block = connection.execute(
            f"select max(block_id) from pragma_storage_info('{table}') where persistent and block_id >= 0 "
            f"and column_name = '{column}'"
        ).fetchall()[0][0]
    content = bytearray(store.read_bytes())
    place = HEADERS + block * BLOCK + 100
    content[place : place + 8] = bytes(byte ^ 0xFF for byte in content[place : place + 8])
    store.write_bytes(content)
    return store


def read_all(store: Path) -> None:
    with open_database(store) as database:
        for row in database.rows("select table_name from duckdb_tables()"):
            database.rows(f"select max(hash(each)) from {row['table_name']} as each")


@pytest.fixture
def damaged(shop_store: Path, tmp_path: Path) -> Path:
    return with_damaged_block(
        Path(shutil.copy(shop_store, tmp_path / "shop.duckdb")), table="documents", column="text"
    )


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "source"
    folder.mkdir()
    (folder / "a.py").write_text("def place_order():\n    pass\n", encoding="utf-8")
    return folder


@pytest.mark.parametrize("share", [0.0001, 0.01, 0.4, 0.9])
def test_a_file_that_was_not_copied_to_its_end_is_incomplete(
    shop_store: Path, tmp_path: Path, share: float
) -> None:
    content = shop_store.read_bytes()
    (tmp_path / "cut.duckdb").write_bytes(content[: int(len(content) * share)])

    with pytest.raises(DamagedStoreError, match="is incomplete") as caught:
        read_all(tmp_path / "cut.duckdb")
    assert "copy it again" in str(caught.value.hint)
    assert "cut.duckdb --overwrite" in str(caught.value.hint)


def test_an_empty_file_is_told_and_how_to_fill_it(tmp_path: Path) -> None:
    (tmp_path / "empty.duckdb").touch()

    with pytest.raises(StoreError, match=r"empty\.duckdb is empty") as caught:
        open_database(tmp_path / "empty.duckdb")
    assert "ragduck prepare FOLDER -o" in str(caught.value.hint)


def test_preparing_into_a_damaged_file_says_that_it_is_damaged(damaged: Path, source: Path) -> None:
    with pytest.raises(DamagedStoreError, match="is damaged"):
        ragduck.prepare(source, damaged, embed_model="hashing")


def test_overwriting_a_damaged_file_makes_it_whole(damaged: Path, source: Path) -> None:
    ragduck.prepare(source, damaged, embed_model="hashing", overwrite=True)

    with ragduck.open(damaged) as store:
        assert [result.name for result in store.check() if not result.passed] == []


def test_overwriting_a_file_with_damaged_conversations_keeps_what_waits_in_the_journal(
    small_store: Path, source: Path, make_turn: Callable[..., Turn]
) -> None:
    history = StoreHistory(small_store)
    history.save_turn(make_turn(1))
    history.fold()
    history.save_turn(make_turn(2))
    with_damaged_block(small_store, table="turns", column="question")

    ragduck.prepare(source, small_store, embed_model=None, overwrite=True)

    assert [turn.turn_id for turn in history.load("s").turns] == ["turn2"]


def test_embedding_anew_says_that_the_file_is_damaged(damaged: Path) -> None:
    with pytest.raises(DamagedStoreError, match="is damaged"):
        embed(damaged, None)


def test_checks_that_cannot_read_say_why_and_the_others_run(damaged: Path) -> None:
    with open_database(damaged) as database:
        results = run_checks(database)

    assert {result.passed for result in results if result.unread} == {False}
    assert any(result.passed for result in results)


def test_the_command_says_once_that_the_file_is_damaged(damaged: Path, invoke: Callable[..., Result]) -> None:
    result = invoke("check", damaged)

    assert result.exit_code == 1
    assert result.stderr.count("is damaged") == 1
    assert "these could not look" in result.stderr
    assert result.stdout == ""


def test_sql_that_quotes_the_word_is_no_damage(shop_store: Path) -> None:
    with ragduck.open(shop_store) as store, pytest.raises(ragduck.UsageError, match="corrupt"):
        store.sql("select 'corrupt'::int")


BROKEN_STATEMENT = (
    "json_deserialize_sql(replace(json_serialize_sql('select a from t')::varchar, '[\"a\"]', '[]'))"
)


def has_fault(statement: str) -> bool:
    with duckdb.connect() as connection:
        try:
            connection.execute(f"select {statement}").fetchall()
        except duckdb.SerializationException:
            return True
    return False


@pytest.mark.skipif(not has_fault(BROKEN_STATEMENT), reason="this engine has no such fault")
def test_sql_that_the_engine_has_a_fault_with_is_no_damage(shop_store: Path) -> None:
    with ragduck.open(shop_store) as store:
        with pytest.raises(ragduck.UsageError, match="cannot run this: Serialization") as statement:
            store.sql(f"select {BROKEN_STATEMENT}")

        assert str(statement.value.hint).startswith("write it another way")
        assert store.search("invoice").results


@pytest.mark.parametrize("kind", [duckdb.InternalException, duckdb.FatalException])
def test_a_fault_of_the_engine_is_damage_only_of_a_file_that_cannot_be_read(
    shop_store: Path, damaged: Path, kind: type[duckdb.Error]
) -> None:
    with pytest.raises(kind), told_damage(shop_store):
        raise kind("INTERNAL Error: index 0 of a vector of size 0")

    with pytest.raises(DamagedStoreError, match="is damaged"), told_damage(damaged):
        raise kind("INTERNAL Error: index 0 of a vector of size 0")


@pytest.mark.parametrize(
    ("message", "is_held_by_others"),
    [
        ('IO Error: Could not set lock on file "/s.duckdb": Conflicting lock is held in python (PID 7)', True),
        ('IO Error: Cannot open file "C:\\s.duckdb": The process cannot access the file because it is being used '
         "by another process.", True),
        ('IO Error: Cannot open file "C:\\s.duckdb": Der Prozess kann nicht auf die Datei zugreifen.\n\n'
         "File is already open in \nC:\\Python\\python.exe (PID 7)", True),
        ('IO Error: Cannot open file "/blocks/s.duckdb": Permission denied', False),
    ],
)  # fmt: skip
def test_a_file_that_others_hold_is_told_from_one_that_may_not_be_opened(
    message: str, is_held_by_others: bool
) -> None:
    assert is_held(duckdb.IOException(message)) is is_held_by_others
