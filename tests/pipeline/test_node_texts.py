"""Seed 003, §5.3: texts by identity, whole or not at all."""

from __future__ import annotations

from typing import Any

import pytest

from ragduck.pipeline.prompting.tokens import estimated_tokens
from ragduck.pipeline.retrieval.node_texts import (
    Order,
    Stretch,
    Wanted,
    definitions_first,
    in_order,
    pack,
    stretches,
)

SEEDS = [Wanted("s1", ""), Wanted("s2", "")]
GRAPH = [Wanted("g1", ""), Wanted("g2", ""), Wanted("s1", "")]


def chunk(start: int, end: int, text: str = "x", **fields: Any) -> dict[str, Any]:
    place = {
        "repo": "r",
        "branch": "b",
        "source_file": "a.cs",
        "file_type": "cs",
        "id": f"c{start}",
        "node_key": "k",
    }
    return {**place, "start_line": start, "end_line": end, "text": text, **fields}


def stretch(key: str, start: int, end: int, text: str, branch: str = "b") -> Stretch:
    return Stretch(key, "r", branch, "a.cs", start, end, text, "cs")


@pytest.mark.parametrize(
    ("order", "keys"),
    [
        ("seed_first", ["s1", "s2", "g1", "g2"]),
        ("graph_first", ["g1", "g2", "s1", "s2"]),
        ("balanced", ["s1", "g1", "s2", "g2"]),
    ],
)
def test_the_prioritization_mode_says_which_texts_come_first(order: Order, keys: list[str]) -> None:
    assert [wanted.key for wanted in in_order(SEEDS, GRAPH, order)] == keys


def test_chunks_that_follow_on_one_another_are_one_text() -> None:
    [joined] = stretches([chunk(4, 5, "c\nd"), chunk(1, 3, "a\n\nb")], key="k")

    assert (joined.text, joined.location) == ("a\n\nb\nc\nd", "a.cs:1-5")


def test_blank_lines_between_chunks_are_put_back() -> None:
    [joined] = stretches([chunk(1, 1, "a", chunk_no=7), chunk(3, 3, "b", chunk_no=8)], key="k")

    assert joined.text == "a\n\nb"


def test_chunks_with_another_one_between_them_stay_apart() -> None:
    assert len(stretches([chunk(1, 1, chunk_no=7), chunk(9, 9, chunk_no=9)], key="k")) == 2


def test_a_text_that_does_not_fit_is_skipped_and_named_but_never_cut() -> None:
    texts = {"s1": [stretch("s1", 1, 9, "x" * 300)], "s2": [stretch("s2", 20, 20, "y")]}

    packed = pack(SEEDS, texts, hits=(), count=estimated_tokens, budget=100, top_n=9)

    assert [block.text for block in packed.blocks] == ["y"]
    assert packed.skipped == ["s1"]


def test_no_more_than_top_n_texts_are_taken() -> None:
    texts = {"s1": [stretch("s1", 1, 1, "x")], "s2": [stretch("s2", 2, 2, "y")]}

    assert len(pack(SEEDS, texts, hits=(), count=estimated_tokens, budget=999, top_n=1).blocks) == 1


def test_lines_that_are_shown_already_are_not_shown_again() -> None:
    texts = {"s1": [stretch("s1", 1, 9, "type")], "s2": [stretch("s2", 3, 4, "method")]}

    packed = pack(SEEDS, texts, hits=(), count=estimated_tokens, budget=999, top_n=9)

    assert [block.key for block in packed.blocks] == ["s1"]
    assert packed.skipped == []


def test_of_a_very_long_text_the_chunks_that_were_hits_are_taken() -> None:
    hit = chunk(40, 41, "the hit", node_key="s1")
    texts = {"s1": [stretch("s1", 1, 900, "x" * 3000)]}

    packed = pack(SEEDS[:1], texts, hits=(hit,), count=estimated_tokens, budget=500, top_n=9)

    assert [(block.text, block.location) for block in packed.blocks] == [("the hit", "a.cs:40-41")]


def test_the_same_text_in_two_branches_is_shown_once() -> None:
    texts = {"s1": [stretch("s1", 1, 1, "x"), stretch("s1", 1, 1, "x", branch="other")]}

    assert len(pack(SEEDS[:1], texts, hits=(), count=estimated_tokens, budget=999, top_n=9).blocks) == 1


TABLE = "dbo.Parcel|TABLE"
OF_TABLE = [
    stretch(TABLE, 1, 1, "alter table Parcel add Note int"),
    stretch(TABLE, 3, 4, "-- the parcels\nCREATE TABLE Parcel (Id int)"),
    stretch(TABLE, 9, 9, "alter table Parcel drop column Id"),
]


def test_of_a_table_beside_the_question_scripts_further_lines_are_but_places() -> None:
    texts = definitions_first({TABLE: OF_TABLE}, whole=())

    [block] = pack([Wanted(TABLE, "")], texts, hits=(), count=estimated_tokens, budget=999, top_n=9).blocks
    assert block.text == OF_TABLE[1].text
    assert block.elsewhere == ("a.cs:1-1", "a.cs:9-9")


def test_of_a_table_that_is_asked_for_scripts_further_lines_come_after_all_else() -> None:
    texts = definitions_first({TABLE: OF_TABLE, "s1": [stretch("s1", 20, 20, "x")]}, whole=[TABLE])

    packed = pack(
        [Wanted(TABLE, ""), Wanted("s1", "")],
        texts,
        hits=(),
        count=estimated_tokens,
        budget=999,
        top_n=9,
    )
    assert [block.location for block in packed.blocks] == ["a.cs:3-4", "a.cs:20-20", "a.cs:1-1", "a.cs:9-9"]


def test_each_branch_shows_its_own_definition_of_a_table() -> None:
    other = stretch(TABLE, 3, 4, "create table Parcel (Id bigint)", branch="c")

    shown = definitions_first({TABLE: [*OF_TABLE, other]}, whole=())[TABLE]

    assert [(one.branch, one.elsewhere) for one in shown] == [("b", ("a.cs:1-1", "a.cs:9-9")), ("c", ())]


def test_where_no_script_creates_a_table_all_that_tells_of_it_is_shown() -> None:
    assert definitions_first({TABLE: OF_TABLE[::2]}, whole=())[TABLE] == OF_TABLE[::2]
