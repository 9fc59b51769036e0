"""Read `name=value` as settings of a search, typed as the fields of SearchRequest are."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import MISSING, Field, fields, is_dataclass, replace
from types import MappingProxyType, NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from ragduck.errors import UsageError
from ragduck.search.given import require_setting
from ragduck.search.request import SearchRequest

OWN_OPTIONS = {"text": "QUERIES", "mode": "--mode", "top_k": "--top-k", "filters": "--filter"}
TRUTHS = {
    "true": True,
    "yes": True,
    "on": True,
    "1": True,
    "false": False,
    "no": False,
    "off": False,
    "0": False,
}
NONE = ("", "none", "null")
NOTHING: Mapping[str, Any] = MappingProxyType({})


def settings_of(pairs: Iterable[str], *, others: Mapping[str, Any] = NOTHING) -> dict[str, Any]:
    """Return settings by name; `name.field=value` sets one field or entry of a setting that has parts.

    ``others`` are the types of settings that a search takes beside the fields of SearchRequest.
    Raises UsageError for an unknown name, or a value that the field cannot hold.
    """
    defaults = {field.name: _default(field) for field in fields(SearchRequest)}
    kinds = {**get_type_hints(SearchRequest), **others}
    settings: dict[str, Any] = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        first, *inner = name.strip().split(".")
        if not equals:
            raise UsageError(f"setting {pair!r} is not name=value", hint="write --set rrf_k=20")
        if first in OWN_OPTIONS:
            raise UsageError(f"{first} is no setting", hint=f"give it as {OWN_OPTIONS[first]}")
        _require_known(first, kinds)
        current = settings.get(first, defaults.get(first))
        settings[first] = _placed(kinds[first], current, inner, text, name=name.strip())
    return settings


def _require_known(name: str, known: Iterable[str], *, within: str = "") -> None:
    require_setting(name, [own for own in known if within or own not in OWN_OPTIONS], within=within)


def _default(field: Field[Any]) -> Any:
    if field.default_factory is not MISSING:
        return field.default_factory()
    return None if field.default is MISSING else field.default


def _placed(hint: Any, current: Any, inner: Sequence[str], text: str, *, name: str) -> Any:
    """Return ``current`` with the value in the place that ``inner`` names, or the value itself."""
    if not inner:
        return _value(hint, text, name=name)
    for kind in _alternatives(hint):
        if is_dataclass(kind) and isinstance(kind, type):
            parts = {field.name: field for field in fields(kind)}
            _require_known(inner[0], parts, within=name.split(".", 1)[0])
            whole: Any = kind() if current is None else current
            part_hint = get_type_hints(kind)[inner[0]]
            value = _placed(part_hint, getattr(whole, inner[0]), inner[1:], text, name=name)
            return replace(whole, **{inner[0]: value})
        if _origin(kind) is Mapping or _origin(kind) is dict:
            value_hint = (get_args(kind) or (str, Any))[1]
            return {**(current or {}), ".".join(inner): _value(value_hint, text, name=name)}
    raise UsageError(
        f"{name.split('.', 1)[0]} has no parts", hint=f"write --set {name.split('.', 1)[0]}=VALUE"
    )


def _value(hint: Any, text: str, *, name: str) -> Any:
    for kind in _alternatives(hint):
        try:
            return _read(kind, text.strip())
        except (ValueError, TypeError, KeyError):
            continue
    kinds = " or ".join(_said(kind) for kind in _alternatives(hint))
    raise UsageError(f"{name} cannot be {text!r}", hint=f"give {kinds}: --set {name}=…")


def _alternatives(hint: Any) -> tuple[Any, ...]:
    """Return the types of a union, those that take fewer texts first."""
    if _origin(hint) not in (Union, UnionType):
        return (hint,)
    order = [NoneType, bool, int, float]
    return tuple(sorted(get_args(hint), key=lambda kind: order.index(kind) if kind in order else len(order)))


def _origin(hint: Any) -> Any:
    origin = get_origin(hint) or hint
    return Mapping if isinstance(origin, type) and issubclass(origin, Mapping) else origin


def _read(kind: Any, text: str) -> Any:
    """Return the text as a value of one type; ValueError or KeyError when it is none."""
    origin = _origin(kind)
    if kind is NoneType:
        return dict.fromkeys(NONE)[text.lower()]
    if kind is bool:
        return TRUTHS[text.lower()]
    if kind in (int, float):
        return kind(text)
    if origin is Literal:
        return {str(value): value for value in get_args(kind)}[text]
    if is_dataclass(kind) and isinstance(kind, type):
        return kind(**_object(text))
    if origin is Mapping:
        return _object(text)
    if isinstance(origin, type) and issubclass(origin, Sequence) and origin is not str:
        return _list(kind, text)
    return text


def _object(text: str) -> dict[str, Any]:
    value = json.loads(text)
    if not isinstance(value, dict):
        raise ValueError(text)
    return value


def _list(kind: Any, text: str) -> tuple[Any, ...]:
    values = json.loads(text) if text.startswith("[") else [part.strip() for part in text.split(",")]
    inner = (get_args(kind) or (str,))[0]
    return tuple(_read(inner, str(value)) for value in values if value != "")


def _said(kind: Any) -> str:
    names = {NoneType: "none", bool: "true or false", int: "a whole number", float: "a number", str: "a text"}
    if kind in names:
        return names[kind]
    if _origin(kind) is Literal:
        return " or ".join(map(str, get_args(kind)))
    return "its parts one by one" if is_dataclass(kind) else "JSON"
