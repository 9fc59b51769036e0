"""Find where C# sends requests: by HttpClient, by clients of packages, by messages that somebody sends."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ragduck.facts import (
    REQUEST_MESSAGE,
    REST_REQUEST,
    UNKNOWN,
    Argument,
    Call,
    CallFact,
    Expression,
    FileFacts,
    LambdaParameter,
    Member,
    New,
    Text,
)
from ragduck.graph.code.calls import ON_MOCKS
from ragduck.graph.code.flurl import FLURL_CALLS, asked_of_flurl, opens_flurl
from ragduck.graph.code.rest_sharp import NO_CLIENTS, asked_of_rest, is_verb_of_rest
from ragduck.graph.code.served_paths import VERBS
from ragduck.graph.types.catalog import Catalog, TypeRef
from ragduck.graph.types.chains import argument, function_name, last_name, receiver_of, unwound
from ragduck.graph.types.declarations import family_of, is_interface_name
from ragduck.graph.types.expressions import Evaluator, Evaluators

TOLD = 0.8
OPEN = 0.6  # of an address whose beginning is not known, or of a client that is one by its name alone
_CLIENT = "HttpClient"
_UNSAID = "get"  # what a message asks for unless it says otherwise
_CLIENT_CALLS = {
    f"{verb.capitalize()}{kind}{ending}": verb
    for verb in VERBS[:-1]
    for kind in ("", "FromJson", "AsJson", "String", "Stream", "ByteArray")
    for ending in ("Async", "AsAsyncEnumerable")
}
_PACKAGE_CALLS = {
    f"{verb.capitalize()}{kind}{ending}": verb
    for verb in VERBS[:-1]
    for kind in ("", "AsJson", "FromJson", "Json", "String")
    for ending in ("", "Async")
}
_MADE = (REQUEST_MESSAGE, REST_REQUEST)
_OF_MESSAGE = frozenset(("Send", "SendAsync"))
CLIENT_CALLS = _CLIENT_CALLS.keys() | _PACKAGE_CALLS.keys() | FLURL_CALLS.keys() | _OF_MESSAGE
_SENDS = re.compile(  # by a word of its name, of what is given a message: `CreateContext(message)` puts it somewhere
    r"(?!(?:Is|Can|Has|Should|Log|Sign|Compute|Validate|Match|Create|Add|Set|Build|With|Clone|Copy)(?![a-z]))"
    r"(?:\w*[a-z0-9_])??(?:Send|Dispatch|Request|Post|Put|Patch|Delete|Execute|Call|Fetch|Invoke|Submit|Perform|Query"
    r"|Download|Upload|Get(?=\w*Async))(?![a-z])"
)
_CALLED_CLIENT = re.compile(  # a local is known by what makes it: `factory.CreateClient()`
    rf"(?!\w*(?:{NO_CLIENTS}))"
    r"_?(?:https?|api|rest|\w*client(?:async)?|(?-i:\w*(?:Api|Http)))",
    re.IGNORECASE,
)
_OF_PACKAGE = re.compile(r"I?\w*(?:Http|Rest|Api)\w*Client(?:Wrapper|Service)?")


class Sending(NamedTuple):
    """A request as it is sent; its ``verb`` is empty where any may be meant."""

    fact: CallFact
    verb: str
    address: Expression
    confidence: float


def sendings_of(file: FileFacts, catalog: Catalog) -> Iterator[Sending]:
    """Yield the requests that the calls of a file send."""
    evaluators = Evaluators(catalog, file)
    makes_requests = catalog.makes(REST_REQUEST)
    for fact in file.calls:
        sent = _by_message(fact)
        if sent is None and (makes_requests or function_name(fact.call) in CLIENT_CALLS):
            evaluator = evaluators.within(fact.source)
            sent = _by_package(fact, evaluator) or _by_client(fact, evaluator)
        if sent is not None:
            yield sent


def may_be_sent_otherwise(file: FileFacts, catalog: Catalog) -> bool:
    """Say whether it may depend on what members stand for whether a file sends something."""
    return catalog.makes(REST_REQUEST) or opens_flurl(file, catalog)


def _by_package(fact: CallFact, evaluator: Evaluator) -> Sending | None:
    """Return what is asked for by RestSharp, where its request is given to who sends it, or by a chain of Flurl."""
    name = function_name(fact.call)
    makes_requests = evaluator.catalog.makes(REST_REQUEST)
    if makes_requests and (is_verb_of_rest(name) or _SENDS.match(name) is not None):
        asked = asked_of_rest(fact.call, evaluator)
        if asked is not None:
            return None if is_double(fact.call, evaluator) else Sending(fact, *asked, TOLD)
    asked = asked_of_flurl(fact.call, evaluator)
    if asked is None:
        return None
    verb = asked[0] or verb_of(argument(fact.call, 0, name="verb"))
    return Sending(fact, verb, asked[1], TOLD) if verb is not None else None


def _by_client(fact: CallFact, evaluator: Evaluator) -> Sending | None:
    name, receiver = function_name(fact.call), receiver_of(fact.call)
    if name not in CLIENT_CALLS or receiver is None or not fact.call.arguments:
        return None
    ref = evaluator.type_of(receiver)
    address = argument(fact.call, 0, name="requestUri")
    is_client = ref is not None and ref.name.rpartition(".")[2] == _CLIENT
    if name in _CLIENT_CALLS:
        if is_client:
            return Sending(fact, _CLIENT_CALLS[name], address, TOLD)
        if ref is None and _CALLED_CLIENT.fullmatch(last_name(receiver)) is not None:
            return Sending(fact, _CLIENT_CALLS[name], address, OPEN)
    if is_client and name in _OF_MESSAGE:
        return Sending(fact, "", address, TOLD)
    if name in _PACKAGE_CALLS and ref is not None and _is_of_package(ref):
        return None if is_double(fact.call, evaluator) else Sending(fact, _PACKAGE_CALLS[name], address, OPEN)
    return None


def is_double(call: Call, evaluator: Evaluator) -> bool:
    """Say whether a test calls what stands in for something: a mock that is set up, what has an interface's type."""
    if evaluator.file.file_class != "test":
        return False
    root, _ = unwound(call.function)
    if isinstance(root, LambdaParameter) and function_name(root.call) in ON_MOCKS:
        return True
    receiver = receiver_of(call)
    ref = evaluator.type_of(receiver) if receiver is not None else None
    if ref is None:
        return False
    return ref.info.is_interface if ref.info is not None else is_interface_name(ref.name)


