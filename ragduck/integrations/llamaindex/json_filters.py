"""Tests of what the metadata of an added node says, in SQL, as `build_metadata_filter_fn` of LlamaIndex has them.

A value is found by a JSON pointer, so that a key may have any characters. Where types do not go together, such as a
number and a text, the node does not pass.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from llama_index.core.vector_stores.types import FilterOperator

from ragduck.errors import UsageError
from ragduck.search.filters import Clause

NODE = "llamaindex_node"
SOURCE = f"json_extract_string({NODE}, '$.relationships.\"1\".node_id')"  # the document that it was cut from
EXACT = 2**53  # greater integers are not told apart as floating point numbers
Test = Callable[
    ["Found", Any, str], Clause
]  # of the value found, the value asked for and the key that it is bound by


class Found:
    """SQL of the value that the metadata has under a key, as the types that it may have; null if it has another."""

    def __init__(self, pointer: str) -> None:
        text = f"json_extract_string({NODE}, {pointer})"
        self.type = f"json_type({NODE}, {pointer})"
        self.text = f"case when {self.type} = 'VARCHAR' then {text} end"
        self.digits = f"case when {self.type} <> 'VARCHAR' then {text} end"
        self.number = (
            f"case when {self.type} = 'BOOLEAN' then if({text} = 'true', 1.0, 0.0) "
            f"when {self.type} <> 'VARCHAR' then try_cast({text} as double) end"
        )
        self.elements = f"json_extract(json_extract({NODE}, {pointer}), '$[*]')::varchar[]"
        self.numbers = (
            f"list_transform(list_filter({self.elements}, lambda each: not starts_with(each, '\"')), "
            "lambda each: try_cast(each as double))"
        )


def clause_of_json(name: str, operator: FilterOperator, value: Any, *, key: str) -> Clause:
    """Return whether the metadata passes by what it has under ``name``: true or false, never null.

    ``key`` begins the names of bound values; that of the JSON pointer ends in `_path`. Raises UsageError for a value
    that the operator cannot be asked with.
    """
    test = _TESTS[operator](Found(f"${key}_path"), value, key)
    pointer = "/metadata/" + name.replace("~", "~0").replace("/", "~1")
    return Clause(f"coalesce({test.sql}, false)", {f"{key}_path": pointer, **test.parameters})


def _equal(found: Found, value: Any, key: str) -> Clause:
    if isinstance(value, list):
        raise UsageError(f"the filter == takes one value, not {value!r}", hint="use the operator in")
    if value is None:
        return Clause(f"coalesce({found.type}, 'NULL') = 'NULL'")
    if isinstance(value, str):
        return Clause(f"{found.text} = ${key}", {key: value})
    if isinstance(value, int) and abs(value) >= EXACT:
        return Clause(f"{found.digits} = ${key}", {key: str(value)})
    return Clause(f"{found.number} = ${key}", {key: _number(value)})


def _compared(symbol: str) -> Test:
    def compared(found: Found, value: Any, key: str) -> Clause:
        if value is None or isinstance(value, list):
            raise UsageError(f"the filter {symbol} {value!r} compares nothing", hint="give one value")
        if isinstance(value, str):
            return Clause(f"{found.text} {symbol} ${key}", {key: value})
        return Clause(f"{found.number} {symbol} ${key}", {key: _number(value)})

    return compared


def _contains(found: Found, value: Any, key: str) -> Clause:
    """Test whether a list holds a value, or a text has it as a part."""
    if isinstance(value, str):
        element = f"list_contains({found.elements}, to_json(${key}::varchar)::varchar)"
        return Clause(f"({element} or contains({found.text}, ${key}))", {key: value})
    if value is None or isinstance(value, list):
        raise UsageError(f"the filter contains takes one value, not {value!r}", hint="use any or all")
    return Clause(f"list_contains({found.numbers}, ${key}::double)", {key: _number(value)})


def _matches(found: Found, value: Any, key: str) -> Clause:
    return Clause(f"contains({found.text}, ${key})", {key: _text(value)})


def _matches_in_any_case(found: Found, value: Any, key: str) -> Clause:
    return Clause(f"contains(lower({found.text}), lower(${key}))", {key: _text(value)})


def _is_empty(found: Found, value: Any, key: str) -> Clause:  # noqa: ARG001
    return Clause(
        f"(coalesce({found.type}, 'NULL') = 'NULL' or {found.text} = '' "
        f"or {found.type} = 'ARRAY' and len({found.elements}) = 0)"
    )


def _in(found: Found, value: Any, key: str) -> Clause:
    values = _listed(value)
    texts = [each for each in values if isinstance(each, str)]
    exact = [str(each) for each in values if isinstance(each, int) and abs(each) >= EXACT]
    numbers = [_number(each) for each in values if not isinstance(each, str) and str(each) not in exact]
    return Clause(
        f"(coalesce(list_contains(${key}_texts::varchar[], {found.text}), false) "
        f"or coalesce(list_contains(${key}_exact::varchar[], {found.digits}), false) "
        f"or list_contains(${key}_numbers::double[], {found.number}))",
        {f"{key}_texts": texts, f"{key}_exact": exact, f"{key}_numbers": numbers},
    )


def _any(found: Found, value: Any, key: str) -> Clause:
    if _are_numbers(value):
        return Clause(f"list_has_any({found.numbers}, ${key}::double[])", {key: value})
    parts = f"list_filter(${key}::varchar[], lambda each: contains({found.text}, each))"
    return Clause(
        f"(list_has_any({found.elements}, {_as_json(key)}) or len({parts}) > 0)", {key: _texts(value)}
    )


def _all(found: Found, value: Any, key: str) -> Clause:
    if _are_numbers(value):
        return Clause(f"list_has_all({found.numbers}, ${key}::double[])", {key: value})
    parts = f"list_filter(${key}::varchar[], lambda each: contains({found.text}, each))"
    return Clause(
        f"case {found.type} when 'ARRAY' then list_has_all({found.elements}, {_as_json(key)}) "
        f"when 'VARCHAR' then len({parts}) = len(${key}::varchar[]) end",
        {key: _texts(value)},
    )


def _as_json(key: str) -> str:
    return f"list_transform(${key}::varchar[], lambda each: to_json(each)::varchar)"


def _unless(test: Test) -> Test:
    def negated(found: Found, value: Any, key: str) -> Clause:
        positive = test(found, value, key)
        return Clause(f"not coalesce({positive.sql}, false)", positive.parameters)

    return negated


def _listed(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise UsageError(f"this filter takes a list, not {value!r}", hint=f"write [{value!r}]")
    return value


def _are_numbers(value: Any) -> bool:
    return any(isinstance(each, (int, float)) for each in _listed(value))


def _texts(value: Any) -> list[str]:
    return [_text(each) for each in _listed(value)]


def _number(value: Any) -> float:
    try:
        return float(value)
    except OverflowError:  # greater than any number in floating point
        return math.inf if value > 0 else -math.inf


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise UsageError(f"this filter looks for text, not {value!r}", hint=f'write "{value}"')
    return value


_TESTS: Mapping[FilterOperator, Test] = MappingProxyType({
    FilterOperator.EQ: _equal,
    FilterOperator.NE: _unless(_equal),
    FilterOperator.IN: _in,
    FilterOperator.NIN: _unless(_in),
    FilterOperator.GT: _compared(">"),
    FilterOperator.GTE: _compared(">="),
    FilterOperator.LT: _compared("<"),
    FilterOperator.LTE: _compared("<="),
    FilterOperator.CONTAINS: _contains,
    FilterOperator.ANY: _any,
    FilterOperator.ALL: _all,
    FilterOperator.TEXT_MATCH: _matches,
    FilterOperator.TEXT_MATCH_INSENSITIVE: _matches_in_any_case,
    FilterOperator.IS_EMPTY: _is_empty,
})  # fmt: skip
