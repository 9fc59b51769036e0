"""Read the calls that map routes: `routes.MapRoute("Cart", "cart", new { area = "Shop" }, new[] { "Shop.Web" })`."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import partial

from ragduck.facts import SET_ITEM, Call, Expression, FileFacts, Member, New, Text
from ragduck.graph.types.catalog import Catalog
from ragduck.graph.types.chains import argument, function_name, receiver_of
from ragduck.graph.types.literals import text_of

# Given a name, a pattern and defaults; the area comes second where the name speaks of one.
MAPPINGS = frozenset(
    ("MapRoute", "MapHttpRoute", "MapControllerRoute", "MapAreaRoute", "MapAreaControllerRoute")
)
MAPPING = re.compile(r"Map\w*Route")
AREA, TOKENS = "area", "DataTokens"


def mapping_names(catalog: Catalog) -> frozenset[str]:
    """Return the names of what maps routes, of the framework and of the code itself."""
    names = (name for info in catalog.types.values() for name in info.members if name.startswith("Map"))
    own = (name for name in names if MAPPING.fullmatch(name))
    return MAPPINGS.union(own)


def namespaces_of(call: Call) -> Iterator[str]:
    """Yield the namespaces in which a route has controllers looked for: the array of strings that it is given."""
    for one in call.arguments:
        if isinstance(one.value, New) and one.value.type.endswith("[]"):
            yield from (inner.value.value for inner in one.value.arguments if isinstance(inner.value, Text))


def areas_of_routes(catalog: Catalog) -> Mapping[str, str]:
    """Return the areas that routes give to namespaces: in their defaults, or as `route.DataTokens["area"]`.

    What one route gives to an area and another to another one is of none.
    """
    found: defaultdict[str, set[str]] = defaultdict(set)
    look = catalog.watch.all_in
    for file in catalog.files_calling(mapping_names(catalog) | {SET_ITEM}):
        for namespace, area in look(file, partial(areas_in, catalog, file)):
            found[namespace].add(area)
    return {namespace: areas.pop() for namespace, areas in found.items() if len(areas) == 1}


def areas_in(catalog: Catalog, file: FileFacts) -> Iterator[tuple[str, str]]:
    """Yield the namespaces to which the calls of a file give areas, with these."""
    for fact in file.calls if file.file_class != "test" else ():
        route, given = _area_in(fact.call)
        area = text_of(given, catalog=catalog, file=file, source=fact.source) if given is not None else ""
        for namespace in namespaces_of(route) if area else ():
            yield namespace.removesuffix(".*"), area or ""


def _area_in(call: Call) -> tuple[Call, Expression | None]:
    """Return the call that maps a route, and the area that another call or its own defaults give it."""
    receiver = receiver_of(call)
    if function_name(call) == SET_ITEM:
        is_area = argument(call, 0) == Text(AREA) and isinstance(receiver, Member) and receiver.name == TOKENS
        route = receiver.receiver if is_area and isinstance(receiver, Member) else None
        if isinstance(route, Call) and MAPPING.fullmatch(function_name(route)):
            return route, argument(call, 1)
    elif MAPPING.fullmatch(function_name(call)):
        for one in call.arguments:
            if isinstance(one.value, New) and not one.value.type:
                given = (inner.value for inner in one.value.arguments if inner.name.lower() == AREA)
                return call, next(given, None)
    return call, None
