"""The ranking by signals equals a plain Python version of it, and the stored macro hybrid() gives the same."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import ragduck
from ragduck.embed.hashing import HashingEmbedder
from ragduck.library import Store

STOP_WORDS = {"where", "is", "the", "by"}
PLAIN = [
    "invoice", "service", "order", "place", "payment", "customer", "stock", "dunning", "total",
    "repository", "services", "tests", "testing", "migrations", "generated", "importing", "zamówienie",
    "Währung", "nothing_alike",
    *sorted(STOP_WORDS),
]  # fmt: skip
NAMES = [
    "PlaceOrder", "InvoiceService", "dbo.Invoice", "Order_Place", "PaymentMatcher", "fn_LineAmount", "StockLevel",
    "ZamówienieImporter", "ReadById", "InvoiceServiceTests", "AddDunning", "nothing_alike",
]  # fmt: skip
QUESTIONS = st.lists(st.sampled_from(PLAIN + NAMES), min_size=1, max_size=5).map(" ".join)
FILTERS = st.sampled_from([
    {}, {}, {"data_type": "db_code"}, {"file_class": ["source", "test"]}, {"kind": "METHOD"}, {"name": "nothing"},
    {"path_glob": "*.md"}, {"source_file": "README.md"},
])  # fmt: skip
TOP_K = st.sampled_from([1, 3, 10, 60, 500])
SHARES = st.floats(0, 1)
WEIGHTS = st.floats(0, 4) | st.just(0.0)
PARAMETERS: Mapping[str, st.SearchStrategy[float]] = {
    "rrf_k": st.sampled_from([0.0, 1.0, 20.0, 60.0, 1000.0]),
    "symbol_vector_weight": SHARES,
    "mixed_vector_weight": SHARES,
    "plain_vector_weight": SHARES,
    "first_place": WEIGHTS,
    "coverage": WEIGHTS,
    "min_coverage": st.sampled_from([0.0, 0.5, 0.9, 1.0, 2.0]),
    "coverage_terms": st.sampled_from([0.0, 1.0, 5.0]),
    "quoted": WEIGHTS,
    "definition": WEIGHTS,
    "other_case": WEIGHTS,
    "mixed_definition": WEIGHTS,
    "spelled_definition": WEIGHTS,
    "min_spelled": st.sampled_from([0.0, 0.5, 1.0, 2.0]),
    "member_definition": WEIGHTS,
    "packed_definition": WEIGHTS,
    "type_head": WEIGHTS,
    "file_name": WEIGHTS,
    "min_file_name": st.sampled_from([0.0, 0.3, 0.7, 1.0, 2.0]),
    "folder_name": WEIGHTS,
    "file_evidence": WEIGHTS,
    "file_evidence_half": st.floats(0.1, 10),
    "file_vector_weight": SHARES,
    "centrality": WEIGHTS,
    "loose_file": WEIGHTS,
    "test_penalty": WEIGHTS,
    "migration_penalty": WEIGHTS,
    "generated_penalty": WEIGHTS,
    "same_file": st.floats(0, 1.5),
}
CHANGES = st.just({}) | st.fixed_dictionaries({}, optional=dict(PARAMETERS))
MODES = ("hybrid", "bm25", "semantic")
ENDINGS = (
    "ations", "ation", "ings", "ing", "ers", "er", "ors", "or", "ies", "ied", "ed", "es", "e",
    "s", "y",
)  # fmt: skip
LAST = 10**9

Ranks = dict[int, int]


def folded(word: str) -> str:
    marks_apart = unicodedata.normalize("NFD", word.strip("_"))
    return "".join(each for each in marks_apart if not unicodedata.combining(each)).lower()


def parts_of(word: str) -> list[str]:
    humps = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", word)
    return [folded(part) for part in humps.split("_") if part]


def stem(term: str) -> str:
    for ending in sorted(ENDINGS, key=len, reverse=True):
        if term.endswith(ending) and len(term) - len(ending) >= 3:
            return term.removesuffix(ending)
    return term


def key(term: str) -> int:
    return int(hashlib.md5(term.encode()).hexdigest()[:15], 16)


def spelled_key(name: str) -> int:
    return key(folded(re.sub("[_ -]", "", name)))


def spelled_by(parts: list[str]) -> dict[int, float]:
    tells = [part not in STOP_WORDS for part in parts]
    return {
        spelled_key("".join(parts[first:end])): sum(tells[first:end]) / max(sum(tells), 1)
        for first in range(len(parts) if len(parts) <= 24 else 0)
        for end in range(first + 2, min(first + 8, len(parts)) + 1)
    }


@dataclass(frozen=True, slots=True)
class Asked:
    """What a question of the words above asks for; ``names`` are what a definition may be of.

    ``spelled`` has names that runs of words may spell out, with their shares of the telling words; that of one word
    is its own.
    """

    question_class: str
    names: set[int]
    spelled: Mapping[int, float]
    stems: set[int]
    terms: int

    @classmethod
    def of(cls, question: str) -> Asked:
        written = question.split()
        is_mixed = any(word in NAMES for word in written)
        words = [part for word in written for part in word.split(".")]
        wholes = [folded(word) for word in words]
        telling_wholes = [word for word in wholes if word not in STOP_WORDS] or wholes
        terms = set(wholes) | {part for word in words for part in parts_of(word)}
        telling = terms - STOP_WORDS or terms
        parts = [part for word in words for part in parts_of(word)]
        is_symbol = len(written) == 1
        return cls(
            "symbol" if is_symbol else "mixed" if is_mixed else "plain",
            {key(word) for word in (telling_wholes[-1:] if is_symbol else telling_wholes)},
            {spelled_key(telling_wholes[-1]): 1.0} if is_symbol else spelled_by(parts),
            {key(stem(term)) for term in telling},
            len(telling),
        )


@dataclass(slots=True)
class Hit:
    """A chunk on its way to a score."""

    chunk_no: int
    keyword_rank: int | None
    vector_rank: int | None
    terms: int = 0
    parts: dict[str, float] = field(default_factory=dict)
    evidence: float = 0.0

    @property
    def total(self) -> float:
        return sum(self.parts.values())

    @property
    def tie_break(self) -> tuple[int, int, int]:
        return (self.vector_rank or LAST, self.keyword_rank or LAST, self.chunk_no)


class Reference:
    """The signals of a store in memory, and the ranking as its parameters describe it."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.chunks = {
            row["chunk_no"]: row
            for row in store.sql(
                "select documents.*, signal.* exclude (chunk_no) from documents "
                "join chunk_signals as signal using (chunk_no)"
            )
        }
        self.files = {
            row["file_no"]: row
            for row in store.sql(
                "select distinct file_no, file_class, class_key, centrality, loose_chunks from chunk_signals"
            )
        }
        self.terms = store.sql("from file_terms")
        self.defaults: dict[str, float] = store.sql("select ranking() as weights")[0]["weights"]

    def keyword_ranks(self, question: str, filters: Mapping[str, Any], depth: int) -> Ranks:
        """Return the best chunks; what a qualified name names comes among them whatever its score."""
        found = self.store.sql("select chunk_no, score from bm25_scores($question)", {"question": question})
        asked = Asked.of(question)
        names = asked.names if asked.question_class == "symbol" and "." in question else set()
        return self.ranks(found, filters, depth, names)

    def add_terms(self, question: str, hits: list[Hit]) -> None:
        """Tell of each hit how many terms of the question it has."""
        found = self.store.sql(
            "select chunk_no, count(*) as terms from fts_postings "
            "join query_keys($question) using (term_key) group by chunk_no",
            {"question": question},
        )
        terms = {row["chunk_no"]: row["terms"] for row in found}
        for hit in hits:
            hit.terms = terms.get(hit.chunk_no, 0)

    def vector_ranks(self, question: str, filters: Mapping[str, Any], depth: int) -> Ranks:
        found = self.store.sql(
            "select chunk_no, importance_score * array_inner_product(embedding, $vector::float[64])::double "
            "as score from documents where embedding is not null",
            {"vector": HashingEmbedder().embed_query(question).tolist()},
        )
        return self.ranks(found, filters, depth)

    def ranks(
        self,
        found: list[dict[str, Any]],
        filters: Mapping[str, Any],
        depth: int,
        names: Collection[int] = (),
    ) -> Ranks:
        allowed = [row for row in found if self.qualifies(row["chunk_no"], filters)]
        best = sorted(allowed, key=lambda row: (-row["score"], row["chunk_no"]))
        best.sort(key=lambda row: self.chunks[row["chunk_no"]]["name_key"] not in names)
        best = sorted(best[:depth], key=lambda row: (-row["score"], row["chunk_no"]))
        return {row["chunk_no"]: rank for rank, row in enumerate(best, start=1)}

    def qualifies(self, chunk_no: int, filters: Mapping[str, Any]) -> bool:
        row = self.chunks[chunk_no]
        for name, value in filters.items():
            values = value if isinstance(value, list) else [value]
            if name == "path_glob":
                if not row["source_file"].endswith(value.removeprefix("*")):
                    return False
            elif row[name] not in values:
                return False
        return True

    def ranked(
        self,
        question: str,
        *,
        mode: str,
        filters: Mapping[str, Any],
        top_k: int,
        changes: Mapping[str, float],
        depth: int | None = None,
    ) -> list[Hit]:
        depth = depth or max(100, 2 * top_k)
        keyword = {} if mode == "semantic" else self.keyword_ranks(question, filters, depth)
        vector = {} if mode == "bm25" else self.vector_ranks(question, filters, depth)
        hits = [Hit(no, keyword.get(no), vector.get(no)) for no in keyword | vector]
        self.add_terms(question, hits)
        scoring = Scoring(self, Asked.of(question), {**self.defaults, **changes}, mode)
        scoring.score(hits)
        return sorted(hits, key=lambda hit: (-hit.total, *hit.tie_break))[:top_k]


