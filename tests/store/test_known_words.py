"""Words of chunks that did not change come from the live file, and are those that reading them again would give."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path
from typing import Any

import duckdb
import pytest
from llama_index.core.schema import TextNode

import ragduck
from ragduck.integrations.llamaindex import RagduckVectorStore
from ragduck.resources import sql_text
from ragduck.store import finish
from ragduck.store.builder import StoreBuilder
from ragduck.store.schema import TOKENIZER_VERSION

StoredRows = Callable[[Path], dict[str, list[Any]]]

PLACE = (
    "def place_order(order):\n    return pay(order)\n\n\ndef pay(order):\n    return send_invoice(order)\n"
)
SHIP = "class Shipping:\n    def send(self, parcel):\n        return parcel.weight\n"
NOTES = "# Orders\n\nAn order is placed.\n\n## Paying\n\nZażółć gęślą jaźń, PlaceOrder_v2.\n"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "source"
    (folder / "app").mkdir(parents=True)
    (folder / "app" / "place.py").write_text(PLACE, encoding="utf-8")
    (folder / "app" / "ship.py").write_text(SHIP, encoding="utf-8")
    (folder / "notes.md").write_text(NOTES, encoding="utf-8")
    return folder


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many chunks each store that is written takes words for."""
    counts: list[int] = []
    take_words = finish.take_words

    def counted(*arguments: Any, **named: Any) -> int:
        counts.append(take_words(*arguments, **named))
        return counts[-1]

    monkeypatch.setattr(finish, "take_words", counted)
    return counts


def prepared(source: Path, store: Path, **options: Any) -> Path:
    given = {"repo": "r", "branch": "b", "embed_model": None, "processes": 1, "cache": False}
    ragduck.prepare(source, store, **{**given, **options})
    return store


def execute(store: Path, *statements: str) -> None:
    with duckdb.connect(str(store)) as connection:
        for statement in statements:
            connection.execute(statement)


def change_text(source: Path) -> None:
    (source / "app/place.py").write_text(PLACE.replace("send_invoice", "send_receipt"), encoding="utf-8")


def rename_class(source: Path) -> None:
    (source / "app/ship.py").write_text(SHIP.replace("Shipping", "Delivery"), encoding="utf-8")


def move_file(source: Path) -> None:
    (source / "app/ship.py").rename(source / "app/zz_ship.py")


def delete_heading(source: Path) -> None:
    (source / "notes.md").write_text(NOTES.partition("## Paying")[0], encoding="utf-8")


def add_in_front(source: Path) -> None:
    (source / "aaa.md").write_text("# First\n\nBefore all others, place_order.\n", encoding="utf-8")


def replace_all(source: Path) -> None:
    shutil.rmtree(source / "app")
    (source / "notes.md").rename(source / "other.md")


def words_of(store: Path) -> set[tuple[Any, ...]]:
    """Return what the words of each chunk are made of."""
    with duckdb.connect(str(store), read_only=True) as connection:
        return set(
            connection.execute(
                "select node_id, text, element_type, element_name, signature, source_file from documents"
            ).fetchall()
        )


@pytest.mark.parametrize(
    "edit", [change_text, rename_class, move_file, delete_heading, add_in_front, replace_all]
)
def test_a_changed_store_has_the_words_of_a_fresh_one(
    source: Path, tmp_path: Path, taken: list[int], stored_rows: StoredRows, edit: Callable[[Path], None]
) -> None:
    store = prepared(source, tmp_path / "s.duckdb")
    before = words_of(store)
    edit(source)

    prepared(source, store)

    assert stored_rows(store) == stored_rows(prepared(source, tmp_path / "fresh.duckdb"))
    assert taken == [0, len(before & words_of(store)), 0]


def test_only_chunks_that_changed_are_read_for_their_words(
    source: Path, tmp_path: Path, taken: list[int]
) -> None:
    store = prepared(source, tmp_path / "s.duckdb")
    chunks = len(words_of(store))
    change_text(source)

    prepared(source, store)

    assert taken == [0, chunks - 1]


@pytest.mark.parametrize(
    "change",
    [
        "signature = 'Other'", "signature = null", "element_name = 'other'", "element_type = 'section'",
        "source_file = 'elsewhere/ship.py'", "text = text || ' more'", "kind = 'OTHER'",
    ],
)  # fmt: skip
def test_words_of_a_chunk_that_was_otherwise_are_not_taken(
    source: Path, tmp_path: Path, stored_rows: StoredRows, change: str
) -> None:
    store = prepared(source, tmp_path / "s.duckdb")
    changed = "select chunk_no from documents where element_name = 'Shipping'"
    execute(
        store,
        f"update fts_postings set tf_name = tf_name + 1 where chunk_no in ({changed})",  # and yet it adds up
        f"update fts_lengths set name = name + (select count(*) from fts_postings where chunk_no in ({changed})) "
        f"where chunk_no in ({changed})",
        f"update documents set {change} where chunk_no in ({changed})",
    )
    change_text(source)

    prepared(source, store)

    assert stored_rows(store) == stored_rows(prepared(source, tmp_path / "fresh.duckdb"))


