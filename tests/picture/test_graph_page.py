"""The page holds everything it needs, and nothing in the store can break out of it."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from typing import Any

from ragduck.picture import graph_page
from ragduck.picture.page import json_in_html

HOSTILE = "</script><script>alert(1)</script><!-- \u2028 {{data}} {{script}} &lt; \\u003c"


def node(key: str, **changes: Any) -> dict[str, Any]:
    plain = {
        "node_key": key, "kind": key.rpartition("|")[2], "role": None, "source_file": "a.sql", "start_line": 1,
        "end_line": 2, "distance": 0, "is_external": False,
    }  # fmt: skip
    return plain | changes


def data_of(page: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found
    data: dict[str, Any] = json.loads(found[1])
    return data


def test_page_holds_nodes_edges_and_texts() -> None:
    edge = {"from_key": "dbo.A|TABLE", "to_key": "dbo.B|TABLE", "relation": "ForeignKey"}

    page = graph_page(
        [node("dbo.A|TABLE"), node("dbo.B|TABLE", distance=1)],
        [edge],
        title="A",
        texts={"dbo.A|TABLE": "create table A"},
    )

    data = data_of(page)
    assert [each["node_key"] for each in data["nodes"]] == ["dbo.A|TABLE", "dbo.B|TABLE"]
    assert data["edges"] == [edge]
    assert data["texts"] == {"dbo.A|TABLE": "create table A"}


def test_hostile_names_and_texts_stay_data() -> None:
    key = f"dbo.{HOSTILE}|TABLE"

    page = graph_page([node(key)], [], title=HOSTILE, texts={key: HOSTILE})

    assert data_of(page)["texts"] == {key: HOSTILE}
    assert "<script>alert(1)" not in page
    assert page.count("</script>") == graph_page([], [], title="x").count("</script>")


def test_policy_allows_the_scripts_of_the_page_and_no_other() -> None:
    page = graph_page([node("dbo.A|TABLE")], [], title="A")

    scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    hashes = [
        "'sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() + "'"
        for script in scripts
    ]
    assert len(scripts) == 2
    assert f"default-src 'none'; script-src {' '.join(hashes)};" in page


def test_page_names_no_other_resource() -> None:
    page = graph_page([node("dbo.A|TABLE")], [], title="A")

    markup = re.sub(r"<(script|style)\b.*?</\1>", "", page, flags=re.DOTALL)
    assert not re.search(r"\b(src|href|action)\s*=", markup)


def test_labels_are_short() -> None:
    page = graph_page(
        [node("csharp:Shop.Core.OrderService.Place|METHOD"), node("dbo." + "X" * 60 + "|TABLE")],
        [],
        title="A",
    )

    assert [each["label"] for each in data_of(page)["nodes"]] == [
        "OrderService.Place",
        "dbo." + "X" * 43 + "…",
    ]


def test_json_in_html_is_still_the_same_json() -> None:
    assert json.loads(json_in_html({"text": HOSTILE})) == {"text": HOSTILE}
