"""Each check finds the damage it is named for, and no other check fires."""

from __future__ import annotations

import shutil
from pathlib import Path

import duckdb
import pytest

import ragduck
from ragduck.resources import for_dimension, resource_folder, sql_text
from ragduck.store import open_database
from ragduck.store.checks import MAX_ROWS, CheckResult, run_checks

# Check by check, what is done to the sample shop's store.
DAMAGES: dict[str, tuple[str, ...]] = {
    "chunk_order": ("update documents set chunk_no = 3 - chunk_no where chunk_no in (1, 2)",),
    "chunk_parts": ("update documents set chunk_total = chunk_total + 1 where chunk_no = 5",),
    "duplicate_ids": ("update documents set id = 'twice:part=0' where chunk_no in (1, 2)",),
    "embedding_contents": ("update documents set content_hash = 'shared' where chunk_no in (1, 2)",),
    "embedding_dimension": ("update ragduck_meta set value = '128' where key = 'embedding_dimensions'",),
    "embedding_length": (
        "update documents set embedding = list_transform(embedding::float[], lambda x: x * 1.01)::float[64] "
        "where chunk_no = 1",
    ),
    "embedding_missing": ("update documents set embedding = null, sign_0 = null where chunk_no = 1",),
    "embedding_signs": ("update documents set sign_0 = ~sign_0 where chunk_no = 1",),
    "embedding_unwanted": ("update documents set file_class = 'vendored' where chunk_no = 1",),
    "fts_averages": ("update fts_fields set avg_length = avg_length + 0.00002 where field = 'content'",),
    "fts_lengths": ("update fts_lengths set content = content + chunk_no * 2 - 3 where chunk_no in (1, 2)",),
    "fts_order": (
        "create table by_chunk as from fts_postings order by chunk_no, term_key",
        "delete from fts_postings",
        "insert into fts_postings from by_chunk",
    ),
    "fts_terms": ("update fts_terms set chunks = chunks + 1 where term = 'invoice'",),
    "fts_unknown_chunks": (
        "update fts_postings set chunk_no = 1000000 where chunk_no = (select max(chunk_no) from documents)",
        "update fts_lengths set chunk_no = 1000000 where chunk_no = (select max(chunk_no) from documents)",
    ),
    "fts_weights": ("update fts_postings set weight = weight * 1.001 where chunk_no = 7 and tf_name > 0",),
    "graph_chunks": (
        "update documents set node_key = 'csharp:Ghost|TYPE' where chunk_no = ("
        "  select min(chunk_no) from documents where data_type <> 'docs')",
    ),
    "graph_ends": (
        "update edges set to_key = 'dbo.Elsewhere|TABLE' "
        "where edge_no = (select min(edge_no) from edges where relation = 'Uses')",
    ),
    "graph_lines": (
        "update nodes set end_line = 100000 where node_id = (select min(node_id) from nodes where kind = 'FIELD')",
    ),
    "graph_links": (
        "update links set neighbour_id = node_id where node_id = (select min(node_id) from links) and place = 1",
    ),
    "graph_lists": ("update documents set reads_from = ['dbo.Ghost|TABLE'] where chunk_no = 3",),
    "graph_order": ("update edges set edge_no = -1 where edge_no = 1",),
    "history_ids": (
        "insert into pipeline_runs values ('r', 's', null, 'base', 'q', now(), 1, 'answered', null, null, '{}')",
        "insert into pipeline_runs from pipeline_runs",
    ),
    "history_sessions": ("insert into conversations values ('s', 'title', now(), now(), 1)",),
    "history_steps": (
        "insert into pipeline_steps "
        "values ('r', 1, 'search', 'search_nodes', 0, 1, '{}', '{}', null, null, 0, 0, [], null)",
    ),
    "history_summaries": ("insert into history_summaries values ('s', 1, 't', 'text', 'q', now(), null)",),
    "known_values": ("update documents set data_type = 'prose' where chunk_no = 3",),
    "line_ranges": ("update documents set text = replace(text, 'e', 'E') where chunk_no = 3",),
    "metadata_counts": ("update embedding_metadata set value = '1' where key = 'total_chunks'",),
    "metadata_keys": ("delete from ragduck_meta where key = 'tokenizer_version'",),
    "orphan_chunks": ("update documents set doc_id = 'nowhere' where chunk_no = 3",),
    "overlapping_chunks": (
        "update documents set start_line = 4, text = ("
        "  select array_to_string(string_split(source.text, chr(10))[4:end_line], chr(10))"
        "  from source_documents as source where source.doc_id = documents.doc_id"
        ") where chunk_no = 4",
    ),
    "signal_rows": ("delete from chunk_signals where file_no = 1",),
    "snapshot_counts": ("update snapshots set files = files - 1",),
    "vectors_fingerprint": ("update ragduck_meta set value = 'other' where key = 'vectors_fingerprint'",),
}
# Weights follow from lengths, and the fingerprint from all that a vector belongs to.
ALSO_FOUND_BY = {
    "fts_lengths": {"fts_weights"},
    "chunk_order": {"vectors_fingerprint"},
    "embedding_contents": {"vectors_fingerprint"},
    "embedding_dimension": {"vectors_fingerprint"},
    "embedding_missing": {"vectors_fingerprint"},
}


def damaged(store: Path, folder: Path, *statements: str) -> Path:
    copy = folder / "damaged.duckdb"
    shutil.copy(store, copy)
    with duckdb.connect(str(copy)) as connection:
        for statement in statements:
            connection.execute(statement)
    return copy


def failed_checks(store: Path) -> dict[str, CheckResult]:
    with open_database(store) as database:
        return {result.name: result for result in run_checks(database) if not result.passed}


def test_nothing_is_wrong_with_the_sample_shop(shop_store: Path) -> None:
    assert failed_checks(shop_store) == {}


