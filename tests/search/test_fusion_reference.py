"""Every mode ranks as a plain Python version over the stored rows and vectors does; results are reproducible."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ragduck
from ragduck.embed.hashing import HashingEmbedder
from ragduck.library import Store
from ragduck.store import Database

WORDS = [
    "invoice", "order", "place", "payment", "match", "customer", "stock", "dunning", "PlaceOrder", "total",
    "InvoiceService", "dbo.Invoice", "zamówienie", "Währung", "create", "table", "repository", "where", "price",
]  # fmt: skip
QUESTIONS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join)
FILTERS = st.sampled_from([
    {}, {"data_type": "db_code"}, {"file_class": ["source", "test"]}, {"kind": "METHOD"}, {"name": "nothing"},
    {"path_glob": "*.md"}, {"source_file": "README.md"},
])  # fmt: skip
TOP_K = st.sampled_from([1, 3, 10, 60, 500])
MODES = ("hybrid", "semantic", "semantic_rerank", "bm25")
Hits = list[tuple[int, float]]


class Reference:
    """The rows of a store and the plain Python of each mode."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.rows = {
            row["chunk_no"]: row
            for row in store.sql(
                "select chunk_no, node_id, importance_score, embedding, data_type, file_class, kind, name, "
                "source_file from documents order by chunk_no"
            )
        }

    def keyword_hits(self, question: str, filters: Mapping[str, Any], depth: int) -> Hits:
        found = self.store.sql("select chunk_no, score from bm25_scores($question)", {"question": question})
        return self.best({row["chunk_no"]: row["score"] for row in found}, filters, depth)

    def vector_hits(self, question: str, filters: Mapping[str, Any], depth: int) -> Hits:
        vector = HashingEmbedder().embed_query(question).tolist()
        found = self.store.sql(
            "select chunk_no, importance_score * array_inner_product(embedding, $vector::float[64])::double "
            "as score from documents where embedding is not null",
            {"vector": vector},
        )
        return self.best({row["chunk_no"]: row["score"] for row in found}, filters, depth)

    def best(self, scores: Mapping[int, float], filters: Mapping[str, Any], depth: int) -> Hits:
        allowed = [(no, score) for no, score in scores.items() if self.qualifies(no, filters)]
        return sorted(allowed, key=lambda hit: (-hit[1], hit[0]))[:depth]

    def qualifies(self, chunk_no: int, filters: Mapping[str, Any]) -> bool:
        row = self.rows[chunk_no]
        for field, value in filters.items():
            values = value if isinstance(value, list) else [value]
            if field == "path_glob":
                if not row["source_file"].endswith(value.removeprefix("*")):
                    return False
            elif row[field] not in values:
                return False
        return True

    def results(self, scores: Mapping[int, float], keyword: Hits, vector: Hits, top_k: int) -> Hits:
        """Order by score; ties go to the better rank by meaning, then by keyword, then to the first."""
        keyword_rank = {no: rank for rank, (no, _) in enumerate(keyword, start=1)}
        vector_rank = {no: rank for rank, (no, _) in enumerate(vector, start=1)}
        last = len(self.rows) + 1
        return sorted(
            scores.items(),
            key=lambda hit: (-hit[1], vector_rank.get(hit[0], last), keyword_rank.get(hit[0], last), hit[0]),
        )[:top_k]


def scaled(hits: Hits) -> dict[int, float]:
    """Scores from 0 for the last hit to 1 for the first."""
    low = min((score for _, score in hits), default=0.0)
    width = max((score for _, score in hits), default=0.0) - low
    return {no: (score - low) / width if width else 1.0 for no, score in hits}


@pytest.fixture(scope="module")
def store(shop_store: Path) -> Iterator[Store]:
    with ragduck.open(shop_store) as opened:
        yield opened


@pytest.fixture(scope="module")
def reference(store: Store) -> Reference:
    return Reference(store)


def found(answer: Any) -> list[tuple[str, float]]:
    return [(result["node_id"], result["score"]) for result in answer.results]


def assert_equal(answer: Any, expected: Hits, reference: Reference) -> None:
    assert [node for node, _ in found(answer)] == [reference.rows[no]["node_id"] for no, _ in expected]
    assert [score for _, score in found(answer)] == pytest.approx([score for _, score in expected], abs=1e-9)


def test_cosine_is_that_of_the_stored_vectors(reference: Reference) -> None:
    vector = HashingEmbedder().embed_query("place an order")

    hits = reference.vector_hits("place an order", {}, 10_000)

    stored = {
        no: np.dot(row["embedding"], vector) * row["importance_score"]
        for no, row in reference.rows.items()
        if row["embedding"] is not None
    }
    assert dict(hits) == pytest.approx(stored, abs=1e-6)


