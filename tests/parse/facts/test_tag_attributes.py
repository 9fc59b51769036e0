"""Names of attributes are read past the C# in values, in a time that grows with the text alone."""

from __future__ import annotations

from time import process_time

import pytest

from ragduck.parse.facts.tag_attributes import TagAttributes


def names(text: str) -> list[str]:
    return [name for name, _, _ in TagAttributes(text).read(text.index(" "))]


@pytest.mark.parametrize(
    ("tag", "found"),
    [
        ("""<A B="c" D='e' F=g H @I="j" K:l="m" />""", ["B", "D", "F", "H", "@I", "K:l"]),
        ("""<A B="@(x => { Go("C=\\"D", '"'); })" E="1">F="2"</A>""", ["B", "E"]),
        ("""<A B="@x["C"].Y("D")" E=@x.Y("F G") H="a@@b" I="@" J>""", ["B", "E", "H", "I", "J"]),
        ("""<A B="@(Y(@"C:\\"))" E="1">""", ["B", "E"]),
        ("""<A B="@(" C="d">""", ["B"]),
        ("""<A B="c D>""", ["B"]),
    ],
)
def test_values_may_hold_code(tag: str, found: list[str]) -> None:
    assert names(tag) == found


PIECES = [
    '<A B="@(',
    "<A B='<A C=\"",
    "<A B ",
    '<A B="@x[',
    "@(",
    '<A B="@(a)@(b)',
    '<A B=@("' + '\\"' * 4500 + "\n)",
]


@pytest.mark.parametrize("piece", PIECES, ids=range(len(PIECES)))
def test_hostile_text_takes_no_longer_than_its_length(piece: str) -> None:
    text = piece * (1_000_000 // len(piece))
    attributes = TagAttributes(text)
    begun = process_time()

    for start in range(2, len(text), len(piece)):
        for _ in attributes.read(start):
            pass

    assert process_time() - begun < 20
