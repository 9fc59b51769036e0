"""Index what the files of a snapshot declare: types with all their parts and members, and functions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from ragduck.facts import FileFacts, MemberFact, TypeFact
from ragduck.graph.types.component_namespaces import component_namespaces

FAMILIES = {
    **dict.fromkeys(("razor", "webforms", "xaml"), "csharp"),
    **dict.fromkeys(("javascript", "tsx"), "typescript"),
}
VISUAL_BASIC = ".vb"
RANKS = {"source": 0, "test": 1, "migration": 2, "generated": 3}
LAST_RANK = 4
MAX_NESTING = 50
MAX_NAMED = 30  # types in one written type
INTERFACES = frozenset(("interface", "annotation"))
UNNAMED = frozenset(("view", "page"))  # no code names the class that a Razor file of MVC becomes


def is_visual_basic(file: FileFacts) -> bool:
    """Say whether a file is one of Visual Basic, which shares its types with C#."""
    return file.path.lower().endswith(VISUAL_BASIC)


def family_of(language: str) -> str:
    """Return the language whose names a language can see."""
    return FAMILIES.get(language, language)


def is_interface_name(name: str) -> bool:
    """Say whether a type that is declared elsewhere is an interface by its name."""
    return name[:1] == "I" and name[1:2].isupper()


def rank_of(file: FileFacts) -> tuple[int, str]:
    """Order files so that the best place to read about something comes first."""
    return RANKS.get(file.file_class, LAST_RANK), file.path


@dataclass(frozen=True, slots=True, eq=False)
class TypeInfo:
    """A type with all its declarations, the best one first; ``files`` has the file of each.

    Generic and plain types of one name share a key, so they are one ``TypeInfo``. ``explicit`` has the members
    that implement an interface explicitly, by their names in the interface. ``type_parameters`` are those of the
    most generic declaration. ``is_shared`` holds where several projects declare a type of that key. Names of a
    component are those that code has for it, where they are known; its key has its path.
    """

    key: str
    qualified_name: str
    name: str
    language: str
    namespace: str
    declarations: tuple[TypeFact, ...]
    files: tuple[FileFacts, ...]
    type_parameters: tuple[str, ...] = ()
    is_shared: bool = False
    members: dict[str, list[MemberFact]] = field(default_factory=dict)
    explicit: dict[str, list[MemberFact]] = field(default_factory=dict)

    @property
    def is_interface(self) -> bool:
        """Say whether the first declaration is an interface."""
        return self.declarations[0].element_type in INTERFACES

    @property
    def is_test(self) -> bool:
        """Say whether it is declared in tests only."""
        return self.files[0].file_class == "test"


class TypeRef(NamedTuple):
    """A type as used somewhere; ``info`` is None for what the snapshot does not declare.

    ``labels`` are the names of a tuple's elements, "" for one without.
    Compare by ``name`` or ``info``: comparing two references walks their arguments.
    """

    name: str
    info: TypeInfo | None = None
    arguments: tuple[TypeRef, ...] = ()
    labels: tuple[str, ...] = ()


def named_types(ref: TypeRef, *, apart: Collection[str] = ()) -> Iterator[TypeInfo]:
    """Yield a type and its type arguments, as far as declared here; not those of foreign types ``apart``."""
    pending = [ref]
    for _ in range(MAX_NAMED):
        if not pending:
            return
        one = pending.pop()
        if one.info is not None or one.name.rpartition(".")[2] not in apart:
            pending.extend(one.arguments)
        if one.info is not None:
            yield one.info


