"""Know the view components of MVC: what pages invoke by a name, and the views that these show."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from ragduck.facts import Expression, FileFacts, MemberFact, Text, TypeOf
from ragduck.graph.code.edges import EdgeCollector, Site
from ragduck.graph.types.catalog import Catalog, TypeInfo
from ragduck.graph.types.chains import argument, function_name
from ragduck.graph.types.literals import text_of

SUFFIX = "ViewComponent"
RULE = "view component"
FOLDER = "Components"
INVOKED = ("Invoke", "InvokeAsync")
CONVENTION = 0.8


class ViewComponents:
    """The classes that are view components, by their names."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._by_name: defaultdict[str, list[TypeInfo]] = defaultdict(list)
        for info in catalog.types.values():
            name = _name_of(catalog, info)
            for called in {name.lower(), info.name.removesuffix(SUFFIX).lower()} if name else ():
                self._by_name[called].append(info)

    def called(self, name: str, *, file: FileFacts) -> Sequence[TypeInfo]:
        """Return the components that a name means in a file: those of its project, else those of others."""
        found = self._by_name.get(name.lower().removesuffix(SUFFIX.lower()), ())
        own = [info for info in found if any(one.project == file.project for one in info.files)]
        return own or found

    def shown_by(self, file: FileFacts) -> Sequence[TypeInfo]:
        """Return the components of a view, which lies in the folder that is called like them."""
        folders = PurePosixPath(file.path).parts[-3:-1]
        return self.called(folders[1], file=file) if len(folders) == 2 and folders[0] == FOLDER else ()

    def add_calls(self, edges: EdgeCollector) -> None:
        """Relate actions to the components that they return: `return ViewComponent("Cart")`."""
        for file in self._catalog.files_calling((SUFFIX,)):
            for fact in file.calls:
                if function_name(fact.call) == SUFFIX and fact.call.arguments:
                    name = self._named(argument(fact.call, 0, name="componentName"), file, fact.source)
                    for info in self.called(name, file=file) if name else ():
                        for method in invoked(info):
                            site = Site(file.path, fact.line)
                            edges.add(fact.source, method.key, relation="Calls", rule=RULE, at=site)

    def _named(self, given: Expression, file: FileFacts, source: str) -> str:
        """Return the name of a component that a call is given: as a text, or by its type."""
        if isinstance(given, TypeOf):
            return given.type.rpartition(".")[2]
        return text_of(given, catalog=self._catalog, file=file, source=source) or ""


def invoked(info: TypeInfo) -> Iterator[MemberFact]:
    """Yield the methods that run when a component is invoked."""
    return (member for name in INVOKED for member in info.members.get(name, ()))


def _name_of(catalog: Catalog, info: TypeInfo) -> str:
    """Return what a component is called; "" for other types."""
    mark = next((mark for one in info.declarations for mark in one.attributes if mark.name == SUFFIX), None)
    is_derived = any(ref.name.rpartition(".")[2] == SUFFIX for ref in catalog.bases(info))
    if mark is None and not is_derived and not (info.name.endswith(SUFFIX) and any(invoked(info))):
        return ""
    given = next((one.value for one in mark.arguments if one.name == "Name"), None) if mark else None
    return given.value if isinstance(given, Text) else info.name.removesuffix(SUFFIX)