@dataclass(frozen=True, slots=True)
class Scoring:
    """One question under one set of parameters."""

    reference: Reference
    asked: Asked
    weight: Mapping[str, float]
    mode: str

    def score(self, hits: list[Hit]) -> None:
        for hit in hits:
            self.add_own_parts(hit)
        files: dict[int, list[Hit]] = {}
        for hit in hits:
            files.setdefault(self.reference.chunks[hit.chunk_no]["file_no"], []).append(hit)
        for file_no, of_file in files.items():
            of_file.sort(key=lambda hit: (-hit.total, *hit.tie_break))
            evidence = sum(hit.evidence for hit in of_file)
            for place, hit in enumerate(of_file):
                hit.parts |= self.file_parts(file_no, evidence - hit.evidence)
                factor = self.weight["same_file"] ** place if hit.total > 0 else 1.0
                hit.parts["same_file"] = hit.total * (factor - 1)

    def add_own_parts(self, hit: Hit) -> None:
        """Add what a chunk gets for itself: its places, its name and whether it heads a type."""
        chunk = self.reference.chunks[hit.chunk_no]
        share = self.side_share(f"{self.asked.question_class}_vector_weight")
        evidence_share = self.side_share("file_vector_weight")
        hit.parts["bm25"] = (1 - share) * self.place(hit.keyword_rank, with_first=True)
        hit.parts["vector"] = share * self.place(hit.vector_rank, with_first=True)
        hit.parts["coverage"] = self.coverage(hit)
        hit.parts["definition"] = self.definition(chunk)
        hit.parts["type_head"] = self.weight["type_head"] if chunk["type_head"] else 0.0
        hit.evidence = (1 - evidence_share) * self.place(hit.keyword_rank, with_first=False)
        hit.evidence += evidence_share * self.place(hit.vector_rank, with_first=False)

    def side_share(self, parameter: str) -> float:
        return {"bm25": 0.0, "semantic": 1.0}.get(self.mode, self.weight[parameter])

    def place(self, rank: int | None, *, with_first: bool) -> float:
        """Worth of a place; that of the first is 1."""
        if rank is None:
            return 0.0
        bonus = self.weight["first_place"] if with_first and rank == 1 else 0.0
        return (self.weight["rrf_k"] + 1) / (self.weight["rrf_k"] + rank) + bonus

    def coverage(self, hit: Hit) -> float:
        share = hit.terms / self.asked.terms
        if self.asked.question_class == "symbol" or share < self.weight["min_coverage"]:
            return 0.0
        full = self.weight["coverage_terms"]
        length = min(max(self.asked.terms - 2, 0) / full, 1.0) if full else 1.0
        return self.weight["coverage"] * self.place(hit.keyword_rank, with_first=False) * length

    def definition(self, chunk: Mapping[str, Any]) -> float:
        return max(self.of_word(chunk), self.of_spelled_name(chunk))

    def of_spelled_name(self, chunk: Mapping[str, Any]) -> float:
        worth = self.weight["spelled_definition"]
        if self.asked.question_class == "symbol":
            worth = self.weight["definition"] * self.weight["other_case"]
        factor = self.weight["member_definition"] if chunk["is_member"] else 1.0
        own = self.share(chunk["spelled_key"]) * factor
        packed = max((self.share(each) for each in chunk["member_keys"] or ()), default=0.0)
        return worth * max(own, packed * self.weight["packed_definition"])

    def share(self, name: int) -> float:
        share = self.asked.spelled.get(name, 0.0)
        return share if share >= self.weight["min_spelled"] else 0.0

    def of_word(self, chunk: Mapping[str, Any]) -> float:
        if self.asked.question_class == "plain":
            return 0.0
        worth = self.weight["definition" if self.asked.question_class == "symbol" else "mixed_definition"]
        if chunk["name_key"] in self.asked.names:
            return worth * self.weight["member_definition"] if chunk["is_member"] else worth
        is_packed = not self.asked.names.isdisjoint(chunk["member_keys"] or ())
        return worth * self.weight["packed_definition"] if is_packed else 0.0

    def file_parts(self, file_no: int, evidence: float) -> dict[str, float]:
        """Return what every chunk of a file gets; ``evidence`` is that of its other chunks."""
        file = self.reference.files[file_no]
        named = [
            row
            for row in self.reference.terms
            if row["file_no"] == file_no and row["stem_key"] in self.asked.stems
        ]
        file_share = sum(row["file_share"] for row in named)
        rarity = sum(row["rarity"] for row in named if row["file_share"] > 0)
        counts = bool(named) and file_share >= self.weight["min_file_name"]
        if file["loose_chunks"] > self.weight["loose_file"]:
            evidence *= self.weight["loose_file"] / file["loose_chunks"]
        return {
            "file_name": self.weight["file_name"] * file_share * min(rarity, 1.0) if counts else 0.0,
            "folder_name": self.weight["folder_name"] * sum(row["folder_share"] for row in named),
            "file_evidence": self.weight["file_evidence"]
            * evidence
            / (evidence + self.weight["file_evidence_half"]),
            "centrality": self.weight["centrality"] * file["centrality"],
            "file_class": -self.penalty(file["file_class"]),
        }

    def penalty(self, file_class: str) -> float:
        if key(stem(file_class)) in self.asked.stems:
            return 0.0
        kind = "generated" if file_class == "vendored" else file_class
        return self.weight.get(f"{kind}_penalty", 0.0)


