"""Lead from scripts to services by proxies of ABP and ASP.NET Boilerplate: `shop.orders.order.place(7)`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from ragduck.facts import Call, Expression, Member, Name
from ragduck.graph.code.addresses import SCRIPTS
from ragduck.graph.code.application_services import service_methods
from ragduck.graph.code.edges import EdgeCollector, Site
from ragduck.graph.types.catalog import Catalog

RULE = "service proxy"
CONFIDENCE = 0.8
_BOILERPLATE = "abp.services."  # then a module, `app` unless told


def add_proxied(catalog: Catalog, edges: EdgeCollector) -> None:
    """Relate scripts to the methods of services that they call, or hand on to be called."""
    keys = _proxies(catalog)
    for file in catalog.files.values() if keys else ():
        for fact in file.calls if file.language in SCRIPTS else ():
            for name in _names_in(fact.call):
                if name in keys:
                    at = Site(file.path, fact.line)
                    edges.add(
                        fact.source, keys[name], relation="Calls", rule=RULE, at=at, confidence=CONFIDENCE
                    )


def _proxies(catalog: Catalog) -> Mapping[str, str]:
    """Return the methods of services by the names of their proxies, in lower case; none that two would have."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for one in service_methods(catalog):
        method = (one.method.name.removesuffix("Async") or one.method.name).lower()
        place = one.namespace.lower() + "." if one.namespace else ""
        found[f"{place if one.is_of_abp else _BOILERPLATE}{one.service.lower()}.{method}"].add(one.method.key)
    return {name: keys.pop() for name, keys in found.items() if len(keys) == 1}


def _names_in(call: Call) -> Iterator[str]:
    for one in (call.function, *(argument.value for argument in call.arguments)):
        name = _dotted(one).lower()
        if name.startswith(_BOILERPLATE):
            name = _BOILERPLATE + name.removeprefix(_BOILERPLATE).partition(".")[2]
        yield name


def _dotted(expression: Expression) -> str:
    """Return `a.b.c`, "" for what is no chain of names."""
    parts: list[str] = []
    while isinstance(expression, Member):
        parts.append(expression.name)
        expression = expression.receiver
    return ".".join([expression.name, *reversed(parts)]) if parts and isinstance(expression, Name) else ""