def test_semantic_equals_plain_cosine(store: Store, reference: Reference) -> None:
    @settings(deadline=None, max_examples=12)
    @given(QUESTIONS, FILTERS, TOP_K)
    def check(question: str, filters: dict[str, Any], top_k: int) -> None:
        hits = reference.vector_hits(question, filters, max(100, 2 * top_k))

        answer = store.search(question, mode="semantic", top_k=top_k, filters=filters)

        assert_equal(answer, reference.results(dict(hits), [], hits, top_k), reference)

    check()


def test_bm25_equals_the_sum_of_weights(store: Store, reference: Reference) -> None:
    @settings(deadline=None, max_examples=12)
    @given(QUESTIONS, FILTERS, TOP_K)
    def check(question: str, filters: dict[str, Any], top_k: int) -> None:
        hits = reference.keyword_hits(question, filters, max(100, 5 * top_k))

        answer = store.search(question, mode="bm25", top_k=top_k, filters=filters, signals=False)

        assert_equal(answer, reference.results(dict(hits), hits, [], top_k), reference)

    check()


def test_hybrid_equals_plain_reciprocal_rank_fusion(store: Store, reference: Reference) -> None:
    @settings(deadline=None, max_examples=20)
    @given(QUESTIONS, FILTERS, TOP_K, st.sampled_from([1, 60, 1000]), st.sampled_from([None, 1, 7, 200]))
    def check(question: str, filters: dict[str, Any], top_k: int, rrf_k: int, depth: int | None) -> None:
        keyword = reference.keyword_hits(question, filters, depth or max(100, 2 * top_k))
        vector = reference.vector_hits(question, filters, depth or max(100, 2 * top_k))
        scores: dict[int, float] = {}
        for hits in (keyword, vector):
            for rank, (no, _) in enumerate(hits, start=1):
                scores[no] = scores.get(no, 0.0) + 1 / (rrf_k + rank)

        answer = store.search(
            question,
            top_k=top_k,
            filters=filters,
            signals=False,
            rrf_k=rrf_k,
            fts_top_k=depth,
            vector_top_k=depth,
        )

        assert_equal(answer, reference.results(scores, keyword, vector, top_k), reference)
        assert {result["score_type"] for result in answer.results} <= {"rrf"}

    check()


def test_weighted_fusion_equals_plain_python(store: Store, reference: Reference) -> None:
    @settings(deadline=None, max_examples=20)
    @given(QUESTIONS, FILTERS, TOP_K, st.sampled_from([0.0, 0.3, 0.5, 1.0]))
    def check(question: str, filters: dict[str, Any], top_k: int, weight: float) -> None:
        keyword = reference.keyword_hits(question, filters, max(100, 2 * top_k))
        vector = reference.vector_hits(question, filters, max(100, 2 * top_k))
        of_vector, of_keyword = scaled(vector), scaled(keyword)
        scores = {
            no: weight * of_vector.get(no, 0.0) + (1 - weight) * of_keyword.get(no, 0.0)
            for no in of_vector | of_keyword
        }

        answer = store.search(question, top_k=top_k, filters=filters, use_rrf=False, vector_weight=weight)

        expected = reference.results(scores, keyword, vector, top_k)
        assert [score for _, score in found(answer)] == pytest.approx([s for _, s in expected], abs=1e-9)
        assert_same_order_but_for_near_ties(answer, expected, reference)
        assert {result["score_type"] for result in answer.results} <= {"weighted"}

    check()


def assert_same_order_but_for_near_ties(answer: Any, expected: Hits, reference: Reference) -> None:
    """Sums that differ in their last bits may stand in either order."""
    scores = {reference.rows[no]["node_id"]: score for no, score in expected}
    last = expected[-1][1] if expected else 0.0

    assert all(abs(scores.get(node, last) - score) < 1e-9 for node, score in found(answer))


