"""Take what files open for others for imports of these, where it is not what it was: they see something else then."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from ragduck.facts import FileFacts, Import, ViewFact
from ragduck.facts.digests import declarations_digest
from ragduck.facts.files import PROJECT
from ragduck.graph.types.build_files import is_build_file
from ragduck.graph.types.declarations import is_visual_basic, outward
from ragduck.graph.types.framework_types import has_namesakes
from ragduck.graph.types.libraries import may_be_asked_for
from ragduck.graph.types.opened_for_many import OpenedForMany, is_razor_imports
from ragduck.graph.types.page_bases import PageBases
from ragduck.preparation.brought_in_sight import concerned
from ragduck.preparation.declared_parts import CannotTellError, DeclaredParts
from ragduck.preparation.known_words import KnownWords
from ragduck.preparation.opened_otherwise import LANGUAGE, Files

MOST_FILES = 1_000  # that see something else: to follow what these declare takes as long as to read all


class Opening(NamedTuple):
    """Files as if they imported themselves what is opened for them, and the ``paths`` of those that see otherwise.

    These count as changed. ``projects`` are those that changed and do nothing but open namespaces; ``is_any`` holds
    where something that opens for others changed.
    """

    files: Files
    paths: frozenset[str] = frozenset()
    projects: frozenset[str] = frozenset()
    is_any: bool = False


def with_what_is_opened(files: Files, facts: Mapping[str, bytes], words: KnownWords | None = None) -> Opening:
    """Return files with what others open for them, and views with the bases that are given to them.

    Raises CannotTellError where some that changed do something else for others, too.
    """
    files = _with_given_bases(files)
    openers = {path for path in files.before.keys() | files.now.keys() if _opens(path, files)}
    if not openers:
        return Opening(files)
    only_open = {path for path in openers if _only_opens(files.before.get(path), files.now.get(path))}
    projects = frozenset(path for path in only_open if _is_of_build(files.now[path]))
    opened = _Opened(files)
    code = {path: file for path, file in files.others.items() if not _is_of_build(file)}
    otherwise = {path: names for path, file in code.items() if (names := opened.otherwise(file))}
    parts = DeclaredParts(files, facts, words)
    pairs = {path: opened.pair(code[path]) for path in concerned(otherwise, parts)}
    if len(pairs) > MOST_FILES:
        raise CannotTellError
    before = {path: opened.before(file) for path, file in files.before.items() if path not in projects}
    now = {path: opened.now(file) for path, file in files.now.items() if path not in projects}
    if any(_is_moved(files, before, now, path) for path in before.keys() & now.keys()):
        raise CannotTellError
    before.update((path, files.before[path]) for path in projects)
    now.update((path, files.now[path]) for path in projects)
    before.update((path, old) for path, (old, _) in pairs.items())
    now.update((path, new) for path, (_, new) in pairs.items())
    others = {path: file for path, file in files.others.items() if path not in pairs}
    return Opening(Files(before, now, others), frozenset(pairs), projects, is_any=True)


def _with_given_bases(files: Files) -> Files:
    """Return files in which views name the base that a file above gives them, with their model in it."""
    before, now = PageBases({**files.others, **files.before}), PageBases(files.as_they_are)
    return Files(
        {path: _deriving(file, before) for path, file in files.before.items()},
        {path: _deriving(file, now) for path, file in files.now.items()},
        {path: _deriving(file, now) for path, file in files.others.items()},
    )


def _deriving(file: FileFacts, bases: PageBases) -> FileFacts:
    given = bases.of(file)
    return file._replace(views=(*file.views, ViewFact(given.written, "inherits", 0))) if given else file


def _is_moved(files: Files, before: Mapping[str, FileFacts], now: Mapping[str, FileFacts], path: str) -> bool:
    """Say whether a file opened what is opened for it now, or the other way round, and that makes a difference.

    It does for namespaces of frameworks: only of what a file opens itself it is sure that these are known.
    """
    own = {one.name for one in set(files.before[path].imports) ^ set(files.now[path].imports)}
    seen = {one.name for one in set(before[path].imports) ^ set(now[path].imports)}
    return any(map(has_namesakes, own - seen))


class _Opened:
    """What is opened for files, as it was and as it is."""

    def __init__(self, files: Files) -> None:
        self._before = OpenedForMany({**files.others, **files.before})
        self._now = OpenedForMany({**files.others, **files.now})
        before, now = (
            {one for file in each.values() for one in file.imports if one.is_global}
            for each in (files.before, files.now)
        )
        self._otherwise = before ^ now

    def before(self, file: FileFacts) -> FileFacts:
        """Return a file that imports what was opened for it."""
        return self._importing(file, self._before.by(file))

    def now(self, file: FileFacts) -> FileFacts:
        """Return a file that imports what is opened for it."""
        return self._importing(file, self._now.by(file))

    def pair(self, file: FileFacts) -> tuple[FileFacts, FileFacts]:
        """Return a file with what was and with what is opened for it."""
        return self.before(file), self.now(file)

    def otherwise(self, file: FileFacts) -> frozenset[Import]:
        """Return what is opened for a file now, or no longer, but for namespaces that it sees by itself.

        Raises CannotTellError where what stays has another order: of names that are the same one counts.
        """
        before, now = ([_own(one) for one in each.by(file)] for each in (self._before, self._now))
        stays = {one for one in before if not _is_namespace(one)}.intersection(now)
        if [one for one in before if one in stays] != [one for one in now if one in stays]:
            raise CannotTellError
        known = {one.name for one in file.imports if _is_namespace(one)}
        known |= {one for one in _around(file) if not may_be_asked_for(one)}
        opened = set(before) ^ set(now)
        return frozenset(one for one in opened if not (_is_namespace(one) and one.name in known))

    def _importing(self, file: FileFacts, opened: Iterator[Import]) -> FileFacts:
        """Return a file that imports what is opened for it.

        What it opens for others it opens for itself, but for other names that remain: not all who use these are
        among those that see otherwise.
        """
        own = (
            one if one.is_global and not _is_namespace(one) and one not in self._otherwise else _own(one)
            for one in file.imports
        )
        return file._replace(imports=(*own, *map(_own, opened)))


def _around(file: FileFacts) -> AbstractSet[str]:
    """Return the namespaces in which all types of a file of C# stand."""
    if file.language != LANGUAGE or is_visual_basic(file):
        return frozenset()
    scopes = {one.scope for one in file.types if not one.owner}
    return frozenset.intersection(*(frozenset(outward(one)) for one in scopes)) if scopes else frozenset()


