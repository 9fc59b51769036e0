"""Take typed values from records that anybody may have written."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from ragduck.imports.roslyn.ledger import Ledger

MAX_NAME = 500  # characters of a name; longer ones are no names
MAX_LIST = 10_000
_CONTROL = re.compile(r"[\0-\x08\x0b\x0c\x0e-\x1f]")


def text_of(value: object) -> str | None:
    """Return a text with plain line ends and whole characters; None for what is no text."""
    if not isinstance(value, str):
        return None
    if not value.isascii():
        value = value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    if "\r" in value:
        value = value.replace("\r\n", "\n").replace("\r", "\n")
    return _CONTROL.sub("\ufffd", value)


class Fields:
    """The fields of one record; what is there but not of the right type is noted."""

    def __init__(self, fields: Mapping[str, object], *, file: str, line: int, ledger: Ledger) -> None:
        self._fields = fields
        self.file = file
        self.line = line
        self.ledger = ledger

    def text(self, *names: str) -> str:
        """Return the first of several fields that holds a text; empty if none does."""
        for name in names:
            value = self._fields.get(name)
            if value is None or value == "":
                continue
            found = text_of(value)
            if found is not None:
                if "\ufffd" in found and "\ufffd" not in str(value):
                    self.repaired(
                        "unreadable characters", field=name, message="not UTF-8, or control characters"
                    )
                return found
            self._wrong(name, "text", value)
        return ""

    def name(self, *names: str) -> str:
        """Return a text of one line without spaces around it; what is too long for a name is cut."""
        value = self._fields.get(names[0])
        if type(value) is str and len(value) < MAX_NAME and value.isascii() and value.isprintable():
            plain = value.strip()
            if plain and "  " not in plain:
                return plain
        text = self.text(*names)
        if len(text) > MAX_NAME:
            self.repaired(
                "long name", field=names[0], message=f"cut to {MAX_NAME} of {len(text):,} characters"
            )
        return " ".join(text[: 4 * MAX_NAME].split())[:MAX_NAME]

    def texts(self, name: str) -> tuple[str, ...]:
        """Return a list of texts."""
        return tuple(found for value in self._items(name) if (found := self._in_list(name, value)))

    def objects(self, name: str) -> Iterator[Fields]:
        """Yield the objects of a list."""
        for value in self._items(name):
            if isinstance(value, dict):
                yield Fields(value, file=self.file, line=self.line, ledger=self.ledger)
            else:
                self._wrong(name, "object", value)

    def nested(self, name: str) -> Fields | None:
        """Return an object within the record."""
        value = self._fields.get(name)
        if isinstance(value, dict):
            return Fields(value, file=self.file, line=self.line, ledger=self.ledger)
        if value is not None:
            self._wrong(name, "object", value)
        return None

    def identity(self, name: str) -> str:
        """Return an id, written as number or text."""
        value = self._fields.get(name)
        if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 1 << 62:
            return str(value)
        return self.name(name)

    def number(self, name: str) -> int | None:
        """Return a small whole number, written as number or text."""
        value = self._fields.get(name)
        if isinstance(value, str) and value.isascii() and value.strip().isdigit():
            value = int(value.strip()[:10])
        if value is None or value == "":
            return None
        if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 31:
            return value
        self._wrong(name, "whole number", value)
        return None

    def has_any(self, names: frozenset[str]) -> bool:
        """Tell whether any of these fields is there."""
        return not names.isdisjoint(self._fields)

    def has(self, name: str) -> bool:
        """Tell whether a field holds anything."""
        return bool(self._fields.get(name))

    def left_out(self, rule: str, *, field: str = "", message: str = "") -> None:
        """Note that the record, or a field of it, is left out."""
        self.ledger.left_out(rule, self.file, line=self.line, field=field, message=message)

    def repaired(self, rule: str, *, field: str = "", message: str = "") -> None:
        """Note that a field was set right."""
        self.ledger.repaired(rule, self.file, line=self.line, field=field, message=message)

    def _items(self, name: str) -> Sequence[object]:
        value = self._fields.get(name)
        if value is None:
            return ()
        if not isinstance(value, list):
            self._wrong(name, "list", value)
            return ()
        if len(value) > MAX_LIST:
            self.left_out("long list", field=name, message=f"only the first {MAX_LIST:,} of {len(value):,}")
        return value[:MAX_LIST]

    def _in_list(self, name: str, value: object) -> str:
        found = text_of(value)
        if found is None:
            self._wrong(name, "text", value)
        return (found or "").strip()[:MAX_NAME]

    def _wrong(self, name: str, wanted: str, value: object) -> None:
        self.left_out("wrong type", field=name, message=f"{type(value).__name__} instead of {wanted}")
