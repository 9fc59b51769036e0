"""What rules found is read back as it was, over one list of words."""

from __future__ import annotations

import pytest

from ragduck.edge_table import EdgeTable, together
from ragduck.graph.rule_memory import Finding
from ragduck.graph.types.looks import Looks
from ragduck.model import Edge, Node
from ragduck.node_table import NodeTable
from ragduck.preparation.rules_record import KeptRules, KnownFile, packed_rules, unpacked_rules

KEY = b"key"


def edges(*names: str, rule: str) -> EdgeTable:
    return EdgeTable.of(Edge(name, "csharp:A|TYPE", "Uses", "a.cs", 3, rule, 0.9) for name in names)


def kept(findings: dict[str, Finding]) -> KeptRules:
    return KeptRules(b"declarations", {"a.cs": KnownFile(b"f", b"b", b"m")}, {}, findings)


FOUND = {
    "some": Finding(Looks(), edges("csharp:B|TYPE", "csharp:Ł|TYPE", rule="call")),
    "words": Finding(Looks(), words={"csharp:A|TYPE": "ACTION"}),
    "others": Finding(Looks(), edges("csharp:Ł|TYPE", "csharp:B|TYPE", rule="new")),
    "nodes": Finding(Looks(), nodes=NodeTable.of([Node("csharp:A|TYPE", "TYPE", "A", "regular_code")])),
}


@pytest.mark.parametrize("names", [[], ["words"], ["some"], list(FOUND)])
def test_what_rules_found_is_read_back(names: list[str]) -> None:
    given = kept({name: FOUND[name] for name in names})

    assert unpacked_rules(packed_rules(given, key=KEY), key=KEY) == given


def test_edges_that_were_read_back_need_no_look_at_words_to_be_put_together() -> None:
    found = unpacked_rules(packed_rules(kept(FOUND), key=KEY), key=KEY)
    assert found is not None
    some, others = found.findings["some"].edges, found.findings["others"].edges

    assert some.words is others.words
    assert together([some, others]).words is some.words


def test_bytes_that_are_not_whole_are_not_read() -> None:
    assert unpacked_rules(packed_rules(kept(FOUND), key=KEY)[:-1], key=KEY) is None
