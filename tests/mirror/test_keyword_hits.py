"""Beside a mirror, postings in memory find by keyword what a statement over the store's finds."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ragduck
from ragduck.library import Store
from ragduck.mirror import export_faiss
from ragduck.mirror.postings import LoadedPostings
from ragduck.store import Database, open_database

QUESTIONS = (
    "InvoiceService", "where are invoices created", "OrderService.PlaceAsync", "dbo.Invoice",
    'what is "credit limit"', "StockLevel.sql", "żółw", "what is it", "reserve the stock of an order",
)  # fmt: skip
SETTINGS: tuple[dict[str, Any], ...] = (
    {},
    {"mode": "bm25"},
    {"mode": "bm25", "signals": False},
    {"signals": False},
    {"filters": {"data_type": ["db_code"]}},
    {"filters": {"file_class": ["test"], "name_prefix": "zz"}, "relax": ("name_prefix", "file_class")},
    {"where": "start_line > 20"},
    {"filters": {"repo": ["elsewhere"]}},
    {"bm25": {"k1": 0.5}},
    {"top_k": 300},
    {"fts_top_k": 3},
)


@pytest.fixture(scope="module")
def database(shop_store: Path) -> Iterator[Database]:
    with open_database(shop_store) as opened:
        yield opened


@pytest.fixture(scope="module")
def postings(database: Database) -> LoadedPostings:
    loaded = LoadedPostings.read(database, highest=1000)
    assert loaded is not None
    return loaded


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_hits_are_those_of_the_statement(
    database: Database,
    postings: LoadedPostings,
    term_keys: list[int],
    hits_of_statement: Any,
    data: st.DataObject,
) -> None:
    asked = data.draw(st.lists(st.sampled_from(term_keys), max_size=8))
    depth = data.draw(st.sampled_from([1, 3, 100, 10_000]))
    every = data.draw(st.sampled_from([1, 2, 7, 10_000]))
    preferred = data.draw(st.lists(st.integers(1, 380), max_size=5))
    allowed = np.arange(1000) % every == 0
    expected = hits_of_statement(database, asked, f"chunk_no % {every} = 0", depth=depth, preferred=preferred)

    found = postings.best(asked, depth=depth, allowed=None if every == 1 else allowed, preferred=preferred)

    assert [*zip(found.chunk_nos, found.scores, found.terms, strict=True)] == expected


@pytest.fixture(scope="module")
def stores(shop_store: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Store, Store]]:
    """The sample shop with a mirror: its keywords looked for by statements, and in memory."""
    folder = tmp_path_factory.mktemp("mirror") / "flat"
    export_faiss(shop_store, folder, index="flat")
    with ragduck.open(shop_store, faiss=folder) as asked, ragduck.open(shop_store, faiss=folder) as held:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("ragduck.mirror.postings.MAX_POSTINGS", 0)
            warm(asked)
        warm(held)
        yield asked, held


def warm(store: Store) -> None:
    for question in QUESTIONS[:2]:  # the second one reads the postings
        store.search(question)


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_answers_are_those_of_statements(stores: tuple[Store, Store], setting: dict[str, Any]) -> None:
    asked, held = stores
    for question in QUESTIONS:
        expected = asked.search(question, **setting)

        answer = held.search(question, **setting)

        assert answer.results == expected.results
        assert answer.status == expected.status


def test_from_the_second_question_on_no_statement_looks_for_keywords(
    shop_store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    export_faiss(shop_store, tmp_path / "flat", index="flat")
    asked: list[str] = []
    read = Database.rows

    def rows(self: Database, sql: str, *values: Any) -> list[dict[str, Any]]:
        asked.append(sql)
        return read(self, sql, *values)

    monkeypatch.setattr(Database, "rows", rows)
    with ragduck.open(shop_store, faiss=tmp_path / "flat") as store:
        store.search("place order")
        assert any("from fts_postings\nwhere" in sql for sql in asked)
        store.search("cancel order")
        asked.clear()

        for mode in ("hybrid", "bm25"):
            assert store.search("reserve stock", mode=mode).results  # type: ignore[arg-type]

    assert not any("fts_postings" in sql or "numbered as" in sql for sql in asked)


@pytest.mark.parametrize(
    "change",
    [
        "update fts_postings set chunk_no = 2_000_000_000 where chunk_no = 5",
        "update fts_postings set chunk_no = -5 where chunk_no = 5",
        "delete from fts_postings",
        "drop table fts_postings",
        "alter table fts_postings drop weight",
        "alter table fts_postings alter weight type double",
        "alter table fts_postings alter weight drop not null; update fts_postings set weight = null",
        "alter table fts_postings alter term_key drop not null; update fts_postings set term_key = null",
        "update fts_postings set weight = 'nan' where chunk_no = 5",
        "update fts_postings set weight = 'infinity' where chunk_no = 5",
    ],
)
def test_strange_postings_are_left_to_the_engine(shop_store: Path, tmp_path: Path, change: str) -> None:
    shutil.copy(shop_store, tmp_path / "strange.duckdb")
    with duckdb.connect(str(tmp_path / "strange.duckdb")) as connection:
        connection.execute(change)

    with open_database(tmp_path / "strange.duckdb") as opened:
        assert LoadedPostings.read(opened, highest=1000) is None


def test_postings_out_of_order_are_those_in_order(shop_store: Path, tmp_path: Path) -> None:
    shutil.copy(shop_store, tmp_path / "strange.duckdb")
    with duckdb.connect(str(tmp_path / "strange.duckdb")) as connection:
        connection.execute(
            "create or replace table fts_postings as from fts_postings order by hash(term_key), chunk_no"
        )

    with open_database(tmp_path / "strange.duckdb") as other, open_database(shop_store) as ordered:
        found, known = (LoadedPostings.read(each, highest=1000) for each in (other, ordered))
    assert found is not None
    assert known is not None
    for name in ("keys", "starts", "chunk_nos", "weights"):
        assert getattr(found, name).tolist() == getattr(known, name).tolist()


def test_too_many_postings_are_left_to_the_engine(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ragduck.mirror.postings.MAX_POSTINGS", 100)

    assert LoadedPostings.read(database, highest=1000) is None


def test_a_filter_needs_no_postings_for_a_search_by_meaning(shop_store: Path, tmp_path: Path) -> None:
    shutil.copy(shop_store, tmp_path / "strange.duckdb")
    with duckdb.connect(str(tmp_path / "strange.duckdb")) as connection:
        connection.execute("drop table fts_postings")
    export_faiss(tmp_path / "strange.duckdb", tmp_path / "flat", index="flat")

    with ragduck.open(tmp_path / "strange.duckdb", faiss=tmp_path / "flat") as store:
        answer = store.search("stock", mode="semantic", filters={"data_type": "db_code"})

    assert answer.status.returned == 10


def test_numbers_that_chunks_cannot_have_are_left_to_the_engine(shop_store: Path, tmp_path: Path) -> None:
    shutil.copy(shop_store, tmp_path / "strange.duckdb")
    with duckdb.connect(str(tmp_path / "strange.duckdb")) as connection:
        for table in ("documents", "fts_postings", "chunk_signals"):
            connection.execute(f"update {table} set chunk_no = -10 where chunk_no = 10")
        path = connection.execute("select source_file from documents where chunk_no = 12").fetchone()
    export_faiss(tmp_path / "strange.duckdb", tmp_path / "flat", index="flat")

    with ragduck.open(tmp_path / "strange.duckdb", faiss=tmp_path / "flat") as store:
        answers = [
            store.search("order invoice", mode=mode, filters={"source_file": path[0]}, top_k=50)
            for mode in ("hybrid", "bm25", "hybrid", "bm25")
        ]

    assert all(result["source_file"] == path[0] for answer in answers for result in answer.results)


def test_two_sides_read_a_filter_once(
    shop_store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    export_faiss(shop_store, tmp_path / "flat", index="flat")
    read = Database.columns
    asked: list[str] = []

    def counted(self: Database, sql: str, *values: Any) -> Any:
        asked.append(sql)
        return read(self, sql, *values)

    monkeypatch.setattr(Database, "columns", counted)
    with ragduck.open(shop_store, faiss=tmp_path / "flat") as store:
        warm(store)
        for _ in range(3):
            store.search("order", filters={"data_type": "db_code"})

    assert len([sql for sql in asked if "data_type" in sql]) == 1


def test_a_first_question_by_keyword_opens_no_mirror(shop_store: Path, tmp_path: Path) -> None:
    export_faiss(shop_store, tmp_path / "flat", index="flat")
    with ragduck.open(shop_store, faiss=tmp_path / "flat") as store:
        first = store.search("reserve stock", mode="bm25")
        opened = "_mirror" in vars(store)
        later = [store.search("reserve stock", mode="bm25") for _ in range(3)]

        assert not opened
        assert "_mirror" in vars(store)
        assert all(answer.results == first.results for answer in later)
