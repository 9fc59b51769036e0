from __future__ import annotations

import pytest

from ragduck.parse.facts.xml_comments import without_comments


@pytest.mark.parametrize(
    ("text", "outside"),
    [
        ("<a/>", "<a/>"),
        ("<a><!-- b --></a>", "<a></a>"),
        ("<a>\n<!-- b\n\nc --><d/>", "<a>\n\n\n<d/>"),
        ("<!-- a --><b/><!-- c --><d/>", "<b/><d/>"),
        ("<a/><!-- b <!-- c", "<a/>"),
        ("<!-->", ""),
    ],
)
def test_comments_are_left_out_and_lines_stay(text: str, outside: str) -> None:
    assert without_comments(text) == outside


def test_many_that_do_not_end_take_no_longer_than_one() -> None:
    assert without_comments("<!--" * 500_000) == ""
