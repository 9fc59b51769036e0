"""Tell for which members rules for requests and views ask by what they are; for others they ask by name."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from functools import cached_property

from ragduck.facts import Attribute, MemberFact
from ragduck.graph.code.application_services import is_service
from ragduck.graph.code.endpoints import FAST_METHODS, served_types
from ragduck.graph.code.http_handlers import ANSWERING
from ragduck.graph.code.jobs import is_entered, is_own_of_jobs
from ragduck.graph.code.programs import MAIN
from ragduck.graph.code.roles import BUILDER, GENERIC, TEST_MARKS, ancestor_names, is_controller
from ragduck.graph.code.view_components import INVOKED
from ragduck.graph.code.web_forms import web_forms
from ragduck.graph.types.attributes import ENDING
from ragduck.graph.types.catalog import Catalog, TypeInfo

TEST_DATA = "Data"  # how the names of attributes end that hand something to a test
CALLED = frozenset((*ANSWERING, *FAST_METHODS, *INVOKED, MAIN))  # by frameworks, of whatever class
MAPPING = "Map"  # how the names of what maps routes begin
AREA = "AreaName"


class AskedMembers:
    """What of types is asked for by attributes, by names that frameworks know, or as all that there is.

    What somebody asks for by a name that he says himself is not among it.
    """

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._known: dict[str, bool] = {}

    def has_beside_tests(self, member: MemberFact) -> bool:
        """Say whether a member of C# may be asked for, rather too often than not; a test is a method as any other."""
        if not all(map(_is_of_test, member.attributes)) or any(one.triggers for one in member.parameters):
            return True
        if member.name in (BUILDER, AREA) or member.name.startswith(MAPPING):
            return True
        owner = self._catalog.types.get(member.owner)
        if owner is None or self._is_attribute(owner):
            return True
        if member.name.rpartition(".")[2] in CALLED or self._is_host(owner):
            return True  # of whatever kind: a property may stand before a method of its name
        return self._forms if member.kind == "METHOD" else member.type.endswith(GENERIC)

    def _is_attribute(self, owner: TypeInfo) -> bool:
        """Say whether a type may be a mark of routes, which says what its members do, or the base of one."""
        below = self._catalog.below([owner])
        names = ({one.name, *ancestor_names(self._catalog, one)} for one in below)
        return any(name.endswith(ENDING) for each in names for name in each)

    def _is_host(self, owner: TypeInfo) -> bool:
        """Say whether frameworks may call methods of a type, or of one that derives from it, whatever their names."""
        if owner.key not in self._known:
            below = self._catalog.below([owner])
            found = is_own_of_jobs(owner) or any(map(self._is_called, below))
            self._known[owner.key] = found
        return self._known[owner.key]

    def _is_called(self, info: TypeInfo) -> bool:
        catalog = self._catalog
        if info.key in self._served or is_controller(catalog, info) or is_service(catalog, info):
            return True
        return is_entered(catalog, info)

    @cached_property
    def _served(self) -> AbstractSet[str]:
        """The keys of types that are mapped as a whole."""
        with self._catalog.watch.noting():  # for nobody: who knows them has looked there by himself
            return {info.key for info in served_types(self._catalog)}

    @cached_property
    def _forms(self) -> bool:
        """Whether there are Web Forms, which have handlers of many names."""
        return any(True for _ in web_forms(self._catalog))


def _is_of_test(mark: Attribute) -> bool:
    """Say whether an attribute makes a test of a method, or hands something to one."""
    name = mark.name.rpartition(".")[2]
    return name in TEST_MARKS or name.endswith(TEST_DATA)
