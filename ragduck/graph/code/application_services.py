"""Find services of ASP.NET Boilerplate that are controllers without being written as such."""

from __future__ import annotations

from collections.abc import Iterator

from ragduck.facts import MemberFact
from ragduck.graph.code.roles import actions_of, ancestor_names, marks_of
from ragduck.graph.types.catalog import Catalog, TypeInfo

SERVES = frozenset(
    ("CreateControllersForAppServices",)
)  # calls that make controllers of the services of an assembly
ROOT = ("api", "services")  # of their paths: then the name of a module, which is `app` unless told
_SERVICES = frozenset(("IApplicationService", "ApplicationService", "AsyncCrudAppService", "CrudAppService"))
_HIDDEN = "RemoteService"  # the mark that takes a service, or a method, out again: `[RemoteService(false)]`
_POSTFIXES = ("ApplicationService", "AppService")


def application_services(catalog: Catalog) -> Iterator[TypeInfo]:
    """Yield the classes whose public methods are served; none where nothing makes controllers of services."""
    if not any(file.file_class != "test" for file in catalog.files_calling(SERVES)):
        return
    for info in catalog.types.values():
        declared = info.declarations[0]
        if info.language != "csharp" or info.is_interface or info.files[0].file_class == "test":
            continue
        is_written = declared.element_type == "class" and "abstract" not in declared.modifiers
        if (
            is_written
            and not _SERVICES.isdisjoint(ancestor_names(catalog, info))
            and _HIDDEN not in marks_of(info)
        ):
            yield info


def served_methods(catalog: Catalog, info: TypeInfo) -> Iterator[MemberFact]:
    """Yield the methods of a service that requests reach."""
    for action in actions_of(catalog, info):
        if all(mark.name.rpartition(".")[2] != _HIDDEN for mark in action.attributes):
            yield action


def service_name(info: TypeInfo) -> str:
    """Return what a service is called in paths, in lower case."""
    ending = next((one for one in _POSTFIXES if info.name.endswith(one) and info.name != one), "")
    return info.name.removesuffix(ending).lower()