@pytest.fixture(scope="module")
def store(shop_store: Path) -> Iterator[Store]:
    with ragduck.open(shop_store) as opened:
        yield opened


@pytest.fixture(scope="module")
def reference(store: Store) -> Reference:
    return Reference(store)


def assert_equal(answer: Any, expected: list[Hit], reference: Reference) -> None:
    """Compare scores, their parts and the order; sums that differ in their last bits may stand in either order."""
    hits = {reference.chunks[hit.chunk_no]["node_id"]: hit for hit in expected}
    last = expected[-1].total if expected else 0.0
    totals = [hit.total for hit in expected]

    assert [result["score"] for result in answer.results] == pytest.approx(totals, rel=1e-9, abs=1e-12)
    for result, total in zip(answer.results, totals, strict=True):
        hit = hits.get(result["node_id"])
        assert (hit.total if hit else last) == pytest.approx(total, rel=1e-9, abs=1e-12)
        if hit:
            assert result["score_parts"] == pytest.approx(hit.parts, rel=1e-9, abs=1e-12)
            assert (result["bm25_rank"], result["vector_rank"]) == (hit.keyword_rank, hit.vector_rank)


@pytest.mark.parametrize("mode", MODES)
def test_ranking_equals_plain_python(store: Store, reference: Reference, mode: Any) -> None:
    @settings(deadline=None, max_examples=12)
    @given(QUESTIONS, FILTERS, TOP_K, CHANGES)
    @example("where is the", {}, 10, {})
    @example("where is the invoice service", {}, 10, {"min_spelled": 1.0, "type_head": 0.0})
    @example("place the invoice order by order place", {}, 60, {"min_spelled": 0.0, "member_definition": 0.1})
    @example("InvoiceServiceTests", {}, 10, {"test_penalty": 4.0})
    @example("invoice_service", {}, 10, {})
    @example("dbo.OrderPlace", {}, 10, {"min_spelled": 0.5, "definition": 4.0})
    @example(
        "order payment", {}, 500, {"test_penalty": 4.0, "migration_penalty": 4.0, "generated_penalty": 4.0}
    )
    def check(question: str, filters: dict[str, Any], top_k: int, changes: dict[str, float]) -> None:
        expected = reference.ranked(question, mode=mode, filters=filters, top_k=top_k, changes=changes)

        answer = store.search(
            question, mode=mode, top_k=top_k, filters=filters, signals=True, ranking=changes
        )

        assert_equal(answer, expected, reference)

    check()