def test_words_of_a_branch_that_is_kept_are_taken(
    source: Path, tmp_path: Path, taken: list[int], stored_rows: StoredRows
) -> None:
    store = prepared(source, tmp_path / "s.duckdb", branch="old")
    chunks = len(words_of(store))
    fresh = prepared(source, tmp_path / "fresh.duckdb", branch="old")
    change_text(source)

    prepared(source, store, branch="new")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(StoreBuilder, "_may_take_words", lambda builder: False)
        prepared(source, fresh, branch="new")
    assert stored_rows(store) == stored_rows(fresh)
    assert taken == [0, 0, chunks, 0]


def test_words_of_added_nodes_are_taken(
    source: Path, tmp_path: Path, taken: list[int], stored_rows: StoredRows
) -> None:
    store = prepared(source, tmp_path / "s.duckdb")
    chunks = len(words_of(store))
    notes = RagduckVectorStore(store, repo="notes")
    notes.add([TextNode(id_="one", text="Invoices of Zażółć"), TextNode(id_="two", text="place_order")])
    other = Path(shutil.copy(store, tmp_path / "other.duckdb"))
    change_text(source)

    prepared(source, store)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(StoreBuilder, "_may_take_words", lambda builder: False)
        prepared(source, other)
    assert stored_rows(store) == stored_rows(other)
    assert taken == [0, chunks, chunks + 1, 0]


@pytest.mark.parametrize(
    "spoil",
    [
        ["update ragduck_meta set value = '0' where key = 'tokenizer_version'"],
        ["update ragduck_meta set value = '0.0.1' where key = 'ragduck_version'"],
        ["delete from ragduck_meta where key = 'duckdb_version'"],
        ["alter table fts_postings rename to p", "create view fts_postings as from p"],
        ["drop table fts_lengths"],
    ],
)
def test_nothing_is_taken_from_a_store_that_another_version_wrote(
    source: Path, tmp_path: Path, taken: list[int], stored_rows: StoredRows, spoil: list[str]
) -> None:
    store = prepared(source, tmp_path / "s.duckdb")
    execute(store, *spoil)
    change_text(source)

    prepared(source, store)

    assert taken == [0, 0]
    assert stored_rows(store) == stored_rows(prepared(source, tmp_path / "fresh.duckdb"))


def test_nothing_is_taken_from_a_store_that_is_overwritten(
    source: Path, tmp_path: Path, taken: list[int], stored_rows: StoredRows
) -> None:
    store = prepared(source, tmp_path / "s.duckdb")
    execute(store, "update fts_postings set tf_content = 7")

    prepared(source, store, overwrite=True)

    assert taken == [0, 0]
    assert stored_rows(store) == stored_rows(prepared(source, tmp_path / "fresh.duckdb"))


def test_words_that_cannot_be_read_to_the_end_are_read_anew(
    source: Path, tmp_path: Path, taken: list[int], stored_rows: StoredRows
) -> None:
    store = prepared(source, tmp_path / "s.duckdb")
    execute(store, "alter table fts_lengths drop column path")
    change_text(source)

    prepared(source, store)

    assert taken == [0, 0]
    assert stored_rows(store) == stored_rows(prepared(source, tmp_path / "fresh.duckdb"))


@pytest.mark.parametrize(
    "spoil",
    [
        "insert into fts_lengths from fts_lengths",
        "insert into fts_postings from fts_postings",
        "delete from fts_postings",
        "delete from fts_lengths",
        "update fts_postings set tf_content = 7",
        "update fts_lengths set name = name + 1",
        "delete from fts_terms where term = 'order'",
        "update fts_terms set term = 'disorder' where term = 'order'",
        "insert into fts_terms from fts_terms",
    ],
)
def test_words_that_do_not_add_up_are_read_anew(
    source: Path, tmp_path: Path, stored_rows: StoredRows, spoil: str
) -> None:
    store = prepared(source, tmp_path / "s.duckdb")
    execute(store, spoil)
    change_text(source)

    prepared(source, store)

    assert stored_rows(store) == stored_rows(prepared(source, tmp_path / "fresh.duckdb"))


def test_a_change_to_how_words_are_cut_has_a_version_of_its_own() -> None:
    texts = sql_text("macros/01_terms.sql") + sql_text("build/08_fts_words.sql")

    found = blake2b(texts.encode(), digest_size=8).hexdigest()

    assert (TOKENIZER_VERSION, found) == (2, "8fc46c5e74e07deb"), (
        "raise TOKENIZER_VERSION if words are cut otherwise"
    )
