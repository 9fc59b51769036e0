"""BM25 in SQL equals a plain Python BM25F, and the tokenizer a plain Python tokenizer."""

from __future__ import annotations

import math
import re
import tempfile
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

import ragduck
from ragduck.store import Database, open_database

K1 = 1.2
FIELDS = ("content", "parts", "name", "path")
WORD = re.compile("[0-9A-Za-z_\u00c0-\u1fff\u2c00-\u2fff\u3040-\ufeff\U00010000-\U0010ffff]+")
LOWER = frozenset("abcdefghijklmnopqrstuvwxyzłøßёабвгдежзийклмнопрстуфхцчшщъыьэюяαβγδεζηθικλμνξοπρςστυφχψω")
UPPER = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZŁØЁАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩ")
ALPHABET = "abcxyzABCXYZ019__  .,(){}<>=\n\t'\"-äÄßéñçłŁóÓżśøØëЖжЯяёΣσςΩ漢字日本한글😀²½€·\u0301"

Scores = dict[int, float]


def words(text: str) -> list[str]:
    return WORD.findall(unicodedata.normalize("NFC", text))


def without_accents(word: str) -> str:
    marks_apart = unicodedata.normalize("NFD", word)
    bare = "".join(each for each in marks_apart if not unicodedata.category(each).startswith("M"))
    return unicodedata.normalize("NFC", bare)


def fold(word: str) -> str:
    return "".join(map(str.lower, without_accents(word.strip("_")[:64])))


def subwords(word: str) -> list[str]:
    bare = without_accents(word)
    joined = ""
    for place, character in enumerate(bare):
        before, after = bare[place - 1 : place], bare[place + 1 : place + 2]
        hump = before in LOWER or before in set("0123456789")
        acronym_ends = before in UPPER and after in LOWER and after != ""
        if before and character in UPPER and (hump or acronym_ends):
            joined += "_"
        joined += character
    return fold(joined).split("_")


WORDS_OF_ASKING = """
a about also am an and any are as at be because been being but by can could did do does for from had
happen happened happening happens has have he her here hers him himself his how i if in into is it
its itself just may me might must my not of on or our ours please shall she should so some such than
that the their theirs them themselves then there these they this those to us use used uses using
very via was we were what when where which whether while who whose why will with would you your yours
yourself
"""
STOP_WORDS = frozenset(WORDS_OF_ASKING.split())


def terms_of_question(question: str) -> set[str]:
    found = {fold(word) for word in words(question)}
    found |= {piece for word in words(question) for piece in subwords(word)}
    found -= {""}
    return found - STOP_WORDS or found


@dataclass(frozen=True)
class Index:
    """BM25F over rows of `documents`, computed the obvious way."""

    frequencies: Mapping[int, Mapping[str, Counter[str]]]
    weights: Mapping[str, float]
    b: Mapping[str, float]

    @classmethod
    def of(cls, database: Database) -> Index:
        settings = database.rows("select field, weight, b from fts_fields")
        return cls(
            {row["chunk_no"]: cls.fields_of(row) for row in stored_rows(database)},
            {row["field"]: row["weight"] for row in settings},
            {row["field"]: row["b"] for row in settings},
        )

    @staticmethod
    def fields_of(row: Mapping[str, Any]) -> dict[str, Counter[str]]:
        name = row["signature"] if row["element_type"] == "section" else row["element_name"]
        folder, _, file_name = ("/" + row["source_file"]).rpartition("/")
        stem = file_name.rpartition(".")[0] if "." in file_name else file_name
        path = " ".join([*folder.split("/")[-2:], stem])
        whole, parts = terms_and_parts(row["text"])
        return {
            "content": whole,
            "parts": parts,
            "name": sum(terms_and_parts(name or ""), packed_names(row)),
            "path": sum(terms_and_parts(path), Counter()),
        }

    def scores(self, question: str) -> Scores:
        mean = {field: self.mean_length(field) for field in FIELDS}
        scores: Scores = {}
        for term in terms_of_question(question):
            holders = [no for no, fields in self.frequencies.items() if any(f[term] for f in fields.values())]
            idf = math.log(1 + (len(self.frequencies) - len(holders) + 0.5) / (len(holders) + 0.5))
            for chunk_no in holders:
                tf = sum(self.field_tf(chunk_no, field, term, mean[field]) for field in FIELDS)
                scores[chunk_no] = scores.get(chunk_no, 0.0) + idf * tf * (K1 + 1) / (tf + K1)
        return scores

    def field_tf(self, chunk_no: int, field: str, term: str, mean: float) -> float:
        counts = self.frequencies[chunk_no][field]
        if not counts[term]:
            return 0.0
        b = self.b[field]
        return self.weights[field] * counts[term] / (1 - b + b * counts.total() / mean)

    def mean_length(self, field: str) -> float:
        with_terms = [fields for fields in self.frequencies.values() if any(fields.values())]
        return sum(fields[field].total() for fields in with_terms) / max(len(with_terms), 1)