def test_ranking_equals_plain_python_at_any_depth(store: Store, reference: Reference) -> None:
    @settings(deadline=None, max_examples=10)
    @given(QUESTIONS, st.sampled_from([1, 7, 400]), CHANGES)
    def check(question: str, depth: int, changes: dict[str, float]) -> None:
        expected = reference.ranked(
            question, mode="hybrid", filters={}, top_k=10, changes=changes, depth=depth
        )

        answer = store.search(question, fts_top_k=depth, vector_top_k=depth, ranking=changes)

        assert_equal(answer, expected, reference)

    check()


def test_reference_knows_every_parameter(reference: Reference) -> None:
    assert set(reference.defaults) == set(PARAMETERS)


@pytest.mark.parametrize("mode", ["hybrid", "bm25"])
def test_signals_are_the_default(store: Store, mode: Any) -> None:
    assert store.search("place order", mode=mode).results == (
        store.search("place order", mode=mode, signals=True).results
    )


def test_semantic_search_takes_signals_only_when_asked(store: Store) -> None:
    results = store.search("place order", mode="semantic").results

    assert all(result["score_parts"] is None for result in results)


def test_equal_scores_go_by_meaning_then_keyword_then_position(store: Store, reference: Reference) -> None:
    nothing_counts = {
        name: 0.0 for name in PARAMETERS if name not in ("file_evidence_half", "plain_vector_weight", "rrf_k")
    }
    keyword = reference.keyword_ranks("invoice order", {}, 1000)
    vector = reference.vector_ranks("invoice order", {}, 1000)
    by_keyword_alone = sorted(
        keyword.keys() | vector.keys(),
        key=lambda no: (-keyword_worth(keyword.get(no)), vector.get(no, LAST), keyword.get(no, LAST), no),
    )

    answer = store.search(
        "invoice order",
        top_k=500,
        ranking={**nothing_counts, "plain_vector_weight": 0.0, "rrf_k": 0.0, "same_file": 1.0},
    )

    assert [result["node_id"] for result in answer.results] == [
        reference.chunks[no]["node_id"] for no in by_keyword_alone
    ]


