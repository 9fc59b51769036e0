"""Protocols of seed 003, appendix A, read strictly; and JSON decisions, read with patience."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragduck.pipeline.prompting.protocol import (
    ANSWER_PREFIXES,
    ROUTER_PREFIXES,
    begins_with_prefix,
    parse_decision,
    parse_prefix,
)

ALL = {**ROUTER_PREFIXES, **ANSWER_PREFIXES}
REPLIES = st.lists(
    st.sampled_from([*ALL.values(), "\n", " ", "> ", "\u200b", "invoice", "[", ":]", "```"])
    | st.text(max_size=4),
    max_size=20,
).map("".join)


@pytest.mark.parametrize(("kind", "prefix"), ROUTER_PREFIXES.items())
def test_seed_003_3_1_each_router_prefix_is_known(kind: str, prefix: str) -> None:
    reply = parse_prefix(f"{prefix} invoice tables", ROUTER_PREFIXES, one_line=True)

    assert (reply.kind, reply.text, reply.prefix, reply.breach) == (kind, "invoice tables", prefix, None)


def test_seed_003_3_1_direct_may_be_empty() -> None:
    assert parse_prefix("[DIRECT:]", ROUTER_PREFIXES, one_line=True).kind == "direct"


@pytest.mark.parametrize(
    "response",
    [
        "[SEMANTIC:] one\n[BM25:] two",
        "[SEMANTIC:] one\ntwo",
        "[SEMANTIC:]\none",
        "[SEMANTIC:] one [BM25:] two",
        "[SEMANTIC:] [SEMANTIC:] one",
        "I would search. [SEMANTIC:] one",
        "```\n[SEMANTIC:] one\n```",
        "> [SEMANTIC:] one",
        "[semantic:] one",
        "[SEMANTIC] one",
        "[SEMANTIC :] one",
        "SEMANTIC: one",
        "［SEMANTIC：］ one",
        "\u200b[SEMANTIC:] one",
        "[Answer:] one",
        "",
        "   ",
    ],
)
def test_seed_003_3_1_anything_but_one_line_with_one_prefix_breaks_the_protocol(response: str) -> None:
    reply = parse_prefix(response, ROUTER_PREFIXES, one_line=True)

    assert reply.kind is None
    assert reply.breach


def test_blanks_around_the_whole_response_are_tolerated() -> None:
    assert parse_prefix("\n  [BM25:] invoice \n\n", ROUTER_PREFIXES, one_line=True).text == "invoice"


def test_seed_003_7_1_an_answer_may_have_several_lines() -> None:
    reply = parse_prefix("[Answer:] Tables:\n\n- dbo.Invoice [1]\n", ANSWER_PREFIXES)

    assert (reply.kind, reply.text) == ("answer", "Tables:\n\n- dbo.Invoice [1]")


def test_seed_003_7_1_more_data_may_be_requested() -> None:
    reply = parse_prefix("[Requesting data on:] invoice lines", ANSWER_PREFIXES)

    assert (reply.kind, reply.text) == ("requesting_data", "invoice lines")


@pytest.mark.parametrize(
    "response",
    [
        "[Answer:] so\n[Requesting data on:] more",
        "[Answer:] so [Requesting data on:] more",
        "[Requesting data on:] more\n[Answer:] so",
        "[Answer:] so\n  > [Answer:] or so",
        "[Answer:] [Answer:] so",
        "[Answer:] so\n\u200b[SEMANTIC:] more",
        "[Answer:] so\r［Answer：］ or so",
        "So it is.",
    ],
)
def test_seed_003_7_1_two_prefixes_break_the_protocol(response: str) -> None:
    assert parse_prefix(response, ANSWER_PREFIXES).kind is None


def test_an_answer_may_speak_of_the_prefixes_of_another_protocol_within_a_line() -> None:
    assert parse_prefix("[Answer:] The router says `[BM25:]`.", ANSWER_PREFIXES).kind == "answer"


def test_own_prefixes_are_read_like_those_of_the_seed() -> None:
    own = {"class": "[CLASS:]", "sequence": "[SEQUENCE:]"}

    assert parse_prefix("[CLASS:] Order\nInvoice", own).kind == "class"
    assert parse_prefix("[CLASS:] Order\n[SEQUENCE:] x", own).kind is None


@settings(deadline=None)
@given(REPLIES)
def test_no_reply_puts_a_prefix_into_what_is_read(response: str) -> None:
    reply = parse_prefix(response, ANSWER_PREFIXES)

    assert not begins_with_prefix(reply.text)
    assert not any(prefix in reply.text for prefix in ANSWER_PREFIXES.values())


@settings(deadline=None)
@given(REPLIES)
def test_a_router_reply_that_is_read_is_one_line(response: str) -> None:
    reply = parse_prefix(response, ROUTER_PREFIXES, one_line=True)

    assert len(reply.text.splitlines()) <= 1
    assert (reply.kind is None) == bool(reply.breach)


@pytest.mark.parametrize(
    "response",
    [
        '{"decision": "direct"}',
        '  {"decision": "direct"}\n',
        '```json\n{"decision": "direct"}\n```',
        'Here it is: {"decision": "direct"}. Good luck {with it}!',
        '{not json} {"decision": "direct"}',
    ],
)
def test_a_decision_is_found_among_fences_and_text(response: str) -> None:
    assert parse_decision(response) == {"decision": "direct"}


@pytest.mark.parametrize(
    "response",
    [
        "",
        "direct",
        '{"decision": "direct"} {"decision": "retrieve"}',
        '["decision"]',
        '{"decision": "direct"',
        "{'decision': 'direct'}",
        '{"decision": "direct", "query": "\\ud800"}',
        '{"decision": "direct", "text": "' + "x" * 30_000 + '"}',
        '{"a":' * 3_000,
    ],
)
def test_nonsense_is_no_decision(response: str) -> None:
    assert parse_decision(response) is None


@settings(deadline=None)
@given(st.text() | st.text(alphabet='{}[]":,a1 \\'))
def test_no_text_breaks_the_reading_of_a_decision(response: str) -> None:
    found = parse_decision(response)

    assert found is None or isinstance(found, dict)


@settings(deadline=None)
@given(st.dictionaries(st.text(max_size=5), st.integers() | st.text(max_size=5) | st.none(), max_size=4))
def test_any_object_alone_is_read_as_it_is(payload: dict[str, object]) -> None:
    assert parse_decision(f"Decision:\n```json\n{json.dumps(payload, indent=2)}\n```") == payload


def test_hostile_braces_take_little_time() -> None:
    started = time.perf_counter()

    parse_decision('{"a":' * 4_000)
    parse_decision("{" * 20_000)
    parse_decision("{" * 2_000_000)

    assert time.perf_counter() - started < 5
