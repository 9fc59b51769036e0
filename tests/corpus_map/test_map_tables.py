"""The map as tables of a store: written in one step, described, checked, and gone when the store changes."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest

import ragduck
from ragduck.conversation import Turn
from ragduck.corpus_map.state import map_state
from ragduck.errors import StoreError
from ragduck.store import open_database
from ragduck.store.history import StoreHistory
from ragduck.store.writer_lock import StoreBusyError, WriterLock

GiveMap = Callable[..., Any]
NAMES = "table_name in ('map_facts', 'map_points', 'map_topics', 'map_links')"
VIEWS = "('corpus_map', 'map_link_degrees')"


def rows(store: Path, sql: str) -> list[dict[str, Any]]:
    with ragduck.open(store) as opened:
        return opened.sql(sql)


def test_every_point_tells_its_chunk_and_its_place(mapped_shop: Path) -> None:
    found = rows(
        mapped_shop,
        "select count(*) as points, count(chunk.node_id) as chunks, max(x) as last "
        "from map_points left join documents as chunk using (chunk_no, node_id, source_file)",
    )

    assert found[0]["points"] == found[0]["chunks"] == found[0]["last"] + 1


def test_view_has_the_columns_of_sqlrooms_rag(mapped_shop: Path) -> None:
    found = rows(mapped_shop, "select * from corpus_map limit 1")

    expected = {
        "node_id",
        "title",
        "fileName",
        "file_path",
        "text",
        "x",
        "y",
        "outdegree",
        "indegree",
        "topic",
    }
    assert expected <= set(found[0])


def test_view_counts_links_in_both_directions(mapped_shop: Path) -> None:
    found = rows(mapped_shop, "select file_path, indegree, outdegree from map_link_degrees")

    degrees = {row["file_path"]: (row["indegree"], row["outdegree"]) for row in found}
    assert degrees["README.md"] == (0, 3)
    assert degrees["docs/invoicing.md"] == (2, 0)


def test_links_end_at_points_of_their_files(mapped_shop: Path) -> None:
    found = rows(
        mapped_shop,
        "select link.target_file, point.source_file, point.start_line, link.target_line from map_links as link "
        "join map_points as point on point.point_no = link.target_point_no",
    )

    assert found
    assert all(row["target_file"] == row["source_file"] for row in found)
    assert all(row["start_line"] <= row["target_line"] for row in found)


def test_every_table_view_and_column_of_a_table_is_described(mapped_shop: Path) -> None:
    found = rows(
        mapped_shop,
        f"select table_name from duckdb_tables() where {NAMES} and comment is null union all "
        f"select view_name from duckdb_views() where view_name in {VIEWS} and comment is null union all "
        f"select column_name from duckdb_columns() where {NAMES} and comment is null",
    )

    assert found == []


def test_checks_pass_with_a_map(mapped_shop: Path) -> None:
    with ragduck.open(mapped_shop) as store:
        results = store.check()

    assert {"map_points", "map_topics", "map_links"} <= {result.name for result in results}
    assert all(result.passed for result in results)


def test_checks_say_nothing_of_a_map_that_is_not_there(shop_store: Path) -> None:
    with ragduck.open(shop_store) as store:
        results = store.check()

    assert not any(result.name.startswith("map_") for result in results)


@pytest.mark.parametrize(
    ("change", "check"),
    [
        ("update map_points set node_id = 'x' where point_no = 0", "map_points"),
        ("update map_points set topic = 99 where topic = 0", "map_topics"),
        ("update map_links set target_doc_id = 'x'", "map_links"),
    ],
)
def test_damage_is_found(mapped_shop: Path, tmp_path: Path, change: str, check: str) -> None:
    from ragduck.store.connection import open_for_writing

    store = Path(shutil.copy(mapped_shop, tmp_path / "damaged.duckdb"))
    with open_for_writing(store) as database:
        database.connection.execute(change)

    with ragduck.open(store) as opened:
        failed = [result.name for result in opened.check() if not result.passed]

    assert failed == [check]


def test_second_map_replaces_the_first(own_store: Path, give_map: GiveMap) -> None:
    from ragduck.corpus_map.settings import MapSettings

    give_map(own_store)
    give_map(own_store, MapSettings(level="file"))

    with open_database(own_store) as database:
        state = map_state(database)
    assert (state.status, state.level) == ("fresh", "file")


def test_store_stays_about_as_large_however_often_it_is_mapped(own_store: Path, give_map: GiveMap) -> None:
    sizes = []
    for _ in range(5):  # free blocks of one are used by the next
        give_map(own_store)
        sizes.append(own_store.stat().st_size)

    assert max(sizes[3:]) <= max(sizes[:3])


def test_nothing_else_of_the_store_changes(shop_store: Path, mapped_shop: Path) -> None:
    before = rows(shop_store, "from ragduck_meta order by key")
    after = rows(mapped_shop, "from ragduck_meta order by key")

    assert before == after


def test_reader_goes_on_with_what_it_opened(own_store: Path, give_map: GiveMap) -> None:
    with own_store.open("rb") as reader:
        before = os.fstat(reader.fileno()).st_ino
        give_map(own_store)

        assert os.fstat(reader.fileno()).st_nlink == 0
    assert own_store.stat().st_ino != before


def test_nothing_is_left_beside_the_store(own_store: Path, give_map: GiveMap) -> None:
    give_map(own_store)

    assert [path.name for path in own_store.parent.iterdir()] == ["notes.duckdb"]


def test_conversations_outlive_the_map(own_store: Path, give_map: GiveMap) -> None:
    from datetime import UTC, datetime

    asked = Turn("t", "s", datetime(2026, 1, 1, tzinfo=UTC), "q", "q", "a", "a")
    StoreHistory(own_store).save_turn(asked)

    give_map(own_store)

    assert [turn.question for turn in StoreHistory(own_store).load("s").turns] == ["q"]


def test_what_still_stands_in_the_log_of_the_file_is_kept(own_store: Path, give_map: GiveMap) -> None:
    with duckdb.connect(str(own_store)) as connection:
        connection.execute("pragma disable_checkpoint_on_shutdown")
        connection.execute("create table noted as select 1 as one")
    log = own_store.with_name("notes.duckdb.wal")
    assert log.exists()

    give_map(own_store)

    assert rows(own_store, "from noted") == [{"one": 1}]
    assert not log.exists()


def test_store_that_may_only_be_read_keeps_its_rights(own_store: Path, give_map: GiveMap) -> None:
    own_store.chmod(0o440)

    give_map(own_store)

    assert own_store.stat().st_mode & 0o777 == 0o440


def test_store_that_is_being_written_is_not_touched(own_store: Path, give_map: GiveMap) -> None:
    before = own_store.read_bytes()
    lock = WriterLock(own_store)
    lock.acquire(wait=0)
    try:
        with pytest.raises(StoreBusyError):
            give_map(own_store)
    finally:
        lock.release()

    assert own_store.read_bytes() == before


def test_map_of_what_the_store_no_longer_holds_is_refused(own_store: Path, give_map: GiveMap) -> None:
    from ragduck.corpus_map.storing import store_map

    drawn = give_map(own_store)

    with pytest.raises(StoreError, match="was prepared again while its map was made"):
        store_map(own_store, drawn, meta={"created_at": "2026-01-01 00:00:00"})


@pytest.mark.slow
def test_prepare_that_changes_the_store_takes_the_map_out(tmp_path: Path, give_map: GiveMap) -> None:
    source = tmp_path / "notes"
    source.mkdir()
    (source / "a.md").write_text("# A\n\nSee [b](b.md).\n")
    (source / "b.md").write_text("# B\n\ntext\n")
    store = tmp_path / "notes.duckdb"
    ragduck.prepare(source, store, embed_model="hashing")
    give_map(store)
    (source / "b.md").write_text("# B\n\nother text\n")

    ragduck.prepare(source, store, embed_model="hashing")

    with open_database(store) as database:
        assert map_state(database).status == "none"
