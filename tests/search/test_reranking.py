"""Rerankers: their order is the answer, what the search said stays to be seen, and failures are explained."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from llama_index.core.postprocessor import SimilarityPostprocessor
from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode

import ragduck
from ragduck.errors import RagduckError, UsageError
from ragduck.library import Store
from ragduck.search.cross_encoder import RerankError

QUESTION = "where are invoices created"
NEW_KEYS = {"rerank_score", "rank_before", "score_before"}


class ShortestFirst(BaseNodePostprocessor):
    """Put short chunks first; each takes note of what it was given."""

    given: tuple[NodeWithScore, ...] = ()
    question: str = ""

    def _postprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        self.given = tuple(nodes)
        self.question = query_bundle.query_str if query_bundle else ""
        scored = [NodeWithScore(node=node.node, score=-len(node.node.get_content())) for node in nodes]
        return sorted(scored, key=lambda node: -(node.score or 0))


class Returning(BaseNodePostprocessor):
    """Return whatever a function makes of the nodes."""

    make: Any

    def _postprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        returned: list[NodeWithScore] = self.make(nodes)
        return returned


def rescored(node: NodeWithScore, score: Any) -> NodeWithScore:
    node.score = score
    return node


@pytest.fixture(scope="module")
def store(shop_store: Path) -> Iterator[Store]:
    with ragduck.open(shop_store) as opened:
        yield opened


def test_the_order_of_the_reranker_is_the_answer(store: Store) -> None:
    pool = store.search(QUESTION, top_k=30).results
    lengths = sorted(len(result["text"]) for result in pool)

    answer = store.search(QUESTION, top_k=5, reranker=ShortestFirst(), rerank_pool=30)

    assert [len(result["text"]) for result in answer.results] == lengths[:5]
    assert [result["score"] for result in answer.results] == [-length for length in lengths[:5]]
    assert (answer.request.top_k, answer.status.requested, answer.status.returned) == (5, 5, 5)
    assert answer.status.complete


def test_the_reranker_gets_the_best_chunks_of_the_search(store: Store) -> None:
    reranker = ShortestFirst()

    store.search(QUESTION, top_k=5, reranker=reranker, rerank_pool=20)

    pool = store.search(QUESTION, top_k=20).results
    given = [(node.node.node_id, node.node.text, node.score) for node in reranker.given]
    assert given == [(result["node_id"], result["text"], result["score"]) for result in pool]
    assert reranker.given[0].node.metadata == pool[0]["metadata"]
    assert reranker.question == QUESTION


@pytest.mark.parametrize(
    ("top_k", "pool", "size"), [(5, {}, 50), (60, {}, 60), (5, {"rerank_pool": 2}, 5)], ids=str
)
def test_the_pool_holds_at_least_what_is_asked_for(
    store: Store, top_k: int, pool: dict[str, int], size: int
) -> None:
    reranker = ShortestFirst()

    answer = store.search(QUESTION, top_k=top_k, reranker=reranker, **pool)

    assert len(reranker.given) == size
    assert len(answer.results) == top_k


def test_a_result_keeps_what_the_search_said_of_it(store: Store) -> None:
    before = {result["node_id"]: result for result in store.search(QUESTION, top_k=50).results}
    places = {node_id: place for place, node_id in enumerate(before, start=1)}

    answer = store.search(QUESTION, reranker=ShortestFirst())

    for result in answer.results:
        searched = before[result["node_id"]]
        changed = {name for name in result if name in searched and result[name] != searched[name]}
        assert changed == {"score", "score_type"}
        assert set(result) - set(searched) == NEW_KEYS
        assert (result["score_type"], result["rerank_score"]) == ("rerank", result["score"])
        assert result["rank_before"] == places[result["node_id"]]
        assert result["score_before"] == searched["score"]


def test_without_a_reranker_no_result_has_its_keys(store: Store) -> None:
    assert all(NEW_KEYS.isdisjoint(result) for result in store.search(QUESTION).results)


@pytest.mark.parametrize("mode", ["hybrid", "semantic", "semantic_rerank", "bm25"])
def test_every_mode_can_be_reranked(store: Store, mode: Any) -> None:
    answer = store.search(QUESTION, mode=mode, top_k=4, reranker=ShortestFirst())

    assert [result["score_type"] for result in answer.results] == ["rerank"] * 4
    assert answer.mode == mode


def test_source_documents_come_with_reranked_results(store: Store) -> None:
    answer = store.search(QUESTION, top_k=3, reranker=ShortestFirst(), include_source_docs=True)

    assert all(result["source_doc"]["file_path"] == result["source_file"] for result in answer.results)


def test_hybrid_query_reranks_too(shop_store: Path, store: Store) -> None:
    expected = store.search(QUESTION, top_k=5, reranker=ShortestFirst(), rerank_pool=20).results

    found = ragduck.hybrid_query(QUESTION, shop_store, reranker=ShortestFirst(), rerank_pool=20)

    assert [result["node_id"] for result in found] == [result["node_id"] for result in expected]


def test_a_postprocessor_of_llamaindex_works_as_it_is(store: Store) -> None:
    scores = [result["score"] for result in store.search(QUESTION, mode="semantic").results]

    answer = store.search(
        QUESTION, mode="semantic", reranker=SimilarityPostprocessor(similarity_cutoff=scores[3])
    )

    assert [result["score"] for result in answer.results] == scores[:4]


def test_what_the_reranker_drops_is_gone_and_the_status_says_so(store: Store) -> None:
    answer = store.search(QUESTION, reranker=Returning(make=lambda nodes: nodes[4:7]))

    assert [result["rank_before"] for result in answer.results] == [5, 6, 7]
    assert (answer.status.requested, answer.status.returned, answer.status.complete) == (10, 3, False)
    assert answer.status.qualifying is None
    assert answer.status.notes == ("the reranker kept 3 of 50 chunks",)


def test_a_reranker_may_drop_everything(store: Store) -> None:
    answer = store.search(QUESTION, reranker=Returning(make=lambda nodes: []))

    assert answer.results == ()
    assert answer.status.returned == 0


def test_the_status_counts_what_qualifies_when_too_few_do(store: Store) -> None:
    answer = store.search(
        QUESTION, mode="semantic", filters={"source_file": "README.md"}, reranker=ShortestFirst()
    )

    assert (answer.status.qualifying, answer.status.returned, answer.status.notes) == (4, 4, ())


def test_the_status_counts_nothing_when_only_the_pool_is_short(store: Store) -> None:
    answer = store.search(
        QUESTION, mode="semantic", top_k=3, filters={"source_file": "README.md"}, reranker=ShortestFirst()
    )

    assert (answer.status.complete, answer.status.qualifying) == (True, None)


def test_no_filter_is_given_up_for_a_fuller_pool(store: Store) -> None:
    filters = {"source_file": "README.md", "kind": "NOTHING"}

    answer = store.search(
        QUESTION,
        mode="semantic",
        top_k=3,
        filters=filters,
        relax=["kind", "source_file"],
        reranker=ShortestFirst(),
    )

    assert answer.status.relaxed == ("kind",)
    assert {result["source_file"] for result in answer.results} == {"README.md"}


def test_nothing_found_is_nothing_to_rerank(store: Store) -> None:
    def fail(nodes: list[NodeWithScore]) -> list[NodeWithScore]:
        raise AssertionError(nodes)

    answer = store.search(QUESTION, filters={"kind": "NOTHING"}, reranker=Returning(make=fail))

    assert (answer.results, answer.status.qualifying) == ((), 0)


def test_nodes_that_a_reranker_repeats_or_adds_are_left_out(store: Store) -> None:
    stranger = NodeWithScore(node=TextNode(text="made up"), score=9.0)

    answer = store.search(
        QUESTION, top_k=2, reranker=Returning(make=lambda nodes: [nodes[1], stranger, nodes[1], nodes[0]])
    )

    assert [result["rank_before"] for result in answer.results] == [2, 1]
    assert answer.status.notes == ("left out 2 nodes that the reranker repeated or added",)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 29), st.floats(-1e6, 1e6))), st.integers(1, 25))
def test_any_choice_is_kept_in_its_order(store: Store, choice: list[tuple[int, float]], top_k: int) -> None:
    """Places from 20 on are none of the pool's, and of a repeated one the first counts."""

    def choose(nodes: list[NodeWithScore]) -> list[NodeWithScore]:
        others = [TextNode(text="made up", id_=str(number)) for number in range(10)]
        known = [*(node.node for node in nodes), *others]
        return [NodeWithScore(node=known[place], score=score) for place, score in choice]

    answer = store.search(QUESTION, top_k=top_k, reranker=Returning(make=choose), rerank_pool=20)

    pool = max(20, top_k)
    first = {place + 1: score for place, score in reversed(choice) if place < pool}
    expected = sorted(first, key=[place + 1 for place, _ in choice].index)[:top_k]
    assert [result["rank_before"] for result in answer.results] == expected
    assert [result["score"] for result in answer.results] == [first[place] for place in expected]
    assert answer.status.returned == len(expected)


