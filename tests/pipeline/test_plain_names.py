"""A plain word with a capital that is exactly a table or an entity names it, where a question asks for a relation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import ragduck
from ragduck.pipeline.question.plain_names import columns_of, plain_names
from ragduck.pipeline.question.understanding import type_of
from ragduck.pipeline.state import State, Understanding

SCRIPT = [
    "create table dbo.Parcel (id int not null);",
    "create table dbo.Clients (id int not null);",
    "create procedure dbo.Parcel_Send as update dbo.Parcel set id = 1;",
    "create procedure dbo.Zz as update dbo.Clients set id = 1;",
]
CODE = """\
using System.ComponentModel.DataAnnotations.Schema;
namespace Post
{
    [Table("Clients", Schema = "dbo")]
    public class Sender
    {
        public int Id { get; set; }
    }
    public class ParcelClerk
    {
        public int Take(Sender sender) { return sender.Id; }
    }
}
"""


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ragduck.Store]:
    folder = tmp_path_factory.mktemp("post")
    (folder / "source").mkdir()
    (folder / "source" / "post.sql").write_text("\ngo\n".join(SCRIPT))
    (folder / "source" / "Sender.cs").write_text(CODE)
    ragduck.prepare(folder / "source", folder / "post.duckdb", repo="post", embed_model="none")
    with ragduck.open(folder / "post.duckdb") as opened:
        yield opened


@pytest.mark.parametrize(
    ("question", "said", "line"),
    [
        ("who writes Parcel", "1 writer of `dbo.Parcel`:", "- dbo.Parcel_Send —WritesTo→ dbo.Parcel"),
        ("who writes Sender", "1 writer of `dbo.Clients`:", "- dbo.Zz —WritesTo→ dbo.Clients"),
        ("who uses Sender", "of `Post.Sender`, `dbo.Clients`:", "- ParcelClerk.Take —Uses→ Post.Sender"),
    ],
)
def test_a_plain_word_names_a_table_or_an_entity(
    asked: Any, store: ragduck.Store, question: str, said: str, line: str
) -> None:
    ran = asked(question, store=store)

    told = ran.state.answer.partition("## What else is around it")[0]
    assert said in told
    assert line in told


def test_a_class_and_a_table_of_one_name_are_told_once(run: Any, store: ragduck.Store) -> None:
    understanding = Understanding("usage", "mixed", concepts=("Parcel|TABLE", "Parcel|TYPE"))
    step = {"id": "present", "action": "present_evidence", "end": True}

    ran = run(step, state=State("who uses Parcel", understanding=understanding), store=store)

    assert ran.state.answer.partition("\n")[0].count("**Parcel**") == 1


def test_a_word_of_a_question_that_asks_for_no_relation_stays_a_word(run: Any, store: ragduck.Store) -> None:
    question = "How is a Parcel sent?"
    step = {"id": "understand", "action": "understand_question", "end": True}

    ran = run(step, state=State(question, question_en=question), store=store)

    assert "parcel" in ran.state.understanding.concepts


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("who writes Parcel", ("Parcel",)),
        ("who writes parcel", ()),
        ("who writes Parcel Item", ()),
        ("who writes dbo.Parcel for Sender", ()),
        ("Parcel: who writes it", ()),
        ("what breaks if I change Parcel?", ("Parcel",)),
    ],
)
def test_which_words_may_be_names(question: str, words: tuple[str, ...]) -> None:
    assert plain_names(question, kind=type_of(question)) == words


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("who reads the column Status of Parcel", (("Parcel", "Status"),)),
        ("drop the Status column of the table dbo.Parcel", (("dbo.Parcel", "Status"),)),
        ("what is a column of Parcel", ()),
    ],
)
def test_a_column_is_named_with_its_table(question: str, found: tuple[tuple[str, str], ...]) -> None:
    assert columns_of(question) == found
