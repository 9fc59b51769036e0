"""A stack trace is about the methods at its lines and in its frames, not about their files."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import ragduck
from ragduck.pipeline.question.stack_traces import frames_of, without_frames

CODE = """\
namespace Post
{
    public class Scale
    {
        public int Weigh(int parcel)
        {
            return parcel / 0;
        }
        public int Empty()
        {
            return 0;
        }
    }
    public class Desk
    {
        public int Take(Scale scale)
        {
            return scale.Weigh(1);
        }
    }
}
"""
WEIGH, TAKE = "csharp:Post.Scale.Weigh|METHOD", "csharp:Post.Desk.Take|METHOD"
TRACE = """\
System.DivideByZeroException: Attempted to divide by zero.
   at System.Linq.Enumerable.First[TSource](IEnumerable`1 source)
   at Post.Scale.<Weigh>d__2.MoveNext() in C:\\src\\Scale.cs:line 7
   at Post.Desk.Take(Scale scale)
"""


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ragduck.Store]:
    folder = tmp_path_factory.mktemp("post")
    (folder / "source").mkdir()
    (folder / "source" / "Scale.cs").write_text(CODE)
    ragduck.prepare(folder / "source", folder / "post.duckdb", repo="post", embed_model="none")
    with ragduck.open(folder / "post.duckdb") as opened:
        yield opened


@pytest.mark.parametrize(
    ("question", "entries"),
    [
        (TRACE, {WEIGH, TAKE}),
        (" ".join(TRACE.split()), {WEIGH}),
        ("what is Scale.cs:line 7", {WEIGH}),
        ("what does Scale.cs:7", {WEIGH}),
        ("   at Post.Desk.Take(Scale scale)", {TAKE}),
    ],
)
def test_the_graph_is_entered_by_methods(
    asked: Any, store: ragduck.Store, question: str, entries: set[str]
) -> None:
    ran = asked(question, store=store)

    assert set(ran.state.entry_nodes) == entries


def test_where_no_line_and_no_method_is_known_the_file_stands(asked: Any, store: ragduck.Store) -> None:
    question = "what is in Scale.cs"

    ran = asked(question, store=store)

    assert ran.state.entry_nodes == ("file:Scale.cs|FILE",)


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("at Shop.Orders.Place(Int32 id) in /src/Orders.cs:line 9", "Shop.Orders.Place"),
        ("   at Shop.Orders.<PlaceAsync>d__12.MoveNext()", "Shop.Orders.PlaceAsync"),
        ("   at Shop.Orders.<>c__DisplayClass5_0.<Place>b__0(Order order)", "Shop.Orders.Place"),
        ("   at Shop.List`1.Find[T](T one)", "Shop.List.Find"),
        ("   at Shop.Outer+Inner.Run()", "Shop.Outer.Inner.Run"),
        ("    at OrderService.place (src/app/order.ts:10:5)", "OrderService.place"),
    ],
)
def test_a_frame_names_a_method_as_code_does(line: str, name: str) -> None:
    assert frames_of(line) == (name,)
    assert not without_frames(line).strip()


def test_a_sentence_has_no_frames() -> None:
    assert frames_of("What happens at Orders.Place(id) then?") == ()
