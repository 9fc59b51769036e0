from __future__ import annotations

import json

import pytest

from ragduck.untrusted_json import MAX_DEPTH, read_json


@pytest.mark.parametrize("text", ["1", "null", '"a"', '{"a": [1, {"b": null}]}', b'{"\xc3\xa4": 1}', "[]"])
def test_json_is_read_as_python_reads_it(text: str | bytes) -> None:
    assert read_json(text) == json.loads(text)


@pytest.mark.parametrize("depth", [1, MAX_DEPTH])
def test_as_deep_as_allowed_is_read(depth: int) -> None:
    assert read_json("[" * depth + "]" * depth) == json.loads("[" * depth + "]" * depth)


@pytest.mark.parametrize("depth", [MAX_DEPTH + 1, 900, 5_000, 500_000])
@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a": ', "}")])
def test_deeper_values_are_refused_whatever_python_reads(depth: int, opening: str, closing: str) -> None:
    with pytest.raises(ValueError, match="nested too deep"):
        read_json(opening * depth + ("1" if opening != "[" else "") + closing * depth)


@pytest.mark.parametrize("text", ["", "{", "nothing", "[1,]"])
def test_what_is_no_json_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"(?i)expect|illegal"):
        read_json(text)
