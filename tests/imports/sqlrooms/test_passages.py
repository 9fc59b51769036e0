"""Texts cut out of a document become whole lines of it again, and nothing of either is lost."""

from __future__ import annotations

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from ragduck.imports.sqlrooms.passages import Passage, PlacedText, place

GUIDE = "# Guide\n\nHow to begin.\n\n## Install\n\nRun it. Then answer. It asks much.\n"


def lines_of(placed: PlacedText) -> list[str]:
    lines = placed.text.split("\n")
    return ["\n".join(lines[each.start_line - 1 : each.end_line]) for each in placed.passages]


def test_a_text_is_found_at_its_lines() -> None:
    placed = place(GUIDE, [Passage(1, "# Guide\n\nHow to begin."), Passage(2, "## Install\n\nRun it.")])

    assert [(each.start_line, each.end_line) for each in placed.passages] == [(1, 3), (5, 7)]


def test_headings_repeated_in_front_are_not_looked_for() -> None:
    weighted = "Install\nInstall\nInstall\n\n## Install\n\nRun it. Then answer. It asks much."

    placed = place(GUIDE, [Passage(1, weighted)])

    assert lines_of(placed) == ["## Install\n\nRun it. Then answer. It asks much."]
    assert placed.text == GUIDE


def test_a_heading_that_was_only_repeated_is_taken_with_its_text() -> None:
    placed = place(GUIDE, [Passage(1, "Guide\nGuide\n\nHow to begin.", ("Guide",))])

    assert lines_of(placed) == ["# Guide\n\nHow to begin."]


def test_first_lines_that_are_no_headings_are_never_dropped() -> None:
    placed = place(GUIDE, [Passage(1, "A line of its own.\nRun it. Then answer. It asks much.")])

    assert placed.added == (1,)
    assert placed.text.endswith("A line of its own.\nRun it. Then answer. It asks much.")


def test_a_line_is_broken_where_a_text_ends_within_it() -> None:
    placed = place(GUIDE, [Passage(1, "## Install\n\nRun it. Then answer."), Passage(2, "It asks much.")])

    assert lines_of(placed) == ["## Install\n\nRun it. Then answer.", "It asks much."]
    assert placed.broken == 1


def test_an_overlap_belongs_to_the_earlier_text() -> None:
    placed = place(GUIDE, [Passage(1, "Run it. Then answer."), Passage(2, "Then answer. It asks much.")])

    assert lines_of(placed)[1] == "It asks much."
    assert placed.shortened == (2,)


def test_a_text_within_another_has_no_lines_of_its_own() -> None:
    placed = place(GUIDE, [Passage(1, GUIDE.strip()), Passage(2, "How to begin.")])

    assert [each.number for each in placed.passages] == [1]
    assert placed.covered == (2,)


def test_equal_texts_are_found_one_after_the_other() -> None:
    placed = place(
        "See above.\n\nMore.\n\nSee above.\n", [Passage(1, "See above."), Passage(2, "See above.")]
    )

    assert [each.start_line for each in placed.passages] == [1, 5]


def test_without_a_document_the_texts_are_one() -> None:
    placed = place("", [Passage(1, "One\nOne\n\n# One\n\nFirst."), Passage(2, "Second.")])

    assert placed.text == "# One\n\nFirst.\n\nSecond."
    assert lines_of(placed) == ["# One\n\nFirst.", "Second."]


def test_indentation_of_the_first_line_is_kept() -> None:
    placed = place("Code:\n\n    run\n    stop\n", [Passage(1, "run\n    stop")])

    assert lines_of(placed) == ["    run\n    stop"]


def test_many_texts_that_are_not_there_do_not_take_long() -> None:
    source = "word " * 20_000

    placed = place(source, [Passage(number, f"missing {number} text") for number in range(20_000)])

    assert len(placed.added) == 20_000


documents = st.text(alphabet="ab# .\n\t", max_size=120)


@st.composite
def documents_with_cuts(draw: st.DrawFn) -> tuple[str, list[Passage]]:
    text = draw(documents)
    places = st.integers(0, len(text))
    spans = draw(st.lists(st.tuples(places, places), max_size=6))
    cut = [text[min(span) : max(span)] for span in spans]
    texts = [piece for piece in cut if piece.strip()] + draw(
        st.lists(st.sampled_from(["c", "a\nc\n"]), max_size=2)
    )
    return text, [Passage(number, piece) for number, piece in enumerate(texts)]


@settings(max_examples=300, deadline=None)
@given(documents_with_cuts())
def test_placed_texts_are_whole_lines_in_order_and_the_document_stays(
    drawn: tuple[str, list[Passage]],
) -> None:
    source, passages = drawn

    placed = place(source, passages)

    count = placed.text.count("\n") + 1
    end = 0
    for each in placed.passages:
        assert end < each.start_line <= each.end_line <= count
        end = each.end_line
    assert sorted([each.number for each in placed.passages] + list(placed.covered)) == list(
        range(len(passages))
    )
    assert all(text.strip() for text in lines_of(placed))
    letters = Counter(placed.text) - Counter(source)
    assert not (set(letters) - set("\n")) or placed.added
    assert "".join(placed.text.split()).startswith("".join(source.split()))