def test_nothing_is_wrong_with_a_store_without_vectors(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    (source / "a.py").write_text("def place_order():\n    pass\n", encoding="utf-8")
    ragduck.prepare(source, tmp_path / "plain.duckdb", embed_model=None)

    assert failed_checks(tmp_path / "plain.duckdb") == {}


@pytest.mark.parametrize("dimension", [5, 128, 129, 400])
def test_nothing_is_wrong_whatever_the_number_of_sign_columns(tmp_path: Path, dimension: int) -> None:
    source = tmp_path / "source"
    source.mkdir()
    (source / "a.py").write_text("def place_order():\n    pass\n", encoding="utf-8")
    ragduck.prepare(source, tmp_path / "wide.duckdb", embed_model=f"hashing:{dimension}")

    assert failed_checks(tmp_path / "wide.duckdb") == {}


def test_a_wrong_bit_in_the_last_sign_column_is_found(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    (source / "a.py").write_text("def place_order():\n    pass\n", encoding="utf-8")
    ragduck.prepare(source, tmp_path / "wide.duckdb", embed_model="hashing:400")

    store = damaged(tmp_path / "wide.duckdb", tmp_path, "update documents set sign_3 = ~sign_3")

    assert list(failed_checks(store)) == ["embedding_signs"]


@pytest.mark.parametrize("name", DAMAGES)
def test_damage_is_found_by_its_check_alone(shop_store: Path, tmp_path: Path, name: str) -> None:
    store = damaged(shop_store, tmp_path, *DAMAGES[name])

    assert set(failed_checks(store)) == {name} | ALSO_FOUND_BY.get(name, set())


def test_every_check_has_a_damage_that_shows_it_works() -> None:
    names = {path.stem for path in (resource_folder("sql") / "checks").glob("*.sql")}

    assert names == set(DAMAGES)


@pytest.mark.parametrize(
    ("statement", "name"),
    [
        ("delete from source_documents where file_path = 'README.md'", "orphan_chunks"),
        ("update documents set source_file = 'elsewhere.md' where chunk_no = 3", "orphan_chunks"),
        ("update documents set end_line = end_line + 1 where chunk_no = 6", "line_ranges"),
        ("update documents set start_line = 0, end_line = 3 where chunk_no = 3", "line_ranges"),
        ("update documents set end_line = 1000, start_line = 990 where chunk_no = 6", "line_ranges"),
        ("update documents set chunk_no = chunk_no + 1", "chunk_order"),
        ("update documents set chunk_part = 1 where chunk_no = 1", "chunk_parts"),
        ("update documents set id = 'no part' where chunk_no = 1", "chunk_parts"),
        ("delete from ragduck_meta where key = 'embedding_dimensions'", "embedding_dimension"),
        ("alter table documents add column sign_1 ubigint", "embedding_dimension"),
        ("update documents set sign_0 = null where chunk_no = 1", "embedding_signs"),
        (
            "update documents set embedding = "
            "list_transform(embedding::float[], lambda x: 'nan'::float)::float[64] where chunk_no = 1",
            "embedding_length",
        ),
        ("update source_documents set file_class = 'prose' where file_path = 'README.md'", "known_values"),
        ("delete from snapshots", "snapshot_counts"),
        ("update snapshots set branch = 'other'", "snapshot_counts"),
        ("delete from fts_postings where chunk_no = 3", "fts_lengths"),
        ("delete from fts_postings where chunk_no = 3", "fts_terms"),
        ("insert into fts_postings from fts_postings", "fts_order"),
        ("delete from fts_terms where term = 'invoice'", "fts_terms"),
        ("insert into fts_terms values (1, 'stray', 1, 1.0)", "fts_terms"),
        ("update fts_terms set idf = idf * 1.0001 where term = 'invoice'", "fts_terms"),
        ("update fts_terms set term = 'invoices' where term = 'invoice'", "fts_terms"),
        ("update fts_postings set weight = 'nan'::float where chunk_no = 7", "fts_weights"),
        ("update ragduck_meta set value = '2.0' where key = 'bm25_k1'", "fts_weights"),
        ("delete from fts_fields where field = 'path'", "fts_averages"),
        ("delete from embedding_metadata", "metadata_keys"),
        ("update ragduck_meta set value = null where key = 'model_key'", "metadata_keys"),
    ],
)
def test_a_check_finds_each_form_of_its_damage(
    shop_store: Path, tmp_path: Path, statement: str, name: str
) -> None:
    store = damaged(shop_store, tmp_path, statement)

    with open_database(store) as database:
        assert database.rows(for_dimension(sql_text(f"checks/{name}.sql"), 64))


def test_a_check_that_cannot_run_fails_with_the_reason_and_the_others_run(
    shop_store: Path, tmp_path: Path
) -> None:
    store = damaged(shop_store, tmp_path, "drop table fts_lengths")

    failed = failed_checks(store)

    assert set(failed) == {"fts_lengths", "fts_averages", "fts_weights"}
    assert "fts_lengths" in failed["fts_averages"].rows[0]["error"]


def test_many_wrong_rows_are_counted_and_the_first_are_shown(shop_store: Path, tmp_path: Path) -> None:
    store = damaged(shop_store, tmp_path, "update documents set chunk_no = chunk_no + 1")

    result = failed_checks(store)["chunk_order"]

    assert result.count > 300
    assert [row["expected"] for row in result.rows] == list(range(1, MAX_ROWS + 1))


def test_a_check_is_described_by_one_sentence(shop_store: Path) -> None:
    with open_database(shop_store) as database:
        descriptions = [result.description for result in run_checks(database)]

    assert all(line[0].isupper() and line.endswith(".") and len(line) > 20 for line in descriptions)
