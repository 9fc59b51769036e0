import logging

import pytest
from mcp.shared.exceptions import MCPError


@pytest.mark.parametrize(
    ("tool", "arguments", "told"),
    [
        ("search", {}, "query: field required"),
        ("search", {"query": "x", "topk": 3}, "there is no argument 'topk'"),
        ("search", {"query": "x", "top_k": 51}, "top_k: input should be less than or equal to 50"),
        ("search", {"query": "x", "mode": "fuzzy"}, "mode: input should be 'hybrid'"),
        ("search", {"query": "invoice", "filters": {"knd": "PROC"}}, "unknown filter field 'knd'"),
        (
            "search",
            {"query": "invoice", "filters": "{not json"},
            "filters: input should be a valid dictionary",
        ),
        (
            "search",
            {"query": "invoice", "filters": {"kind": {}}},
            "filters.kind: input should be a valid string\n",
        ),
        ("search", {"query": "invoice", "where": "(select 1) = 1"}, "may not use a subquery"),
        ("search", {"query": "?!"}, "has no word"),
        ("show", {"key": "no.such.thing"}, "nothing called 'no.such.thing'"),
        ("graph", {"keys": []}, "keys: "),
        (
            "sql",
            {"statement": "@who_writes_a_table", "variables": {"objct": "dbo.Invoice"}},
            "reads no variable 'objct'; did you mean object?",
        ),
        ("sql", {"statement": "@who_writes_a_table"}, "has to be told object"),
        ("ask", {"question": "How?", "language": "english please"}, "language: "),
        ("nope", {}, "there is no tool 'nope'"),
    ],
)
def test_a_mistake_is_an_answer_with_a_hint(shop, tool, arguments, told):
    error = shop.error(tool, **arguments)

    assert error.startswith("error: ")
    assert told in error
    assert "\nhint: " in error
    assert "Traceback" not in error


def test_hints_name_tools_rather_than_commands(shop):
    error = shop.error("show", key="no.such.thing")

    assert error.endswith("search for it: search no.such.thing")


def test_a_failure_of_ours_tells_nothing_of_the_inside(shop, monkeypatch, caplog):
    monkeypatch.setattr("ragduck.library.Store.info", lambda store: 1 / 0)
    with caplog.at_level(logging.ERROR):
        error = shop.error("info")

    assert error.startswith("error: unexpected ZeroDivisionError")
    assert "line" not in error
    assert "division by zero" in caplog.text


@pytest.mark.parametrize(
    "uri", ["ragduck://nope", "ragduck://source/shop/main/../../etc/passwd", "ragduck://source/shop/other/docs/invoicing.md"]
)  # fmt: skip
def test_a_resource_that_is_none_is_refused(shop, uri):
    with pytest.raises(MCPError, match=r"(?s)error: .*hint: ") as raised:
        shop.portal.call(shop.client.read_resource, uri)

    assert raised.value.code == -32602


def test_a_prompt_without_its_argument_is_refused(shop):
    with pytest.raises(MCPError, match="needs object"):
        shop.portal.call(shop.client.get_prompt, "impact", {})
