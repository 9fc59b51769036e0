"""A member is found under the names of the types that inherit it."""

from __future__ import annotations

from typing import Any

import pytest

BASE, TOP, FACE, CHILD, OTHER = (
    f"csharp:N.{name}|TYPE" for name in ("Base", "Top", "IFace", "Child", "Other")
)
MEMBERS = {
    BASE: ("Load", "Save", "Base"),
    TOP: ("Load", "Open"),
    FACE: ("Save", "Load", "Close"),
    CHILD: ("Save",),
}


def member(type_key: str, name: str) -> str:
    return f"{type_key.partition('|')[0]}.{name}|METHOD"


@pytest.fixture(scope="module")
def store(shared_hand: Any) -> Any:
    contained = [(key, "Contains", member(key, name)) for key, names in MEMBERS.items() for name in names]
    edges = [
        *contained,
        (CHILD, "Inherits", BASE),
        (CHILD, "Implements", FACE),
        (BASE, "Inherits", TOP),
        (TOP, "Inherits", BASE),  # no compiler takes it, but it must end
        (member(CHILD, "Save"), "Implements", member(FACE, "Save")),
    ]
    nodes = [*MEMBERS, OTHER, *(to_key for _, _, to_key in contained)]
    with shared_hand.store(shared_hand.Part(nodes=nodes, edges=edges)) as opened:
        yield opened


@pytest.mark.parametrize(
    ("written", "keys"),
    [
        ("Child.Save", [member(CHILD, "Save")]),
        ("Child.Load", [member(BASE, "Load")]),
        ("N.Child.Load", [member(BASE, "Load")]),
        ("csharp:N.Child.Load|METHOD", [member(BASE, "Load")]),
        ("Child.Open", [member(TOP, "Open")]),
        ("Child.Close", [member(FACE, "Close")]),
        ("Top.Save", [member(BASE, "Save")]),
        ("Top.Load", [member(TOP, "Load")]),
        ("Child.Base", []),
        ("Child.Gone", []),
        ("Other.Load", []),
    ],
)
def test_an_inherited_member_is_called_by_the_heir(store: Any, written: str, keys: list[str]) -> None:
    rows = store.sql("select node_key from node_of($name)", {"name": written})

    assert [row["node_key"] for row in rows] == keys


def test_a_walk_begins_at_an_inherited_member(store: Any) -> None:
    assert store.neighbourhood("Child.Open", depth=0).starts == (member(TOP, "Open"),)
