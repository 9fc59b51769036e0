"""Records that are broken: each costs only itself, and is named with file, line and field."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ragduck.imports.contract import Imported
from ragduck.imports.roslyn import roslyn_sources
from ragduck.imports.roslyn.code import split_header
from ragduck.imports.roslyn.database import parse_key

Read = Callable[[Any], Imported]
CHUNKS = "regular_code_bundle/chunks.json"
BODIES = "sql_code_bundle/docs/sql_bodies.jsonl"
EDGES = "sql_code_bundle/graph/edges.csv"


def left_out(imported: Imported) -> set[tuple[str, str, int, str]]:
    return {
        (each.rule, each.file, each.line, each.field)
        for each in imported.findings
        if each.outcome == "left out"
    }


@pytest.mark.parametrize("broken", ["17", "null", "[]", '"text"', '{"Id": }', '{"Id": "x', "{'Id': 1}"])
def test_broken_record_among_the_members_is_named(imported: Read, shop_bundle: Any, broken: str) -> None:
    good = [json.dumps(record) for record in shop_bundle.chunks]
    shop_bundle.chunks = []
    shop_bundle.extra[CHUNKS] = "[\n  " + ",\n  ".join([good[0], broken, *good[1:]]) + "\n]"
    read = imported(shop_bundle)

    assert ("bad record", CHUNKS, 2, "") in left_out(read)
    assert read.taken["members"] == 6


def test_array_that_breaks_off_keeps_what_came_before(imported: Read, shop_bundle: Any) -> None:
    text = json.dumps(shop_bundle.chunks, indent=2)
    shop_bundle.chunks = []
    shop_bundle.extra[CHUNKS] = text[: len(text) // 2]
    read = imported(shop_bundle)

    assert read.taken["members"] >= 2
    assert any(rule == "bad record" for rule, *_ in left_out(read))


def test_broken_line_among_the_bodies_is_named(imported: Read, shop_bundle: Any) -> None:
    lines = [json.dumps(record) for record in shop_bundle.bodies]
    shop_bundle.bodies = []
    shop_bundle.extra[BODIES] = "\n".join([lines[0], "{broken", "[1]", *lines[1:]])
    read = imported(shop_bundle)

    assert {("bad record", BODIES, 2, ""), ("bad record", BODIES, 3, "")} <= left_out(read)
    assert read.taken["database objects"] == 3


@pytest.mark.parametrize(
    ("field", "value", "named"),
    [("Text", 17, "Text"), ("Text", "", "Text"), ("RepoRelativePath", {"a": 1}, "RepoRelativePath")],
)
def test_field_of_the_wrong_type_is_named(
    imported: Read, shop_bundle: Any, field: str, value: object, named: str
) -> None:
    shop_bundle.chunks[1][field] = value
    read = imported(shop_bundle)

    assert named in {field for _, file, line, field in left_out(read) if (file, line) == (CHUNKS, 2)}


def test_record_of_an_unknown_kind_is_named(imported: Read, shop_bundle: Any) -> None:
    shop_bundle.bodies[0]["kind"] = "GALAXY"
    shop_bundle.bodies[0]["key"] = "dbo.Customer|GALAXY"

    assert ("unknown kind", BODIES, 1, "kind") in left_out(imported(shop_bundle))


def test_row_without_a_key_is_named(imported: Read, shop_bundle: Any) -> None:
    shop_bundle.edges.append(["", "dbo.Customer|TABLE", "ReadsFrom", "", "", ""])

    assert ("no key", EDGES, 16, "from") in left_out(imported(shop_bundle))


def test_row_that_is_too_short_is_named(imported: Read, shop_bundle: Any) -> None:
    shop_bundle.edges.append(["dbo.Customer|TABLE"])

    assert ("short row", EDGES, 16, "") in left_out(imported(shop_bundle))


def test_targets_that_are_no_list_are_named(imported: Read, shop_bundle: Any) -> None:
    shop_bundle.dependencies["7"] = 3
    found = left_out(imported(shop_bundle))

    assert ("bad record", "regular_code_bundle/dependencies.json", 4, "7") in found


def test_dependencies_that_are_no_object_are_named(imported: Read, shop_bundle: Any) -> None:
    shop_bundle.extra["regular_code_bundle/dependencies.json"] = "[1, 2"

    assert "unreadable file" in {rule for rule, *_ in left_out(imported(shop_bundle))}


def test_broken_pair_among_the_dependencies_costs_only_itself(imported: Read, shop_bundle: Any) -> None:
    text = '{\n  "7": [broken],\n  "3": [7]\n}'
    shop_bundle.extra["regular_code_bundle/dependencies.json"] = text
    read = imported(shop_bundle)

    assert ("bad record", "regular_code_bundle/dependencies.json", 1, "7") in left_out(read)
    assert any(edge.relation == "Calls" for edge in read.graph.edges)


def test_half_characters_in_keys_are_replaced(imported: Read, shop_bundle: Any) -> None:
    shop_bundle.dependencies["7"] = ["SQL:dbo.\ud800"]
    keys = {node.node_key for node in imported(shop_bundle).graph.nodes}

    assert "dbo.\ufffd|TABLE" in keys


def test_summary_of_a_migration_may_be_broken(imported: Read, shop_bundle: Any) -> None:
    shop_bundle.bodies[4]["addsColumns"] = ["no object", {"column": "Note"}]
    found = left_out(imported(shop_bundle))

    assert ("wrong type", BODIES, 5, "addsColumns") in found
    assert ("no table", BODIES, 5, "addsColumns") in found


def test_half_characters_and_controls_are_replaced(
    imported: Read, code_bundle: Callable[..., Any], make_member: Callable[..., Any]
) -> None:
    bundle = code_bundle(make_member(1, "Shop", "Tax", "Rate", 'string Rate() => "\ud800\x00é";'))
    bundle.extra[CHUNKS] = json.dumps(bundle.chunks)
    (document,) = imported(bundle).documents

    assert document.document.text.endswith('"\ufffd\ufffdé";')


def test_text_that_is_no_utf8_is_replaced(imported: Read, shop_bundle: Any) -> None:
    lines = "\n".join(json.dumps(record) for record in shop_bundle.bodies)
    shop_bundle.bodies = []
    shop_bundle.extra[BODIES] = lines.encode().replace(b"Name NVARCHAR", b"N\xffme NVARCHAR")
    texts = {each.document.path: each.document.text for each in imported(shop_bundle).documents}

    assert "N\ufffdme NVARCHAR" in texts["db/tables/001.sql"]


def test_findings_of_one_kind_are_counted_when_there_are_many(imported: Read, shop_bundle: Any) -> None:
    shop_bundle.chunks += [{"Id": number, "Text": ""} for number in range(100, 1600)]
    read = imported(shop_bundle)
    told = [each for each in read.findings if each.rule == "empty record"]

    assert len(told) == 1001
    assert told[-1].message == "500 more"
    assert f"{CHUNKS}: empty record left out 1,500 times, of which 1,000 are listed" in read.notes


def test_deep_nesting_is_a_bad_record(imported: Read, shop_bundle: Any) -> None:
    good = json.dumps(shop_bundle.chunks[0])
    shop_bundle.chunks = []
    shop_bundle.extra[CHUNKS] = "[\n  " + "[" * 100_000 + ",\n  " + good + "\n]"

    assert "bad record" in {rule for rule, *_ in left_out(imported(shop_bundle))}


def test_number_of_a_million_digits_is_a_bad_record(imported: Read, shop_bundle: Any) -> None:
    lines = [json.dumps(record) for record in shop_bundle.bodies]
    shop_bundle.bodies = []
    shop_bundle.extra[BODIES] = "\n".join(['{"key": ' + "9" * 1_000_000 + "}", *lines])

    assert ("bad record", BODIES, 1, "") in left_out(imported(shop_bundle))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)
FIELDS = st.sampled_from(
    [
        "Id",
        "File",
        "Class",
        "Member",
        "Type",
        "Signature",
        "Text",
        "BaseType",
        "ImplementedInterfaces",
        "TypeFqn",
        "RepoRelativePath",
        "key",
        "kind",
        "schema",
        "name",
        "file",
        "body",
        "namespace",
        "typeFullName",
        "methodFullName",
        "lineNumber",
        "createsTables",
        "addsColumns",
        "AclTags",
        "security",
    ]
)
RECORDS = st.lists(st.dictionaries(FIELDS, JSON | st.text(), max_size=12) | JSON, max_size=6)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(members=RECORDS, bodies=RECORDS, calls=JSON, rows=st.text(max_size=200))
def test_no_record_stops_an_import(
    tmp_path: Path, shop_bundle: Any, members: Any, bodies: Any, calls: Any, rows: str
) -> None:
    shop_bundle.extra[CHUNKS] = json.dumps([*shop_bundle.chunks, *members])
    lines = [*shop_bundle.bodies, *bodies]
    shop_bundle.extra[BODIES] = "\n".join(map(json.dumps, lines))
    shop_bundle.extra["regular_code_bundle/dependencies.json"] = json.dumps(calls)
    shop_bundle.extra[EDGES] = ("from,to,relation\n" + rows).encode("utf-8", "surrogatepass")
    (source,) = roslyn_sources(shop_bundle.zipped(tmp_path / "develop.zip"))
    read = source.read(max_chars=1536)
    documents = list(read.documents)

    assert read.taken["members"] >= 6
    assert len({each.document.path for each in documents}) == len(documents)
    keys = {node.node_key for node in read.graph.nodes}
    assert len(keys) == len(read.graph.nodes)
    assert all({edge.from_key, edge.to_key} <= keys for edge in read.graph.edges)
    for document in documents:
        document.document.text.encode()
        lines_of = document.document.lines
        for chunk in document.chunks:
            assert chunk.text == "\n".join(lines_of[chunk.start_line - 1 : chunk.end_line])


@given(st.text(alphabet="/ NamespceClassTyp:xF\n", max_size=200))
def test_header_is_split_without_changing_the_text(text: str) -> None:
    _, rest = split_header(text)

    assert text.rstrip().endswith(rest)


@given(st.text(max_size=100))
def test_keys_are_taken_apart_without_fail(text: str) -> None:
    name = parse_key(text)

    assert "|" not in name.kind


def test_three_parts_of_a_key_are_database_schema_and_name() -> None:
    assert parse_key("Archive.sales.Order|TABLE") == ("Archive", "sales", "Order", "TABLE")
    assert parse_key("sales.Order|TABLE") == ("", "sales", "Order", "TABLE")
    assert parse_key("SQL:dbo.proc_X") == ("", "dbo", "proc_X", "")


@pytest.mark.parametrize("ending", ["}\n]", "", "]\n[1]"])
def test_members_that_follow_a_fault_are_not_lost_in_silence(
    imported: Read, shop_bundle: Any, ending: str
) -> None:
    good = [json.dumps(record) for record in shop_bundle.chunks]
    shop_bundle.chunks = []
    shop_bundle.extra[CHUNKS] = "[\n" + ",\n".join(good) + ending
    read = imported(shop_bundle)

    assert read.taken["members"] == len(good)
    assert {rule for rule, file, _, _ in left_out(read) if file == CHUNKS}


def test_an_edge_without_its_closing_quote_is_named(imported: Read, shop_bundle: Any) -> None:
    whole = imported(shop_bundle).taken["edges"]
    header, first, *rest = shop_bundle.files()[EDGES].decode().splitlines()
    shop_bundle.edges = []
    shop_bundle.extra[EDGES] = "\n".join([header, first[:-1], *rest]) + "\n"
    read = imported(shop_bundle)

    assert ("unpaired quote", EDGES) in {(rule, file) for rule, file, _, _ in left_out(read)}
    assert read.taken["edges"] < whole
