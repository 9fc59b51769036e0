"""Lead generated clients of web services to the methods that answer: proxies of ASMX, service references of WCF.

Both sides stand in code of their own, in different namespaces, and have in common only what goes over the wire: the
name of the service and the action of the method, `http://tempuri.org/IOrders/GetOrder`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ragduck.facts import Attribute, FileFacts, MemberFact, Text, TypeFact
from ragduck.graph.code.edges import EdgeCollector, Site
from ragduck.graph.code.implementations import Implementations
from ragduck.graph.code.wcf import is_client
from ragduck.graph.types.catalog import Catalog, TypeInfo, TypeRef

RULE = "web service"
_ONE, _SEVERAL = 0.95, 0.5
_MOST = 8
_TEMPORARY = "http://tempuri.org"
_SOAP = ("SoapDocumentMethod", "SoapRpcMethod")
_ENDINGS = ("Soap12", "Soap")  # of the bindings that the class of a service gets
_BINDING, _SERVICE, _WEB_METHOD = "WebServiceBinding", "WebService", "WebMethod"
_CONTRACT, _OPERATION = "ServiceContract", "OperationContract"


class _Asked(NamedTuple):
    """What a method of a client asks for: a method of a service, and its namespace."""

    service: str
    name: str
    namespace: str
    method: MemberFact
    file: FileFacts


def add_web_service_calls(
    catalog: Catalog, edges: EdgeCollector, *, implementations: Implementations
) -> None:
    """Relate the methods of generated clients to those of the services that they stand for."""
    for asked, answering in _among_proxies(catalog):
        _add(edges, asked, [(one.key, _ONE) for one in answering])
    for asked, info, answering in _among_contracts(catalog):
        behind = [(one.key, _ONE) for one in answering]
        for choice in implementations.of(TypeRef(info.name, info), near=info.files[0]):
            if not is_client(catalog, choice.info, info):
                found = choice.info.members.get(asked.name, ()) or choice.info.explicit.get(asked.name, ())
                behind.extend((one.key, min(choice.confidence, _ONE)) for one in found)
        _add(edges, asked, behind)


def _add(edges: EdgeCollector, asked: _Asked, found: Sequence[tuple[str, float]]) -> None:
    site = Site(asked.file.path, asked.method.line)
    for key, confidence in dict(found).items():
        edges.add(asked.method.key, key, relation="Calls", rule=RULE, at=site, confidence=confidence)


def _among_proxies(catalog: Catalog) -> Iterator[tuple[_Asked, Sequence[MemberFact]]]:
    """Yield what proxies of ASMX ask for, with the methods of the one service that is called so."""
    asked = list(_asked_by_proxies(catalog))
    services = _services(catalog, {one.service for one in asked}) if asked else {}
    for one in asked:
        found = [
            members
            for info, namespace in services.get(one.service, ())
            if namespace in ("", one.namespace) and (members := _web_methods(catalog, info, one.name))
        ]
        if len(found) == 1:
            yield one, found[0]


def _asked_by_proxies(catalog: Catalog) -> Iterator[_Asked]:
    for file in catalog.files.values():
        bound = {one.key: name for one in file.types if (name := _bound(one))}
        for member in file.members if bound else ():
            if member.owner not in bound:
                continue
            action = next((_text(one, "") for one in member.attributes if _last(one) in _SOAP), "")
            namespace, _, name = action.rpartition("/")
            if name:
                yield _Asked(bound[member.owner], name, namespace, member, file)
                info = catalog.types.get(member.owner)
                for other in (f"Begin{member.name}", f"{member.name}Async"):
                    for later in info.members.get(other, ())[:1] if info is not None else ():
                        yield _Asked(bound[member.owner], name, namespace, later, file)


def _bound(declared: TypeFact) -> str:
    """Return the service that a proxy stands for: `Orders` of the binding `OrdersSoap`."""
    for attribute in declared.attributes:
        if _last(attribute) == _BINDING and (name := _text(attribute, "Name")):
            return next((name.removesuffix(one) for one in _ENDINGS if name.endswith(one)), "")
    return ""


def _services(catalog: Catalog, names: set[str]) -> Mapping[str, Sequence[tuple[TypeInfo, str]]]:
    """Return the classes of services by what clients call them, with their namespaces, "" where that is unknown."""
    found: defaultdict[str, list[tuple[TypeInfo, str]]] = defaultdict(list)
    for info in catalog.types.values():
        if info.files[0].file_class == "test":
            continue
        for attribute in (one for declared in info.declarations for one in declared.attributes):
            if _last(attribute) == _SERVICE:
                name = _text(attribute, "Name") or info.name
                if name in names:
                    found[name].append((info, _namespace(attribute)))
                break
    return found


def _web_methods(catalog: Catalog, info: TypeInfo, name: str) -> Sequence[MemberFact]:
    return [
        one
        for one in catalog.members(info, name)
        if any(_last(attribute) == _WEB_METHOD for attribute in one.attributes)
    ]


def _among_contracts(catalog: Catalog) -> Iterator[tuple[_Asked, TypeInfo, Sequence[MemberFact]]]:
    """Yield what service references ask for, with the one contract that is called so and its method."""
    asked = list(_asked_by_references(catalog))
    contracts: defaultdict[str, list[tuple[TypeInfo, str]]] = defaultdict(list)
    for info in catalog.types.values() if asked else ():
        marked = next((one for one in info.declarations[0].attributes if _last(one) == _CONTRACT), None)
        if marked is not None and not _text(marked, "ConfigurationName"):
            contracts[_text(marked, "Name") or info.name].append((info, _namespace(marked)))
    for one in asked:
        found = [
            (info, members)
            for info, namespace in contracts.get(one.service, ())
            if namespace in ("", one.namespace) and (members := info.members.get(one.name, ()))
        ]
        if len(found) == 1:
            yield one, *found[0]


def _asked_by_references(catalog: Catalog) -> Iterator[_Asked]:
    for file in catalog.files.values():
        generated = {
            one.key
            for one in file.types
            for attribute in one.attributes
            if _last(attribute) == _CONTRACT and _text(attribute, "ConfigurationName")
        }
        for member in file.members if generated else ():
            if member.owner in generated:
                action = next(
                    (_text(one, "Action") for one in member.attributes if _last(one) == _OPERATION), ""
                )
                path, _, name = action.rpartition("/")
                namespace, _, service = path.rpartition("/")
                if name and service:
                    yield _Asked(service, name, namespace, member, file)


def _namespace(marked: Attribute) -> str:
    """Return the namespace of a service: "" where it is no literal."""
    values = [one.value for one in marked.arguments if one.name == "Namespace"]
    if not values:
        return _TEMPORARY
    return values[0].value.rstrip("/") if isinstance(values[0], Text) else ""


def _last(attribute: Attribute) -> str:
    return attribute.name.rpartition(".")[2]


def _text(attribute: Attribute, name: str) -> str:
    values = [one.value for one in attribute.arguments if one.name == name]
    return values[0].value if values and isinstance(values[0], Text) else ""
