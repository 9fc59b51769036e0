"""Find the requests that code sends, and who answers them: `http.get("/api/orders")`, `fetch`, HttpClient, Refit."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ragduck.facts import (
    Call,
    CallFact,
    Expression,
    FileFacts,
    Joined,
    Member,
    MemberFact,
    Name,
    New,
    Text,
    Typed,
)
from ragduck.graph.code.edges import EdgeCollector, Site
from ragduck.graph.code.routes import Scene
from ragduck.graph.code.served_paths import ANY, VERBS, Path, ServedPaths
from ragduck.graph.types.catalog import Catalog
from ragduck.graph.types.chains import argument, function_name, named, receiver_of
from ragduck.graph.types.declarations import family_of
from ragduck.graph.types.expressions import Evaluators

RULE = "http request"
TOLD = 0.8
OPEN = 0.6  # of an address that begins with what is not known
SEVERAL = 0.5
MOST = 3  # that answer the same path; more of them tell nothing
SCRIPTS = frozenset(("typescript", "javascript"))
_OF_CLIENT = re.compile(
    r"(?P<verb>Get|Post|Put|Patch|Delete)(?:FromJson|AsJson|String|Stream|ByteArray)?(?:Async|AsAsyncEnumerable)"
)
_CLIENT = "HttpClient"
_CALLED_CLIENT = re.compile(r"_?\w*(?:http|client|api)\w*", re.IGNORECASE)
_SCRIPT_CLIENT = re.compile(
    r"\$|jquery|axios|\$?_?http\w*|\w*(?:api|axios)(?:client|instance|service)?", re.IGNORECASE
)
_SCRIPT_VERBS = {**{verb: verb for verb in VERBS}, "getJSON": "get", "ajax": "", "request": ""}
_BARE = frozenset(("fetch", "axios"))
_INTERFACES = ("Refit", "RestEase")
_HOLE = "\0"
_HOST = re.compile(r"https?://(?P<host>[^/]*)", re.IGNORECASE)
_OWN_HOST = re.compile(rf"localhost\b.*|127\.0\.0\.1\b.*|.*{_HOLE}.*", re.DOTALL)
_CLIENT_CALLS = frozenset(
    f"{verb.capitalize()}{kind}{ending}"
    for verb in ("get", "post", "put", "patch", "delete")
    for kind in ("", "FromJson", "AsJson", "String", "Stream", "ByteArray")
    for ending in ("Async", "AsAsyncEnumerable")
)


class Request(NamedTuple):
    """A request as far as the code tells it; an empty verb may be any."""

    source: str
    verb: str
    path: Path
    line: int


def add_requests(catalog: Catalog, edges: EdgeCollector) -> None:
    """Relate who sends requests to the methods that answer them."""
    served: ServedPaths | None = None
    for file, request in _requests(catalog):
        served = served or ServedPaths(catalog)
        keys = served.answering(request.verb, request.path)
        if 0 < len(keys) <= MOST:
            sure = OPEN if request.path.is_open else TOLD
            for key in keys:
                site = Site(file.path, request.line)
                confidence = sure if len(keys) == 1 else SEVERAL
                edges.add(request.source, key, relation="Calls", rule=RULE, at=site, confidence=confidence)


def _requests(catalog: Catalog) -> Iterator[tuple[FileFacts, Request]]:
    for file in catalog.files_calling(_CLIENT_CALLS | _BARE | frozenset(_SCRIPT_VERBS)):
        found = _of_script if file.language in SCRIPTS else _of_code
        if file.language in SCRIPTS or family_of(file.language) == "csharp":
            yield from ((file, request) for request in found(catalog, file))
    for file in catalog.files.values():
        if family_of(file.language) == "csharp" and _opens_interfaces(catalog, file):
            yield from ((file, one) for member in file.members for one in _declared(catalog, file, member))


def _of_code(catalog: Catalog, file: FileFacts) -> Iterator[Request]:
    evaluators = Evaluators(catalog, file)
    for fact in file.calls:
        method = _OF_CLIENT.fullmatch(function_name(fact.call))
        receiver = receiver_of(fact.call)
        if method is None or receiver is None or not fact.call.arguments:
            continue
        ref = evaluators.within(fact.source).type_of(receiver)
        is_client = (
            ref.name.rpartition(".")[2] == _CLIENT
            if ref is not None
            else _CALLED_CLIENT.fullmatch(_last_name(receiver)) is not None
        )
        if is_client:
            yield from _request(
                fact,
                method["verb"].lower(),
                argument(fact.call, 0, name="requestUri"),
                Scene(catalog, file, fact.source),
            )


def _of_script(catalog: Catalog, file: FileFacts) -> Iterator[Request]:
    for fact in file.calls:
        name, receiver, first = function_name(fact.call), receiver_of(fact.call), argument(fact.call, 0)
        if receiver is None:
            is_meant = name in _BARE and isinstance(fact.call.function, Name)
        else:
            is_meant = name in _SCRIPT_VERBS and _SCRIPT_CLIENT.fullmatch(_last_name(receiver)) is not None
        if not is_meant:
            continue
        options = first if isinstance(first, New) else argument(fact.call, 1)
        told = _SCRIPT_VERBS.get(name, "") or _method(options)
        verb = told or ("get" if name == "fetch" and len(fact.call.arguments) == 1 else "")
        address = named(first.arguments, "url") if isinstance(first, New) else first
        yield from _request(fact, verb, address, Scene(catalog, file, fact.source))


def _method(options: Expression) -> str:
    """Return the verb that `{ method: "POST" }` or jQuery's `{ type: "POST" }` tells."""
    for name in ("method", "type") if isinstance(options, New) else ():
        value = named(options.arguments, name) if isinstance(options, New) else options
        if isinstance(value, Text) and value.value.lower() in VERBS:
            return value.value.lower()
    return ""


