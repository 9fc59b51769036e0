"""Read the paths in addresses that code puts together, as far as it tells them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from ragduck.facts import UNKNOWN, Expression, Joined, Member, MemberFact, Name, New, Typed
from ragduck.graph.code.constructed import Placed, constructed, handed
from ragduck.graph.code.routes import ANY, Scene
from ragduck.graph.code.served_paths import Path
from ragduck.graph.types.catalog import Catalog, TypeInfo
from ragduck.graph.types.chains import last_name, named
from ragduck.graph.types.expressions import Evaluators

SCRIPTS = frozenset(("typescript", "javascript"))
HOLE = "\0"
_MAX_DEPTH = 6  # of names that stand for names
_HOST = re.compile(r"(?:(?:[a-z+]{1,20}:)?//)(?P<host>[^/]*)", re.IGNORECASE)
_OWN_HOST = re.compile(
    rf"(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\]|[\w-]+|{HOLE})(?::(?:\d+|{HOLE}))?", re.IGNORECASE
)


def written_address(
    address: Expression, scene: Scene, depth: int = _MAX_DEPTH, made: TypeInfo | None = None
) -> str:
    """Return an address with holes for what is not known of it.

    ``made`` is the class of the object that asks, which tells what constructors of its bases are given.
    """
    if isinstance(address, Joined):
        return "".join(written_address(part, scene, depth, made) for part in address.parts)
    if isinstance(address, New) and address.type.rpartition(".")[2] == "Uri" and address.arguments:
        return "/".join(written_address(one, scene, depth, made) for one in parts_of_uri(address))
    text = scene.text(address)
    if text and not text.strip("/"):
        return "/"  # a root that may have been given its end twice
    if text or depth == 0 or not isinstance(address, (Name, Member, Typed)):
        return HOLE if text is None else text
    made = made or scene.catalog.owner_of(scene.source)
    for value, place in _values(address, scene, made):
        written = written_address(value, place, depth - 1, made)
        if written.strip(HOLE):
            return written
    return HOLE if text is None else text


def parts_of_uri(made: New) -> list[Expression]:
    """Return the base and the path of `new Uri(root, "orders")`; what kind of address it is says nothing."""
    given = [one.value for one in made.arguments[:2]]
    return [one for one in given if not (isinstance(one, Member) and last_name(one.receiver) == "UriKind")]


def _values(
    address: Name | Member | Typed, scene: Scene, made: TypeInfo | None
) -> Iterator[tuple[Expression, Scene]]:
    """Yield what a field, a constant or a parameter of a constructor may be, with where that stands."""
    catalog = scene.catalog
    if isinstance(address, Typed):
        given = handed(catalog, made, parameter=address, source=scene.source) if made is not None else ()
        yield from _placed(given, catalog)
        return
    if isinstance(address, Member) and address.receiver != Name("this"):
        yield from _of_object(address, scene)
        return
    own = catalog.members(made, address.name) if made is not None else []
    members = own or (_outside(address, scene) if isinstance(address, Name) else [])
    field = next((one for one in members if one.kind in ("FIELD", "PROPERTY")), None)
    if field is not None:
        yield field.value, Scene(catalog, catalog.home_of(field), field.key)
    if field is not None and own and made is not None:
        yield from _placed(constructed(catalog, made, address.name), catalog)


def _placed(found: Iterable[Placed], catalog: Catalog) -> Iterator[tuple[Expression, Scene]]:
    for value, source in found:
        owner = catalog.owner_of(source)
        if owner is not None:
            yield value, Scene(catalog, owner.files[0], source)


def _outside(name: Name, scene: Scene) -> Sequence[MemberFact]:
    """Return the constant of a module, the own one or one that it imports, that a name of a script is."""
    if scene.file.language not in SCRIPTS:
        return ()
    found = Evaluators(scene.catalog, scene.file).within(scene.source).root(name).found
    return [one for one in found.members if not one.owner] if found is not None else ()


def _of_object(member: Member, scene: Scene) -> Iterator[tuple[Expression, Scene]]:
    """Yield what `environment.apiUrl` is: `apiUrl` of the object that a constant holds."""
    names = [member.name]
    receiver = member.receiver
    while isinstance(receiver, Member) and len(names) < _MAX_DEPTH:
        names.append(receiver.name)
        receiver = receiver.receiver
    for one in _outside(receiver, scene) if isinstance(receiver, Name) else ():
        value = one.value
        for name in reversed(names):
            value = named(value.arguments, name) if isinstance(value, New) else UNKNOWN
        yield value, Scene(scene.catalog, scene.catalog.home_of(one), one.key)


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
