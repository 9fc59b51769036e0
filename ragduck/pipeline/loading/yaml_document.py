"""Read YAML with the place of every value, and refuse what is no plain data or grows without bound."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import yaml

from ragduck.pipeline.checking.findings import Finding, InvalidPipelineError, error_at, refusal, shown
from ragduck.pipeline.definition import Place
from ragduck.pipeline.loading.yaml_scalars import COLLECTIONS, meaning_of, tagged

MAX_BYTES = 1_000_000
MAX_VALUES = 10_000  # once aliases are expanded
MAX_DEPTH = 60
MAX_KEY = 200  # characters
MAX_PLACES_DEPTH = 4  # levels below which places are those of the level above
MERGE_KEY = "<<"
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # only its parser is used


@dataclass(frozen=True, slots=True)
class Value:
    """A value and where it is written; in a mapping, where its key is.

    ``content`` is a text, number, boolean, None, a list of Values or a dict of Values. ``size`` counts the values in
    it, each as often as it is used.
    """

    content: Any
    place: Place
    size: int = 1


def read_document(path: Path) -> Value:
    """Return the one document of a file. Raises PipelineError for what cannot be read."""
    start = Place(str(path), 1, 1)
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
        text = data.decode("utf-8-sig")
    except OSError as error:
        raise refusal(start, f"cannot be read: {error.strerror}", hint="check the path") from error
    except UnicodeDecodeError as error:
        raise refusal(start, f"is no UTF-8: {error.reason}", hint="save the file as UTF-8") from error
    if len(data) > MAX_BYTES:
        raise refusal(start, f"is larger than {MAX_BYTES:,} bytes", hint="is it a pipeline at all?")
    return parse_document(text, file=str(path))


def parse_document(text: str, *, file: str) -> Value:
    """Return the one document of a text. Raises InvalidPipelineError for what cannot be read."""
    try:
        return _Builder(yaml.parse(text, Loader=LOADER), file).document()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = Place(file, mark.line + 1, mark.column + 1) if mark else Place(file, 1, 1)
        raise refusal(place, f"is no YAML: {error.problem or error.context}") from error
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        reason = getattr(error, "reason", None) or "a letter or number that cannot be read"
        raise refusal(Place(file, 1, 1), f"is no YAML: {reason}") from error


def value_of(content: Any, place: Place) -> Value:
    """Return plain data as a Value, all of it at one place."""
    if isinstance(content, Mapping):
        made = {str(key): value_of(inner, place) for key, inner in content.items()}
        return Value(made, place, 1 + sum(inner.size for inner in made.values()))
    if isinstance(content, list | tuple | set | frozenset):
        items = sorted(content) if isinstance(content, set | frozenset) else content
        listed = [value_of(inner, place) for inner in items]
        return Value(listed, place, 1 + sum(inner.size for inner in listed))
    return Value(content, place)


def plain(value: Value) -> Any:
    """Return the data alone."""
    if isinstance(value.content, dict):
        return {key: plain(inner) for key, inner in value.content.items()}
    if isinstance(value.content, list):
        return [plain(inner) for inner in value.content]
    return value.content


def places_in(value: Value, prefix: str = "", *, depth: int = 1) -> Iterator[tuple[str, Place]]:
    """Yield the place of every entry below a value, named as `routes.answer.next` and `rules.0.set`."""
    content = value.content
    entries = content.items() if isinstance(content, dict) else enumerate(content)
    for key, inner in entries:
        yield f"{prefix}{key}", inner.place
        if isinstance(inner.content, dict | list) and depth < MAX_PLACES_DEPTH:
            yield from places_in(inner, f"{prefix}{key}.", depth=depth + 1)


class _Builder:
    """Makes Values of the events of a parser, which does not recurse and can be left at any time."""

    def __init__(self, events: Iterator[yaml.Event], file: str) -> None:
        self._events = events
        self._file = file
        self._anchors: dict[str, Value] = {}
        self._findings: list[Finding] = []
        self._count = 0  # of values so far, aliases expanded

    def document(self) -> Value:
        """Return the only document, or raise all that is wrong with it."""
        next(self._events)  # the start of the stream
        if isinstance(next(self._events), yaml.StreamEndEvent):
            raise refusal(Place(self._file, 1, 1), "is empty", hint="begin with pipeline:")
        value = self._value(next(self._events), depth=0)
        next(self._events)  # the end of the document
        following = next(self._events)
        if not isinstance(following, yaml.StreamEndEvent):
            raise refusal(self._place(following), "is a second document", hint="use pipelines: for several")
        if self._findings:
            raise InvalidPipelineError(self._findings)
        return value

    def _value(self, event: yaml.Event, *, depth: int) -> Value:
        if depth > MAX_DEPTH:
            raise refusal(self._place(event), f"is nested more than {MAX_DEPTH} deep")
        if isinstance(event, yaml.AliasEvent):
            return self._alias(event)
        self._add(1, self._place(event))
        if isinstance(event, yaml.ScalarEvent):
            value = Value(self._scalar(event), self._place(event))
        else:
            value = self._collection(event, depth=depth)
        self._remember(event, value)
        return value

    def _add(self, size: int, place: Place) -> None:
        self._count += size
        if self._count > MAX_VALUES:
            raise refusal(place, f"holds more than {MAX_VALUES:,} values, those of aliases counted")

    def _remember(self, event: Any, value: Value) -> None:
        if event.anchor:
            self._anchors[event.anchor] = value

    def _alias(self, event: yaml.AliasEvent) -> Value:
        if event.anchor not in self._anchors:
            raise refusal(self._place(event), f"there is no anchor &{shown(event.anchor)[1:-1]} before this")
        value = self._anchors[event.anchor]
        self._add(value.size, self._place(event))
        return value

    def _scalar(self, event: yaml.ScalarEvent) -> Any:
        event.value.encode("utf-8")  # half a surrogate pair can be written as an escape, but not printed
        if event.tag == "!":
            return event.value
        if event.implicit[0]:
            return meaning_of(event.value)
        if event.tag is None:
            return event.value
        try:
            return tagged(event.value, event.tag)
        except ValueError:
            raise refusal(self._place(event), f"tag {shown(event.tag)} cannot be used here") from None

    def _collection(self, event: Any, *, depth: int) -> Value:
        if event.tag and event.tag not in COLLECTIONS:
            raise refusal(self._place(event), f"tag {shown(event.tag)} cannot be used here")
        if isinstance(event, yaml.SequenceStartEvent):
            items = [self._value(item, depth=depth + 1) for item in self._until(yaml.SequenceEndEvent)]
            return Value(items, self._place(event), 1 + sum(item.size for item in items))
        entries = self._entries(depth=depth)
        return Value(entries, self._place(event), 1 + sum(entry.size for entry in entries.values()))

    def _entries(self, *, depth: int) -> dict[str, Value]:
        entries: dict[str, Value] = {}
        inherited: list[Value] = []
        for event in self._until(yaml.MappingEndEvent):
            key = self._key(event)
            value = self._value(next(self._events), depth=depth + 1)
            if key == MERGE_KEY and isinstance(event, yaml.ScalarEvent) and event.implicit[0]:
                inherited += self._merged(value)
            elif key in entries:
                first = entries[key].place
                message = f"key {shown(key)} is here a second time, first at line {first.line}"
                self._findings.append(error_at(self._place(event), message, hint="keep one of them"))
            else:
                entries[key] = replace(value, place=self._place(event))
        for mapping in inherited:
            self._add(mapping.size, mapping.place)
            for key, value in mapping.content.items():
                entries.setdefault(key, value)
        return entries

    def _key(self, event: yaml.Event) -> str:
        if isinstance(event, yaml.AliasEvent):
            content = self._alias(event).content
            if isinstance(content, str) and len(content) <= MAX_KEY:
                return content
        if not isinstance(event, yaml.ScalarEvent):
            raise refusal(self._place(event), "a key must be a text")
        if len(event.value) > MAX_KEY:
            raise refusal(self._place(event), f"a key has more than {MAX_KEY} characters")
        event.value.encode("utf-8")
        self._remember(event, Value(event.value, self._place(event)))
        return str(event.value)

    def _merged(self, value: Value) -> list[Value]:
        mappings = value.content if isinstance(value.content, list) else [value]
        for mapping in mappings:
            if not isinstance(mapping.content, dict):
                raise refusal(mapping.place, "<<: takes a mapping, such as *anchor")
        return mappings

    def _until(self, end: type[yaml.Event]) -> Iterator[yaml.Event]:
        for event in self._events:
            if isinstance(event, end):
                return
            yield event

    def _place(self, event: yaml.Event) -> Place:
        mark = event.start_mark
        return Place(self._file, mark.line + 1, mark.column + 1) if mark else Place(self._file, 1, 1)