def test_what_a_reranker_does_to_its_nodes_changes_no_result(store: Store) -> None:
    def spoil(nodes: list[NodeWithScore]) -> list[NodeWithScore]:
        for node in nodes:
            node.node.set_content("spoilt")
            for value in node.node.metadata.values():
                if isinstance(value, list):
                    value.append("spoilt")
            node.node.metadata["element_name"] = "spoilt"
        return nodes

    answer = store.search(QUESTION, reranker=Returning(make=spoil))

    assert "spoilt" not in str(answer.results)


def test_a_score_that_is_missing_is_zero_as_in_llamaindex(store: Store) -> None:
    answer = store.search(
        QUESTION, top_k=1, reranker=Returning(make=lambda nodes: [rescored(nodes[0], None)])
    )

    assert answer.results[0]["score"] == 0.0


@pytest.mark.parametrize("score", [float("nan"), float("inf"), "best", [1.0]], ids=str)
def test_a_score_that_is_no_number_is_refused(store: Store, score: Any) -> None:
    reranker = Returning(make=lambda nodes: [rescored(nodes[0], score)])

    with pytest.raises(RerankError, match="score"):
        store.search(QUESTION, reranker=reranker)


@pytest.mark.parametrize(
    "returned",
    [None, 7, ["text"], [TextNode(text="without score")]],
    ids=["none", "number", "texts", "nodes"],
)
def test_what_is_no_list_of_nodes_is_refused(store: Store, returned: Any) -> None:
    with pytest.raises(RerankError, match="Returning") as refused:
        store.search(QUESTION, reranker=Returning(make=lambda nodes: returned))

    assert refused.value.hint


