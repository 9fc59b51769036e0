"""Find the requests that scripts send: `http.get("/api/orders")`, `fetch`, jQuery, axios."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ragduck.facts import Call, Expression, FileFacts, Lambda, New, Text
from ragduck.graph.code.request_clients import TOLD, Sending
from ragduck.graph.code.served_paths import VERBS
from ragduck.graph.types.chains import argument, function_name, last_name, named, receiver_of

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
SCRIPT_CALLS = _BARE | _OWN_SENDERS | _SCRIPT_VERBS.keys()


def sendings_of_script(file: FileFacts) -> Iterator[Sending]:
    """Yield the requests that the calls of a script send."""
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
            yield Sending(fact, verb, address, TOLD)


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
