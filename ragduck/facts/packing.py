"""Pack the facts of a file into bytes that cross process borders and wait in the cache, and read them back.

The facts of statements stay packed within: in a large system they are most of what memory would hold, and each is of
interest only while its own file is looked at. What they name is packed beside them. In front stand the file's path
and a hash of its declarations, so that they can be told without unpacking anything.
"""

from __future__ import annotations

import io
import pickle
import struct
from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias, TypeVar, cast

import pyarrow as pa

from ragduck.facts import code, database, expressions, files, mentions
from ragduck.facts.digests import DIGEST_BYTES, declarations_digest
from ragduck.facts.files import FileFacts, StatementFacts
from ragduck.facts.mentions import Mentions
from ragduck.facts.sharing import Kinds, sharing_kinds

KEPT_BYTES = 10_000_000  # packed statements that stay unpacked once they were; they grow some fifteen times
_CODEC = pa.Codec("lz4_raw")  # unpacked seven times as fast as by zlib; the cache packs it once more
_SIZE = struct.Struct("<I")  # of what is unpacked
# Bytes of the path, of the declarations and of what statements name, and the hash of the declarations
_FRONT = struct.Struct(f"<III{DIGEST_BYTES}s")

Packed: TypeAlias = bytes | memoryview  # which may be a part of a file
AnyPacked = TypeVar("AnyPacked", bytes, memoryview)


class Room:
    """How many bytes of packed statements may still stay unpacked, among all files that were read with it."""

    def __init__(self, size: int = KEPT_BYTES) -> None:
        self._left = size

    def take(self, size: int) -> bool:
        """Say whether there is room, and take it."""
        if size > self._left:
            return False
        self._left -= size
        return True


class PackedStatements:
    """The facts of a file's statements as bytes, unpacked by whoever looks at them."""

    __slots__ = ("_data", "_mentions", "_room", "_statements")

    def __init__(self, data: Packed, *, mentions: Packed, room: Room) -> None:
        self._data = data
        self._mentions = mentions
        self._room = room
        self._statements: StatementFacts | None = None

    def unpacked(self) -> StatementFacts:
        """Return them, each time anew unless there is room to keep them."""
        if self._statements is not None:
            return self._statements
        found: StatementFacts = _loaded(self._data, StatementFacts)
        if self._room.take(len(self._data)):
            self._statements, self._data = found, b""
        return found

    def mentions(self) -> Mentions:
        """Return what they name, each time anew."""
        return read_mentions(self._mentions)


def packed_facts(facts: FileFacts) -> bytes:
    """Return all facts of a file as bytes, those of its statements and what these name packed on their own."""
    statements = facts.statements.unpacked()
    head = _dumped(facts._replace(statements=StatementFacts()))
    named = _dumped(statements.mentions())
    path = facts.path.encode("utf-8", errors="surrogatepass")
    front = _FRONT.pack(len(path), len(head), len(named), declarations_digest(facts))
    return b"".join((front, path, head, named, _dumped(statements)))


def path_of(packed: bytes) -> str:
    """Return the path of the file whose facts were packed."""
    return packed[_FRONT.size : _FRONT.size + _FRONT.unpack_from(packed)[0]].decode(
        "utf-8", errors="surrogatepass"
    )


def declarations_of(packed: bytes) -> bytes:
    """Return the hash of what other files can see of the file, as `declarations_digest` gave it."""
    found: bytes = _FRONT.unpack_from(packed)[-1]
    return found


def head_of(packed: bytes) -> bytes:
    """Return the declarations of a file, still packed."""
    return _parts(packed)[0]


def read_head(head: Packed) -> FileFacts:
    """Read back what `head_of` gave: facts without those of statements. Raises as `read_facts` does."""
    facts: FileFacts = _loaded(head, FileFacts)
    return facts


def named_in(packed: bytes) -> bytes:
    """Return what the statements of a file name, still packed."""
    return _parts(packed)[1]


def read_mentions(named: Packed) -> Mentions:
    """Read back what `named_in` gave. Raises as `read_facts` does."""
    found: Mentions = _loaded(named, Mentions)
    return found


def statements_in_words(packed: bytes) -> bytes:
    """Return the statements of a file as bytes in which all their words stand in UTF-8."""
    return _unzipped(_parts(packed)[2])


def in_words(packed: bytes) -> bytes:
    """Return what `head_of` or `named_in` gave as bytes in which all its words stand in UTF-8."""
    return _unzipped(packed)


def read_facts(packed: Iterable[AnyPacked], room: Room, *, is_shared: bool = False) -> Iterator[FileFacts]:
    """Read facts back one after the other, those of statements still packed.

    Where much ``is_shared``, files have in common what they declare alike, which takes a fifth less memory and some
    time. Raises pickle.UnpicklingError for pickles of anything but facts, as they could name any code, and OSError
    for bytes that are not whole.
    """
    kinds = sharing_kinds(_READ) if is_shared else _READ
    return (_read(data, room, kinds) for data in packed)


def _read(data: AnyPacked, room: Room, kinds: Kinds) -> FileFacts:
    head, named, statements = _parts(data)
    facts: FileFacts = _loaded(head, FileFacts, kinds)
    return facts._replace(statements=PackedStatements(statements, mentions=named, room=room))


def _parts(packed: AnyPacked) -> tuple[AnyPacked, AnyPacked, AnyPacked]:
    """Return the declarations, what statements name, and the statements, still packed."""
    path, head, named, _ = _FRONT.unpack_from(packed)
    start = _FRONT.size + path
    end = start + head
    return packed[start:end], packed[end : end + named], packed[end + named :]


def _dumped(facts: object) -> bytes:
    content = pickle.dumps(facts, protocol=pickle.HIGHEST_PROTOCOL)
    return _SIZE.pack(len(content)) + cast(bytes, _CODEC.compress(content, asbytes=True))


def _unzipped(packed: Packed) -> bytes:
    (size,) = _SIZE.unpack_from(packed)
    content = memoryview(packed)[_SIZE.size :]
    return cast(bytes, _CODEC.decompress(content, decompressed_size=size, asbytes=True))


def _loaded(data: Packed, kind: type, kinds: Kinds | None = None) -> Any:
    found = _FactsReader(_unzipped(data), _READ if kinds is None else kinds).load()
    if not isinstance(found, kind):
        raise pickle.UnpicklingError(f"{type(found).__name__} is no {kind.__name__}")
    return found


class _FactsReader(pickle.Unpickler):
    def __init__(self, content: bytes, kinds: Kinds) -> None:
        super().__init__(io.BytesIO(content))
        self._kinds = kinds

    def find_class(self, module: str, name: str) -> Any:
        found = self._kinds.get((module, name))
        if found is None:
            raise pickle.UnpicklingError(f"{module}.{name} is no fact")
        return found


_READ: Kinds = {("builtins", "frozenset"): frozenset} | {
    (module.__name__, name): kind
    for module in (code, database, expressions, files, mentions)
    for name, kind in vars(module).items()
    if isinstance(kind, type) and issubclass(kind, tuple) and kind.__module__ == module.__name__
}
for _kind in _READ.values():
    if issubclass(_kind, tuple):
        # a string of its own: a text of a fact that was this very object would be packed as a mere reference to it
        _kind.__qualname__ = "".join(list(_kind.__qualname__))
# How the classes of facts stand in every pickle, by their names: `Name` is one, and a common property
CLASSES_IN_WORDS = {
    name: b"\x8c" + bytes((len(name),)) + name.encode() + pickle.MEMOIZE + pickle.STACK_GLOBAL
    for _, name in _READ
}
