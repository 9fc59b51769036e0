"""Find what answers requests outside of controllers: handlers of minimal APIs, hubs, gRPC services, functions."""

from __future__ import annotations

from collections.abc import Iterator

from ragduck.facts import Call, Expression, FileFacts, Lambda, Member, Name
from ragduck.graph.code.application_services import service_methods
from ragduck.graph.code.jobs import is_triggered
from ragduck.graph.code.roles import actions_of
from ragduck.graph.types import libraries
from ragduck.graph.types.catalog import Catalog, TypeInfo
from ragduck.graph.types.chains import function_name
from ragduck.graph.types.declarations import family_of
from ragduck.graph.types.expressions import Evaluator, Evaluators
from ragduck.graph.types.findings import Found

HANDLED = frozenset(("MapGet", "MapPost", "MapPut", "MapDelete", "MapPatch", "MapMethods", "MapFallback"))
SERVED = frozenset(("MapHub", "MapGrpcService"))
FUNCTION_MARKS = frozenset(("Function", "FunctionName"))
FAST_METHODS = frozenset(("HandleAsync", "ExecuteAsync"))


def endpoint_keys(catalog: Catalog) -> Iterator[str]:
    """Yield the keys of methods that requests reach without a controller, as statements say.

    A lambda is a part of the method that maps it, or of the file where top-level statements do.
    """
    yield from (one.method.key for one in service_methods(catalog))
    for file in catalog.files_calling(HANDLED | SERVED, tests=False):
        if family_of(file.language) == "csharp":
            yield from _mapped(catalog, file)


def functions_in(catalog: Catalog, file: FileFacts) -> Iterator[str]:
    """Yield the keys of methods in a file that a host calls for requests by what they are."""
    if file.file_class != "test" and family_of(file.language) == "csharp":
        yield from _functions(catalog, file)
        yield from _fast_endpoints(catalog, file)


def served_types(catalog: Catalog) -> Iterator[TypeInfo]:
    """Yield the hubs and services that are mapped with all their methods."""
    for file in catalog.files_calling(SERVED):
        for fact in file.calls:
            written = fact.call.type_arguments
            if function_name(fact.call) in SERVED and len(written) == 1:
                owner = catalog.owner_of(fact.source)
                info = catalog.resolve(written[0], file=file, owner=owner).info
                yield from () if info is None else (info,)


def _mapped(catalog: Catalog, file: FileFacts) -> Iterator[str]:
    evaluators = Evaluators(catalog, file)
    for fact in file.calls:
        name = function_name(fact.call)
        evaluator = evaluators.within(fact.source)
        if name in HANDLED and is_of_framework(fact.call, evaluator):
            for argument in fact.call.arguments:
                if isinstance(argument.value, Lambda):
                    yield fact.source
                yield from handlers(argument.value, evaluator)
        elif name in SERVED and len(fact.call.type_arguments) == 1:
            served = evaluator.resolve(fact.call.type_arguments[0]).info
            yield from (action.key for action in (actions_of(catalog, served) if served is not None else ()))


def is_of_framework(call: Call, evaluator: Evaluator) -> bool:
    """Say whether a call is one of a builder of routes, or of an extension of it: no method of an own type."""
    if not isinstance(call.function, Member):
        return False
    found = evaluator.find(evaluator.type_of(call.function.receiver), call.function.name)
    return found is None or found.is_extension


def handlers(value: Expression, evaluator: Evaluator) -> Iterator[str]:
    """Yield the key of the method that an argument names: overloads share one."""
    found: Found | None = None
    if isinstance(value, Name):
        found = evaluator.root(value).found
    elif isinstance(value, Member):
        found = evaluator.find(evaluator.type_of(value.receiver), value.name)
    if found is not None and found.is_method:
        yield found.members[0].key


def _functions(catalog: Catalog, file: FileFacts) -> Iterator[str]:
    """Yield the methods that a host of functions calls for requests: `[Function("Report")]`."""
    keys = [
        member.key
        for member in file.members
        if member.kind == "METHOD"
        and any(mark.name in FUNCTION_MARKS for mark in member.attributes)
        and not is_triggered(member)
    ]
    if keys and catalog.opens(file, libraries.FUNCTIONS):
        yield from keys


def _fast_endpoints(catalog: Catalog, file: FileFacts) -> Iterator[str]:
    """Yield the methods of `class Create : Endpoint<Order>` that FastEndpoints calls."""
    handlers = [one for one in file.members if one.name in FAST_METHODS and "override" in one.modifiers]
    bases = (base for declared in file.types for base in declared.bases)
    is_named = any(libraries.is_called_like(base, libraries.FAST_ENDPOINTS) for base in bases)
    if not handlers or not (is_named or catalog.opens(file, libraries.FAST_ENDPOINTS)):
        return
    for member in handlers:
        owner = catalog.types.get(member.owner)
        ancestors = catalog.ancestors(owner) if owner is not None else ()
        if any(ref.info is None and ref.name.startswith("Endpoint") for ref in ancestors):
            yield member.key
