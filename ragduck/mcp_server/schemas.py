"""JSON schemas as a model reads them: without what repeats the names."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ValidationError

NAMED = ("properties", "$defs")


def input_schema(arguments: type[BaseModel]) -> dict[str, Any]:
    """Return the schema of a tool's arguments."""
    schema: dict[str, Any] = _plain(arguments.model_json_schema())
    schema.pop("description", None)  # the tool has one of its own
    return schema


def output_schema(data: type[BaseModel]) -> dict[str, Any]:
    """Return the schema of a tool's data as it is serialized."""
    schema: dict[str, Any] = _plain(data.model_json_schema(mode="serialization"))
    return schema


def _plain(schema: Any) -> Any:
    """Leave out titles, and the null of what need not be given."""
    if isinstance(schema, list):
        return [_plain(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    plain = {
        name: {key: _plain(each) for key, each in value.items()} if name in NAMED else _plain(value)
        for name, value in schema.items()
        if name != "title" and (name, value) != ("default", None)
    }
    alternatives = [each for each in plain.get("anyOf", []) if each != {"type": "null"}]
    if len(alternatives) == 1 and "default" in schema:
        del plain["anyOf"]
        plain = {**alternatives[0], **plain}
    return plain


def told_mistakes(error: ValidationError) -> str:
    """Return what is wrong with arguments, one clause for each; of alternatives the first speaks for all."""
    mistakes: dict[str, str] = {}
    for each in error.errors():
        place = ".".join(str(part) for part in each["loc"][:2])
        mistakes.setdefault(place, _mistake(place, each["msg"], each["type"]))
    return "; ".join(mistakes.values())


def _mistake(place: str, message: str, kind: str) -> str:
    if kind == "extra_forbidden":
        return f"there is no argument {place!r:.80}"
    return f"{place:.80}: {message[:1].lower()}{message[1:]}"
