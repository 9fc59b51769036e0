"""Write C# so that all stands on the line on which it stood in Visual Basic."""

from __future__ import annotations

from collections.abc import Iterable


class Writer:
    """Collect pieces of C#; what comes out of order stays on the line that is reached."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._line = 1

    @property
    def line(self) -> int:
        """Return the line that is reached."""
        return self._line

    def put(self, line: int, text: str) -> None:
        """Write a piece on its line."""
        if line > self._line:
            self._parts.append("\n" * (line - self._line))
            self._line = line
        self._parts.append(text)
        self._parts.append(" ")
        self._line += text.count("\n")

    def put_all(self, pieces: Iterable[tuple[int, str]]) -> None:
        """Write pieces in order."""
        for line, text in pieces:
            self.put(line, text)

    def text(self, last: int) -> str:
        """Return all that was written, with line ends up to a last line."""
        return "".join(self._parts) + "\n" * max(last - self._line, 0)
