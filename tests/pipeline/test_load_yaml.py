"""Reading YAML with places: what is a text, what is refused, and where."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from ragduck.errors import PipelineError
from ragduck.pipeline.loading import yaml_document
from ragduck.pipeline.loading.yaml_document import MAX_BYTES, parse_document, places_in, plain, read_document

HINDI_BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]\n"
    for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)


def data_of(text: str) -> Any:
    return plain(parse_document(text, file="p.yaml"))


@pytest.fixture(params=["CSafeLoader", "SafeLoader"])
def _each_parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yaml_document, "LOADER", getattr(yaml, request.param, yaml.SafeLoader))


@pytest.mark.parametrize(
    "word", ["on", "On", "yes", "no", "off", "y", "N", "1_000", "1:30", "2025-12-14", ".inf", "1e999"]
)
def test_words_that_yaml_1_1_takes_for_something_else_are_texts(word: str) -> None:
    assert data_of(f"key: {word}") == {"key": word}


def test_keys_are_always_texts() -> None:
    assert data_of("{on: 1, yes: 2, 3: 4, true: 5, null: 6}") == {
        "on": 1,
        "yes": 2,
        "3": 4,
        "true": 5,
        "null": 6,
    }


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("true", True),
        ("False", False),
        ("~", None),
        ("", None),
        ("012", 12),
        ("0o17", 15),
        ("0x1F", 31),
        ("-2.5", -2.5),
        ("1e3", 1000.0),
    ],
)
def test_plain_words_mean_what_the_core_schema_of_yaml_1_2_says(word: str, value: object) -> None:
    assert data_of(f"key: {word}") == {"key": value}


def test_quoted_words_are_texts() -> None:
    assert data_of("""{a: "true", b: '1', c: "~"}""") == {"a": "true", "b": "1", "c": "~"}


def test_tags_of_plain_data_are_obeyed() -> None:
    assert data_of("[!!str 5, !!float 5, !!int 5, !!bool true, !!null ~, ! 5]") == [
        "5",
        5.0,
        5,
        True,
        None,
        "5",
    ]


@pytest.mark.parametrize("tag", ["!!python/object/apply:os.system", "!!int", "!!timestamp", "!own"])
def test_other_tags_are_refused_with_their_place(tag: str) -> None:
    with pytest.raises(PipelineError, match=r"^p\.yaml:2:4: tag '.*' cannot be used here"):
        data_of(f"a: 1\nb: {tag} [x]")


def test_aliases_and_merge_keys_are_expanded() -> None:
    text = "base: &b {x: 1, y: 2}\nother: &o {y: 3, z: 4}\nchild:\n  <<: [*b, *o]\n  x: 5\nagain: *b\n"

    data = data_of(text)

    assert data["child"] == {"x": 5, "y": 2, "z": 4}
    assert data["again"] == {"x": 1, "y": 2}


def test_a_quoted_merge_key_is_a_key() -> None:
    assert data_of('{"<<": 1}') == {"<<": 1}


def test_places_count_from_one_and_name_entries_by_their_way() -> None:
    places = dict(places_in(parse_document("a:\n  b: [x, {c: 1}]\n", file="p.yaml")))

    assert {name: str(place) for name, place in places.items()} == {
        "a": "p.yaml:1:1",
        "a.b": "p.yaml:2:3",
        "a.b.0": "p.yaml:2:7",
        "a.b.1": "p.yaml:2:10",
        "a.b.1.c": "p.yaml:2:11",
    }


@pytest.mark.usefixtures("_each_parser")
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: 1\nb: 2\na: 3\n", "p.yaml:3:1: key 'a' is here a second time, first at line 1"),
        ("", "p.yaml:1:1: is empty"),
        ("# only a comment\n", "p.yaml:1:1: is empty"),
        ("a: 1\n---\nb: 2\n", "p.yaml:2:1: is a second document"),
        ("a: [1, 2\nb: 3\n", "p.yaml:2:"),
        ("a: *missing\n", "p.yaml:1:4: there is no anchor &missing before this"),
        ("a: &a [*a]\n", "p.yaml:1:8: there is no anchor &a before this"),
        ("? [a, b]\n: 1\n", "p.yaml:1:3: a key must be a text"),
        ("a: b: c\n", "p.yaml:1:5: is no YAML: mapping values are not allowed"),
        ("<<: 5\n", "p.yaml:1:5: <<: takes a mapping"),
        ("\ta: 1\n", "p.yaml:1:1: is no YAML: found character"),
        ("a: \x07\n", "p.yaml:1:1: is no YAML"),
        ('a: "\\ud800"\n', "p.yaml:1:"),
        ('a: "\\UFFFFFFFF"\n', "p.yaml:1:"),
        (f"%YAML {'9' * 5000}.1\n---\na: 1\n", "p.yaml:1:"),
        (f"{'k' * 201}: 1\n", "p.yaml:1:1: a key has more than 200 characters"),
    ],
)
def test_what_is_no_plain_data_is_refused_with_its_place(text: str, message: str) -> None:
    with pytest.raises(PipelineError, match=f"^{re.escape(message)}"):
        data_of(text)


def test_all_repeated_keys_are_told_together() -> None:
    with pytest.raises(PipelineError, match=r"\(and 1 more\)$"):
        data_of("{a: 1, a: 2, b: 1, b: 2}")


@pytest.mark.usefixtures("_each_parser")
@pytest.mark.parametrize(
    "text",
    [
        HINDI_BOMB,
        "a: &a {k1: 1, k2: 2, k3: 3}\nb:\n" + "  - {<<: *a}\n" * 5_000,
        "- x\n" * 12_000,
        "[" * 100_000,
        "{a: " * 100_000,
        "- " * 10_000,
        "a: " + "9" * 900_000,
        "&a " * 100_000,
        "? " * 100_000,
        '"' + "\\" * 900_000,
    ],
    ids=[
        "aliases",
        "merge keys",
        "values",
        "lists",
        "mappings",
        "nested dashes",
        "digits",
        "anchors",
        "keys",
        "escapes",
    ],
)
def test_bombs_end_quickly(text: str) -> None:
    began = time.perf_counter()

    try:
        data_of(text)
    except PipelineError as error:
        assert str(error).startswith("p.yaml:")  # noqa: PT017

    assert time.perf_counter() - began < 20


def test_files_that_are_too_large_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "large.yaml"
    path.write_text("a: " + "x" * MAX_BYTES, encoding="utf-8")

    with pytest.raises(PipelineError, match="is larger than 1,000,000 bytes"):
        read_document(path)


def test_files_that_are_no_text_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "binary.yaml"
    path.write_bytes(b"a: \xff\xfe")

    with pytest.raises(PipelineError, match="is no UTF-8"):
        read_document(path)


def test_a_byte_order_mark_is_no_part_of_the_first_key(tmp_path: Path) -> None:
    path = tmp_path / "marked.yaml"
    path.write_bytes(b"\xef\xbb\xbfa: 1\r\n")

    assert plain(read_document(path)) == {"a": 1}


def json_values() -> st.SearchStrategy[Any]:
    texts = st.text(
        st.characters(exclude_categories=["Cc", "Cn", "Cs"], exclude_characters="\ufeff"), max_size=20
    )
    scalars = st.none() | st.booleans() | st.integers(-(10**20), 10**20) | texts
    numbers = st.floats(allow_nan=False, allow_infinity=False, width=32)
    return st.recursive(
        scalars | numbers,
        lambda inner: (
            st.lists(inner, max_size=4) | st.dictionaries(st.text("abc<_-on.", min_size=1), inner, max_size=4)
        ),
        max_leaves=20,
    )


@given(st.dictionaries(st.text("abc_", min_size=1), json_values(), max_size=5))
def test_json_is_read_as_json_says(data: dict[str, Any]) -> None:
    assert data_of(json.dumps(data, ensure_ascii=False)) == data


@settings(max_examples=300)
@given(st.text(st.sampled_from("abc:-[]{}&*!|>'\"%@`#,? \n\t\\~<1e.0xuU") | st.characters(), max_size=80))
def test_random_text_is_read_or_refused_but_never_a_traceback(text: str) -> None:
    try:
        read = data_of(text)
    except PipelineError as error:
        read = None
        assert str(error).startswith("p.yaml:")  # noqa: PT017

    json.dumps(read)