def terms_and_parts(text: str) -> tuple[Counter[str], Counter[str]]:
    whole: Counter[str] = Counter()
    parts: Counter[str] = Counter()
    for word in words(text):
        term = fold(word)
        if term:
            whole[term] += 1
            parts.update(piece for piece in subwords(word) if piece not in ("", term))
    return whole, parts


def packed_names(row: Mapping[str, Any]) -> Counter[str]:
    """Count the compound names of the small members that share a chunk: they stand in place of a signature."""
    if row["kind"] != "TYPE" or not re.fullmatch(r"[\w@]+(, [\w@]+)*", row["signature"] or "", re.ASCII):
        return Counter()
    return Counter(fold(word) for word in words(row["signature"]) if set(subwords(word)) - {"", fold(word)})


def stored_rows(database: Database) -> list[dict[str, Any]]:
    return database.rows(
        "select chunk_no, text, kind, element_type, element_name, signature, source_file, node_id, importance_score "
        "from documents order by chunk_no"
    )


def stored_scores(database: Database, question: str) -> Scores:
    rows = database.rows(
        "select chunk_no, score / importance_score as score "
        "from bm25_scores($question) join documents using (chunk_no)",
        {"question": question},
    )
    return {row["chunk_no"]: row["score"] for row in rows}


@pytest.fixture(scope="module")
def shop(shop_store: Path) -> Iterator[Database]:
    with open_database(shop_store) as database:
        yield database


@pytest.fixture(scope="module")
def shop_index(shop: Database) -> Index:
    return Index.of(shop)


def test_the_words_of_a_text_equal_a_plain_python_tokenizer(shop: Database) -> None:
    @settings(deadline=None, max_examples=300)
    @given(st.text(ALPHABET, max_size=40))
    @example("")
    @example("PlaceOrder_v2 HTTPServer __init__ _a_ x²y Σίσυφος Größe ZAMÓWIENIE e\u0301a")
    @example("x" * 200 + "Order")
    @example("_" * 80 + "A" * 64 + "b")
    def check(text: str) -> None:
        row = shop.rows(
            "select words($text) as words, list_transform(words($text), lambda word: fold(word)) as folded, "
            "list_transform(words($text), lambda word: subwords(word)) as pieces",
            {"text": text},
        )[0]

        assert row["words"] == words(text)
        assert row["folded"] == [fold(word) for word in words(text)]
        assert row["pieces"] == [subwords(word) for word in words(text)]

    check()


def test_a_question_is_cut_as_the_index_is(shop: Database) -> None:
    rows = shop.rows(
        "select term from query_keys($text)", {"text": "Wie legt PlaceOrder die Größe fest? _x_ _"}
    )

    assert {row["term"] for row in rows} == {
        "wie", "legt", "placeorder", "place", "order", "die", "große", "fest", "x",
    }  # fmt: skip


def test_scores_of_the_sample_shop_equal_a_plain_python_bm25f(shop: Database, shop_index: Index) -> None:
    vocabulary = sorted({term for f in shop_index.frequencies.values() for c in f.values() for term in c})

    @settings(deadline=None, max_examples=60)
    @given(st.lists(st.sampled_from(vocabulary), min_size=1, max_size=6).map(" ".join))
    @example("where are invoices created")
    @example("PlaceOrder InvoiceService dbo.Invoice_Create")
    @example("jak złożyć zamówienie")
    @example("Währung invoice Invoice INVOICE")
    def check(question: str) -> None:
        assert stored_scores(shop, question) == pytest.approx(shop_index.scores(question), rel=1e-5)

    check()


