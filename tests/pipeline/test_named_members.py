"""Members that have no text of their own, as those of interfaces, are found by their names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import ragduck
from ragduck.pipeline.retrieval.named_nodes import held_nodes
from ragduck.pipeline.state import State

LETTERS = """\
namespace Post
{
    public interface ISorter
    {
        void Sort(Letter letter);
    }
    public class Letter
    {
        public string Stamp { get; set; }
        public int Weight { get; set; }
    }
    public class Office
    {
        private readonly ISorter _sorter;
        public Office(ISorter sorter) { _sorter = sorter; }
        public void Accept(Letter letter)
        {
            letter.Stamp = "paid";
            _sorter.Sort(letter);
        }
    }
}
"""
STEPS: tuple[dict[str, Any], ...] = (
    {"id": "understand", "action": "understand_question"},
    {"id": "search", "action": "search_nodes"},
    {"id": "judge", "action": "check_entry_points", "on_good": "expand", "on_weak": "weak"},
    {"id": "expand", "action": "expand_dependency_tree"},
    {"id": "texts", "action": "fetch_node_texts", "end": True},
    {"id": "weak", "action": "state_limits", "end": True},
)
SORT, STAMP = "csharp:Post.ISorter.Sort|METHOD", "csharp:Post.Letter.Stamp|PROPERTY"
ACCEPT = "csharp:Post.Office.Accept|METHOD"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ragduck.Store]:
    folder = tmp_path_factory.mktemp("post")
    (folder / "source").mkdir()
    (folder / "source" / "Letters.cs").write_text(LETTERS)
    ragduck.prepare(folder / "source", folder / "post.duckdb", repo="post", embed_model="none")
    with ragduck.open(folder / "post.duckdb") as opened:
        yield opened


def test_the_chunk_that_holds_a_member_stands_for_it(store: ragduck.Store) -> None:
    found = held_nodes(store.rows, store.chunks, [STAMP])

    hit = found[STAMP]
    assert (hit["node_key"], hit["name"], hit["kind"]) == (STAMP, "Stamp", "PROPERTY")
    assert (hit["holder"], hit["data_type"]) == ("csharp:Post.Letter|TYPE", "regular_code")
    assert "public string Stamp" in hit["text"]


def test_nothing_holds_a_member_of_another_branch(store: ragduck.Store) -> None:
    assert held_nodes(store.rows, store.chunks, [STAMP], branch="other") == {}


@pytest.mark.parametrize(
    ("question", "key", "relation"),
    [
        ("who calls ISorter.Sort", SORT, "Calls"),
        ("where is Letter.Stamp used", STAMP, "Uses"),
    ],
)
def test_a_member_without_text_is_the_entry_point(
    run: Any, store: ragduck.Store, question: str, key: str, relation: str
) -> None:
    ran = run(*STEPS, state=State(question, question_en=question), store=store)

    assert ran.state.entry_nodes == (key,)
    edges = [(edge.from_key, edge.relation, edge.to_key) for edge in ran.state.neighbourhood.edges]
    assert (ACCEPT, relation, key) in edges


def test_the_text_that_holds_a_member_is_evidence(run: Any, store: ragduck.Store) -> None:
    question = "where is Letter.Stamp used"

    ran = run(*STEPS, state=State(question, question_en=question), store=store)

    [block] = [block for block in ran.state.evidence if block.key == STAMP]
    assert "public string Stamp" in block.text


def test_filters_that_leave_nothing_that_holds_it_leave_it_out(run: Any, store: ragduck.Store) -> None:
    question = "who calls ISorter.Sort"
    search = {**STEPS[1], "filters": {"data_type": ["db_code"]}, "end": True}

    ran = run(STEPS[0], search, state=State(question, question_en=question), store=store)

    assert SORT not in [hit["node_key"] for hit in ran.state.hits]
