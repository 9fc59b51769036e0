"""The historic unified index holds what the store holds, can be read back, and answers alike."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import faiss
import numpy as np
import pytest

import ragduck
from ragduck.embed.hashing import HashingEmbedder
from ragduck.errors import ForeignFileError, SourceError, UsageError
from ragduck.mirror import export_unified, read_unified, search_unified
from ragduck.mirror.unified_files import words_of

FILES = {
    "unified_index.faiss", "unified_metadata.json", "manifest.json", "tf_vocab.json", "tf_index_meta.json",
    "tf_offsets.npy", "tf_doc_ids.npy", "tf_tfs.npy", "tf_df.npy", "tf_doc_len.npy",
}  # fmt: skip


@pytest.fixture(scope="module")
def folder(shop_store: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The unified index of the sample shop; not to be changed."""
    place = tmp_path_factory.mktemp("unified") / "shop"
    export_unified(shop_store, place)
    return place


@pytest.fixture
def copied(folder: Path, tmp_path: Path) -> Path:
    """A copy whose manifest tells no hashes, as historic ones do."""
    place = tmp_path / "copy"
    place.mkdir()
    for path in folder.iterdir():
        (place / path.name).write_bytes(path.read_bytes())
    (place / "manifest.json").write_text('{"format": "unified_index_manifest_v1"}')
    return place


def test_the_folder_holds_the_historic_files(folder: Path) -> None:
    assert {path.name for path in folder.iterdir()} == FILES


def test_row_n_of_the_index_is_entry_n_of_the_metadata(folder: Path, shop_store: Path) -> None:
    index = faiss.read_index(str(folder / "unified_index.faiss"))
    metadata = json.loads((folder / "unified_metadata.json").read_text())

    with ragduck.open(shop_store) as store:
        rows = store.sql("select id, embedding from documents where embedding is not null order by chunk_no")
    assert isinstance(index, faiss.IndexFlatIP)
    assert [row["id"] for row in metadata] == [row["id"] for row in rows]
    assert np.array_equal(index.reconstruct_n(0, index.ntotal), np.array([row["embedding"] for row in rows]))


def test_rows_have_the_fields_of_the_design(folder: Path) -> None:
    metadata = json.loads((folder / "unified_metadata.json").read_text())
    procedure = next(row for row in metadata if row.get("kind") == "Procedure")
    method = next(row for row in metadata if row.get("member"))

    common = {
        "id",
        "local_id",
        "data_type",
        "file_type",
        "source_file",
        "chunk_part",
        "chunk_total",
        "repo",
        "branch",
    }
    assert common | {"kind", "schema", "name", "db_key", "importance_score"} <= procedure.keys()
    assert common | {"class", "member", "cs_key"} <= method.keys()
    assert procedure["data_type"] == "db_code"


def test_term_counts_are_those_of_the_texts(folder: Path) -> None:
    unified = read_unified(folder)

    assert unified.terms is not None
    counted = [Counter(words_of(row["text"])) for row in unified.rows]
    for word in ("invoice", "select", "the"):
        number = unified.terms.vocabulary[word]
        run = slice(unified.terms.offsets[number], unified.terms.offsets[number + 1])
        stored = dict(zip(unified.terms.doc_ids[run].tolist(), unified.terms.tfs[run].tolist(), strict=True))
        assert stored == {place: words[word] for place, words in enumerate(counted) if word in words}
    assert unified.terms.doc_len.tolist() == [words.total() for words in counted]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("OrderService.Place", ["orderservice", "order", "service", "place"]),
        ("dbo.Order_InsertAll", ["dbo", "order_insertall", "order_insert", "all"]),
        ("a b1 HTTPServer", ["b1", "httpserver"]),
        ("żółw", []),
    ],
)
def test_words_are_identifiers_and_their_camel_parts(text: str, words: list[str]) -> None:
    assert list(words_of(text)) == words


def test_what_is_written_is_read_back(folder: Path, shop_store: Path) -> None:
    unified = read_unified(folder)

    with ragduck.open(shop_store) as store:
        rows = store.sql(
            "select text, embedding from documents where embedding is not null order by chunk_no"
        )
    assert [row["text"] for row in unified.rows] == [row["text"] for row in rows]
    assert np.array_equal(unified.vectors, np.array([row["embedding"] for row in rows], dtype=np.float32))
    assert [branch["branch_name"] for branch in unified.manifest["branches"]] == ["main"]


