"""Tell what files of C# see otherwise since namespaces came or went, and projects opened those of others."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import NamedTuple, TypeAlias

from ragduck.facts import FileFacts, TypeFact
from ragduck.facts.digests import NO_DECLARATIONS
from ragduck.facts.files import PROJECT
from ragduck.facts.packing import declarations_of, read_head
from ragduck.graph.types.component_namespaces import component_namespaces
from ragduck.graph.types.declarations import family_of, outward
from ragduck.graph.types.framework_members import VIEW
from ragduck.graph.types.opened_for_many import RAZOR, OpenedForMany
from ragduck.graph.types.visibility import own_namespace

LANGUAGE = "csharp"
Project: TypeAlias = str | None
Pair: TypeAlias = tuple[Project, str]  # a project and a namespace


class Files(NamedTuple):
    """Files by path, without statements: changed ones as they were and as they are, others of C#, and projects."""

    before: Mapping[str, FileFacts]
    now: Mapping[str, FileFacts]
    others: Mapping[str, FileFacts]

    @property
    def as_they_are(self) -> Mapping[str, FileFacts]:
        """All files of C# that there are, and projects."""
        changed = {path: file for path, file in self.now.items() if family_of(file.language) == LANGUAGE}
        return {**self.others, **changed}


def files_of(
    heads: Mapping[str, bytes],
    facts: Mapping[str, bytes],
    changed: AbstractSet[str],
    read: Mapping[str, FileFacts],
) -> Files:
    """Tell the declarations apart that files of C# can see."""
    before = {path: read_head(heads[path]) for path in changed if path in heads}
    now = {
        path: read[path]
        for path in changed
        if path in read and declarations_of(facts[path]) != NO_DECLARATIONS
    }
    others = {
        path: file
        for path, file in read.items()
        if path not in changed and (family_of(file.language) == LANGUAGE or path.lower().endswith(PROJECT))
    }
    return Files(before, now, others)


