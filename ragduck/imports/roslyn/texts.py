"""Read the JSON and CSV of a bundle record by record, so that a bad one costs only itself."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping
from typing import IO, NamedTuple, Protocol

from ragduck.imports.roslyn.archive import DAMAGED, BundleFiles
from ragduck.imports.roslyn.ledger import Ledger
from ragduck.untrusted_json import is_deep, read_json

MAX_RECORD = 32 << 20  # characters
MAX_RECORDS = 3_000_000
MAX_WHOLE = 128 << 20  # characters
_BLOCK = 1 << 20
_SPACE = re.compile(r"[\s,]*")
_NEXT_RECORD = re.compile(r"\n  (\{)|\}\s{0,100},\s{0,100}(\{)|(\{)\s{0,100}\"Id\"")
_NEXT_PAIR = re.compile(r"\n  (\")|\]\s{0,100},\s{0,100}(\")")


class Record(NamedTuple):
    """One record and its place, counted from 1."""

    number: int
    fields: Mapping[str, object]


def text_stream(file: IO[bytes]) -> io.TextIOWrapper:
    """Decode UTF-8 with or without a byte order mark; what is no UTF-8 becomes surrogates."""
    return io.TextIOWrapper(file, encoding="utf-8-sig", errors="surrogateescape", newline="")


def read_object(files: BundleFiles, name: str, *, ledger: Ledger) -> Mapping[str, object]:
    """Return a small JSON object; empty for one that cannot be read."""
    try:
        with files.open(name) as file:
            found = read_json(file.read(_BLOCK).decode("utf-8-sig", "replace"))
    except DAMAGED as error:
        ledger.left_out("unreadable file", name, message=str(error))
        return {}
    if isinstance(found, dict):
        return found
    ledger.left_out("unreadable file", name, message=f"{type(found).__name__} instead of an object")
    return {}


def read_array(files: BundleFiles, name: str, *, ledger: Ledger) -> Iterator[Record]:
    """Yield the objects of a JSON array as they come, skipping what is not one."""
    number = 0
    try:
        with files.open(name) as file:
            buffer = _Buffer(text_stream(file), following=_NEXT_RECORD, closing="]")
            if not buffer.steps_over("["):
                ledger.left_out("unreadable file", name, message="it is not a JSON array")
                return
            while (found := buffer.next_value()) is not None:
                number += 1
                if number > MAX_RECORDS:
                    ledger.left_out("too many records", name, line=number)
                    return
                if isinstance(found, dict):
                    yield Record(number, found)
                else:
                    message = found.reason if isinstance(found, _Fault) else f"a {type(found).__name__}"
                    ledger.left_out("bad record", name, line=number, message=message)
            if not buffer.is_closed():
                ledger.left_out("damaged file", name, line=number + 1, message="the array does not end here")
    except DAMAGED as error:
        ledger.left_out("damaged file", name, line=number + 1, message=f"the rest is lost: {error}")


class _Fault(NamedTuple):
    reason: str


class _Buffer:
    """A window on a text that holds at least the value that is read next.

    ``following`` finds where the next value begins after a broken one; its groups are the first character.
    """

    def __init__(self, stream: io.TextIOWrapper, *, following: re.Pattern[str], closing: str) -> None:
        self._stream = stream
        self._following = following
        self._closing = closing
        self._text = ""
        self._at = 0
        self._is_whole = False
        self._decoder = json.JSONDecoder()

    def steps_over(self, mark: str) -> bool:
        """Step over a bracket or colon; tell whether it was there."""
        self._skip()
        found = self._text.startswith(mark, self._at)
        self._at += found
        return found

    def is_closed(self) -> bool:
        """Tell whether the closing bracket comes next, and nothing after it."""
        found = self.steps_over(self._closing)
        self._skip()
        return found and self._at >= len(self._text)

    def next_value(self) -> object | None:
        """Return the next value, a _Fault for one that is broken, None at the end."""
        self._skip()
        if self._at >= len(self._text) or self._text[self._at] == self._closing:
            return None
        while True:
            try:
                found: object
                found, self._at = self._decoder.raw_decode(self._text, self._at)
                if found is None or is_deep(found):
                    return _Fault("null" if found is None else "nested too deep")
                return found
            except (ValueError, RecursionError) as error:
                if self._is_whole or len(self._text) - self._at >= MAX_RECORD or self._is_hopeless(error):
                    return self._skip_broken(error)
            self._more()

    def _is_hopeless(self, error: BaseException) -> bool:
        """Tell a fault well inside the window from a value that is cut off by its end."""
        if not isinstance(error, json.JSONDecodeError) or "Unterminated" in error.msg:
            return False
        return error.pos < len(self._text) - 100

    def _skip_broken(self, error: BaseException) -> _Fault:
        reason = error.msg if isinstance(error, json.JSONDecodeError) else type(error).__name__
        found = self._following.search(self._text, self._at + 1)
        while found is None and not self._is_whole:
            self._text, self._at = self._text[-300:], 0
            self._more()
            found = self._following.search(self._text, 1)
        self._at = found.start(found.lastindex or 0) if found else len(self._text)
        return _Fault(reason)

    def _skip(self) -> None:
        found = _SPACE.match(self._text, self._at)
        self._at = found.end() if found else self._at
        while self._at >= len(self._text) and not self._is_whole:
            self._more()
            found = _SPACE.match(self._text, self._at)
            self._at = found.end() if found else self._at

    def _more(self) -> None:
        """Read on, at least as much again as is waiting, so that long values are not read over and over."""
        waiting = self._text[self._at :]
        block = self._stream.read(max(_BLOCK, len(waiting)))
        self._is_whole = not block
        self._text, self._at = waiting + block, 0


def read_lines(files: BundleFiles, name: str, *, ledger: Ledger) -> Iterator[Record]:
    """Yield the objects of a file of JSON lines."""
    number = 0
    try:
        with files.open(name) as file:
            stream = text_stream(file)
            while line := stream.readline(MAX_RECORD):
                number += 1
                if number > MAX_RECORDS:
                    ledger.left_out("too many records", name, line=number)
                    return
                fields = _object_of(line, name, number, ledger) if line.strip() else None
                if fields is not None:
                    yield Record(number, fields)
    except DAMAGED as error:
        ledger.left_out("damaged file", name, line=number + 1, message=f"the rest is lost: {error}")


def _object_of(line: str, name: str, number: int, ledger: Ledger) -> Mapping[str, object] | None:
    try:
        found = read_json(line)
    except ValueError as error:
        ledger.left_out("bad record", name, line=number, message=str(error))
        return None
    if isinstance(found, dict):
        return found
    ledger.left_out("bad record", name, line=number, message=f"a {type(found).__name__}, not an object")
    return None


def read_rows(files: BundleFiles, name: str, *, ledger: Ledger) -> Iterator[Record]:
    """Yield the rows of a CSV file by the names in its first line, which are read in lower case."""
    number = 1
    try:
        with files.open(name) as file:
            rows = _rows(csv.reader(text_stream(file)), name, ledger)
            _, first = next(rows, (0, []))
            header = [column.strip().casefold() for column in first]
            for number, row in rows:
                if len(row) < min(len(header), 3):
                    if any(row):
                        ledger.left_out("short row", name, line=number, message=", ".join(row))
                    continue
                if any("\n" in value for value in row):
                    ledger.left_out("unpaired quote", name, line=number, message=", ".join(row)[:300])
                    continue
                yield Record(number, dict(zip(header, row, strict=False)))
    except DAMAGED as error:
        ledger.left_out("damaged file", name, line=number + 1, message=f"the rest is lost: {error}")


def _rows(rows: CsvRows, name: str, ledger: Ledger) -> Iterator[tuple[int, list[str]]]:
    """Yield rows with the lines that they end in, stepping over those that cannot be read."""
    while True:
        try:
            row = next(rows)
        except StopIteration:
            return
        except csv.Error as error:
            ledger.left_out("bad row", name, line=rows.line_num, message=str(error))
            continue
        yield rows.line_num, row


class CsvRows(Protocol):
    """What csv.reader returns."""

    @property
    def line_num(self) -> int:
        """The line that was read last."""

    def __next__(self) -> list[str]:
        """Return the next row; raise csv.Error for one that cannot be read."""


def read_pairs(files: BundleFiles, name: str, *, ledger: Ledger) -> Iterator[tuple[int, str, object]]:
    """Yield number, key and value of a JSON object as they come, skipping what is broken."""
    number = 0
    try:
        with files.open(name) as file:
            buffer = _Buffer(text_stream(file), following=_NEXT_PAIR, closing="}")
            if not buffer.steps_over("{"):
                ledger.left_out("unreadable file", name, message="it is not a JSON object")
                return
            while (key := buffer.next_value()) is not None:
                number += 1
                value = buffer.next_value() if isinstance(key, str) and buffer.steps_over(":") else None
                if isinstance(key, str) and value is not None and not isinstance(value, _Fault):
                    yield number, key, value
                else:
                    reason = value.reason if isinstance(value, _Fault) else "no value"
                    ledger.left_out("bad record", name, line=number, field=str(key)[:100], message=reason)
            if not buffer.is_closed():
                ledger.left_out("damaged file", name, line=number + 1, message="the object does not end here")
    except DAMAGED as error:
        ledger.left_out("damaged file", name, line=number + 1, message=f"the rest is lost: {error}")


def whole_json(files: BundleFiles, name: str, *, ledger: Ledger) -> Mapping[str, object]:
    """Return a JSON object of moderate size; empty for one that cannot be read."""
    try:
        with files.open(name) as file:
            text = text_stream(file).read(MAX_WHOLE)
            found = read_json(text)
    except DAMAGED as error:
        ledger.left_out("unreadable file", name, message=str(error))
        return {}
    if isinstance(found, dict):
        return found
    ledger.left_out("unreadable file", name, message="it is not a JSON object")
    return {}
