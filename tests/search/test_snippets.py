from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from ragduck.search.snippets import MAX_LINE, Snippet, parts_of, question_terms, snippet_of


def snippet(text: str, query: str, *, start_line: int = 1, max_lines: int = 8) -> Snippet:
    return snippet_of({"text": text, "start_line": start_line}, query, max_lines=max_lines)


def marked(found: Snippet) -> list[str]:
    return [line.text[start:end] for line in found.lines for start, end in line.spans]


def test_short_chunk_is_shown_whole() -> None:
    found = snippet("one\ntwo\nthree", "two", start_line=10)

    assert [line.number for line in found.lines] == [10, 11, 12]
    assert (found.before, found.after) == (0, 0)


def test_window_is_where_most_words_of_the_question_stand() -> None:
    text = "\n".join(["invoice"] + ["x"] * 20 + ["create", "the invoice", "order"] + ["x"] * 20)

    found = snippet(text, "create invoice order")

    assert [line.number for line in found.lines] == list(range(21, 29))
    assert (found.before, found.after) == (20, 16)


def test_long_words_tell_more_than_short_ones() -> None:
    text = "\n".join(["where are the", *["x"] * 20, "invoices"])

    found = snippet(text, "where are invoices", max_lines=2)

    assert marked(found) == ["invoices"]


def test_chunk_without_a_word_of_the_question_is_shown_from_its_start() -> None:
    found = snippet("\n".join("abcdefghijkl"), "nothing")

    assert [line.number for line in found.lines] == list(range(1, 9))
    assert marked(found) == []


def test_parts_of_identifiers_are_marked() -> None:
    found = snippet("var x = getInvoiceTotal_v2(INVOICE);", "invoice v2")

    assert marked(found) == ["Invoice", "INVOICE"]


def test_accents_and_case_make_no_difference() -> None:
    found = snippet("Übersicht der Usługi", "ubersicht USLUGI usługi")

    assert marked(found) == ["Übersicht", "Usługi"]


def test_short_words_count_when_there_are_no_others() -> None:
    assert question_terms("is it") == {"is", "it"}


def test_long_line_is_cut_around_its_first_match() -> None:
    found = snippet("a " * 100_000 + "needle " + "b " * 100_000, "needle")

    assert marked(found) == ["needle"]
    assert len(found.lines[0].text) <= MAX_LINE + 2
    assert found.lines[0].text.startswith("…")


@given(st.text(alphabet="aB_cD1ÄŁ", max_size=30))
def test_parts_are_in_order_and_hold_no_underscores(word: str) -> None:
    spans = list(parts_of(word))

    assert all(start < end for start, end in spans)
    assert all(left[1] <= right[0] for left, right in pairwise(spans))
    assert "".join(word[start:end] for start, end in spans) == word.replace("_", "")


@given(st.text(max_size=400), st.text(max_size=40), st.integers(1, 10))
def test_snippet_is_a_run_of_the_chunk(text: str, query: str, max_lines: int) -> None:
    found = snippet(text, query, max_lines=max_lines)

    lines = text.split("\n")
    assert len(found.lines) == min(max_lines, len(lines))
    assert found.before + len(found.lines) + found.after == len(lines)
    for line in found.lines:
        assert len(line.text) > MAX_LINE or line.text == lines[line.number - 1]
        assert all(0 <= start < end <= len(line.text) for start, end in line.spans)
