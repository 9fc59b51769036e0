"""A common verb says what a question is about where the store has it in a name."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import ragduck
from ragduck.pipeline.question.understanding import nouns_of, understood_by_rules, verbs_of
from ragduck.pipeline.question.vocabulary import KnownWord, Vocabulary
from ragduck.pipeline.question.words import verb_root
from ragduck.pipeline.retrieval.entry_points import Judged
from ragduck.pipeline.retrieval.entry_queries import entry_query
from ragduck.pipeline.state import State, Understanding

STEPS: tuple[dict[str, Any], ...] = (
    {"id": "understand", "action": "understand_question"},
    {"id": "search", "action": "search_nodes"},
    {"id": "judge", "action": "check_entry_points", "on_good": "end", "on_weak": "end"},
    {"id": "end", "action": "state_limits", "end": True},
)
LINES = "\n".join(f"        int line{number} = {number} * 7 + basis;" for number in range(40))
CLASSES = {
    "Store": "public int Id { get; set; }",
    "StoreMap": "public string Entity { get; set; }",
    "Voucher": "public int Id { get; set; }",
    "VoucherRules": f"public void ValidateVoucher(int basis) {{\n{LINES}\n}}\nvoid Log(int basis) {{\n{LINES}\n}}",
    "VoucherDesk": f"public VoucherDesk(int basis) {{\n{LINES}\n}}\npublic void Print(int basis) {{\n{LINES}\n}}",
    "BasketPage": f"public void CheckoutBasket(int basis) {{\n{LINES}\n}}\nvoid Log(int basis) {{\n{LINES}\n}}",
}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ragduck.Store]:
    folder = tmp_path_factory.mktemp("fair")
    (folder / "source").mkdir()
    for name, body in CLASSES.items():
        text = f"namespace Fair\n{{\n    public class {name}\n    {{\n{body}\n    }}\n}}\n"
        (folder / "source" / f"{name}.cs").write_text(text)
    ragduck.prepare(folder / "source", folder / "fair.duckdb", repo="fair", embed_model="none")
    with ragduck.open(folder / "fair.duckdb") as opened:
        yield opened


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How is a discount validated?", ("validate",)),
        ("How is a basket checked out?", ("check", "checkout")),
        ("Where is the event log written?", ("write",)),
        ("What breaks if we change the invoice?", ()),
        ("Who calls InvoiceService.CancelAsync?", ()),
        ("invoice numbers", ()),
    ],
)
def test_verbs_of_a_question(question: str, expected: tuple[str, ...]) -> None:
    assert verbs_of(understood_by_rules(question), question) == expected


@pytest.mark.parametrize(
    ("word", "root"),
    [("validated", "validate"), ("stored", "store"), ("written", "write"), ("processes", "process")],
)
def test_the_root_of_a_verb(word: str, root: str) -> None:
    assert verb_root(word) == root


def test_a_verb_after_an_article_is_a_noun() -> None:
    assert nouns_of(("store",), "How is a store mapped?") == ("store",)
    assert nouns_of(("store",), "How is a basket stored?") == ()


@pytest.mark.parametrize(
    ("question", "concept", "first"),
    [
        ("How is a voucher validated?", "validate", "csharp:Fair.VoucherRules.ValidateVoucher|METHOD"),
        ("How is a basket checked out?", "checkout", "csharp:Fair.BasketPage.CheckoutBasket|METHOD"),
    ],
)
def test_a_verb_counts_where_a_name_has_it_beside_another_word(
    run: Any, store: ragduck.Store, question: str, concept: str, first: str
) -> None:
    ran = run(*STEPS, state=State(question, question_en=question), store=store)

    assert concept in ran.state.understanding.concepts
    assert ran.state.entry_nodes[0] == first


def test_a_verb_counts_where_a_type_is_called_so(run: Any, store: ragduck.Store) -> None:
    question = "How is a store mapped to an entity?"

    ran = run(*STEPS, state=State(question, question_en=question), store=store)

    assert "store" in ran.state.understanding.concepts
    assert "csharp:Fair.Store|TYPE" in [hit["node_key"] for hit in ran.state.hits]


def test_a_verb_that_no_name_has_does_not_count(run: Any, store: ragduck.Store) -> None:
    question = "How are vouchers calculated?"

    ran = run(*STEPS, state=State(question, question_en=question), store=store)

    assert ran.state.understanding.concepts == ("voucher",)


def test_what_makes_a_thing_comes_after_what_it_does(run: Any, store: ragduck.Store) -> None:
    question = "What does the voucher desk do?"

    ran = run(*STEPS, state=State(question, question_en=question), store=store)

    methods = [key for key in ran.state.entry_nodes if key.endswith("|METHOD")]
    made = [Judged({"data_type": "regular_code", "node_key": key}, 0, 0).is_constructor for key in methods]
    assert made == sorted(made)
    assert not made[0]


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("csharp:Fair.VoucherDesk.VoucherDesk|METHOD", True),
        ("csharp:Fair.VoucherDesk.~VoucherDesk|METHOD", True),
        ("python:fair.desk.Desk.__init__|METHOD", True),
        ("csharp:Fair.VoucherDesk.Print|METHOD", False),
        ("csharp:Fair.Fair|TYPE", False),
        ("dbo.Voucher|TABLE", False),
    ],
)
def test_constructors_are_recognised_by_their_names(key: str, expected: bool) -> None:
    assert Judged({"data_type": "regular_code", "node_key": key}, 0, 0).is_constructor is expected


@pytest.mark.parametrize(
    ("question", "concepts"),
    [
        ("How does a guest log in?", ("guest", "logon")),
        ("How is a guest logged out?", ("guest", "logout")),
    ],
)
def test_a_verb_of_two_words_is_found_under_the_word_that_the_store_has(
    run: Any, tmp_path: Path, question: str, concepts: tuple[str, ...]
) -> None:
    body = f"public void LogOn(int basis) {{\n{LINES}\n}}\npublic void WriteLog(int basis) {{\n{LINES}\n}}"
    (tmp_path / "Desk.cs").write_text(f"namespace Fair\n{{\npublic class GuestDesk\n{{\n{body}\n}}\n}}\n")
    ragduck.prepare(tmp_path, tmp_path / "fair.duckdb", repo="fair", embed_model="none")

    with ragduck.open(tmp_path / "fair.duckdb") as opened:
        ran = run(*STEPS, state=State(question, question_en=question), store=opened)

    assert ran.state.understanding.concepts == concepts


def test_other_words_for_a_verb_of_two_words_are_searched_for() -> None:
    question = "How does a guest log in?"
    understood = Understanding("how_implemented", "mixed", ("guest", "login"), ("logon", "visitor"))
    vocabulary = Vocabulary(
        {word: (KnownWord(word, 1, 1.0),) for word in ("guest", "login", "logon", "visitor")}
    )

    assert entry_query(question, understood, vocabulary) == "How does a guest login? guest login logon"


@pytest.mark.parametrize(
    ("question", "is_kept"),
    [("How is the bug of an invoice shown?", True), ("How is the error of an invoice shown?", False)],
)
def test_a_bug_is_a_concept_where_the_store_has_a_type_of_that_name(
    run: Any, tmp_path: Path, question: str, is_kept: bool
) -> None:
    (tmp_path / "Bug.cs").write_text("namespace Fair\n{\npublic class Bug\n{\npublic int Id;\n}\n}\n")
    ragduck.prepare(tmp_path, tmp_path / "fair.duckdb", repo="fair", embed_model="none")

    with ragduck.open(tmp_path / "fair.duckdb") as opened:
        ran = run(*STEPS, state=State(question, question_en=question), store=opened)

    assert bool({"bug", "error"} & set(ran.state.understanding.concepts)) is is_kept
