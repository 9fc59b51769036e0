"""Find the requests that code sends, and who answers them: `http.get("/api/orders")`, `fetch`, HttpClient, Refit."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ragduck.facts import (
    Attribute,
    Call,
    CallFact,
    Choice,
    Expression,
    FileFacts,
    Lambda,
    MemberFact,
    New,
    Text,
)
from ragduck.graph.code.addresses import HOLE, SCRIPTS, path_in, readings, written_address
from ragduck.graph.code.edges import EdgeCollector, Site
from ragduck.graph.code.request_clients import OPEN, TOLD, Sending, sendings
from ragduck.graph.code.request_senders import RequestSenders
from ragduck.graph.code.routes import Scene
from ragduck.graph.code.served_files import ServedFiles
from ragduck.graph.code.served_paths import VERBS, Path, RouteReader, Served, ServedPaths
from ragduck.graph.types.catalog import Catalog
from ragduck.graph.types.chains import argument, function_name, last_name, named, receiver_of
from ragduck.graph.types.declarations import family_of

RULE = "http request"
SEVERAL = 0.5
MOST = 3  # that answer the same path; more of them tell nothing
_SCRIPT_CLIENT = re.compile(
    r"(?!\w*(?:mock|stub|fake|server|router|cache))"
    r"(?:\$|jquery|axios|\$?_?http(?:client|service)?|\w*(?:api|axios|ajax)(?:client|instance|service)?)",
    re.IGNORECASE,
)
_JQUERY = frozenset(("$", "jquery"))
_SCRIPT_VERBS: Mapping[str, str] = {
    **{verb: verb for verb in VERBS},
    "getJSON": "get",
    "ajax": "",
    "request": "",
    "fetch": "",
}
_BARE = frozenset(("fetch", "axios", "$http"))
_OWN_SENDERS = frozenset(("request", "http", "ajax", "service"))  # where they are given verb and address
_PLACES = ("url", "path")  # of the address in what a request is given; the second beside a method alone
_ABP = "abp"  # the object of ABP and ASP.NET Boilerplate in scripts
_WINDOWS = frozenset(("window", "globalThis"))
_SERVERS = frozenset(("express", "fastify", "koa", "koa-router", "@koa/router", "hono", "restify", "msw"))
_INTERFACES = ("Refit", "RestEase")
_PARAMETER = re.compile(r"\{[^{}]*\}")
_FILE = re.compile(r"\w\.\w+$")


class Request(NamedTuple):
    """A request as far as the code tells it; an empty verb may be any.

    ``paths`` are readings of its ``address``, likeliest first.
    """

    source: str
    verb: str
    address: str
    paths: tuple[Path, ...]
    line: int
    confidence: float = TOLD


def add_requests(catalog: Catalog, edges: EdgeCollector) -> None:
    """Relate who sends requests to the methods that answer them."""
    served: ServedPaths | None = None
    files: ServedFiles | None = None
    for file, request in _requests(catalog):
        files = files or ServedFiles(catalog)
        known = request.address.lstrip(HOLE).partition(HOLE)[0]
        answer = files.answering(known, file=file, is_open=request.address.startswith(HOLE))
        if answer is not None:
            confidence = request.confidence if answer.is_sure else OPEN
            _add(request, answer.keys, file, confidence=confidence, edges=edges)
            continue
        served = served or ServedPaths(RouteReader(catalog).read())
        found = next(filter(None, (served.answering(request.verb, path) for path in request.paths)), ())
        own = [one for one in found if one.project == file.project]
        keys = {one.key for one in own or found}
        if 0 < len(keys) <= MOST:
            confidence = SEVERAL if len(keys) > 1 else _confidence(request, found)
            _add(request, keys, file, confidence=confidence, edges=edges)


def _add(
    request: Request, keys: Iterable[str], file: FileFacts, *, confidence: float, edges: EdgeCollector
) -> None:
    for key in sorted(keys):
        site = Site(file.path, request.line)
        edges.add(request.source, key, relation="Calls", rule=RULE, at=site, confidence=confidence)


def _confidence(request: Request, found: Sequence[Served]) -> float:
    is_open = request.paths[0].is_open or any(one.path.is_open for one in found)
    return OPEN if is_open else request.confidence


def _requests(catalog: Catalog) -> Iterator[tuple[FileFacts, Request]]:
    for file in catalog.files_calling(_BARE | _OWN_SENDERS | _SCRIPT_VERBS.keys()):
        if file.language in SCRIPTS:
            yield from ((file, request) for request in _of_script(catalog, file))
    sent = sendings(catalog)
    for file, one in sent:
        scene = Scene(catalog, file, one.fact.source)
        requests = _request(one.fact, one.verb, one.address, scene, confidence=one.confidence)
        yield from ((file, request) for request in requests)
    yield from _of_senders(catalog, sent)
    for file in catalog.files.values():
        marked = [one for one in file.members if any(map(_tells_verb, one.attributes))]
        if marked and family_of(file.language) == "csharp" and catalog.opens(file, _INTERFACES):
            yield from ((file, one) for member in marked for one in _declared(catalog, file, member))


def _of_senders(
    catalog: Catalog, sent: Iterable[tuple[FileFacts, Sending]]
) -> Iterator[tuple[FileFacts, Request]]:
    """Yield the requests that code lets methods of its own send."""
    senders = RequestSenders(catalog, sent)
    for file in catalog.files_calling(senders.names) if senders.names else ():
        for asked in senders.asked(file):
            paths = tuple(readings(asked.address))
            if paths:
                source, line = asked.fact.source, asked.fact.line
                yield file, Request(source, asked.verb, asked.address, paths, line, OPEN)


def _of_script(catalog: Catalog, file: FileFacts) -> Iterator[Request]:
    is_server = any(one.name.partition(".")[0] in _SERVERS for one in file.imports)
    for fact in file.calls:
        if not _is_meant(fact.call, is_server=is_server):
            continue
        arguments = fact.call.arguments
        verb: str | None = _SCRIPT_VERBS.get(function_name(fact.call), "")
        if function_name(fact.call) == "request" and arguments and isinstance(arguments[0].value, Text):
            verb, arguments = arguments[0].value.value.lower(), arguments[1:]
        first = arguments[0].value if arguments else None
        options = first if isinstance(first, New) else next((one.value for one in arguments[1:2]), None)
        verb = verb or _method(options)
        address = _address_in(first, call=fact.call) if isinstance(first, New) else first
        if address is not None and verb is not None:
            yield from _request(fact, verb, address, Scene(catalog, file, fact.source), confidence=TOLD)


def _is_meant(call: Call, *, is_server: bool) -> bool:
    """Say whether a call of a script sends a request: who registers what answers one gives a function, too."""
    name, receiver = function_name(call), receiver_of(call)
    if receiver is None:
        return name in _BARE or (name in _OWN_SENDERS and _says_all(call))
    called = last_name(receiver)
    if (
        (name == "request" and _says_all(call))
        or (name == "fetch" and called in _WINDOWS)
        or (name == "ajax" and called == _ABP)
    ):
        return True
    if name not in _SCRIPT_VERBS or _SCRIPT_CLIENT.fullmatch(called) is None:
        return False
    if called.lower() in _JQUERY:
        return True
    may_answer = is_server and "axios" not in called.lower()
    return not (may_answer or any(isinstance(one.value, Lambda) for one in call.arguments[1:]))


def _address_in(options: New, *, call: Call) -> Expression:
    """Return the `url` of options, or the `path` where they say the verb, too."""
    url = named(options.arguments, "url")
    return named(options.arguments, "path") if not url and _says_all(call) else url


def _says_all(call: Call) -> bool:
    """Say whether a client of any name is given `{ method: "GET", url: … }`, and no function that answers."""
    options = argument(call, 0)
    given = {one.name for one in options.arguments} if isinstance(options, New) else set()
    return "method" in given and not given.isdisjoint(_PLACES) and "handler" not in given


def _method(options: Expression | None) -> str | None:
    """Return the verb that `{ method: "POST" }` or jQuery's `{ type: "POST" }` tells: `get` where nothing is told.

    "" where it is not known, None for one that no method of a controller answers.
    """
    if options is None:
        return "get"
    if not isinstance(options, New):
        return ""
    told = next((one.value for one in options.arguments if one.name in ("method", "type")), None)
    if told is None:
        return "get"
    if not isinstance(told, Text):
        return ""
    return told.value.lower() if told.value.lower() in VERBS else None


def _declared(catalog: Catalog, file: FileFacts, member: MemberFact) -> Iterator[Request]:
    """Yield what `[Get("/orders/{id}")]` of an interface of Refit asks for."""
    for mark in member.attributes:
        if _tells_verb(mark):
            verb = mark.name.rpartition(".")[2].lower()
            text = Scene(catalog, file, member.key).text(mark.arguments[0].value) or ""
            address = path_in(_PARAMETER.sub(HOLE, text))
            paths = tuple(readings(address))
            if paths:
                yield Request(member.key, verb, address, paths, member.line)


def _tells_verb(mark: Attribute) -> bool:
    return bool(mark.arguments) and mark.name.rpartition(".")[2].lower() in VERBS


def _request(
    fact: CallFact, verb: str, address: Expression, scene: Scene, *, confidence: float
) -> Iterator[Request]:
    for option in address.options[:4] if isinstance(address, Choice) else (address,):
        written = path_in(written_address(option, scene))
        paths = tuple(readings(written))
        if paths or _FILE.search(written):
            yield Request(fact.source, verb, written, paths, fact.line, confidence)