def names_by_namespace(files: Files) -> Mapping[str, AbstractSet[str]]:
    """Return the names of types by the namespaces that they are declared in."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    told = component_namespaces(files.as_they_are)
    for each in files:
        for file in each.values():
            for one in _top_level(file):
                found[told.get(file.path, one.scope)].add(one.name)
    return found


def seen_otherwise(files: Files) -> frozenset[str] | None:
    """Return the keys of the types outside of namespaces of which other projects may see more or less.

    None where a file may take what it opens for another namespace.
    """
    if files.before.keys() == files.now.keys() and all(
        _is_open_alike(before, files.now[path]) for path, before in files.before.items()
    ):
        return frozenset()
    if _means_other_namespace(files):
        return None
    outside = [
        (one.key, file.project)
        for each in files
        for file in each.values()
        for one in _top_level(file)
        if not one.scope
    ]
    projects = _projects_seen_otherwise(files) if outside else frozenset[Project]()
    return frozenset(key for key, project in outside if project in projects)


def _is_open_alike(before: FileFacts, now: FileFacts) -> bool:
    """Say whether a file opens what it opened, and declares types in the namespaces in which it did."""
    opened, opening = (
        (
            file.language, file.project, set(file.imports), own_namespace(file, frozenset()),
            {one.scope for one in _top_level(file)},
        )
        for file in (before, now)
    )  # fmt: skip
    return opened == opening and (now.language == LANGUAGE or now.path.lower().endswith(VIEW))


def _top_level(file: FileFacts) -> Iterator[TypeFact]:
    return (one for one in file.types if not one.owner)


def _spaces(files: Iterable[FileFacts], told: Mapping[str, str]) -> set[str]:
    """Return the namespaces of types, with those around them; a component without one ``told`` has a folder alone."""
    return {
        space
        for file in files
        for one in _top_level(file)
        if file.language != RAZOR or file.path in told
        for space in outward(told.get(file.path, one.scope))
    }


def _means_other_namespace(files: Files) -> bool:
    """Say whether a file may take a name for another namespace, one that changed otherwise among them."""
    told = component_namespaces(files.as_they_are)
    before, now, others = (_spaces(each.values(), told) for each in files)
    known, fresh = before | now | others, (before ^ now) - others
    ends = {one.rpartition(".")[2] for one in fresh}
    for file in files.as_they_are.values() if fresh else ():
        if file.language == RAZOR and not ends.isdisjoint(own_namespace(file, frozenset()).split(".")):
            return True  # folders tell the namespace of a component
        for one in file.imports:
            if one.name.rpartition(".")[2] in ends and not (one.is_static or one.alias):
                outer = {space for space in known if space.endswith(f".{one.name}")}
                if outer and (one.name in fresh or not outer.isdisjoint(fresh)):
                    return True
    return False


class _Opened(NamedTuple):
    """A namespace that a project opens; a part of a name depends on the namespace that it stands ``within``."""

    project: Project
    name: str
    within: str


def _projects_seen_otherwise(files: Files) -> AbstractSet[Project]:
    """Return the projects to which another may refer now, or no longer.

    It does where it opens a namespace that one alone declares; ``sure`` are those of which files that did not change
    say so.
    """
    told = component_namespaces(files.as_they_are)
    known = _spaces(files.as_they_are.values(), told)
    declared_before, declared_now, declared = (_pairs(map(_declared, each.values())) for each in files)
    spaces = _by_namespace(declared | declared_before | declared_now)
    changes = _by_namespace((declared_before ^ declared_now) - declared)
    if any(not projects <= {project for project, _ in declared} for projects in changes.values()):
        return {project for projects in spaces.values() for project in projects}

    def opened_by(some: Iterable[FileFacts], for_many: OpenedForMany | None) -> set[_Opened]:
        found: set[_Opened] = set()
        for file in some:
            namespace = told.get(file.path) or own_namespace(file, known)
            names = _opened(file, namespace, for_many)
            found.update(_Opened(file.project, one, "" if one in spaces else namespace) for one in names)
        return found

    opened_before = opened_by(files.before.values(), OpenedForMany({**files.others, **files.before}))
    opened_now = opened_by(files.now.values(), OpenedForMany({**files.others, **files.now}))
    opened = opened_by(files.others.values(), None)
    pairs = {
        (one.project, other)
        for one in (opened_before ^ opened_now) - opened
        for space in spaces
        if _may_mean(one.name, space)
        for other in spaces[space]
    }
    for space in changes:
        opening = {one.project for one in opened | opened_before | opened_now if _may_mean(one.name, space)}
        pairs |= {(project, other) for project in opening for other in spaces[space]}
    sure = {
        (one.project, *others)
        for one in opened
        if one.name in spaces
        and one.name not in changes
        and len(others := spaces[one.name] - {one.project}) == 1
    }
    return {other for project, other in pairs - sure if project != other}


def _may_mean(name: str, space: str) -> bool:
    return space == name or space.endswith(f".{name}")


def _by_namespace(pairs: Iterable[Pair]) -> Mapping[str, AbstractSet[Project]]:
    found: defaultdict[str, set[Project]] = defaultdict(set)
    for project, name in pairs:
        found[name].add(project)
    return found


def _pairs(each: Iterable[Iterator[Pair]]) -> set[Pair]:
    return {pair for pairs in each for pair in pairs}


def _opened(file: FileFacts, namespace: str, for_many: OpenedForMany | None) -> Iterator[str]:
    """Yield the namespaces that a file opens, those that are opened for it, and those around."""
    imports = file.imports if for_many is None else (*file.imports, *for_many.by(file))
    for one in imports:
        if not one.is_static and not one.alias:
            yield one.name
    yield from outward(namespace)


def _declared(file: FileFacts) -> Iterator[Pair]:
    """Yield the namespaces that types of C# are in; those of others tell of no project."""
    types = _top_level(file) if file.language == LANGUAGE else ()
    return ((file.project, one.scope) for one in types if one.scope)
