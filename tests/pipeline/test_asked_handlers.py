"""What handles a message is what it leads to, also where members bear its name or its publishers are asked for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import ragduck
from ragduck.pipeline.question.understanding import understood_by_rules
from ragduck.pipeline.retrieval.asked_edges import asked_edges
from ragduck.pipeline.state import State

CODE = """\
namespace Post
{
    public interface IHandler<T>
    {
        void Handle(T message);
    }
    public class ParcelLost
    {
        public ParcelLost(int parcel) { }
    }
    public class LostDesk : IHandler<ParcelLost>
    {
        public void Handle(ParcelLost message) { }
    }
    public static class Bus
    {
        public static void ParcelLost(int parcel) { Publish(new ParcelLost(parcel)); }
        public static void Publish(object message) { }
    }
}
"""


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ragduck.Store]:
    folder = tmp_path_factory.mktemp("post")
    (folder / "source").mkdir()
    (folder / "source" / "Post.cs").write_text(CODE)
    ragduck.prepare(folder / "source", folder / "post.duckdb", repo="post", embed_model="none")
    with ragduck.open(folder / "post.duckdb") as opened:
        yield opened


def told(asked: Any, store: ragduck.Store, question: str) -> str:
    answer = asked(question, store=store).state.answer
    return str(answer.partition("## How it hangs together")[2].partition("## What else is around it")[0])


def test_a_constructor_of_its_name_does_not_hide_what_handles_it() -> None:
    question, key = "who consumes ParcelLost?", "csharp:Post.ParcelLost|TYPE"
    state = State(
        question,
        understanding=understood_by_rules(question),
        entry_nodes=(key, "csharp:Post.ParcelLost.ParcelLost|METHOD"),
    )

    wanted = asked_edges(state)

    assert (wanted.keys, wanted.asked.direction) == ((key,), "out")


def test_what_handles_it_is_counted(asked: Any, store: ragduck.Store) -> None:
    found = told(asked, store, "who handles ParcelLost")

    assert "1 handler of `Post.ParcelLost`:" in found
    assert "- Post.ParcelLost —Handles→ LostDesk.Handle" in found


def test_who_publishes_and_who_handles_it_are_told_together(asked: Any, store: ragduck.Store) -> None:
    found = told(asked, store, "who publishes and who handles ParcelLost")

    assert "- Post.ParcelLost —Handles→ LostDesk.Handle" in found
    assert "- Bus.ParcelLost —Uses→ Post.ParcelLost" in found
