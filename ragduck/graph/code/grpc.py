"""Find what clients of gRPC call: `basket.GetBasketAsync(request)`, answered by `class Baskets : Basket.BasketBase`.

Both classes are generated from the same `.proto` when the code is built, and are nowhere in it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from ragduck.facts import MemberFact
from ragduck.graph.code.edges import EdgeCollector, Site
from ragduck.graph.code.request_clients import TOLD
from ragduck.graph.code.requests import MOST, SEVERAL
from ragduck.graph.types.catalog import Catalog, TypeInfo, TypeRef
from ragduck.graph.types.chains import function_name, receiver_of
from ragduck.graph.types.declarations import family_of
from ragduck.graph.types.expressions import Evaluators

RULE = "grpc"
_BASE, _CLIENT, _ASYNC, _CONTEXT = "Base", "Client", "Async", "ServerCallContext"
_LONGEST = 200  # characters of a base as it is written


def add_grpc_calls(catalog: Catalog, edges: EdgeCollector) -> None:
    """Relate who calls a client of gRPC to the methods of the services that answer."""
    services = _services(catalog)
    names = {one.name for infos in services.values() for info in infos for one in _methods(info)}
    for file in catalog.files_calling(names | {f"{name}{_ASYNC}" for name in names}):
        if family_of(file.language) != "csharp":
            continue
        evaluators = Evaluators(catalog, file)
        for fact in file.calls:
            name, receiver = function_name(fact.call).removesuffix(_ASYNC), receiver_of(fact.call)
            if name not in names or receiver is None:
                continue
            service = _asked(evaluators.within(fact.source).type_of(receiver), catalog.sight_of(file).aliases)
            infos = services.get(service, ())
            keys = [one.key for info in infos for one in _methods(info) if one.name == name]
            for key in keys if len(keys) <= MOST else ():
                site = Site(file.path, fact.line)
                confidence = TOLD if len(keys) == 1 else SEVERAL
                edges.add(fact.source, key, relation="Calls", rule=RULE, at=site, confidence=confidence)


def _services(catalog: Catalog) -> Mapping[str, Sequence[TypeInfo]]:
    """Return the classes that answer, by the name of their service: `Basket` of `Basket.BasketBase`."""
    services: defaultdict[str, list[TypeInfo]] = defaultdict(list)
    for info in catalog.types.values():
        if family_of(info.language) == "csharp" and info.files[0].file_class != "test":
            for name in {name for one in info.declarations for base in one.bases for name in _served(base)}:
                services[name].append(info)
    return services


def _served(base: str) -> Iterator[str]:
    outer, _, name = base[:_LONGEST].rpartition(".")
    service = name.removesuffix(_BASE)
    if service and service != name and outer.rpartition(".")[2] == service:
        yield service


def _asked(ref: TypeRef | None, aliases: Mapping[str, str]) -> str:
    """Return the service of a client, `Basket.BasketClient`: its type is nowhere, or generated code that is kept."""
    if ref is None:
        return ""
    written = ref.info.qualified_name if ref.info is not None else aliases.get(ref.name, ref.name)
    outer, _, name = written.rpartition(".")
    service = name.removesuffix(_CLIENT)
    is_inner = outer.rpartition(".")[2] == service
    return service if service != name and (is_inner or ref.info is None) else ""


def _methods(info: TypeInfo) -> Iterator[MemberFact]:
    """Yield the methods that a service answers with: they are given the context of the call."""
    for members in info.members.values():
        yield from (
            one
            for one in members[:1]
            if "override" in one.modifiers and any(given.type.endswith(_CONTEXT) for given in one.parameters)
        )
