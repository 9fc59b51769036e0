"""What a thing that is called by name is tied to itself comes first where no relation is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import ragduck

CALLERS = 12  # more than a group of other relations shows
SCRIPT = [
    "create table dbo.Parcel (id int);",
    "create table dbo.Letter (id int);",
    "create procedure dbo.Weigh as begin update dbo.Parcel set id = 1; select id from dbo.Letter; end;",
    *(f"create procedure dbo.Run_{number:02} as exec dbo.Weigh;" for number in range(CALLERS)),
    "create procedure dbo.Heavy as select id from dbo.Letter;",
]
CODE = """\
namespace Post
{
    public class Desk
    {
        public void Open() { Close(); }
        public void Close() { }
    }
}
"""


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ragduck.Store]:
    folder = tmp_path_factory.mktemp("post")
    (folder / "source").mkdir()
    (folder / "source" / "post.sql").write_text("\ngo\n".join(SCRIPT))
    (folder / "source" / "Desk.cs").write_text(CODE)
    ragduck.prepare(folder / "source", folder / "post.duckdb", repo="post", embed_model="none")
    with ragduck.open(folder / "post.duckdb") as opened:
        yield opened


def own_ties(asked: Any, store: ragduck.Store, question: str, **settings: Any) -> list[str]:
    answer = asked(question, store=store, **settings).state.answer
    told = answer.partition("## How it hangs together")[2].partition("\n## ")[0]
    return [line for line in told.split("\n") if line.startswith("- ") or "direct tie" in line]


@pytest.mark.parametrize("question", ["Explain procedure dbo.Weigh", "What does dbo.Weigh do?"])
def test_what_a_procedure_does_stands_before_what_runs_it(
    asked: Any, store: ragduck.Store, question: str
) -> None:
    told = own_ties(asked, store, question)

    assert told[0] == f"{CALLERS + 2} direct ties of `dbo.Weigh`, its own doing first:"
    assert told[1].startswith("- dbo.Weigh —WritesTo→ dbo.Parcel")
    assert told[2].startswith("- dbo.Weigh —ReadsFrom→ dbo.Letter")
    assert sum("—Executes→ dbo.Weigh" in line for line in told) == CALLERS


def test_how_to_see_all_is_said_where_the_walk_was_cut(asked: Any, store: ragduck.Store) -> None:
    told = own_ties(asked, store, "Explain procedure dbo.Weigh", max_nodes=6)

    assert told[0].endswith(
        f" of {CALLERS + 2} direct ties of `dbo.Weigh`, its own doing first; "
        "all: `ragduck graph STORE 'dbo.Weigh|PROC' --depth 1`"
    )


def test_of_a_type_it_is_members_that_are_tied(asked: Any, store: ragduck.Store) -> None:
    answer = asked("Explain the class Post.Desk", store=store).state.answer

    assert "direct tie" not in answer


def test_a_relation_that_is_asked_for_comes_first_as_before(asked: Any, store: ragduck.Store) -> None:
    answer = asked("What does dbo.Weigh write?", store=store).state.answer

    assert "1 object written by `dbo.Weigh`:" in answer
    assert "direct tie" not in answer
