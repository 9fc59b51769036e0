"""Tell for which files it makes a difference that something is opened for them, or no longer, by what they name.

A namespace brings its types in sight, and with them the methods that extend others; a type of which members are taken
in brings these; an alias is a name itself. Who names none of that means what was meant before. So what a project of
thousands of files opens in all of them matters to a few.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet

from ragduck.facts import Import
from ragduck.graph.types.attributes import ENDING
from ragduck.graph.types.declarations import is_visual_basic
from ragduck.graph.types.libraries import may_be_asked_for
from ragduck.graph.types.opened_for_many import RAZOR
from ragduck.preparation.declared_otherwise import extends, last_name, words_in
from ragduck.preparation.declared_parts import CannotTellError, DeclaredParts, name_of
from ragduck.preparation.opened_otherwise import Project, names_by_namespace

MOST_NAMES = 500  # that are looked for


def concerned(opened: Mapping[str, AbstractSet[Import]], parts: DeclaredParts) -> AbstractSet[str]:
    """Return the files to which it may make a difference what is ``opened`` for them or no longer is, by path.

    One file of each project stands for what other projects this one refers to by that. Raises CannotTellError.
    """
    found = set(_of_each_project(opened, parts))
    groups: defaultdict[AbstractSet[Import], set[str]] = defaultdict(set)
    for path, imports in opened.items():
        file = parts.seen[path]
        if file.language == RAZOR or is_visual_basic(file):
            found.add(path)  # what leans on files above it, or spells names as it likes
        else:
            groups[frozenset(imports)].add(path)
    brought = _Brought(parts) if groups else None
    for imports, paths in groups.items():
        names = brought.by(imports) if brought is not None else None
        found |= paths if names is None else _naming(names, paths, parts)
    return found


def _of_each_project(opened: Mapping[str, AbstractSet[Import]], parts: DeclaredParts) -> Iterator[str]:
    """Yield the first file of each project for which a namespace is opened."""
    first: dict[Project, str] = {}
    for path in sorted(opened):
        if any(not (one.alias or one.is_static) for one in opened[path]):
            first.setdefault(parts.seen[path].project, path)
    yield from first.values()


def _naming(names: AbstractSet[str], paths: AbstractSet[str], parts: DeclaredParts) -> AbstractSet[str]:
    return parts.standing_in(names, paths) | (parts.declaring(names) & paths)


class _Brought:
    """The names that what is opened brings in sight."""

    def __init__(self, parts: DeclaredParts) -> None:
        self._parts = parts
        self._names: defaultdict[str, set[str]] = defaultdict(set)  # by namespaces
        for space, names in names_by_namespace(parts.files).items():
            self._names[space] |= _as_written(names)
        scopes = {one.key: one.scope for file in parts.all_files() for one in file.types}
        for file in parts.all_files():
            for member in file.members:
                if member.owner in scopes and extends(member):
                    self._names[scopes[member.owner]].add(member.name)
        opened = (one for file in parts.all_files() for one in file.imports if one.is_global)
        shared = [one._replace(is_global=False) for one in opened]
        self._aliases = [one for one in shared if one.alias]
        self._statics = [one for one in shared if one.is_static]

    def by(self, imports: AbstractSet[Import]) -> AbstractSet[str] | None:
        """Return what is brought in sight; None if that is much, or it may be asked whether a namespace is opened.

        Raises CannotTellError where many files take in the members of a type that is.
        """
        names = {one.alias for one in imports if one.alias}
        names |= self._within({one.name for one in imports if one.is_static})
        spaces = [one.name for one in imports if not (one.alias or one.is_static)]
        known = [one for one in self._names if _is_meant_by(spaces, one)]
        if any(map(may_be_asked_for, (*spaces, *known))):
            return None
        names.update(*(self._names[space] for space in known))
        statics = (one.name for one in self._statics if one not in imports)
        if any(not names.isdisjoint(words_in((name,))) for name in statics):
            raise CannotTellError
        names |= {one.alias for one in self._aliases if not names.isdisjoint(words_in((one.name,)))}
        names = _as_written(names)
        return names if len(names) <= MOST_NAMES else None

    def _within(self, taken_in: AbstractSet[str]) -> set[str]:
        """Return the names of what is within types, and of members that they inherit. Raises CannotTellError.

        What is called like one of them counts, whatever stands before the name: a namespace, an alias for one, or
        the type around it.
        """
        if not taken_in:
            return set()
        called = {name_of(one).rpartition(".")[2] for one in taken_in}
        if any(one.alias in called for one in self._aliases):
            raise CannotTellError
        types = {key for name in called for key in self._parts.named.get(name, ())}
        nested = {one.name for file in self._parts.all_files() for one in file.types if one.owner in types}
        types |= self._parts.bases(types)
        members = (one for file in self._parts.all_files() for one in file.members)
        return nested | {last_name(one) for one in members if one.owner in types}


def _as_written(names: Iterable[str]) -> set[str]:
    """Return names of types, and what they are called as attributes."""
    return {each for one in names for each in (one, one.removesuffix(ENDING))} - {""}


def _is_meant_by(written: Iterable[str], name: str) -> bool:
    """Say whether a full name is one of those that are written, each of which may be relative to where it stands."""
    return any(name == one or name.endswith(f".{one}") for one in written)
