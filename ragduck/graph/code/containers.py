"""Tell whether a system has a container at all, which makes objects and gives them what they ask for."""

from __future__ import annotations

from ragduck.facts import MemberFact
from ragduck.graph.types import libraries
from ragduck.graph.types.catalog import Catalog

# What is told of services, in files that open none of these where usings are global or implicit
_TYPES = frozenset(("IServiceCollection", "ContainerBuilder", "IContainerRegistry", "IUnityContainer"))
_HOSTING = frozenset(("CreateBuilder", "CreateDefaultBuilder", "CreateApplicationBuilder", "UseStartup"))


def shows_container(catalog: Catalog) -> bool:
    """Say whether code opens a library of containers, takes a collection of services, or builds a host."""
    return (
        any(True for _ in catalog.files_calling(_HOSTING, tests=False))
        or any(
            takes_container(member)
            for file in catalog.files.values()
            for member in (file.members if file.file_class != "test" else ())
        )
        or any(
            file.file_class != "test" and catalog.opens(file, libraries.CONTAINERS)
            for file in catalog.files.values()
        )
    )


def takes_container(member: MemberFact) -> bool:
    """Say whether a method takes a collection of services."""
    return any(parameter.type in _TYPES for parameter in member.parameters)
