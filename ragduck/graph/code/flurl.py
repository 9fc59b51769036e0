"""Read the requests of Flurl: `"http://orders".AppendPathSegment("orders").GetJsonAsync<Order>()`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from ragduck.facts import Argument, Call, Expression, FileFacts, Joined, Member, Name, New, Text
from ragduck.facts.flurl import APPENDING, LEAVING_PATH
from ragduck.graph.code.rest_sharp import base_of
from ragduck.graph.code.served_paths import VERBS
from ragduck.graph.types import libraries
from ragduck.graph.types.catalog import Catalog
from ragduck.graph.types.chains import MAX_LINKS, function_name, last_name, receiver_of
from ragduck.graph.types.expressions import Evaluator

_KINDS = ("", "Json", "String", "Stream", "Bytes", "UrlEncoded", "Multipart")
FLURL_CALLS: Mapping[str, str] = {
    **{f"{verb.capitalize()}{kind}Async": verb for verb in VERBS for kind in _KINDS},
    **dict.fromkeys((f"Send{kind}Async" for kind in _KINDS), ""),
}
_MADE = frozenset(("Url", "FlurlRequest"))
_TEXTS = frozenset(("string", "String", "Url", "Uri", "IFlurlRequest", "FlurlRequest"))


def asked_of_flurl(call: Call, evaluator: Evaluator) -> tuple[str, Expression] | None:
    """Return the verb, "" where the call does not name it, and the address that a chain of Flurl asks for."""
    name, receiver = function_name(call), receiver_of(call)
    if name not in FLURL_CALLS or receiver is None:
        return None
    if not opens_flurl(evaluator.file, evaluator.catalog):
        return None
    parts, is_chain = _parts(receiver, evaluator)
    if not parts or not (is_chain or _is_address(parts[0], evaluator)):
        return None
    return FLURL_CALLS[name], parts[0] if len(parts) == 1 else Joined(tuple(_with_slashes(parts)))


def opens_flurl(file: FileFacts, catalog: Catalog) -> bool:
    """Say whether a file opens a namespace of Flurl."""
    return catalog.opens(file, libraries.FLURL)


def _parts(address: Expression, evaluator: Evaluator) -> tuple[Sequence[Expression], bool]:
    """Return the pieces of an address, and whether it is put together by Flurl."""
    found: list[Sequence[Expression]] = []
    is_chain = False
    for _ in range(MAX_LINKS):
        if isinstance(address, New) and address.type.rpartition(".")[2] in _MADE and address.arguments:
            address, is_chain = address.arguments[0].value, True
            continue
        name = function_name(address) if isinstance(address, Call) else ""
        receiver = receiver_of(address) if isinstance(address, Call) else None
        if not isinstance(address, Call) or receiver is None:
            found.append((address,))
            break
        if name in APPENDING:
            found.append(tuple(_segments(address.arguments)))
        elif name == "Request":
            base = base_of(receiver, evaluator)
            found.append((*((Text(base),) if base else ()), *_segments(address.arguments)))
            return tuple(chain.from_iterable(reversed(found))), True
        elif name == "Combine" and last_name(receiver) == "Url":
            found.append(tuple(_segments(address.arguments)))
            return tuple(chain.from_iterable(reversed(found))), True
        elif LEAVING_PATH.fullmatch(name) is None:
            found.append((address,))
            break
        address, is_chain = receiver, True
    return tuple(chain.from_iterable(reversed(found))), is_chain


def _segments(arguments: Sequence[Argument]) -> Iterator[Expression]:
    for one in arguments:
        if isinstance(one.value, New) and one.value.type.endswith("[]"):
            yield from (each.value for each in one.value.arguments)
        else:
            yield one.value


def _with_slashes(parts: Sequence[Expression]) -> Iterator[Expression]:
    for place, part in enumerate(parts):
        if place:
            yield Text("/")
        if isinstance(part, Text):
            yield Text(part.value.strip("/") if place else part.value.rstrip("/"))
        else:
            yield part


def _is_address(first: Expression, evaluator: Evaluator) -> bool:
    """Say whether what stands alone before the call is an address, and no client of another library."""
    if isinstance(first, (Text, Joined)):
        return True
    if not isinstance(first, (Name, Member)) and not hasattr(first, "type"):
        return False
    ref = evaluator.type_of(first)
    return ref is not None and ref.name.rpartition(".")[2] in _TEXTS