def keyword_worth(rank: int | None) -> float:
    return 1 / rank if rank else 0.0


@pytest.mark.parametrize("mode", MODES)
def test_a_second_search_gives_the_same(store: Store, mode: Any) -> None:
    first = store.search("where are invoices created", mode=mode, signals=True, top_k=100)
    second = store.search("where are invoices created", mode=mode, signals=True, top_k=100)

    assert first == second


@pytest.mark.parametrize("mode", MODES)
def test_more_results_begin_with_the_fewer(store: Store, mode: Any) -> None:
    few = store.search("stock of a product", mode=mode, signals=True, top_k=5).results
    many = store.search("stock of a product", mode=mode, signals=True, top_k=50).results

    assert many[:5] == few


@pytest.mark.parametrize("mode", ["hybrid", "semantic"])
def test_filters_come_before_the_ranking_so_that_top_k_is_filled(store: Store, mode: Any) -> None:
    qualifying = store.sql(
        "select count(*) as n from documents where kind = 'PROC' and embedding is not null"
    )

    answer = store.search(
        "tests of the invoice service",
        mode=mode,
        signals=True,
        filters={"kind": "PROC"},
        top_k=qualifying[0]["n"],
    )

    assert answer.status.complete
    assert {result["kind"] for result in answer.results} == {"PROC"}