def test_search_ranks_the_sample_shop_as_the_plain_python_bm25f(
    shop_store: Path, shop: Database, shop_index: Index
) -> None:
    rows = {row["chunk_no"]: row for row in stored_rows(shop)}
    question = "match payments with open invoices of a customer"
    expected = sorted(
        ((-score * rows[no]["importance_score"], no) for no, score in shop_index.scores(question).items())
    )

    with ragduck.open(shop_store) as store:
        answer = store.search(question, mode="bm25", top_k=30, signals=False)

    scores = [result["score"] for result in answer.results]
    best = [-score for score, _ in expected[:30]]
    assert scores == pytest.approx(best, rel=1e-5)
    assert [r["node_id"] for r in answer.results] == [rows[no]["node_id"] for _, no in expected[:30]]


def test_a_small_member_is_found_where_it_is_declared(tmp_path: Path) -> None:
    body = "    {\n        var when = order.ShippedOnUtc;\n        return when;\n    }\n"
    uses = "".join(f"    public int Read{n}(Order order)\n{body}\n" for n in range(9))
    members = "".join(f"    public int Total{n} {{ get; set; }}\n" for n in range(9))
    (tmp_path / "Order.cs").write_text(
        f"public class Order\n{{\n{members}    public int ShippedOnUtc {{ get; set; }}\n}}\n"
    )
    (tmp_path / "Uses.cs").write_text(f"public class Uses\n{{\n{uses}}}\n")
    ragduck.prepare(tmp_path, tmp_path / "s.duckdb", embed_model=None)

    with ragduck.open(tmp_path / "s.duckdb") as store:
        first = store.search("ShippedOnUtc", mode="bm25", top_k=1, signals=False).results[0]

    assert first["source_file"] == "Order.cs"


IDENTIFIER = st.sampled_from([
    "PlaceOrder", "place_order", "HTTPServer2", "ordersOrdersOrders", "größe", "Größe", "GROSSE", "złożyć",
    "ΟΔΟΣ", "Заказ", "x1", "2024", "__init__", "_", "漢字", "a", "aB", "invoice", "Invoice_Create", "²",
])  # fmt: skip
TEXT = st.lists(st.one_of(IDENTIFIER, st.text(ALPHABET, max_size=12)), max_size=25).map(" ".join)
PATH = st.sampled_from([
    "a.py", "src/Orders/PlaceOrder.cs", "db/dbo.Order.sql", "docs/Größe und Preis.md", ".env.sample",
    "deep/er/than/three/OrderService.cs", "x/y.z/notes.txt", "README", "src/żółć/zamówienie.json",
])  # fmt: skip


@pytest.mark.slow
@settings(deadline=None, max_examples=10, suppress_health_check=[HealthCheck.too_slow])
@given(st.dictionaries(PATH, TEXT, min_size=1, max_size=5), st.lists(TEXT, min_size=1, max_size=6))
@example({"a.py": "PlaceOrder " * 40, "docs/Größe und Preis.md": "# Größe\ntext\n"}, ["placeOrder große"])
@example({"a.py": "order " * 3_000, "README": "order"}, ["order"])
def test_scores_of_any_corpus_equal_a_plain_python_bm25f(
    corpus: dict[str, str], questions: list[str]
) -> None:
    assume(all(any(map(str.isalnum, text)) for text in corpus.values()))
    with tempfile.TemporaryDirectory() as folder:
        store = prepared(Path(folder), corpus)
        with open_database(store) as database:
            index = Index.of(database)
            for question in questions:
                expected = index.scores(question)

                assert stored_scores(database, question) == pytest.approx(expected, rel=1e-5)


def prepared(folder: Path, corpus: Mapping[str, str]) -> Path:
    for path, text in corpus.items():
        file = folder / "source" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    store = folder / "store.duckdb"
    ragduck.prepare(folder / "source", store, embed_model=None)
    return store
