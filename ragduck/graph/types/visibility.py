"""Say what a file can see without qualifying it: opened namespaces, aliases, static imports."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from ragduck.facts import MODULE, FileFacts, Import
from ragduck.graph.types.declarations import (
    Declarations,
    family_of,
    is_visual_basic,
    outward,
    qualified_name,
)
from ragduck.graph.types.included_forms import IncludedForms
from ragduck.graph.types.opened_for_many import OpenedForMany


@dataclass(frozen=True, slots=True)
class Sight:
    """What a file sees: its own ``namespace``, ``opened`` ones, and full names by local ones.

    ``inner`` are those opened within the own namespace, which come before the namespaces around it. ``statics`` are
    types whose members need no qualification. So are those of ``included`` forms, which are known by their keys.
    """

    namespace: str
    opened: frozenset[str] = frozenset()
    inner: frozenset[str] = frozenset()
    aliases: Mapping[str, str] = field(default_factory=dict)
    statics: tuple[str, ...] = ()
    included: tuple[str, ...] = ()


def is_of_library(namespace: str, libraries: Collection[str]) -> bool:
    """Say whether a namespace is one of these, or below it."""
    return any(f"{namespace}.".startswith(f"{one}.") for one in libraries)


class Visibility:
    """Work out once per file what it sees."""

    def __init__(self, declarations: Declarations) -> None:
        self._declarations = declarations
        self._included = IncludedForms(declarations.files)
        self._sights: dict[str, Sight] = {}
        self._for_many = OpenedForMany(declarations.files)
        self._modules: defaultdict[str, list[str]] = defaultdict(list)
        known = declarations.namespaces["csharp"]
        self._relative = frozenset(end for namespace in known for end in _ends_of(namespace))
        for info in declarations.types.values():
            if MODULE in info.declarations[0].modifiers:
                self._modules[info.namespace].append(info.qualified_name)

    def of(self, file: FileFacts) -> Sight:
        """Return what a file sees."""
        sight = self._sights.get(file.path)
        if sight is None:
            sight = self._sights[file.path] = self._look(file)
        return sight

    def _look(self, file: FileFacts) -> Sight:
        family = family_of(file.language)
        known = self._declarations.namespaces[family]
        told = self._declarations.component_namespaces.get(file.path)
        namespace = told if told is not None else own_namespace(file, known)
        opened: set[str] = set()
        inner: set[str] = set()
        statics: list[str] = []
        aliases: dict[str, str] = {}
        for one in self._imports(file):
            if one.is_static:
                statics.append(one.name if family == "csharp" else one.name.rpartition(".")[0])
            elif one.alias:
                aliases[one.alias] = one.name
            elif family == "csharp":
                name = one.name
                if name in self._relative and name not in known:
                    name = _completed(name, namespace=namespace, known=known)
                (inner if one.is_inner else opened).add(name)
            elif one.name.endswith("*"):
                opened.add(one.name.rstrip("*").rstrip("./"))
            else:
                aliases[_last_name(one.name)] = one.name
        opened |= inner
        if self._modules and is_visual_basic(file):
            statics.extend(self._opened_modules((*outward(namespace), "", *sorted(opened))))
        included = tuple(one.key for form in self._included.of(file) for one in form.types[:1])
        names = tuple(dict.fromkeys(statics))
        return Sight(namespace, frozenset(opened), frozenset(inner), aliases, names, included)

    def _opened_modules(self, namespaces: Iterable[str]) -> Iterator[str]:
        """Yield the modules of Visual Basic whose members are seen where their namespace is."""
        for namespace in dict.fromkeys(namespaces):
            yield from self._modules.get(namespace, ())

    def _imports(self, file: FileFacts) -> Iterable[Import]:
        yield from file.imports
        for form in self._included.of(file):
            yield from form.imports
        yield from self._for_many.by(file)


def own_namespace(file: FileFacts, known: AbstractSet[str]) -> str:
    """Return the namespace, package or module of a file's first declaration outside of types."""
    scope = next((one.scope for one in file.types if not one.owner), None)
    if scope is None:
        # a file of Go may hold nothing but methods of a type that another file of its package declares
        key = next((one.owner or one.key for one in file.members), "")
        scope = qualified_name(key).rpartition(".")[0]
    return _component_namespace(scope, known) if file.language == "razor" else scope


def _component_namespace(scope: str, known: AbstractSet[str]) -> str:
    """Find the namespace in a component's folders: `src/Shop.Web/Pages` is `Shop.Web.Pages`."""
    parts = scope.split(".")
    for start in range(len(parts)):
        for end in range(len(parts), start, -1):
            if ".".join(parts[start:end]) in known:
                return ".".join(parts[start:])
    return scope


def _completed(name: str, *, namespace: str, known: set[str]) -> str:
    """Complete a namespace that is opened relative to the one around it."""
    for outer in outward(namespace):
        if f"{outer}.{name}" in known:
            return f"{outer}.{name}"
    return name


def _ends_of(namespace: str) -> Iterator[str]:
    """Yield what stands behind each dot, by which a namespace may be opened within those around it."""
    _, dot, rest = namespace.partition(".")
    while dot:
        yield rest
        _, dot, rest = rest.partition(".")


def _last_name(name: str) -> str:
    return name.replace("/", ".").rpartition(".")[2]