def test_hits_that_a_filter_drops_are_no_evidence_for_their_file(store: Store) -> None:
    of_head = {
        "source_file": "src/Shop.Core/Services/InvoiceService.cs",
        "kind": "TYPE",
        "name": "InvoiceService",
    }

    alone = store.search("InvoiceService", filters=of_head).results
    together = store.search("InvoiceService", filters={"source_file": of_head["source_file"]}).results

    assert [result["score_parts"]["file_evidence"] for result in alone] == [0.0]
    assert together[0]["score_parts"]["file_evidence"] > 0


def test_best_chunk_of_a_file_is_not_weakened_by_the_others(store: Store) -> None:
    results = store.search("invoice", top_k=100).results

    best: dict[str, float] = {}
    for result in results:
        best.setdefault(result["source_file"], result["score_parts"]["same_file"])
    assert set(best.values()) == {0.0}
    assert any(result["score_parts"]["same_file"] < 0 for result in results)


Call = Callable[..., list[tuple[str, float]]]


@pytest.fixture(scope="module")
def hybrid_macro(store: Store) -> Call:
    """The rows of the stored macro hybrid(): node_id and score."""

    def call(question: str, vector: list[float] | None, changes: Mapping[str, float], **settings: int) -> Any:
        weights = ", ".join(f"{name} := $w_{name}" for name in changes)
        others = "".join(f", {name} := {value}" for name, value in settings.items())
        rows = store.sql(
            f"from hybrid($question, $vector::float[64], settings := ranking({weights}){others})",
            {
                "question": question,
                "vector": vector,
                **{f"w_{name}": value for name, value in changes.items()},
            },
        )
        return [(row["node_id"], row["score"]) for row in rows]

    return call


def found(answer: Any) -> list[tuple[str, float]]:
    return [(result["node_id"], result["score"]) for result in answer.results]


def require_same(rows: list[tuple[str, float]], hits: list[tuple[str, float]]) -> None:
    """Require the same hits in order; an engine may sum what makes a score in another order."""
    assert [row[0] for row in rows] == [hit[0] for hit in hits]
    assert [row[1] for row in rows] == pytest.approx([hit[1] for hit in hits], rel=1e-12)


def test_hybrid_macro_gives_what_search_gives(store: Store, hybrid_macro: Call) -> None:
    @settings(deadline=None, max_examples=12)
    @given(QUESTIONS, st.sampled_from([1, 3, 10, 60]), CHANGES)
    def check(question: str, top_k: int, changes: dict[str, float]) -> None:
        vector = HashingEmbedder().embed_query(question).tolist()

        rows = hybrid_macro(question, vector, changes, top_k=top_k)

        require_same(rows, found(store.search(question, top_k=top_k, ranking=changes)))

    check()


def test_hybrid_macro_without_a_vector_gives_what_keyword_search_gives(
    store: Store, hybrid_macro: Call
) -> None:
    @settings(deadline=None, max_examples=12)
    @given(QUESTIONS, st.sampled_from([1, 3, 10, 60]), CHANGES)
    def check(question: str, top_k: int, changes: dict[str, float]) -> None:
        rows = hybrid_macro(question, None, changes, top_k=top_k)

        require_same(rows, found(store.search(question, mode="bm25", top_k=top_k, ranking=changes)))

    check()


def test_hybrid_macro_looks_as_deep_as_it_is_told(store: Store, hybrid_macro: Call) -> None:
    vector = HashingEmbedder().embed_query("invoice order").tolist()

    rows = hybrid_macro("invoice order", vector, {}, top_k=3, depth=7)

    assert rows == found(store.search("invoice order", top_k=3, fts_top_k=7, vector_top_k=7))


def test_hybrid_macro_tells_both_ranks(store: Store) -> None:
    vector = HashingEmbedder().embed_query("invoice order").tolist()

    rows = store.sql("from hybrid('invoice order', $vector)", {"vector": vector})

    assert [(row["bm25_rank"], row["vector_rank"]) for row in rows] == [
        (result["bm25_rank"], result["vector_rank"]) for result in store.search("invoice order").results
    ]
