"""Read the paths in addresses that code puts together, as far as it tells them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ragduck.facts import Expression, Joined, Member, MemberFact, Name, New
from ragduck.graph.code.routes import Scene
from ragduck.graph.code.served_paths import ANY, Path

SCRIPTS = frozenset(("typescript", "javascript"))
HOLE = "\0"
_MAX_DEPTH = 6  # of names that stand for names
_HOST = re.compile(r"(?:(?:[a-z+]{1,20}:)?//)(?P<host>[^/]*)", re.IGNORECASE)
_OWN_HOST = re.compile(
    rf"(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\]|[\w-]+|{HOLE})(?::(?:\d+|{HOLE}))?", re.IGNORECASE
)


def written_address(address: Expression, scene: Scene, depth: int = _MAX_DEPTH) -> str:
    """Return an address with holes for what is not known of it."""
    if isinstance(address, Joined):
        return "".join(written_address(part, scene, depth) for part in address.parts)
    if isinstance(address, New) and address.type.rpartition(".")[2] == "Uri" and address.arguments:
        return written_address(address.arguments[0].value, scene, depth)
    text = scene.text(address)
    if text is not None or depth == 0 or not isinstance(address, (Name, Member)):
        return HOLE if text is None else text
    member = _member(address, scene)
    if member is None:
        return HOLE
    return written_address(member.value, scene._replace(source=member.key), depth - 1)


def _member(address: Name | Member, scene: Scene) -> MemberFact | None:
    """Return the field of the own class that a name is, or the constant of the file."""
    if isinstance(address, Member) and address.receiver != Name("this"):
        return None
    owner = scene.catalog.owner_of(scene.source)
    own = scene.catalog.members(owner, address.name) if owner is not None else ()
    if isinstance(address, Name) and not own and scene.file.language in SCRIPTS:
        own = [one for one in scene.file.members if one.name == address.name and not one.owner]
    return next((one for one in own if one.kind in ("FIELD", "PROPERTY")), None)


def path_in(text: str) -> str:
    """Return the path in an address of one's own, "" for one of another host."""
    host = _HOST.match(text)
    if host is not None and _OWN_HOST.fullmatch(host["host"]) is None:
        return ""
    path = f"/{text[host.end() :].lstrip('/')}" if host is not None else text
    return re.split(r"[?#]", path, maxsplit=1)[0].lstrip("~")


def readings(written: str) -> Iterator[Path]:
    """Yield the readings of the path of an address; none for one that says nothing."""
    is_open = written.startswith(HOLE)
    if "/" not in written:
        return
    segments = [one for one in written.lower().split("/") if one and one not in (".", "..")]
    if is_open and segments:
        segments[0] = segments[0].lstrip(HOLE)
    segments = [segment for segment in segments if segment]
    if segments and HOLE in segments[-1].lstrip(HOLE) and not segments[-1].startswith(HOLE):
        literal = segments[-1].partition(HOLE)[0]  # what follows a word is a query, mostly
        yield from _path([*segments[:-1], literal], is_open=is_open)
    yield from _path(segments, is_open=is_open)


def _path(segments: Sequence[str], *, is_open: bool) -> Iterator[Path]:
    known = tuple(ANY if HOLE in segment or "{" in segment else segment for segment in segments)
    if any(segment != ANY for segment in known):
        yield Path(known, is_open)
