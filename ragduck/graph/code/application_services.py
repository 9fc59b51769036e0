"""Find the paths of services that are made controllers of: those of ABP and of ASP.NET Boilerplate.

Both do so with the services of an assembly where the application asks for it, and take their names for the paths.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from ragduck.facts import Attribute, FileFacts, MemberFact
from ragduck.graph.code.roles import CONTROLLERS, actions_of, ancestor_names, marks_of
from ragduck.graph.code.routes import ANY
from ragduck.graph.types import libraries
from ragduck.graph.types.catalog import Catalog, TypeInfo
from ragduck.graph.types.chains import function_name, last_name, receiver_of

_OF_BOILERPLATE = "CreateControllersForAppServices"
_OF_ABP = ("ConventionalControllers", "Create")
_SERVICES = frozenset(("IApplicationService", "ApplicationService", "AsyncCrudAppService", "CrudAppService"))
_HIDDEN = "RemoteService"  # the mark that takes a service, or a method, out again: `[RemoteService(false)]`
_CONTROLLERS = CONTROLLERS | {
    "AbpController",
    "AbpControllerBase",
}  # which have the interface of a service, too
_PROXY = "ClientProxyBase"  # of generated clients, likewise
_POSTFIXES_OF_BOILERPLATE = ("ApplicationService", "AppService")
_POSTFIXES_OF_ABP = (*_POSTFIXES_OF_BOILERPLATE, "IntegrationService", "IntService", "Service")
_VERB_MARK = re.compile(r"Http(Get|Post|Put|Patch|Delete)", re.IGNORECASE)
_VERBS: Mapping[str, Sequence[str]] = {  # by the beginning of a method's name; else it is posted
    "get": ("getlist", "getall", "get"),
    "put": ("put", "update"),
    "delete": ("delete", "remove"),
    "patch": ("patch",),
    "post": ("create", "add", "insert", "post"),
}
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


class ServiceMethod(NamedTuple):
    """A method that requests reach, and what its service is called.

    An empty verb stands for all; segments are in lower case, `{}` is a parameter.
    """

    method: MemberFact
    service: str
    namespace: str
    is_of_abp: bool
    verb: str
    segments: tuple[str, ...]
    project: str | None


def service_methods(catalog: Catalog) -> Iterator[ServiceMethod]:
    """Yield the public methods of services; none where nothing makes controllers of services."""
    look = catalog.watch.all_in
    making = catalog.files_calling({_OF_BOILERPLATE, _OF_ABP[1]}, tests=False)
    calls = {one for file in making for one in look(file, partial(made_controllers_in, file))}
    for info in catalog.types.values() if calls else ():
        if not is_service(catalog, info):
            continue
        lineage = [info, *(ref.info for ref in catalog.ancestors(info) if ref.info is not None)]
        is_of_abp = any(catalog.opens(file, libraries.ABP) for one in lineage for file in one.files)
        if (_OF_ABP[0] if is_of_abp else _OF_BOILERPLATE) not in calls:
            continue
        for method in actions_of(catalog, info):
            if not any(_is_apart(mark) for mark in method.attributes):
                project = info.files[0].project
                name = _name(info, _POSTFIXES_OF_ABP if is_of_abp else _POSTFIXES_OF_BOILERPLATE)
                told = _path_in_abp(name, method) if is_of_abp else _path_in_boilerplate(name, method)
                namespace = info.qualified_name.rpartition(".")[0]
                yield ServiceMethod(method, name, namespace, is_of_abp, *told, project)


def made_controllers_in(file: FileFacts) -> Iterator[str]:
    """Yield whose way of making controllers a file calls."""
    for fact in file.calls:
        name, receiver = function_name(fact.call), receiver_of(fact.call)
        if name == _OF_BOILERPLATE:
            yield name
        elif name == _OF_ABP[1] and receiver is not None and last_name(receiver) == _OF_ABP[0]:
            yield _OF_ABP[0]


def is_service(catalog: Catalog, info: TypeInfo) -> bool:
    """Say whether a class is a service of which a controller is made."""
    declared = info.declarations[0]
    if info.language != "csharp" or info.files[0].file_class == "test" or declared.element_type != "class":
        return False
    names = ancestor_names(catalog, info)
    is_open = "abstract" not in declared.modifiers and _HIDDEN not in marks_of(info) and _PROXY not in names
    return is_open and not _SERVICES.isdisjoint(names) and _CONTROLLERS.isdisjoint(names)


def _is_apart(mark: Attribute) -> bool:
    """Say whether a mark hides a method, or gives it a path of its own."""
    name = mark.name.rpartition(".")[2]
    return name in (_HIDDEN, "Route") or (_VERB_MARK.fullmatch(name) is not None and bool(mark.arguments))


def _name(info: TypeInfo, postfixes: Sequence[str]) -> str:
    ending = next((one for one in postfixes if info.name.endswith(one) and info.name != one), "")
    return info.name.removesuffix(ending)


def _path_in_boilerplate(service: str, method: MemberFact) -> tuple[str, tuple[str, ...]]:
    """Return `/api/services/app/Order/Place`, of whatever verb and module."""
    name = method.name.removesuffix("Async") or method.name
    return "", ("api", "services", ANY, service.lower(), name.lower())


def _path_in_abp(service: str, method: MemberFact) -> tuple[str, tuple[str, ...]]:
    """Return `PUT /api/app/order/{id}/line/{lineId}` for `UpdateLineAsync(id, lineId)`, of whatever root."""
    verb, beginning = _verb_of(method)
    parameters = [one.name for one in method.parameters]
    segments = ["api", ANY, _kebab(service)]
    if "id" in parameters:
        segments.append(ANY)
    rest = method.name[len(beginning) :].removesuffix("Async")
    if rest:
        segments.append(_kebab(rest))
        if sum(name.endswith("Id") for name in parameters) == 1:
            segments.append(ANY)
    return verb, tuple(segments)


def _verb_of(method: MemberFact) -> tuple[str, str]:
    """Return the verb of a method, by its mark or else its name, and what of the name stands for it."""
    marks = (_VERB_MARK.fullmatch(mark.name.rpartition(".")[2]) for mark in method.attributes)
    marked = next((found[1].lower() for found in marks if found is not None), "")
    name = method.name.lower()
    for verb, beginnings in _VERBS.items() if not marked else [(marked, _VERBS[marked])]:
        for beginning in beginnings:
            if name.startswith(beginning):
                return verb, beginning
    return marked or "post", ""


def _kebab(name: str) -> str:
    return _HUMP.sub("-", name).lower()