def test_a_reranker_that_raises_is_named_with_its_reason(store: Store) -> None:
    def fail(nodes: list[NodeWithScore]) -> list[NodeWithScore]:
        raise KeyError("licence")

    with pytest.raises(RerankError, match="Returning failed: KeyError: 'licence'") as refused:
        store.search(QUESTION, reranker=Returning(make=fail))

    assert isinstance(refused.value.__cause__, KeyError)
    assert refused.value.hint


def test_an_error_of_our_own_passes_through(store: Store) -> None:
    def refuse(nodes: list[NodeWithScore]) -> list[NodeWithScore]:
        raise UsageError("not today", hint="tomorrow")

    with pytest.raises(UsageError, match="not today"):
        store.search(QUESTION, reranker=Returning(make=refuse))


@pytest.mark.parametrize("reranker", [7, ShortestFirst, lambda nodes: nodes, "", "minilm", "a/b/c", "\0"])
def test_what_is_no_reranker_is_refused_with_a_hint(store: Store, reranker: Any) -> None:
    with pytest.raises(RagduckError) as refused:
        store.search(QUESTION, reranker=reranker)

    assert "cross-encoder/" in str(refused.value.hint)


@pytest.mark.parametrize("pool", [0, -1, 10_001])
def test_a_pool_out_of_bounds_is_refused(store: Store, pool: int) -> None:
    with pytest.raises(UsageError, match="rerank_pool") as refused:
        store.search(QUESTION, reranker=ShortestFirst(), rerank_pool=pool)

    assert refused.value.hint


@pytest.mark.skipif(find_spec("sentence_transformers") is not None, reason="the extra is installed")
@pytest.mark.parametrize("name", ["cross-encoder/ms-marco-MiniLM-L-6-v2", "."])
def test_a_cross_encoder_without_its_package_says_what_to_install(store: Store, name: str) -> None:
    with pytest.raises(RerankError, match="not installed") as refused:
        store.search(QUESTION, reranker=name)

    assert refused.value.hint == 'in the folder of ragduck: pip install -e ".[huggingface]"'