def _declared(catalog: Catalog, file: FileFacts, member: MemberFact) -> Iterator[Request]:
    """Yield what `[Get("/orders/{id}")]` of an interface of Refit asks for."""
    for mark in member.attributes:
        if mark.name.lower() in VERBS and mark.arguments:
            scene = Scene(catalog, file, member.key)
            path = _path(re.sub(r"\{[^}]*\}", _HOLE, scene.text(mark.arguments[0].value) or ""))
            if path is not None:
                yield Request(member.key, mark.name.lower(), path, member.line)


def _opens_interfaces(catalog: Catalog, file: FileFacts) -> bool:
    return any(opened.partition(".")[0] in _INTERFACES for opened in catalog.sight_of(file).opened)


def _request(fact: CallFact, verb: str, address: Expression, scene: Scene) -> Iterator[Request]:
    text = _written(address, scene)
    path = _path(text) if text is not None else None
    if path is not None:
        yield Request(fact.source, verb, path, fact.line)


def _written(address: Expression, scene: Scene) -> str | None:
    """Return an address with holes for what is not known of it."""
    if isinstance(address, Joined):
        parts = (scene.text(part) for part in address.parts)
        return "".join(_HOLE if part is None else part for part in parts)
    return scene.text(address)


def _path(text: str) -> Path | None:
    """Read the path of an address of one's own; None for one that says nothing, or is of another host."""
    host = _HOST.match(text)
    if host is not None and _OWN_HOST.fullmatch(host["host"]) is None:
        return None
    written = re.split(r"[?#]", text[host.end() :] if host is not None else text, maxsplit=1)[0].lstrip("~")
    is_open = host is None and written.startswith(_HOLE)
    if "/" not in written:
        return None
    segments = [segment for segment in written.lower().split("/") if segment]
    if is_open:
        segments[0] = segments[0].lstrip(_HOLE)
    named_segments = tuple(ANY if _HOLE in segment else segment for segment in segments if segment)
    if all(segment == ANY for segment in named_segments):
        return None
    return Path(named_segments, is_open)


def _last_name(expression: Expression) -> str:
    if isinstance(expression, Call):
        return function_name(expression)
    return expression.name if isinstance(expression, (Name, Member, Typed)) else ""
