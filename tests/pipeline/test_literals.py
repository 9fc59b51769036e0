"""A text that a question repeats leads to what holds it: the constant of a key, the method that throws a message."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import ragduck
from ragduck.pipeline.question.literals import literals_of
from ragduck.pipeline.question.words import identifiers_of

CODE = """\
namespace Post
{
    public static class Flags
    {
        public const string Other = "send-heavy-parcels-abroad";
        public const string Heavy = "send-heavy-parcels";
    }
    public class Desk
    {
        public bool Takes() { return Features.Is(Flags.Heavy); }
        public void Refuse() { throw new System.Exception("This parcel is too heavy."); }
        public void Weigh() { System.Console.WriteLine("heavy"); }
    }
}
"""


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ragduck.Store]:
    folder = tmp_path_factory.mktemp("post")
    (folder / "source").mkdir()
    (folder / "source" / "Desk.cs").write_text(CODE)
    ragduck.prepare(folder / "source", folder / "post.duckdb", repo="post", embed_model="none")
    with ragduck.open(folder / "post.duckdb") as opened:
        yield opened


def test_who_reads_a_flag_by_its_key(asked: Any, store: ragduck.Store) -> None:
    ran = asked("where is the flag send-heavy-parcels read?", store=store)

    assert ran.state.entry_nodes[0] == "csharp:Post.Flags.Heavy|FIELD"
    assert "- Desk.Takes —Uses→ Flags.Heavy" in ran.state.answer


def test_who_throws_a_message_in_quotes(asked: Any, store: ragduck.Store) -> None:
    ran = asked('where does "parcel is too heavy" come from?', store=store)

    assert ran.state.entry_nodes == ("csharp:Post.Desk.Refuse|METHOD",)


def test_who_handles_a_key_uses_its_constant(asked: Any, store: ragduck.Store) -> None:
    ran = asked("who handles send-heavy-parcels", store=store)

    assert "1 use of `Flags.Heavy`:" in ran.state.answer


def test_words_that_only_look_like_a_key_are_none(asked: Any, store: ragduck.Store) -> None:
    ran = asked("how are parcels sent door-to-door", store=store)

    assert "door" in ran.state.understanding.concepts


@pytest.mark.parametrize(
    ("question", "literals"),
    [
        ('who throws "Not allowed here."', (("Not allowed here.", False),)),
        ("where is ordering.payment.failed handled", (("ordering.payment.failed", True),)),
        ("where is `dbo.Invoice` written", ()),
        ("what reads src/Post-Office-Desk/file.cs", ()),
        ("what was built on 2026-01-02", ()),
    ],
)
def test_literals_are_messages_in_quotes_and_keys_of_several_words(
    question: str, literals: tuple[tuple[str, bool], ...]
) -> None:
    assert literals_of(question) == literals


@pytest.mark.parametrize(
    "name", ["2026-08-14_00_AddParcel.sql", "001-parcels.sql", "parcel-list.component.ts"]
)
def test_a_file_name_of_digits_and_hyphens_is_one_name(name: str) -> None:
    assert identifiers_of(f"what does {name} change?") == [name]
