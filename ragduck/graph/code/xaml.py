"""Relate XAML to what stands behind it: classes, methods that handle events, types it names, members it binds."""

from __future__ import annotations

from collections.abc import Iterator

from ragduck.facts import FileFacts, MemberFact
from ragduck.graph.code.constructors import CONSTRUCTORS
from ragduck.graph.code.edges import EdgeCollector, Site
from ragduck.graph.code.nodes import file_key
from ragduck.graph.types.catalog import Catalog, TypeInfo, TypeRef
from ragduck.graph.types.expressions import Evaluator
from ragduck.model import Graph

LANGUAGE = "xaml"
ARGUMENTS = "Args"  # end of the type of a handler's second parameter
VIEW_ENDINGS = ("View", "Window", "Page", "UserControl", "Control", "Dialog")
CONTEXTS = ("DataContext", "BindingContext")
COMMAND, COMMAND_MARKS = "Command", frozenset(("RelayCommand", "ICommand", "Command", "ReactiveCommand"))
SURE, BY_NAME = 1.0, 0.8


def xaml_graph(catalog: Catalog) -> Graph:
    """Return the edges of all files of XAML; their nodes are those of the code."""
    edges = EdgeCollector()
    for path in sorted(catalog.files):
        file = catalog.files[path]
        if file.language == LANGUAGE:
            _View(catalog, file, edges).add()
    return Graph(edges=edges.edges())


class _View:
    """One file of XAML and the edges that lead away from it."""

    def __init__(self, catalog: Catalog, file: FileFacts, edges: EdgeCollector) -> None:
        self._catalog = catalog
        self._file = file
        self._edges = edges
        self._behind = next(self._types("inherits"), None)

    def add(self) -> None:
        """Add what leads away from the file."""
        if self._behind is not None:
            info, line = self._behind
            self._handle(info.key, rule="code-behind", line=line)
            for fact in self._file.views:
                if fact.how == "event":
                    for method in self._handlers(info, fact.name):
                        self._handle(method.key, rule="event handler", line=fact.line)
            self._add_bindings(info, how="own binding", confidence=SURE)
        models = dict(self._models())
        for info, line in self._types("names"):
            if info.key not in models:
                self._add("Uses", info.key, rule="names type", line=line)
        for key, (info, line, confidence) in models.items():
            self._handle(key, rule="view model", line=line, confidence=confidence)
            self._add_bindings(info, how="binding", confidence=confidence)

    def _handlers(self, info: TypeInfo, name: str) -> Iterator[MemberFact]:
        """Yield the methods of a name that take a sender and arguments: other attributes have plain words, too."""
        for method in self._catalog.members(info, name):
            takes = method.parameters
            if (
                method.kind == "METHOD"
                and len(takes) == 2
                and takes[1].type.partition("<")[0].rstrip("?").endswith(ARGUMENTS)
            ):
                yield method

    def _models(self) -> Iterator[tuple[str, tuple[TypeInfo, int, float]]]:
        """Yield the types that the view shows: those that it or its class says, else the one called like it."""
        said = {info.key: (info, line, SURE) for info, line in self._types("shows")}
        behind = self._behind
        if not said and behind is not None:
            assigned = list(self._assigned(behind[0]))
            said = {ref.info.key: (ref.info, behind[1], SURE) for ref in assigned if ref.info is not None}
            if not assigned:
                model = self._named_like(behind[0])
                said = {model.key: (model, behind[1], BY_NAME)} if model is not None else {}
        yield from said.items()

    def _assigned(self, info: TypeInfo) -> Iterator[TypeRef]:
        """Yield the types of what constructors put into the data context; none is known of some."""
        for name in (info.name, *CONSTRUCTORS):
            for member in info.members.get(name, ()):
                file = self._catalog.home_of(member)
                for one in member.assignments:
                    if one.member in CONTEXTS:
                        evaluator = Evaluator(self._catalog, file=file, source=member.key)
                        yield evaluator.type_of(one.value) or TypeRef("")

    def _named_like(self, info: TypeInfo) -> TypeInfo | None:
        """Return the class called as a view with `Model` or `ViewModel` behind it, the longest such name first."""
        stems = [info.name, *(info.name.removesuffix(ending) for ending in VIEW_ENDINGS)]
        names = [
            f"{stem}{ending}" for stem in dict.fromkeys(stems) if stem for ending in ("ViewModel", "Model")
        ]
        for name in dict.fromkeys(names):
            model = self._catalog.nearest_type(name, file=self._file)
            if model is not None and not model.is_interface and model is not info:
                return model
        return None

    def _add_bindings(self, model: TypeInfo, *, how: str, confidence: float) -> None:
        """Add the members of a model that are bound; a command that is generated is the method it is made of."""
        for fact in self._file.views:
            if fact.how != how:
                continue
            members = self._catalog.members(model, fact.name)
            for member in members:
                if member.kind != "METHOD":
                    self._add("Uses", member.key, rule="binding", line=fact.line, confidence=confidence)
            if not members and fact.name.endswith(COMMAND):
                for method in self._commands(model, fact.name.removesuffix(COMMAND)):
                    self._handle(method.key, rule="command", line=fact.line, confidence=confidence)

    def _commands(self, model: TypeInfo, name: str) -> Iterator[MemberFact]:
        for spelling in (name, f"{name}Async", f"On{name}"):
            for method in self._catalog.members(model, spelling):
                if any(mark.name.rpartition(".")[2] in COMMAND_MARKS for mark in method.attributes):
                    yield method

    def _types(self, how: str) -> Iterator[tuple[TypeInfo, int]]:
        for fact in self._file.views:
            info = self._catalog.resolve(fact.name, file=self._file).info if fact.how == how else None
            if info is not None:
                yield info, fact.line

    def _handle(self, key: str, *, rule: str, line: int, confidence: float = SURE) -> None:
        self._add("Handles", key, rule=rule, line=line, confidence=confidence)

    def _add(self, relation: str, key: str, *, rule: str, line: int, confidence: float = SURE) -> None:
        site = Site(self._file.path, line)
        self._edges.add(
            file_key(self._file.path), key, relation=relation, rule=rule, at=site, confidence=confidence
        )