def test_semantic_rerank_equals_plain_python(store: Store, reference: Reference) -> None:
    @settings(deadline=None, max_examples=20)
    @given(QUESTIONS, FILTERS, TOP_K, st.sampled_from([(0.7, 0.3), (1.0, 0.0), (0.0, 1.0)]))
    def check(question: str, filters: dict[str, Any], top_k: int, weights: tuple[float, float]) -> None:
        alpha, beta = weights
        pool = reference.vector_hits(question, filters, max(50, 3 * top_k))
        in_pool = {no for no, _ in pool}
        keyword = [hit for hit in reference.keyword_hits(question, {}, 10_000) if hit[0] in in_pool]
        best = max((score for _, score in keyword), default=1.0)
        relative = {no: score / best for no, score in keyword}
        scores = {no: alpha * cosine + beta * relative.get(no, 0.0) for no, cosine in pool}

        answer = store.search(
            question, mode="semantic_rerank", top_k=top_k, filters=filters, alpha=alpha, beta=beta
        )

        expected = reference.results(scores, keyword, pool, top_k)
        assert [score for _, score in found(answer)] == pytest.approx([s for _, s in expected], abs=1e-9)
        assert_same_order_but_for_near_ties(answer, expected, reference)

    check()


@pytest.mark.parametrize("mode", MODES)
def test_results_stand_in_total_order(store: Store, mode: Any) -> None:
    results = store.search("invoice order", mode=mode, top_k=500).results

    keys = [
        (-r["score"], r["vector_rank"] or 10**9, r["bm25_rank"] or 10**9, r["source_file"], r["start_line"])
        for r in results
    ]
    assert keys == sorted(keys)
    assert len({r["node_id"] for r in results}) == len(results)


@pytest.mark.parametrize("mode", MODES)
def test_a_second_call_gives_the_same_results(store: Store, mode: Any) -> None:
    first = store.search("where are invoices created", mode=mode, top_k=100)
    second = store.search("where are invoices created", mode=mode, top_k=100)

    assert first == second


@pytest.mark.parametrize("mode", MODES)
def test_a_file_opened_again_gives_the_same_results(shop_store: Path, tmp_path: Path, mode: Any) -> None:
    copy = shutil.copy(shop_store, tmp_path / "copy.duckdb")

    def ask() -> Any:
        with ragduck.open(copy) as opened:
            return opened.search("where are invoices created", mode=mode, top_k=100)

    assert ask() == ask()


@pytest.mark.parametrize("mode", MODES)
def test_the_number_of_threads_does_not_change_the_results(
    shop_store: Path, tmp_path: Path, mode: Any
) -> None:
    copy = Path(shutil.copy(shop_store, tmp_path / "copy.duckdb"))

    def ask(threads: int) -> Any:
        connection = duckdb.connect(str(copy), read_only=True, config={"threads": threads})
        with Store(Database(connection, copy)) as opened:
            return opened.search("where are invoices created", mode=mode, top_k=100)

    assert ask(1) == ask(2)


@pytest.fixture(scope="module")
def store_with_signs(shop_store: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """The sample shop as if it were large: sign bits are scanned first, with more candidates than it has chunks."""
    copy = tmp_path_factory.mktemp("signs") / "signs.duckdb"
    shutil.copy(shop_store, copy)
    with duckdb.connect(str(copy)) as connection:
        connection.execute("update ragduck_meta set value = '500' where key = 'vector_candidates'")
        connection.execute("update ragduck_meta set value = 'signs' where key = 'vector_scan'")
    with ragduck.open(copy) as opened:
        yield opened


@pytest.mark.parametrize("mode", ["hybrid", "semantic", "semantic_rerank"])
def test_scanning_sign_bits_first_finds_the_same_when_all_are_candidates(
    store: Store, store_with_signs: Store, mode: Any
) -> None:
    @settings(deadline=None, max_examples=12)
    @given(QUESTIONS, FILTERS)
    def check(question: str, filters: dict[str, Any]) -> None:
        exact = store.search(question, mode=mode, filters=filters)
        coarse = store_with_signs.search(question, mode=mode, filters=filters)

        assert found(coarse) == found(exact)

    check()


def twins(text: str) -> Callable[[Path], None]:
    """Write one text into three files."""

    def write(folder: Path) -> None:
        for name in ("c.py", "a.py", "b.py"):
            (folder / name).write_text(text, encoding="utf-8")

    return write


@pytest.mark.parametrize("mode", MODES)
def test_equal_chunks_come_in_order_of_their_paths(tmp_path: Path, mode: Any) -> None:
    source = tmp_path / "source"
    source.mkdir()
    twins("def place_order(customer):\n    return customer.order\n")(source)
    ragduck.prepare(source, tmp_path / "twins.duckdb", embed_model="hashing")

    with ragduck.open(tmp_path / "twins.duckdb") as opened:
        answer = opened.search("customer order", mode=mode)

    assert [result["source_file"] for result in answer.results] == ["a.py", "b.py", "c.py"]


def test_a_question_without_a_known_word_finds_nothing_by_keyword(store: Store) -> None:
    answer = store.search("qwertzuiop", mode="bm25")

    assert answer.results == ()
    assert not answer.status.complete
