"""Tell which area of a web application controllers and files are of.

It is that of their folder or namespace (`Areas/Admin`), of `[Area("Admin")]`, of `AreaName`, or of a route.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from itertools import pairwise
from pathlib import PurePosixPath

from ragduck.facts import FileFacts
from ragduck.graph.code.route_calls import areas_of_routes
from ragduck.graph.types.catalog import Catalog, TypeInfo
from ragduck.graph.types.declarations import outward
from ragduck.graph.types.literals import text_of

AREAS = "Areas"
REGISTRATION = "AreaRegistration"
CONTROLLER, CONTROLLERS = "Controller", "Controllers"


class Areas:
    """The areas of a snapshot; an empty name is that of what is in none."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._by_namespace: dict[str, str] = {}
        self._by_folder: dict[str, str] = {}
        self._known: dict[str, str] = {}  # by the keys of controllers
        for info in catalog.types.values():
            if info.name.endswith(REGISTRATION) and info.language == "csharp":
                self._register(info)
        routed = areas_of_routes(catalog)
        self._by_namespace |= {one: area for one, area in routed.items() if one not in self._by_namespace}
        if routed:
            self._by_folder |= dict(self._folders_of(frozenset(routed.values())))

    def of_type(self, info: TypeInfo) -> str:
        """Return the area of a controller, by its attribute, by who registers its namespace, or by that itself."""
        if info.key not in self._known:
            self._known[info.key] = self._of_type(info)
        return self._known[info.key]

    def _of_type(self, info: TypeInfo) -> str:
        marked = next(self._marked(info), None)
        if marked is not None:
            return marked
        registered = (self._by_namespace.get(one) for one in outward(info.namespace))
        return next((one for one in registered if one), "") or _after_areas(info.namespace.split("."))

    def of_file(self, file: FileFacts) -> str:
        """Return the area of a file, by the folder that it lies in."""
        folders = PurePosixPath(file.path).parents
        registered = (self._by_folder.get(str(one)) for one in folders)
        return next((one for one in registered if one), "") or _after_areas(folders[0].parts)

    def _register(self, info: TypeInfo) -> None:
        """Take down what `AreaName` says in a class that is derived from AreaRegistration."""
        if not any(ref.name == REGISTRATION for ref in self._catalog.ancestors(info)):
            return
        for member in info.members.get("AreaName", ()):
            file = self._catalog.home_of(member)
            name = text_of(member.value, catalog=self._catalog, file=file, source=member.key)
            if name:
                self._by_namespace[info.namespace] = name
                self._by_folder[str(PurePosixPath(file.path).parent)] = name

    def _folders_of(self, areas: Collection[str]) -> Iterator[tuple[str, str]]:
        """Yield the folders of which all controllers are of one of these areas, with that; views lie beside them."""
        found: defaultdict[str, set[str]] = defaultdict(set)
        for info in self._catalog.types.values():
            if info.name.endswith(CONTROLLER) and info.language == "csharp" and not info.is_test:
                found[_above_controllers(info.files[0].path)].add(self.of_type(info))
        for folder, own in found.items():
            if len(own) == 1 and folder not in self._by_folder:
                yield from ((folder, area) for area in own if area in areas)

    def _marked(self, info: TypeInfo) -> Iterator[str]:
        """Yield what `[Area("Admin")]` says at a class or its bases."""
        bases = (ref.info for ref in self._catalog.ancestors(info) if ref.info is not None)
        for one in (info, *bases):
            for declared, file in zip(one.declarations, one.files, strict=True):
                for mark in declared.attributes:
                    if mark.name == "Area" and mark.arguments:
                        value = mark.arguments[0].value
                        name = text_of(value, catalog=self._catalog, file=file, source=one.key)
                        yield from () if name is None else (name,)


def _above_controllers(path: str) -> str:
    """Return the folder of a part of an application, which has its controllers in one of their own."""
    folders = PurePosixPath(path).parts[:-1]
    ends = [at for at, name in enumerate(folders) if name == CONTROLLERS]
    return str(PurePosixPath(*folders[: ends[-1] if ends else None]))


def _after_areas(parts: Iterable[str]) -> str:
    """Return the part of a path or namespace that follows the last `Areas`."""
    found = [after for one, after in pairwise(parts) if one == AREAS]
    return found[-1] if found else ""
