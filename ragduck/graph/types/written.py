"""Read a type as somebody wrote it: `IReadOnlyList<Order?>[]`, `dict[str, "Order"]`, `map[string]*Order`."""

from __future__ import annotations

import re
from typing import NamedTuple

MAX_LENGTH = 600
MAX_DEPTH = 12
ARRAY = "[]"
TUPLE = "()"
FUNCTION = "=>"

_TOKEN = re.compile(r"=>|::|[\w.]+|[<>\[\](),|&{]")
_GO_PREFIX = re.compile(r"[\s*&]|\.\.\.|<-|chan\b")
_GO_NAME = re.compile(r"[\w.]+")
_MODIFIERS = frozenset(
    (
        "ref",
        "out",
        "in",
        "readonly",
        "params",
        "scoped",
        "final",
        "extends",
        "super",
        "const",
        "this",
        "keyof",
    )
)
_NOTHING = frozenset(("None", "null", "undefined", "void"))
_TRANSPARENT = frozenset(
    (
        "Optional",
        "Union",
        "Annotated",
        "Final",
        "ClassVar",
        "Type",
        "type",
        "Nullable",
        "Readonly",
        "Partial",
        "NonNullable",
    )
)


class Written(NamedTuple):
    """A type's name with its type arguments; arrays and tuples have names that no type can have.

    ``labels`` are the names of a tuple's elements, "" for one without.
    """

    name: str
    arguments: tuple[Written, ...] = ()
    labels: tuple[str, ...] = ()


class _Frame:
    """A type that is being read."""

    __slots__ = ("arguments", "arrays", "in_rank", "is_closed", "label", "labels", "name")

    def __init__(self, name: str = "") -> None:
        self.name = name
        self.arguments: list[Written] = []
        self.label = ""  # what stands behind the type
        self.labels: list[str] = []
        self.arrays = 0
        self.in_rank = False
        self.is_closed = False

    def written(self) -> Written:
        result = Written(self.name, tuple(self.arguments))
        if self.name.rpartition(".")[2] in _TRANSPARENT and self.arguments:
            result = next((one for one in self.arguments if one.name not in _NOTHING), self.arguments[0])
        elif self.name == TUPLE and len(self.arguments) == 1:
            result = self.arguments[0]
        elif self.name == TUPLE and any(self.labels):
            result = result._replace(labels=tuple(self.labels))
        for _ in range(self.arrays):
            result = Written(ARRAY, (result,))
        return result


def read_written(text: str, *, family: str) -> Written:
    """Read a type in the notation of a language family; what is too long or too deep has an empty name."""
    if len(text) > MAX_LENGTH:
        return Written("")
    if family == "go":
        return _read_go(text)
    return _Reader(square=family == "python").read(text)


class _Reader:
    """Read the notation that most languages share, with angle or square brackets."""

    def __init__(self, *, square: bool) -> None:
        self._square = square
        self._opening, self._closing = ("[", "]") if square else ("<", ">")
        self._frames = [_Frame()]

    def read(self, text: str) -> Written:
        for piece in _TOKEN.findall(text):
            if not self._take(piece) or len(self._frames) > MAX_DEPTH:
                break
        while len(self._frames) > 1:
            self._close()
        return self._frames[0].written()

    def _take(self, piece: str) -> bool:
        """Go on by one token; false where the type ends."""
        frame = self._frames[-1]
        if frame.in_rank:
            frame.in_rank = piece != "]"
        elif piece == self._opening:
            self._frames.append(_Frame())
        elif piece == "(":
            frame.name = frame.name or TUPLE
            self._frames.append(_Frame())
        elif piece in (self._closing, ")"):
            return self._close()
        elif piece == "[" and not self._square:
            frame.arrays, frame.in_rank = min(frame.arrays + 1, MAX_DEPTH), True
        elif piece == ",":
            return self._next_argument()
        else:
            return self._name(frame, piece)
        return True

    def _name(self, frame: _Frame, piece: str) -> bool:
        if piece == "{":
            return False
        if piece == "::":
            frame.name = ""
        elif piece == FUNCTION:
            frame.name, frame.arguments, frame.labels, frame.is_closed = FUNCTION, [], [], True
        elif piece in "|&":
            if frame.name in _NOTHING or not frame.name:
                frame.name, frame.arguments = "", []
            else:
                frame.is_closed = True
        elif not frame.name and not frame.is_closed and piece not in _MODIFIERS:
            frame.name = piece
        elif frame.name:
            frame.label = piece
        return True

    def _close(self) -> bool:
        if len(self._frames) < 2:
            return False
        inner = self._frames.pop()
        outer = self._frames[-1]
        if not outer.is_closed and (inner.name or inner.arguments):
            outer.arguments.append(inner.written())
            outer.labels.append(inner.label)
        return True

    def _next_argument(self) -> bool:
        if not self._close():
            return False
        self._frames.append(_Frame())
        return True


def _read_go(text: str) -> Written:
    """Read Go's notation, where what a slice or a map holds comes last."""
    around: list[str] = []
    at = 0
    while at < len(text) and len(around) < MAX_DEPTH:
        skipped = _GO_PREFIX.match(text, at)
        if skipped is not None:
            at = skipped.end()
        elif text[at] == "[" or text.startswith("map[", at):
            around.append("map" if text[at] == "m" else ARRAY)
            at = text.find("]", at) + 1 or len(text)
        else:
            break
    found = _GO_NAME.match(text, at)
    name = found[0] if found is not None else ""
    result = Written("" if name in ("func", "struct", "interface") else name)
    if found is not None and text[found.end() : found.end() + 1] == "[":
        inside = text[found.end() + 1 :].rpartition("]")[0].split(",")
        result = Written(name, tuple(Written(one.strip(" *[]")) for one in inside))
    for outer in reversed(around):
        result = Written(outer, (result,))
    return result
