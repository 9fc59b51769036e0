"""Lead generated clients of web services to the methods that answer: proxies of ASMX, service references of WCF.

Both sides stand in code of their own, in different namespaces, and have in common only what goes over the wire: the
name of the service and the action of the method, `http://tempuri.org/IOrders/GetOrder`. Of several services that are
called so the nearest is meant. What a template calls every service tells little outside of one solution.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from ragduck.facts import Attribute, FileFacts, MemberFact, Text, TypeFact
from ragduck.graph.code.edges import EdgeCollector, Site
from ragduck.graph.code.implementations import Implementations
from ragduck.graph.code.wcf import is_client
from ragduck.graph.types.catalog import Catalog, TypeInfo, TypeRef
from ragduck.graph.types.nearness import Nearness, folders_of

RULE = "web service"
CLIENTS = "clients of web services"  # the rule that says which there are
_ONE, _NEAREST, _OF_TEMPLATE = 0.95, 0.8, 0.5
_MOST = 8  # services of one name in a folder; more of them tell nothing
_TEMPORARY = "http://tempuri.org"
_TEMPLATE = re.compile(r"I?(?:Web)?Service\d{0,2}")
_SOLUTIONS = (".sln", ".slnx")
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


class _Answering(NamedTuple):
    """The methods of a service that answer, and how sure it is that the service is the one that is asked."""

    info: TypeInfo
    members: Sequence[MemberFact]
    confidence: float


class _Services:
    """What answers under the names that clients ask for: classes of ASMX, or contracts of WCF."""

    def __init__(self, catalog: Catalog, methods: Callable[[TypeInfo, str], Sequence[MemberFact]]) -> None:
        self._methods = methods
        self._found: Nearness[tuple[str, str], TypeInfo] = Nearness(most=_MOST + 1)
        self._solutions = {
            path.rpartition("/")[0] for path in catalog.files if path.lower().endswith(_SOLUTIONS)
        }

    def add(self, name: str, namespace: str, info: TypeInfo) -> None:
        """Take a service; its namespace is "" where that is unknown."""
        self._found.add((name, namespace), info, path=info.files[0].path)

    def answering(self, asked: _Asked) -> _Answering | None:
        """Return what answers: the only service that has the method, else the nearest."""
        names = dict.fromkeys(((asked.service, asked.namespace), (asked.service, "")))
        found = self._only(self._found.anywhere(names), asked, confidence=_ONE) or self._only(
            self._found.nearest(tuple(names), path=asked.file.path), asked, confidence=_NEAREST
        )
        if found is None or not self._is_vague(asked, found.info):
            return found
        return found._replace(confidence=_OF_TEMPLATE)

    def _only(self, infos: Sequence[TypeInfo], asked: _Asked, *, confidence: float) -> _Answering | None:
        found = [
            _Answering(info, members, confidence)
            for info in (infos if len(infos) <= _MOST else ())
            if (members := self._methods(info, asked.name))
        ]
        return found[0] if len(found) == 1 else None

    def _is_vague(self, asked: _Asked, info: TypeInfo) -> bool:
        """Say whether names are those of a template, and no solution has both sides."""
        if asked.namespace != _TEMPORARY or _TEMPLATE.fullmatch(asked.service) is None:
            return False
        solution = self._solution(asked.file.path)
        return solution is None or solution != self._solution(info.files[0].path)

    def _solution(self, path: str) -> str | None:
        return next((one for one in folders_of(path) if one in self._solutions), None)


def add_web_service_calls(
    catalog: Catalog, edges: EdgeCollector, *, implementations: Implementations
) -> None:
    """Relate the methods of generated clients to those of the services that they stand for."""
    for asked, answer in _among_proxies(catalog):
        _add(edges, asked, [(one.key, answer.confidence) for one in answer.members])
    for asked, answer in _among_contracts(catalog):
        info = answer.info
        behind = [(one.key, answer.confidence) for one in answer.members]
        for choice in implementations.of(TypeRef(info.name, info), near=info.files[0]):
            if not is_client(catalog, choice.info, info):
                found = choice.info.members.get(asked.name, ()) or choice.info.explicit.get(asked.name, ())
                behind.extend((one.key, min(choice.confidence, answer.confidence)) for one in found)
        _add(edges, asked, behind)


def client_keys(catalog: Catalog) -> Iterator[str]:
    """Yield the keys of the types that are clients of web services by their declarations."""
    for file in catalog.files.values():
        yield from (one.key for one in file.types if _bound(one) or _is_reference(one))


def _is_reference(declared: TypeFact) -> bool:
    """Say whether a type is the contract of a service reference."""
    return any(_last(one) == _CONTRACT and _text(one, "ConfigurationName") for one in declared.attributes)


def _add(edges: EdgeCollector, asked: _Asked, found: Sequence[tuple[str, float]]) -> None:
    site = Site(asked.file.path, asked.method.line)
    for key, confidence in dict(found).items():
        edges.add(asked.method.key, key, relation="Calls", rule=RULE, at=site, confidence=confidence)


def _among_proxies(catalog: Catalog) -> Iterator[tuple[_Asked, _Answering]]:
    """Yield what proxies of ASMX ask for, with what answers."""
    asked = list(_asked_by_proxies(catalog))
    services = _services(catalog, {one.service for one in asked})
    for one in asked:
        answer = services.answering(one)
        if answer is not None:
            yield one, answer


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


def _services(catalog: Catalog, names: set[str]) -> _Services:
    """Return the classes of services that are called as clients call them."""
    found = _Services(catalog, partial(_web_methods, catalog))
    for info in catalog.types.values() if names else ():
        if info.files[0].file_class == "test":
            continue
        for attribute in (one for declared in info.declarations for one in declared.attributes):
            if _last(attribute) == _SERVICE:
                name = _text(attribute, "Name") or info.name
                if name in names:
                    found.add(name, _namespace(attribute), info)
                break
    return found


def _web_methods(catalog: Catalog, info: TypeInfo, name: str) -> Sequence[MemberFact]:
    return [
        one
        for one in catalog.members(info, name)
        if any(_last(attribute) == _WEB_METHOD for attribute in one.attributes)
    ]


def _among_contracts(catalog: Catalog) -> Iterator[tuple[_Asked, _Answering]]:
    """Yield what service references ask for, with the contract that answers."""
    asked = list(_asked_by_references(catalog))
    contracts = _Services(catalog, lambda info, name: info.members.get(name, ()))
    for info in catalog.types.values() if asked else ():
        marked = next((one for one in info.declarations[0].attributes if _last(one) == _CONTRACT), None)
        if marked is not None and not _text(marked, "ConfigurationName"):
            contracts.add(_text(marked, "Name") or info.name, _namespace(marked), info)
    for one in asked:
        answer = contracts.answering(one)
        if answer is not None:
            yield one, answer


def _asked_by_references(catalog: Catalog) -> Iterator[_Asked]:
    for file in catalog.files.values():
        generated = {one.key for one in file.types if _is_reference(one)}
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