def _is_of_package(ref: TypeRef) -> bool:
    name = ref.name.rpartition(".")[2]
    return ref.info is None and name != _CLIENT and _OF_PACKAGE.fullmatch(name) is not None


def _by_message(fact: CallFact) -> Sending | None:
    """Return what is asked for where `new HttpRequestMessage(HttpMethod.Get, "/orders")` is given to who sends it."""
    for one in fact.call.arguments:
        made = one.value
        if not (isinstance(made, New) and made.type.rpartition(".")[2] == REQUEST_MESSAGE and made.arguments):
            continue
        verb = verb_of(_given(made.arguments, 0, name="method"))
        if verb is not None and _SENDS.match(function_name(fact.call)) is not None:
            return Sending(fact, verb, _given(made.arguments, 1, name="requesturi") or UNKNOWN, TOLD)
    return None


def _given(arguments: Sequence[Argument], place: int, *, name: str) -> Expression | None:
    told = next((one.value for one in arguments if one.name.lower() == name), None)
    at_place = [one.value for one in arguments[: place + 1] if not one.name]
    if told is not None:
        return told
    return at_place[place] if len(at_place) > place else None


def verb_of(method: Expression | None) -> str | None:
    """Return the verb of `HttpMethod.Get`, "" for one that is not known, None for one that nobody answers."""
    if method is None:
        return _UNSAID
    if isinstance(method, New) and method.arguments:
        named = method.arguments[0].value
        return named.value.lower() if isinstance(named, Text) and named.value.lower() in VERBS else ""
    if not isinstance(method, Member) or last_name(method.receiver) != "HttpMethod":
        return ""
    return method.name.lower() if method.name.lower() in VERBS else None


def files_sending(catalog: Catalog) -> Iterator[FileFacts]:
    """Yield the files of C# that may send requests."""
    found = {file.path: file for made in _MADE for file in catalog.files_making(made)}
    found |= {file.path: file for file in catalog.files_calling(CLIENT_CALLS)}
    yield from (file for file in found.values() if family_of(file.language) == "csharp")