@pytest.mark.parametrize(
    "filters",
    [{}, {"data_type": ["db_code"]}, {"kind": ["Procedure"], "schema": "dbo"}, {"name_prefix": "Invoice"}],
)
def test_a_search_by_vector_answers_as_the_store(
    folder: Path, shop_store: Path, filters: dict[str, Any]
) -> None:
    question = "where are invoices created"
    with ragduck.open(shop_store, faiss="off") as store:
        exact = store.search(question, mode="semantic", filters=filters)

    found = search_unified(folder, vector=HashingEmbedder().embed_query(question), filters=filters)

    assert [result["id"] for result in found] == [result["id"] for result in exact.results]
    assert [result["score"] for result in found] == pytest.approx(
        [r["score"] for r in exact.results], abs=1e-6
    )


def test_a_search_by_words_finds_the_rows_that_hold_them(folder: Path) -> None:
    found = search_unified(folder, text="Invoice_Create", top_k=5)

    assert found
    assert all("invoice_create" in result["text"].lower() for result in found)
    assert [result["score"] for result in found] == sorted((r["score"] for r in found), reverse=True)


def test_a_filter_that_rows_cannot_answer_is_refused(folder: Path) -> None:
    with pytest.raises(UsageError, match="cannot be filtered by 'reads_from'"):
        search_unified(folder, text="invoice", filters={"reads_from": "dbo.Order"})


def test_a_vector_of_another_length_is_refused(folder: Path) -> None:
    with pytest.raises(UsageError, match="holds 64 dimensions"):
        search_unified(folder, vector=np.zeros(3, dtype=np.float32))


def test_a_folder_with_other_files_is_left_alone(shop_store: Path, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("dear")

    with pytest.raises(ForeignFileError):
        export_unified(shop_store, tmp_path)


def shorten(folder: Path, name: str) -> None:
    (folder / name).write_bytes((folder / name).read_bytes()[:-8])


def drop_a_row(folder: Path) -> None:
    rows = json.loads((folder / "unified_metadata.json").read_text())
    (folder / "unified_metadata.json").write_text(json.dumps(rows[:-1]))


def point_outside(folder: Path) -> None:
    values = np.load(folder / "tf_doc_ids.npy")
    values[0] = 10**6
    np.save(folder / "tf_doc_ids.npy", values)


def turn_offsets(folder: Path) -> None:
    np.save(folder / "tf_offsets.npy", np.load(folder / "tf_offsets.npy")[::-1])


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (lambda folder: shorten(folder, "unified_index.faiss"), "has not the size that its header says"),
        (
            lambda folder: (folder / "unified_index.faiss").write_bytes(b"IHNf" + bytes(100)),
            "is no flat index",
        ),
        (drop_a_row, "unified_metadata.json"),
        (lambda folder: (folder / "unified_metadata.json").write_text("[" * 10_000), "is no JSON"),
        (lambda folder: shorten(folder, "tf_tfs.npy"), "tf_tfs.npy is no array"),
        (point_outside, "tf_doc_ids.npy does not fit"),
        (turn_offsets, "tf_offsets.npy does not fit"),
        (lambda folder: (folder / "tf_df.npy").unlink(), "tf_df.npy is missing"),
        (lambda folder: (folder / "tf_vocab.json").write_text('{"a": true}'), "tf_vocab.json does not fit"),
    ],
)
def test_files_that_do_not_fit_are_refused(
    copied: Path, damage: Callable[[Path], object], reason: str
) -> None:
    damage(copied)

    with pytest.raises(SourceError, match="is no unified index that can be read") as refused:
        read_unified(copied)

    assert reason in refused.value.message


def test_a_file_with_another_hash_than_recorded_is_refused(folder: Path, tmp_path: Path) -> None:
    for path in folder.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    content = bytearray((tmp_path / "unified_index.faiss").read_bytes())
    content[-1] ^= 1
    (tmp_path / "unified_index.faiss").write_bytes(content)

    with pytest.raises(SourceError, match="sha256 differs"):
        read_unified(tmp_path)


def test_an_index_without_term_counts_and_manifest_can_be_read(copied: Path) -> None:
    for path in (*copied.glob("tf_*"), copied / "manifest.json"):
        path.unlink()

    unified = read_unified(copied)

    assert unified.terms is None
    assert len(unified.rows) == len(unified.vectors)
    with pytest.raises(UsageError, match="no term counts"):
        search_unified(unified, text="invoice")
