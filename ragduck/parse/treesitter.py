"""Parse with tree-sitter within bounds, so that hostile input costs neither time nor memory."""

from __future__ import annotations

from time import thread_time

from tree_sitter import Language, Node, Parser, Point, Tree

from ragduck.model import Outline, ParseProblem

READ_BYTES = 4_096  # so small that the clock is looked at often

# Error recovery is quadratic in what is still open when it begins: 20,000 brackets take gigabytes.
MAX_UNCLOSED = {b"()": 700, b"[]": 700, b"{}": 700, b"<>": 1_400}  # a less-than sign need not be a bracket
MAX_ASSIGNMENTS = 700  # in one run without a separator; each waits for the next one's value
HARMLESS_BYTES = 2_000
# Real code needs 0.6 microseconds of processor time per byte; an unclosed comment that is read to its end again
# and again needs far more.
SECONDS_PER_BYTE = 5e-6
MIN_SECONDS = 1.0

_NOT_BRACKETS = bytes(byte for byte in range(256) if byte not in b"()[]{}<>")
_NOT_ASSIGNMENTS = bytes(byte for byte in range(256) if byte not in b"=;{},")


def encode(text: str) -> bytes:
    """Return the bytes to parse: no NUL, which some scanners take for the end, and no lone surrogates."""
    return text.replace("\0", " ").encode("utf-8", "replace")


def parse(source: bytes, language: Language) -> Tree | None:
    """Parse, or return None when the input would take the parser more time or memory than it deserves."""
    if len(source) > HARMLESS_BYTES and (_leaves_brackets_open(source) or _piles_up_assignments(source)):
        return None
    reader = _Reader(source)
    tree = Parser(language).parse(reader)
    return None if reader.is_late else tree


class _Reader:
    """Hand out the source in pieces, none after the deadline.

    The parser's own ``progress_callback`` crashes in tree-sitter 0.25.
    """

    def __init__(self, source: bytes) -> None:
        self._source = source
        self._deadline = thread_time() + MIN_SECONDS + SECONDS_PER_BYTE * len(source)
        self.is_late = False

    def __call__(self, offset: int, _point: Point) -> bytes:
        """Return the next bytes, nothing when it is too late."""
        self.is_late = self.is_late or thread_time() > self._deadline
        return b"" if self.is_late else self._source[offset : offset + READ_BYTES]


def _leaves_brackets_open(source: bytes) -> bool:
    brackets = source.translate(None, _NOT_BRACKETS)
    return any(
        brackets.count(pair[:1]) - brackets.count(pair[1:]) > limit for pair, limit in MAX_UNCLOSED.items()
    )


def _piles_up_assignments(source: bytes) -> bool:
    """Look for a long run of `=`, leaving out comparisons, banners and attributes of markup."""
    single = source.replace(b"==", b"").replace(b'="', b"")
    return b"=" * MAX_ASSIGNMENTS in single.translate(None, _NOT_ASSIGNMENTS)


def gave_up(path: str) -> Outline:
    """Report a document that ``parse`` refused."""
    return Outline(problems=(beyond_reading(path, 1),))


def beyond_reading(path: str, line: int) -> ParseProblem:
    """Say that ``parse`` refused what begins at a line; a faster machine may read it."""
    return ParseProblem(path, line, "nested or broken beyond what the parser can take", passing=True)


def problems_of(root: Node, *, path: str, source: bytes) -> tuple[ParseProblem, ...]:
    """Report the first place that the grammar could not read; a semicolon too many costs nothing."""
    node = _first_error(root, source)
    if node is None:
        return ()
    if node.is_missing:
        message = f"missing {node.type}"
    else:
        text = source[node.start_byte : min(node.end_byte, node.start_byte + 200)].decode("utf-8", "replace")
        message = f"cannot read: {' '.join(text.split())[:60]}"
    return (ParseProblem(path, node.start_point.row + 1, message),)


def _first_error(root: Node, source: bytes) -> Node | None:
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.is_missing or (node.is_error and source[node.start_byte : node.end_byte] != b";"):
            return node
        if node.has_error:
            waiting.extend(reversed(node.children))
    return None


def last_row(node: Node) -> int:
    """Return the row of a node's last character.

    A node that swallows its line end stops at column 0 of the next row.
    """
    end = node.end_point
    return end.row - 1 if end.column == 0 and end.row > node.start_point.row else end.row