class Declarations:
    """Everything that is declared, by key and by name; names are per language family."""

    def __init__(self, files: Iterable[FileFacts]) -> None:
        ordered = sorted(files, key=rank_of)
        self.files = {file.path: file for file in sorted(ordered, key=lambda file: file.path)}
        self.component_namespaces = component_namespaces(self.files)
        self.types: dict[str, TypeInfo] = _types_of(ordered, self.component_namespaces)
        self._components = self._components_by_name()
        self.by_name: defaultdict[str, dict[str, TypeInfo]] = defaultdict(dict)
        self.top_level: defaultdict[str, defaultdict[str, list[TypeInfo]]] = defaultdict(_lists)
        self.nested_names: defaultdict[str, set[str]] = defaultdict(set)
        self.namespaces: defaultdict[str, set[str]] = defaultdict(set)
        self.functions: defaultdict[str, dict[str, list[MemberFact]]] = defaultdict(dict)
        self.function_names: defaultdict[str, defaultdict[str, list[str]]] = defaultdict(_string_lists)
        self.extensions: defaultdict[str, defaultdict[str, list[MemberFact]]] = defaultdict(_member_lists)
        self.methods: defaultdict[str, defaultdict[str, list[MemberFact]]] = defaultdict(_member_lists)
        self._homes: dict[int, FileFacts] = {}
        self._owners: dict[str, TypeInfo] = {}
        for info in self.types.values():
            self._index_type(info)
        for file in ordered:
            self._index_members(file)

    def _index_type(self, info: TypeInfo) -> None:
        family = family_of(info.language)
        if info.declarations[0].element_type in UNNAMED:
            return
        is_half = self.component_of(info) is not None  # the component is found by that name
        if not is_half:
            self.by_name[family].setdefault(info.qualified_name, info)
        if info.declarations[0].owner:
            self.nested_names[family].add(info.name)
            return
        if not is_half:
            self.top_level[family][info.name].append(info)
        if info.language != "razor" or info.files[0].path in self.component_namespaces:  # else it is a folder
            self.namespaces[family].update(outward(info.namespace))

    def _index_members(self, file: FileFacts) -> None:
        family = family_of(file.language)
        for member in file.members:
            self._homes[id(member)] = file
            owner = self.types.get(member.owner)
            if owner is not None:
                self._index_member(member, owner, family=family)
            else:
                self._index_function(member, family)

    def _index_member(self, member: MemberFact, owner: TypeInfo, *, family: str) -> None:
        owner.members.setdefault(member.name, []).append(member)
        self._owners[member.key] = owner
        if "." in member.name:
            owner.explicit.setdefault(member.name.rpartition(".")[2], []).append(member)
        if member.kind == "METHOD":
            self.methods[family][member.name].append(member)
            if member.parameters and member.parameters[0].is_this:
                self.extensions[family][member.name].append(member)

    def _index_function(self, member: MemberFact, family: str) -> None:
        name = qualified_name(member.key)
        if name not in self.functions[family]:
            self.functions[family][name] = []
            self.function_names[family][name.rpartition(".")[2]].append(name)
        self.functions[family][name].append(member)

    def _components_by_name(self) -> Mapping[str, Sequence[TypeInfo]]:
        """Return the components that code can name, by their full names."""
        found: defaultdict[str, list[TypeInfo]] = defaultdict(list)
        for info in self.types.values() if self.component_namespaces else ():
            if not info.declarations[0].owner and info.files[0].path in self.component_namespaces:
                found[info.qualified_name].append(info)
        return found

    def component_of(self, info: TypeInfo) -> TypeInfo | None:
        """Return the component of which a class of C# is the other half: it has the same name in the same project."""
        named = self._components.get(info.qualified_name) if info.language == "csharp" else None
        if named is None:
            return None
        projects = {file.project for file in info.files}
        found = [one for one in named if one.files[0].project in projects]
        return found[0] if len(found) == 1 else None

    def half_of(self, component: TypeInfo) -> TypeInfo | None:
        """Return the class of C# that is the other half of a component."""
        half = self.types.get(f"csharp:{component.qualified_name}|TYPE")
        return half if half is not None and self.component_of(half) is component else None

    def home_of(self, member: MemberFact) -> FileFacts:
        """Return the file that declares a member; only for members that came out of these declarations."""
        return self._homes[id(member)]

    def owner_of(self, source: str) -> TypeInfo | None:
        """Return the type that a fact's source is or stands in."""
        return self._owners.get(source) or self.types.get(source)


def _lists() -> defaultdict[str, list[TypeInfo]]:
    return defaultdict(list)


def _member_lists() -> defaultdict[str, list[MemberFact]]:
    return defaultdict(list)


def _string_lists() -> defaultdict[str, list[str]]:
    return defaultdict(list)


def _types_of(files: Sequence[FileFacts], told: Mapping[str, str]) -> dict[str, TypeInfo]:
    parts: defaultdict[str, list[tuple[TypeFact, FileFacts]]] = defaultdict(list)
    for file in files:
        for declared in file.types:
            parts[declared.key].append((declared, file))
    scopes = {key: found[0][0] for key, found in parts.items()}
    return {
        key: _type_info(key, found, scope=_namespace(found[0][0], scopes), told=told)
        for key, found in parts.items()
    }


def _type_info(
    key: str, parts: list[tuple[TypeFact, FileFacts]], *, scope: str, told: Mapping[str, str]
) -> TypeInfo:
    first, file = parts[0]
    declarations, files = zip(*parts, strict=True)
    namespace = told.get(file.path, scope)
    name = first.qualified_name
    if file.path in told:
        name = f"{namespace}.{name.removeprefix(scope).lstrip('.')}"
    return TypeInfo(
        key=key,
        qualified_name=name,
        name=first.name,
        language=file.language,
        namespace=namespace,
        declarations=declarations,
        files=files,
        type_parameters=max((one.type_parameters for one in declarations), key=len),
        is_shared=len({file.project for file in files}) > 1,
    )


def _namespace(declared: TypeFact, types: dict[str, TypeFact]) -> str:
    """Return the scope of the outermost type."""
    for _ in range(MAX_NESTING):
        outer = types.get(declared.owner)
        if outer is None:
            break
        declared = outer
    return declared.scope


def qualified_name(key: str) -> str:
    """Return what stands between language and kind in a node key."""
    return key.partition(":")[2].rpartition("|")[0]


@lru_cache(maxsize=16_384)  # asked for each import of each file
def outward(namespace: str) -> tuple[str, ...]:
    """Return a namespace and those around it, innermost first."""
    parts = namespace.split(".") if namespace else []
    return tuple(".".join(parts[:count]) for count in range(len(parts), 0, -1))
