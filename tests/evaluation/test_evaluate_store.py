"""A store is asked every query in every mode, and what comes back is scored."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from math import log2
from pathlib import Path

import pytest

import ragduck
from ragduck.errors import UsageError
from ragduck.evaluation import Query, evaluate, pool
from ragduck.progress import Stage

QUERIES = Path(__file__).parents[1] / "data" / "shop_queries.tsv"
ORDERS = Query("place an order", ("dbo.Order_Place|PROC",), "sql", "q.tsv", 1)
INVOICES = Query("cancel an invoice", ("src/Shop.Core/Services/InvoiceService.cs",), "code", "q.tsv", 2)


@pytest.fixture(scope="module")
def store(shop_store: Path) -> Iterator[ragduck.Store]:
    with ragduck.open(shop_store) as opened:
        yield opened


class Counting:
    """Progress that keeps what it is told."""

    def __init__(self) -> None:
        self.stages: dict[str, int] = {}

    @contextmanager
    def stage(self, name: str, *, total: int | None) -> Iterator[Stage]:
        self.stages[name] = 0
        outer = self

        class Steps:
            def advance(self, steps: int) -> None:
                outer.stages[name] += steps

            def set_total(self, total: int) -> None:
                pass

        yield Steps()


def test_score_is_that_of_the_results_of_a_search(store: ragduck.Store) -> None:
    hits = store.search(INVOICES.text, mode="bm25", top_k=10).results
    rank = next(rank for rank, hit in enumerate(hits, start=1) if hit["source_file"] == INVOICES.targets[0])

    evaluation = evaluate(store, [INVOICES], modes=["bm25"])

    result = evaluation.modes[0].results[0]
    assert result.scores["ndcg@10"] == pytest.approx(1 / log2(rank + 1))
    assert [(found.target, found.rank) for found in result.found] == [(INVOICES.targets[0], rank)]
    assert result.found[0].location == hits[rank - 1]["location"]


def test_best_wrong_hit_belongs_to_no_target(store: ragduck.Store) -> None:
    hits = store.search(INVOICES.text, mode="bm25", top_k=10).results
    wrong = next(hit for hit in hits if hit["source_file"] != INVOICES.targets[0])

    evaluation = evaluate(store, [INVOICES], modes="bm25")

    best_wrong = evaluation.modes[0].results[0].best_wrong
    assert best_wrong is not None
    assert best_wrong.location == wrong["location"]


def test_modes_are_those_that_the_store_can_serve(store: ragduck.Store) -> None:
    evaluation = evaluate(store, [INVOICES])

    assert [mode.mode for mode in evaluation.modes] == ["hybrid", "bm25", "semantic"]


def test_store_without_vectors_is_asked_by_keyword(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "billing.md").write_text("# Billing\n\nAn invoice is created.\n")
    ragduck.prepare(tmp_path / "notes", tmp_path / "notes.duckdb", embed_model="none")

    with ragduck.open(tmp_path / "notes.duckdb") as notes:
        evaluation = evaluate(notes, [Query("invoice", ("docs/billing.md",))])

    assert [mode.mode for mode in evaluation.modes] == ["bm25"]
    assert evaluation.modes[0].mean("ndcg@10") == 1
    assert evaluation.labels.how == ("the leading docs/ of 1 label was left off",)


def test_query_files_are_read(store: ragduck.Store) -> None:
    evaluation = evaluate(store, QUERIES, modes=["bm25"])

    assert evaluation.queries == ragduck.read_queries(QUERIES)
    assert evaluation.labels.missing == ()


def test_groups_are_all_queries_then_categories_then_files(store: ragduck.Store) -> None:
    other = replace(ORDERS, file="other.tsv")

    mode = evaluate(store, [INVOICES, ORDERS, other], modes=["bm25"]).modes[0]

    assert [(group.kind, group.name, len(group.results)) for group in mode.groups()] == [
        ("overall", "", 3),
        ("category", "code", 1),
        ("category", "sql", 2),
        ("file", "other.tsv", 1),
        ("file", "q.tsv", 2),
    ]


def test_mean_counts_every_query_the_same(store: ragduck.Store) -> None:
    missing = Query("nothing of the kind", ("absent.cs",))

    evaluation = evaluate(store, [INVOICES, missing], modes=["bm25"])

    mode = evaluation.modes[0]
    assert mode.mean("mrr") == mode.results[0].scores["mrr"] / 2
    assert evaluation.labels.missing == ("absent.cs",)


def test_settings_reach_the_search(store: ragduck.Store) -> None:
    evaluation = evaluate(store, [INVOICES], modes=["bm25"], filters={"kind": ["PROC"]}, where="end_line > 3")

    assert evaluation.modes[0].results[0].found == ()


def test_fewer_results_cut_the_metrics(store: ragduck.Store) -> None:
    evaluation = evaluate(store, [INVOICES], modes=["bm25"], top_k=3)

    assert evaluation.metrics == ("ndcg@3", "mrr", "recall@1")


def test_notes_of_the_search_are_kept(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "billing.md").write_text("# Billing\n\nAn invoice is created.\n")
    ragduck.prepare(tmp_path / "notes", tmp_path / "notes.duckdb", embed_model="none")

    with ragduck.open(tmp_path / "notes.duckdb") as notes:
        evaluation = evaluate(notes, [Query("invoice", ("billing.md",))], modes=["hybrid"])

    assert evaluation.modes[0].notes == ("the store has no vectors: answered by keyword only",)


def test_progress_counts_queries_of_each_mode(store: ragduck.Store) -> None:
    progress = Counting()

    evaluate(store, [INVOICES, ORDERS], modes=["bm25", "hybrid"], progress=progress)

    assert progress.stages == {"searching, bm25": 2, "searching, hybrid": 2}


def test_times_are_of_the_first_and_of_a_repeated_search(store: ragduck.Store) -> None:
    overall = evaluate(store, [INVOICES, ORDERS], modes=["semantic"]).modes[0].overall

    assert list(overall.latency()) == ["p50", "p95", "p99"]
    assert all(time > 0 for time in [*overall.latency().values(), *overall.first_latency().values()])


def test_pooled_evaluations_count_all_queries(store: ragduck.Store) -> None:
    one, two = (evaluate(store, [query], modes=["bm25"]) for query in (INVOICES, ORDERS))

    together = pool([one, two])

    assert together.queries == (INVOICES, ORDERS)
    assert together.modes[0].mean("mrr") == (one.modes[0].mean("mrr") + two.modes[0].mean("mrr")) / 2


def test_evaluations_of_other_modes_are_not_pooled(store: ragduck.Store) -> None:
    one = evaluate(store, [INVOICES], modes=["bm25"])
    two = evaluate(store, [ORDERS], modes=["hybrid"])

    with pytest.raises(UsageError, match="in another way"):
        pool([one, two])


def test_one_mode_can_be_taken_out(store: ragduck.Store) -> None:
    evaluation = evaluate(store, [INVOICES], modes=["bm25", "hybrid"])

    assert [mode.mode for mode in evaluation.only("hybrid").modes] == ["hybrid"]
    with pytest.raises(UsageError, match="was not evaluated"):
        evaluation.only("semantic")


def test_store_without_any_target_is_refused(store: ragduck.Store) -> None:
    with pytest.raises(UsageError, match="none of the 1 labels is in") as caught:
        evaluate(store, [Query("orders", ("absent.cs",))])

    assert caught.value.hint


def test_path_of_a_store_is_told_from_a_store(shop_store: Path) -> None:
    with pytest.raises(UsageError, match="is a path, not a store"):
        evaluate(shop_store, [INVOICES])


def test_query_without_targets_counts_as_not_answered(store: ragduck.Store) -> None:
    evaluation = evaluate(store, [INVOICES, Query("orders", ())], modes=["bm25"])

    assert set(evaluation.modes[0].results[1].scores.values()) == {0.0}


def test_query_without_words_is_refused_before_anything_runs(store: ragduck.Store) -> None:
    progress = Counting()

    with pytest.raises(UsageError, match=r"^q\.tsv:7: the question '\?\?' has no word"):
        evaluate(store, [INVOICES, Query("??", ("a.cs",), None, "q.tsv", 7)], progress=progress)

    assert progress.stages == {}


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"modes": ["keyword"]}, "unknown mode 'keyword'"),
        ({"modes": []}, "no mode is given"),
        ({"recall_at": [11]}, "recall at 11 cannot be told from 10 results"),
        ({"top_k": 0}, "top_k is 0"),
        ({"colour": "red"}, "there is no setting 'colour'"),
    ],
)
def test_bad_arguments_are_refused(store: ragduck.Store, settings: dict[str, object], told: str) -> None:
    with pytest.raises(UsageError, match=told):
        evaluate(store, [INVOICES], **settings)
