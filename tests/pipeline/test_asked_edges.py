"""What is asked for of a node that the question names comes before all else that is tied to it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import ragduck
from ragduck.pipeline.retrieval.asked_edges import asked_edges, number_asked_for
from ragduck.pipeline.state import State

USERS = 12  # classes that take the service, more than the walk may have nodes
SERVICE = """\
namespace Post
{
    public interface ISorter
    {
        void Sort(int letter);
    }
    public class PostSorter : ISorter
    {
        public void Sort(int letter) { }
    }
}
"""
USER = """\
namespace Post
{{
    public class Office{number}
    {{
        private readonly ISorter _sorter;
        public Office{number}(ISorter sorter) {{ _sorter = sorter; }}
        public void Accept(int letter)
        {{
            _sorter.Sort(letter);
            System.Console.WriteLine(letter);
        }}
    }}
}}
"""
STEPS: tuple[dict[str, Any], ...] = (
    {"id": "understand", "action": "understand_question"},
    {"id": "search", "action": "search_nodes"},
    {"id": "judge", "action": "check_entry_points", "on_good": "expand", "on_weak": "weak"},
    {"id": "expand", "action": "expand_dependency_tree", "max_nodes": 6},
    {"id": "present", "action": "present_evidence", "end": True},
    {"id": "weak", "action": "state_limits", "end": True},
)
SORTER, SORT = "csharp:Post.ISorter|TYPE", "csharp:Post.ISorter.Sort|METHOD"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ragduck.Store]:
    folder = tmp_path_factory.mktemp("post")
    (folder / "source").mkdir()
    (folder / "source" / "ISorter.cs").write_text(SERVICE)
    for number in range(USERS):
        (folder / "source" / f"Office{number}.cs").write_text(USER.format(number=number))
    ragduck.prepare(folder / "source", folder / "post.duckdb", repo="post", embed_model="none")
    with ragduck.open(folder / "post.duckdb") as opened:
        yield opened


def test_the_one_that_is_asked_for_is_found_among_many_that_are_not(run: Any, store: ragduck.Store) -> None:
    question = "what implements ISorter"

    ran = run(*STEPS, state=State(question, question_en=question), store=store)

    assert ran.state.neighbourhood.is_cut
    assert len(ran.state.neighbourhood.nodes) == 6
    assert "- Post.PostSorter —Implements→ Post.ISorter" in ran.state.answer


def test_callers_fill_the_walk_before_other_neighbours(run: Any, store: ragduck.Store) -> None:
    question = "who calls ISorter.Sort"

    ran = run(*STEPS, state=State(question, question_en=question), store=store)

    nodes = ran.state.neighbourhood.nodes
    assert nodes[0].node_key == SORT
    assert [(node.relation, node.direction) for node in nodes[1:]] == [("Calls", "in")] * 5


def test_all_that_is_asked_for_is_counted(run: Any, store: ragduck.Store) -> None:
    question = "who calls ISorter.Sort"

    ran = run(*STEPS, state=State(question, question_en=question), store=store)

    wanted = asked_edges(ran.state)
    assert wanted.keys == (SORT,)
    assert number_asked_for(store.rows, ran.state.neighbourhood, wanted) == USERS
    assert (
        f"5 of {USERS} callers of `ISorter.Sort`; all: `ragduck graph STORE '{SORT}' --callers --depth 1`"
        in ran.state.answer
    )
    assert len(store.callers(SORT, depth=1).nodes) == USERS + 1


def test_that_there_is_no_caller_is_said_although_it_calls_something(run: Any, store: ragduck.Store) -> None:
    question = "who calls Office1.Accept"

    ran = run(*STEPS, state=State(question, question_en=question), store=store)

    found, _, around = ran.state.answer.partition("## What else is around it")
    assert "No caller of `Office1.Accept` is known" in found
    assert "—Calls" not in found
    assert "ISorter.Sort ←Calls— Office1.Accept" in around
