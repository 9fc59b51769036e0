"""Read the requests of RestSharp: `client.ExecuteAsync(new RestRequest("orders/{id}", Method.Get))`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TypeGuard

from ragduck.facts import (
    REST_REQUEST,
    UNKNOWN,
    Argument,
    Call,
    Expression,
    Joined,
    Member,
    Name,
    New,
    Text,
    Typed,
)
from ragduck.graph.code.addresses import HOLE, written_address
from ragduck.graph.code.constructed import Placed, constructed
from ragduck.graph.code.routes import Scene
from ragduck.graph.code.senders import arguments_for, called
from ragduck.graph.code.served_paths import VERBS
from ragduck.graph.types.chains import function_name, last_name, receiver_of, unwound
from ragduck.graph.types.expressions import Evaluator
from ragduck.graph.types.methods import alike

CLIENTS = frozenset(("RestClient", "FlurlClient"))
NO_CLIENTS = "cache|blob|secret|queue|table|store|redis|mail|smtp|bus|search|storage|mongo|cosmos"
_NO_CLIENT = re.compile(rf"\w*(?:{NO_CLIENTS})", re.IGNORECASE)
_OPTIONS = "RestClientOptions"
_UNSAID = "get"
_METHOD, _FORMAT = "Method", "DataFormat"  # enumerations that a request is given
_WITH_METHOD = 2  # arguments
_NAMED = re.compile(r"(?:Execute)?(?:As)?(?P<verb>Get|Post|Put|Patch|Delete)(?:Async)?")
_ABSOLUTE = re.compile(r"[a-z]+://", re.IGNORECASE)


def asked_of_rest(call: Call, evaluator: Evaluator) -> tuple[str, Expression] | None:
    """Return the verb and the address of the request that a call is given, if there is one.

    The verb is "" where it is not known; the address is that of the client, where this is told, and the resource.
    """
    if _is_of_no_client(call, evaluator):
        return None
    for place, one in enumerate(call.arguments):
        made = _made(one.value, evaluator)
        if made is not None and evaluator.resolve(made.type).info is None:
            verb = _verb(call, made, given=call.arguments[place + 1 :])
            if verb is None:
                return None
            resource = next((given.value for given in made.arguments if not _is_option(given)), UNKNOWN)
            return verb, behind_base(resource, receiver_of(call), evaluator)
    return None


def _is_of_no_client(call: Call, evaluator: Evaluator) -> bool:
    """Say whether a verb is asked of what only keeps something: `cache.Get(request)`."""
    receiver = receiver_of(call)
    if receiver is None or not is_verb_of_rest(function_name(call)):
        return False
    ref = evaluator.type_of(receiver)
    name = ref.name.rpartition(".")[2] if ref is not None else last_name(receiver)
    return _NO_CLIENT.match(name) is not None


def _made(request: Expression, evaluator: Evaluator) -> New | None:
    """Return how a request is made: there, or by a method of one's own, `CreateRequest("orders", Method.Get)`."""
    root, steps = unwound(request)
    if _is_request(root):
        return root
    first = next((one for one in reversed(steps) if isinstance(one, Call)), None)
    found = called(first, evaluator) if first is not None else None
    if first is None or found is None:
        return None
    for method in alike(found, count=len(first.arguments), generic=len(first.type_arguments)):
        if _is_request(method.value):
            given = {
                parameter.name: next(
                    iter(arguments_for(first, method, place=place, is_extension=found.is_extension)),
                    parameter.default,
                )
                for place, parameter in enumerate(method.parameters)
            }
            return New(
                REST_REQUEST,
                tuple(one._replace(value=_put_in(one.value, given)) for one in method.value.arguments),
            )
    return None


def _is_request(value: Expression) -> TypeGuard[New]:
    return isinstance(value, New) and value.type.rpartition(".")[2] == REST_REQUEST


def _put_in(value: Expression, given: Mapping[str, Expression]) -> Expression:
    """Return what a method makes of its parameters, with what a call gives in their places."""
    if isinstance(value, Joined):
        return Joined(tuple(_put_in(part, given) for part in value.parts))
    return given.get(value.name, value) if isinstance(value, Typed) else value


def is_verb_of_rest(name: str) -> bool:
    """Say whether what is called by this name sends the request that it is given."""
    return _NAMED.fullmatch(name) is not None


def _verb(call: Call, made: New, *, given: tuple[Argument, ...]) -> str | None:
    named = _NAMED.fullmatch(function_name(call))
    if named is not None:
        return named["verb"].lower()
    told = next((one.value for one in reversed((*made.arguments, *given)) if _is_method(one.value)), None)
    if isinstance(told, Member):
        return told.name.lower() if told.name.lower() in VERBS else None
    formats = sum(
        last_name(one.value.receiver) == _FORMAT for one in made.arguments if isinstance(one.value, Member)
    )
    return _UNSAID if len(made.arguments) - formats < _WITH_METHOD else ""


def _is_method(value: Expression) -> bool:
    return isinstance(value, Member) and last_name(value.receiver) == _METHOD


def _is_option(given: Argument) -> bool:
    """Say whether an argument of a request is no address: its method, its format."""
    if given.name:
        return given.name.lower() != "resource"
    return isinstance(given.value, Member) and last_name(given.value.receiver) in (_METHOD, _FORMAT)


def behind_base(resource: Expression, client: Expression | None, evaluator: Evaluator) -> Expression:
    """Return an address with that of the client in front, where the code gives the client one."""
    if isinstance(resource, Text) and _ABSOLUTE.match(resource.value) is not None:
        return resource
    base = base_of(client, evaluator) if client is not None else ""
    if not base.strip("/"):
        return resource
    return Joined((Text(f"{base.rstrip('/')}/"), resource))


def base_of(client: Expression, evaluator: Evaluator) -> str:
    """Return the address that a client is made with, with holes; "" where none is seen."""
    for value, source in _makings(client, evaluator):
        if not (isinstance(value, New) and value.type.rpartition(".")[2] in CLIENTS and value.arguments):
            continue
        given = value.arguments[0].value
        if isinstance(given, New) and given.type.rpartition(".")[2] == _OPTIONS:
            given = given.arguments[0].value if given.arguments else UNKNOWN
        owner = evaluator.catalog.owner_of(source)
        file = owner.files[0] if owner is not None and owner is not evaluator.owner else evaluator.file
        return written_address(given, Scene(evaluator.catalog, file, source), made=evaluator.owner) or HOLE
    return ""


def _makings(client: Expression, evaluator: Evaluator) -> Iterator[Placed]:
    """Yield what a client may be made by: there, or where a field of the class is set."""
    yield Placed(client, evaluator.source)
    if isinstance(client, Member) and client.receiver != Name("this"):
        return
    name = client.name if isinstance(client, (Name, Member)) else ""
    if name and evaluator.owner is not None:
        for member in evaluator.catalog.members(evaluator.owner, name):
            yield Placed(member.value, member.key)
        yield from constructed(evaluator.catalog, evaluator.owner, name)
