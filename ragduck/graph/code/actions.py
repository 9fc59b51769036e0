"""Find controllers and their actions by the names that links, routes and folders of views have for them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Literal, NamedTuple, TypeAlias

from ragduck.facts import FileFacts, MemberFact
from ragduck.graph.code.areas import Areas
from ragduck.graph.code.roles import actions_of, is_controller, is_page
from ragduck.graph.types.catalog import Catalog, TypeInfo
from ragduck.graph.types.imports import nearest
from ragduck.graph.types.literals import text_of

VIEWS = "Views"
SHARED = "Shared"
ENDINGS = (".cshtml", ".vbhtml", ".razor")
TEMPLATES = frozenset(("EditorTemplates", "DisplayTemplates", "Components"))
ENDING = "Controller"

Elsewhere: TypeAlias = Literal["nearest", "only", "none"]


class ActionName(NamedTuple):
    """An action as links and routes name it.

    Without ``controller`` the own one is meant, without ``action`` the controller alone. ``area`` is None where it
    is not named. ``namespaces`` are those in which a route has controllers looked for.
    """

    controller: str
    action: str
    area: str | None = None
    namespaces: tuple[str, ...] = ()


class ViewPlace(NamedTuple):
    """Where a view lies: `Views/Order/Edit.cshtml`; ``controller`` is empty for shared ones.

    It ``is_deep`` in a folder below that of the controller, if that is one: `Views/Order/Partials/Edit.cshtml`. What
    is of use elsewhere than where an action returns it ``is_template``: `Views/Order/EditorTemplates/Edit.cshtml`.
    """

    name: str
    controller: str
    is_deep: bool = False
    is_template: bool = False


class Actions:
    """The controllers of a snapshot."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._areas = Areas(catalog)
        self._controllers: defaultdict[str, list[TypeInfo]] = defaultdict(list)
        self._by_name: dict[str, Mapping[str, list[MemberFact]]] = {}
        for info in catalog.types.values():
            if info.name.endswith(ENDING) and is_controller(catalog, info) and not is_page(catalog, info):
                self._controllers[info.name.removesuffix(ENDING).lower()].append(info)

    @property
    def controllers(self) -> Iterator[TypeInfo]:
        """All controllers that are called so."""
        return (info for infos in self._controllers.values() for info in infos)

    def named(
        self,
        wanted: ActionName,
        *,
        file: FileFacts,
        own: TypeInfo | None = None,
        elsewhere: Elsewhere = "nearest",
    ) -> TypeInfo | None:
        """Return the controller that a file means: of its area and project, else one of another project.

        ``own`` is the controller that the file or the place in it belongs to. ``elsewhere`` says which one of other
        projects counts: the nearest of that area, the only one in any area, or none.
        """
        if not wanted.controller:
            return own if wanted.area is None or own is None or self._is_in(own, wanted.area) else None
        candidates = self._controllers.get(wanted.controller.lower(), [])
        candidates = [one for one in candidates if _is_of(one, wanted.namespaces)] or candidates
        area = self._areas.of_type(own) if own is not None else self._areas.of_file(file)
        area = area if wanted.area is None else wanted.area
        best = [one for one in candidates if self._is_in(one, area)]
        best = best if best or wanted.area is not None else candidates
        same = [one for one in best if one.files[0].project == file.project]
        if same or elsewhere == "nearest":
            return nearest(same or best, file=file)
        return candidates[0] if elsewhere == "only" and len(candidates) == 1 else None

    def _is_in(self, info: TypeInfo, area: str) -> bool:
        return self._areas.of_type(info).lower() == area.lower()

    def controller_of(self, file: FileFacts) -> TypeInfo | None:
        """Return the controller in whose folder a view lies, of another project if it is the only one of its name."""
        place = place_of(file.path)
        if place is None or not place.controller:
            return None
        return self.named(ActionName(place.controller, ""), file=file, elsewhere="only")

    def own_of(self, source: str) -> TypeInfo | None:
        """Return the controller that the source of a fact is or stands in."""
        info = self._catalog.owner_of(source)
        return info if info is not None and is_controller(self._catalog, info) else None

    def keys(self, info: TypeInfo, action: str) -> Iterator[str]:
        """Yield the key of an action by name, own or inherited, of the controller where no action is named."""
        if not action:
            yield info.key
            return
        bases = (ref.info for ref in self._catalog.ancestors(info) if ref.info is not None)
        for one in (info, *bases):
            found = self._actions_by_name(one).get(action.lower())
            if found:
                yield min(found, key=_is_renamed).key
                return

    def _actions_by_name(self, info: TypeInfo) -> Mapping[str, list[MemberFact]]:
        """Return the own actions of a type by the names that mean them."""
        if info.key not in self._by_name:
            named: defaultdict[str, list[MemberFact]] = defaultdict(list)
            for each in actions_of(self._catalog, info):
                for name in _action_names(each, catalog=self._catalog):
                    named[name].append(each)
            self._by_name[info.key] = named
        return self._by_name[info.key]

    def reached(
        self,
        wanted: ActionName,
        *,
        file: FileFacts,
        own: TypeInfo | None,
        elsewhere: Elsewhere = "nearest",
    ) -> Iterator[str]:
        """Yield the key of the action, or of the controller, that a file means."""
        info = self.named(wanted, file=file, own=own, elsewhere=elsewhere)
        if info is not None:
            yield from self.keys(info, wanted.action)


def _is_of(info: TypeInfo, namespaces: Collection[str]) -> bool:
    """Say whether a type is of one of the namespaces, `Shop.*` being all that begin so."""
    return any(
        f"{info.namespace}.".startswith(one.removesuffix("*"))
        if one.endswith(".*")
        else info.namespace == one
        for one in namespaces
    )


def routed_name(member: MemberFact, *, catalog: Catalog) -> str:
    """Return the name by which an action is routed."""
    for mark in member.attributes:
        if mark.name == "ActionName" and mark.arguments:
            home, value = catalog.home_of(member), mark.arguments[0].value
            text = text_of(value, catalog=catalog, file=home, source=member.key)
            if text:
                return text.lower()
    return member.name.removesuffix("Async").lower()


def _is_renamed(member: MemberFact) -> bool:
    """Say whether an action goes by another name: mostly one of several that take what a form posts."""
    return any(mark.name == "ActionName" for mark in member.attributes)


def _action_names(member: MemberFact, *, catalog: Catalog) -> tuple[str, ...]:
    """Return the names that mean an action; that of the method, Async and all, counts as long as it has no other."""
    name = routed_name(member, catalog=catalog)
    return (name, f"{name}async") if member.name.lower() == f"{name}async" else (name,)


def place_of(path: str) -> ViewPlace | None:
    """Read the controller off a view's folders; nothing for pages, imports and layouts."""
    parts = PurePosixPath(path).parts
    name = PurePosixPath(path).stem
    if VIEWS not in parts[:-1] or name.startswith("_View") or not path.endswith(".cshtml"):
        return None
    folders = parts[len(parts) - parts[::-1].index(VIEWS) : -1]
    controller = folders[0] if folders and folders[0] != SHARED else ""
    is_template = not TEMPLATES.isdisjoint(folders[1:])
    return ViewPlace(name, controller, len(folders) > 1, is_template) if folders else None


def without_ending(name: str) -> str:
    """Return the name of a view without that of its language; `Order.Lines` has none."""
    ending = PurePosixPath(name).suffix
    return name.removesuffix(ending) if ending.lower() in ENDINGS else name
