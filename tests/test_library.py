"""The Python interface: answers with their status, relaxed filters, source documents, texts, refusals."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest

import ragduck
from ragduck.embed.hashing import HashingEmbedder
from ragduck.errors import EmbeddingError, StoreError, UsageError
from ragduck.library import Store

SHOP = Path(__file__).parent / "data" / "shop"
RESULT_KEYS = {"node_id", "text", "metadata", "score", "score_type", "source_doc", "id", "location"}


@pytest.fixture(scope="module")
def path(shop_store: Path) -> Path:
    return shop_store


@pytest.fixture(scope="module")
def plain_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    store = tmp_path_factory.mktemp("library") / "plain.duckdb"
    ragduck.prepare(SHOP, store, repo="shop", branch="main", embed_model=None)
    return store


@pytest.fixture(scope="module")
def store(path: Path) -> Iterator[Store]:
    with ragduck.open(path) as opened:
        yield opened


@pytest.mark.parametrize("mode", ["hybrid", "semantic", "semantic_rerank", "bm25"])
def test_every_mode_returns_as_many_results_as_asked_for(store: Store, mode: Any) -> None:
    answer = store.search("where are invoices created", mode=mode, top_k=7)

    assert len(answer.results) == 7
    assert (answer.status.requested, answer.status.returned, answer.status.complete) == (7, 7, True)
    assert all(set(result) >= RESULT_KEYS for result in answer.results)


@pytest.mark.parametrize(
    ("settings", "score_type"),
    [
        ({}, "rrf"),
        ({"use_rrf": False}, "weighted"),
        ({"mode": "semantic"}, "cosine"),
        ({"mode": "semantic_rerank"}, "weighted"),
        ({"mode": "bm25"}, "ranked"),
        ({"mode": "bm25", "signals": False}, "bm25"),
        ({"mode": "semantic", "signals": True}, "ranked"),
    ],
)
def test_a_result_says_what_its_score_is(store: Store, settings: dict[str, Any], score_type: str) -> None:
    answer = store.search("invoice", **settings)

    assert {result["score_type"] for result in answer.results} == {score_type}


def test_the_status_says_how_many_chunks_qualify_when_too_few_do(store: Store) -> None:
    answer = store.search("invoice", mode="semantic", filters={"source_file": "README.md"}, top_k=50)

    assert not answer.status.complete
    assert answer.status.qualifying == answer.status.returned == len(answer.results) == 4


def test_filters_are_relaxed_in_the_order_given_until_enough_qualify(store: Store) -> None:
    filters = {"source_file": "README.md", "kind": "NOTHING", "data_type": "docs"}

    answer = store.search(
        "invoice", mode="semantic", filters=filters, relax=["kind", "source_file", "data_type"], top_k=10
    )

    assert answer.status.relaxed == ("kind", "source_file")
    assert {result["data_type"] for result in answer.results} == {"docs"}
    assert answer.status.complete


def test_nothing_is_relaxed_when_enough_qualify(store: Store) -> None:
    answer = store.search("invoice", filters={"data_type": "docs"}, relax=["data_type"], top_k=3)

    assert answer.status.relaxed == ()
    assert {result["data_type"] for result in answer.results} == {"docs"}


def test_a_field_that_is_no_filter_is_not_relaxed(store: Store) -> None:
    answer = store.search("invoice", filters={"kind": "NOTHING"}, relax=["schema"])

    assert (answer.status.relaxed, answer.results) == ((), ())


def test_an_unknown_field_cannot_be_relaxed(store: Store) -> None:
    with pytest.raises(UsageError, match="colour"):
        store.search("invoice", filters={"kind": "TABLE"}, relax=["colour"])


def test_source_documents_come_with_the_results_when_asked_for(store: Store) -> None:
    answer = store.search("place order", include_source_docs=True)

    for result in answer.results:
        lines = result["source_doc"]["text"].split("\n")
        assert result["source_doc"]["file_path"] == result["source_file"]
        assert "\n".join(lines[result["start_line"] - 1 : result["end_line"]]) == result["text"]


def test_source_documents_are_left_out_unless_asked_for(store: Store) -> None:
    assert {result["source_doc"] for result in store.search("place order").results} == {None}


def test_files_of_chunks_are_returned_once_each_in_the_order_of_the_chunks(path: Path, store: Store) -> None:
    chunks = store.sql(
        "select node_id, id, source_file from documents where source_file in ('README.md', 'docs/faktury.md') "
        "order by source_file desc, start_line"
    )

    by_node = ragduck.get_source_documents([chunk["node_id"] for chunk in chunks], path)
    by_id = ragduck.get_source_documents([chunk["id"] for chunk in chunks] + ["nothing"], path)

    assert [file["file_path"] for file in by_node] == ["docs/faktury.md", "README.md"]
    assert by_id == by_node
    assert set(by_node[0]) == {"doc_id", "file_path", "file_name", "text", "metadata"}


def test_no_chunks_have_no_files(path: Path) -> None:
    assert ragduck.get_source_documents([], path) == []


def test_hybrid_query_returns_the_results_of_a_search(path: Path, store: Store) -> None:
    expected = store.search("match a payment", top_k=5, include_source_docs=True).results

    found = ragduck.hybrid_query("match a payment", path, include_source_docs=True)

    assert found == [dict(result) for result in expected]


def test_the_unified_search_applies_filters_before_scoring(path: Path) -> None:
    answer = ragduck.search_unified_index(
        "invoice", 5, {"data_type": "db_code"}, oversample_factor=3, store=path
    )

    assert len(answer["results"]) == 5
    assert {result["data_type"] for result in answer["results"]} == {"db_code"}
    assert all(result["final_score"] == result["score"] for result in answer["results"])
    assert all(result["faiss_score"] == result["vector_score"] for result in answer["results"])


def test_the_unified_search_relaxes_and_says_so(path: Path) -> None:
    answer = ragduck.search_unified_index("invoice", 5, {"kind": "NOTHING"}, store=path, relax=["kind"])

    assert answer["status"]["relaxed"] == ["kind"]
    assert len(answer["results"]) == 5


def test_without_vectors_hybrid_answers_by_keyword_and_says_so(plain_path: Path) -> None:
    with ragduck.open(plain_path) as opened:
        answer = opened.search("where are invoices created")

    assert answer.mode == "bm25"
    assert answer.results
    assert "keyword only" in answer.status.notes[0]


UNKNOWN = "no word of the question is in the store"
NEAREST = ": the hits are the nearest by meaning alone"


@pytest.mark.parametrize(
    ("question", "settings", "notes"),
    [
        ("xylophone quasar", {}, (UNKNOWN + NEAREST,)),
        ("xylophone quasar", {"mode": "bm25"}, (UNKNOWN,)),
        ("xylophone quasar", {"mode": "semantic"}, ()),
        ("xylophone invoice", {}, ()),
        (
            "xylophone quasar",
            {"filters": {"kind": "TABLE"}},
            ("no word of the question is in what the filters leave" + NEAREST,),
        ),
        ("xylophone quasar", {"filters": {"kind": "NOTHING"}}, ()),
    ],
)
def test_a_question_of_unknown_words_is_told(
    store: Store, question: str, settings: dict[str, Any], notes: tuple[str, ...]
) -> None:
    assert store.search(question, **settings).status.notes == notes


@pytest.mark.parametrize("mode", ["semantic", "semantic_rerank"])
def test_without_vectors_a_search_by_meaning_is_refused(plain_path: Path, mode: Any) -> None:
    with ragduck.open(plain_path) as opened, pytest.raises(UsageError) as refused:
        opened.search("invoice", mode=mode)

    assert "bm25" in str(refused.value.hint)


def test_another_model_than_the_stores_is_refused(path: Path) -> None:
    with (
        ragduck.open(path, embed_model=HashingEmbedder(dimension=128)) as opened,
        pytest.raises(EmbeddingError, match="128"),
    ):
        opened.search("invoice")


def test_a_polish_question_finds_the_polish_document(store: Store) -> None:
    answer = store.search("jak wystawić fakturę za zamówienie", top_k=3)

    assert "docs/faktury.md" in {result["source_file"] for result in answer.results}


@pytest.mark.parametrize("question", ["Währung", "währung", "WAHRUNG", "ZamówienieImporter", "zamowienie"])
def test_identifiers_with_accents_are_found_with_and_without_them(store: Store, question: str) -> None:
    answer = store.search(question, mode="bm25", top_k=5)

    names = {result["source_file"] for result in answer.results}
    assert any("Währung" in name or "Zamówienie" in name or "zamowienia" in name for name in names)


def test_a_file_name_with_a_space_can_be_shown(store: Store) -> None:
    path = "src/Shop.Data/Repositories/Aged Receivables.cs"

    found = store.text_of(f"{path}:1-2")

    assert (found[0]["location"], found[0]["text"].count("\n")) == (f"{path}:1-2", 1)


@pytest.mark.parametrize("column", ["id", "node_id", "node_key", "cs_key", "db_key"])
def test_a_text_is_found_by_each_of_its_names(store: Store, column: str) -> None:
    chunk = store.sql(
        f"select {column} as key, text from documents where {column} is not null order by chunk_no"
    )[0]

    assert any(chunk["text"] in found["text"] for found in store.text_of(chunk["key"]))


def test_a_whole_file_is_shown_by_its_path(store: Store) -> None:
    found = store.text_of("README.md")

    assert found[0]["text"] == (SHOP / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "key", ["no such node", "README.md:0", "README.md:3-2", "README.md:9999", "", ":", "%", "a" * 9999]
)
def test_a_key_that_names_nothing_is_a_usage_error(store: Store, key: str) -> None:
    with pytest.raises(UsageError) as refused:
        store.text_of(key)

    assert refused.value.hint


@pytest.mark.parametrize(
    "settings",
    [
        {"query": ""},
        {"query": "  \n "},
        {"query": "?!"},
        {"query": "word " * 20_000},
        {"top_k": 0},
        {"top_k": -1},
        {"top_k": 10**9},
        {"mode": "fuzzy"},
        {"rrf_k": 0},
        {"vector_weight": 1.5},
        {"vector_weight": float("nan")},
        {"fts_top_k": 0},
        {"vector_top_k": -3},
        {"filters": {"colour": "red"}},
        {"filters": {"start_line": "x"}},
        {"nonsense": 1},
        {"alpha": float("nan")},
        {"beta": float("inf")},
    ],
    ids=str,
)
def test_a_question_out_of_bounds_is_refused_with_a_hint(store: Store, settings: dict[str, Any]) -> None:
    query = settings.pop("query", "invoice")

    with pytest.raises(UsageError) as refused:
        store.search(query, **settings)

    assert refused.value.hint


@pytest.mark.parametrize(
    "question",
    [
        "'",
        '"; drop table documents; --',
        "$query_text",
        "\0",
        "a\0b",
        "%s",
        "{}",
        "😀 invoice",
        "x" * 9_999,
        "\u200binvoice",
    ],
)
def test_any_question_is_only_text(store: Store, question: str) -> None:
    try:
        answer = store.search(question)
    except UsageError:
        return

    assert len(answer.results) <= 10


def test_a_missing_store_is_named_with_the_command_that_makes_one(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="there is no store") as refused:
        ragduck.open(tmp_path / "missing.duckdb")

    assert "ragduck prepare" in str(refused.value.hint)


@pytest.mark.parametrize("content", [b"", b"text", b"\0" * 10_000])
def test_a_file_that_is_no_store_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "s.duckdb").write_bytes(content)

    with pytest.raises(StoreError):
        ragduck.open(tmp_path / "s.duckdb")


def test_a_store_of_a_newer_schema_is_refused(path: Path, tmp_path: Path) -> None:
    copy = shutil.copy(path, tmp_path / "newer.duckdb")
    with duckdb.connect(str(copy)) as connection:
        connection.execute("update ragduck_meta set value = '99' where key = 'schema_version'")

    with pytest.raises(StoreError, match="99"):
        ragduck.open(copy)


def test_a_torn_store_is_refused_or_answers_with_an_error_of_ours(path: Path, tmp_path: Path) -> None:
    torn = tmp_path / "torn.duckdb"
    torn.write_bytes(path.read_bytes()[: path.stat().st_size // 2])

    with pytest.raises((StoreError, UsageError)), ragduck.open(torn) as opened:
        opened.search("invoice")


def test_an_open_store_can_be_closed_twice(path: Path) -> None:
    opened = ragduck.open(path)

    opened.close()
    opened.close()


@pytest.mark.parametrize(
    ("statement", "given"),
    [("select ? + 1 as n", [1]), ("select ? + ? as n", (1, 1)), ("select $a + 1 as n", {"a": 1})],
)
def test_values_are_bound_by_name_or_in_order(store: Store, statement: str, given: Any) -> None:
    assert store.sql(statement, given) == [{"n": 2}]


@pytest.mark.parametrize("given", ["1", 1, {1}])
def test_values_of_another_kind_are_refused(store: Store, given: Any) -> None:
    with pytest.raises(UsageError, match="parameters are a"):
        store.sql("select ?", given)


@pytest.mark.parametrize("given", [[], [1, 2], {"a": 1}, [object()]])
def test_values_that_do_not_fit_the_statement_are_refused(store: Store, given: Any) -> None:
    with pytest.raises(UsageError):
        store.sql("select ?", given)


@pytest.mark.parametrize(
    ("statement", "hint"),
    [
        ("select 1 from nowhere", "duckdb_tables()"),
        ("select nothing from documents", "duckdb_columns()"),
        ("select location from bm25('order', k := 1)", "duckdb_functions()"),
        ("select unknown_function(1)", "duckdb_functions()"),
        ("select location from hybrid('order')", "hybrid('…', null)"),
        ("select location from nearest('order')", "hybrid('…', null)"),
        ("selec 1", "one SELECT"),
        ("select 'a'::int", "try_cast"),
    ],
)
def test_a_statement_that_fails_is_told_where_to_look(store: Store, statement: str, hint: str) -> None:
    with pytest.raises(UsageError) as caught:
        store.sql(statement)

    assert hint in str(caught.value.hint)


def test_sql_takes_the_vector_of_a_question(store: Store) -> None:
    vector = HashingEmbedder().embed_query("invoice")

    (row,) = store.sql("select location from hybrid('invoice', $vector, top_k := 1)", {"vector": vector})
    (by_keyword,) = store.sql("select location from hybrid('invoice', null, top_k := 1)")

    assert row["location"] == store.search("invoice", top_k=1).results[0]["location"]
    assert by_keyword["location"]


def test_a_value_that_python_cannot_hold_is_told(store: Store) -> None:
    with pytest.raises(UsageError, match="too large to be shown"):
        store.sql("select interval '1000000000 months' as far")


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"query": None}, "the question is None"),
        ({"query": b"invoice"}, "the question is b'invoice'"),
        ({"top_k": "3"}, "top_k is '3'"),
        ({"top_k": 3.5}, "top_k is 3.5"),
        ({"top_k": True}, "top_k is True"),
        ({"vector_weight": "0.5"}, "vector_weight is '0.5'"),
        ({"signals": "off"}, "signals is 'off'"),
        ({"filters": ["kind=PROC"]}, r"filters are \['kind=PROC'\]"),
    ],
)
def test_a_value_of_another_type_is_named(shop_store: Path, settings: dict[str, Any], told: str) -> None:
    with ragduck.open(shop_store) as store, pytest.raises(UsageError, match=told):
        store.search(**{"query": "invoice", "mode": "bm25", **settings})


def test_a_closed_store_says_so(shop_store: Path) -> None:
    store = ragduck.open(shop_store)
    store.close()

    with pytest.raises(StoreError, match="is closed"):
        store.sql("select 1")
    with pytest.raises(StoreError, match="is closed"):
        store.search("invoice", mode="bm25")


def test_a_closed_store_says_so_to_who_checks_it_or_takes_tables(shop_store: Path) -> None:
    with ragduck.open(shop_store) as store:
        unread = store.arrow_batches("documents")

    with pytest.raises(StoreError, match="is closed"):
        store.check()
    with pytest.raises(StoreError, match="is closed"):
        store.arrow("nodes")
    with pytest.raises(StoreError, match="is closed"):
        unread.read_all()


@pytest.mark.parametrize(
    "written", ["./docs/faktury.md:1-3", "docs\\faktury.md:1-3", "docs//faktury.md:1-3", "faktury.md:1-3"]
)
def test_lines_are_found_however_the_path_is_written(shop_store: Path, written: str) -> None:
    with ragduck.open(shop_store) as store:
        (found,) = store.text_of(written)

    assert found["location"] == "docs/faktury.md:1-3"


def test_a_mistyped_key_is_answered_with_what_was_meant(shop_store: Path) -> None:
    with ragduck.open(shop_store) as store, pytest.raises(UsageError) as refused:
        store.text_of("dbo.Stock_Resrve")

    assert str(refused.value.hint).startswith("did you mean dbo.Stock_Reserve|PROC")


@pytest.mark.parametrize("wrong", [[float("nan")] * 64, [float("inf")] * 64, [0.5] * 63, [[0.5] * 64]])
@pytest.mark.parametrize("mode", ["hybrid", "semantic"])
def test_a_model_that_gives_no_vector_for_a_question_is_named(path: Path, wrong: Any, mode: Any) -> None:
    class Broken(HashingEmbedder):
        def embed_query(self, text: str) -> Any:
            return np.array(wrong, dtype=np.float32)

    with ragduck.open(path, embed_model=Broken()) as opened, pytest.raises(EmbeddingError, match="hashing"):
        opened.search("a question not asked before", mode=mode)


def test_duckdb_itself_opens_a_store_only_after_it_is_closed(path: Path, tmp_path: Path) -> None:
    own = Path(shutil.copy(path, tmp_path / "own.duckdb"))
    with ragduck.open(own) as opened:
        opened.sql("select 1")
        with pytest.raises(duckdb.ConnectionException, match="different configuration"):
            duckdb.connect(own, read_only=True)

    with duckdb.connect(own, read_only=True) as connection:
        assert connection.execute("select count(*) > 0 from nodes").fetchone() == (True,)