def _own(opened: Import) -> Import:
    """Return what is opened as if a file opened it for itself."""
    return opened._replace(is_global=False)


def _is_namespace(opened: Import) -> bool:
    return not (opened.alias or opened.is_static)


def _is_of_build(file: FileFacts) -> bool:
    return is_build_file(file.path) or file.path.lower().endswith(PROJECT)


def _opens(path: str, files: Files) -> bool:
    versions = (files.before.get(path), files.now.get(path))
    return any(_opens_for_others(file) for file in versions if file is not None)


def _opens_for_others(file: FileFacts) -> bool:
    is_of_project = is_build_file(file.path) or any(one.is_global for one in file.imports)
    return is_of_project or is_razor_imports(file)


def _only_opens(old: FileFacts | None, new: FileFacts | None) -> bool:
    """Say of what is no code whether it opens something else and is the same otherwise; False for code.

    Raises CannotTellError where it is not the same.
    """
    one = new or old
    if one is None or not (is_razor_imports(one) or _is_of_build(one)):
        return False
    if old is None or new is None or _beside(old) != _beside(new):
        raise CannotTellError
    return True


def _beside(file: FileFacts) -> bytes:
    """Hash what a file tells others beside what it opens for them."""
    is_razor = is_razor_imports(file)
    kept = tuple(one for one in file.imports if not (is_razor or one.is_global))  # such as other build files
    return declarations_digest(file._replace(imports=kept))
