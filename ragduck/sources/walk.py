"""Walk a source tree in path order and account for every file: found, or skipped and why."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pathspec import GitIgnoreSpec
from pathspec.patterns.gitignore import GitIgnorePatternError

from ragduck.errors import UsageError
from ragduck.model import TOO_LARGE, UNREADABLE, SkippedFile, SourceFile
from ragduck.sources.checkout import existing_folder, find_checkout
from ragduck.sources.exported import MANIFEST, is_export
from ragduck.sources.gitignore import IgnoreStack
from ragduck.sources.own_ignores import ignored_without_gitignore
from ragduck.sources.project import project_in, root_namespace_in
from ragduck.sources.tracked import TrackedFiles
from ragduck.sources.unwanted import unwanted_file, unwanted_folder

MAX_FILE_BYTES = 2_000_000
_MAX_DEPTH = 100
_NOTHING_TRACKED = TrackedFiles()

VISUAL_BASIC = ".vb"


@dataclass(frozen=True, slots=True)
class _Rules:
    """What holds for the whole walk; ``prefix`` leads from the checkout's top to the root."""

    root: str
    prefix: str
    gitignore: bool
    include: GitIgnoreSpec | None
    exclude: GitIgnoreSpec | None
    max_bytes: int


@dataclass(frozen=True, slots=True)
class _Folder:
    """A folder on the way, with what its files inherit; ``path`` is empty or ends with a slash."""

    absolute: str
    path: str
    ignores: IgnoreStack
    project: str | None
    depth: int
    tracked: TrackedFiles = _NOTHING_TRACKED
    is_ignored: bool = False
    root_namespace: str = ""


def walk_files(
    root: Path,
    *,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    max_bytes: int = MAX_FILE_BYTES,
    unpacked: Path | None = None,
) -> Iterator[SourceFile | SkippedFile]:
    """Yield every file below ``root``, sorted by path; a folder left out is one `SkippedFile` named ``dir/``.

    What git ignores, by a `.gitignore` or by what someone set for themselves, is left out unless git tracks it.
    ``include`` and ``exclude`` are gitignore-style patterns. ``unpacked`` is the top of a tree that came out of git:
    nothing above it counts, and no `.gitignore`, as all its files are tracked.
    Raises `SourceError` for a missing folder and `UsageError` for a pattern that cannot be read.
    """
    folder = existing_folder(root)
    checkout = None if unpacked else find_checkout(folder)
    top = unpacked.resolve() if unpacked else checkout.top if checkout else None
    ignores = ignored_without_gitignore(checkout) if checkout else IgnoreStack()
    prefix, above = _above(folder, top=top, gitignore=unpacked is None, ignores=ignores)
    rules = _Rules(
        root=str(folder),
        prefix=prefix,
        gitignore=unpacked is None,
        include=_spec(include),
        exclude=_spec(exclude),
        max_bytes=max_bytes,
    )
    tracked = TrackedFiles(checkout if prefix or folder == top else None)
    return _walk(replace(above, tracked=tracked), rules=rules)


def _spec(patterns: Sequence[str]) -> GitIgnoreSpec | None:
    try:
        return GitIgnoreSpec.from_lines(patterns) if patterns else None
    except GitIgnorePatternError as error:
        raise UsageError(str(error), hint="patterns are written as in a .gitignore") from None


def _above(root: Path, *, top: Path | None, gitignore: bool, ignores: IgnoreStack) -> tuple[str, _Folder]:
    """Collect what the folders between the checkout's top and ``root`` say.

    A root that they ignore was named on purpose, so then they are not asked.
    """
    nothing = _Folder(str(root), "", ignores=IgnoreStack(), project=None, depth=0)
    if top is None:
        return "", nothing
    project, path, namespace = None, "", ""
    absolute = top
    for name in root.relative_to(top).parts:
        ignores = ignores.within(str(absolute), path=path) if gitignore else ignores
        names = _names_in(absolute)
        project = project_in(str(absolute), names=names) or project
        namespace = root_namespace_in(str(absolute), names=names, above=namespace)
        absolute = absolute / name
        path = f"{path}{name}/"
        if ignores.ignores(path[:-1], is_folder=True):
            return "", nothing
    above = _Folder(str(root), "", ignores=ignores, project=project, depth=0, root_namespace=namespace)
    return path, above


def _names_in(folder: Path) -> list[str]:
    try:
        return os.listdir(folder)  # noqa: PTH208 - names are wanted, not paths
    except OSError:
        return []


def _walk(folder: _Folder, *, rules: _Rules) -> Iterator[SourceFile | SkippedFile]:
    try:
        with os.scandir(folder.absolute) as entries:
            ordered = sorted(entries, key=_path_order)
    except OSError as error:
        yield SkippedFile(folder.path or "./", UNREADABLE, error.strerror or str(error))
        return
    names = {entry.name for entry in ordered}
    if folder.path and MANIFEST in names and is_export(folder.absolute):
        yield SkippedFile(folder.path, "written by ragduck")
        return
    ignores = folder.ignores
    if rules.gitignore and ".gitignore" in names:
        ignores = ignores.within(folder.absolute, path=rules.prefix + folder.path)
    project = project_in(folder.absolute, names=names) or folder.project
    namespace = root_namespace_in(folder.absolute, names=names, above=folder.root_namespace)
    tracked = _tracked(folder, names, rules=rules)
    here = replace(folder, ignores=ignores, project=project, tracked=tracked, root_namespace=namespace)
    for entry in ordered:
        if _is_folder(entry):
            yield from _walk_folder(entry, parent=here, siblings=names, rules=rules)
        else:
            yield _file(entry, folder=here, rules=rules)


def _tracked(folder: _Folder, names: set[str], *, rules: _Rules) -> TrackedFiles:
    """Ask a submodule, or any checkout within this one, for what it tracks itself."""
    if not folder.path or not rules.gitignore or ".git" not in names:
        return folder.tracked
    checkout = find_checkout(Path(folder.absolute))
    is_own = checkout is not None and checkout.top == Path(folder.absolute)
    return TrackedFiles(checkout, at=rules.prefix + folder.path) if is_own else folder.tracked


def _path_order(entry: os.DirEntry[str]) -> str:
    """Sort a folder as its files will sort, that is with the slash behind its name."""
    return f"{entry.name}/" if _is_folder(entry) else entry.name


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False


def _walk_folder(
    entry: os.DirEntry[str], *, parent: _Folder, siblings: set[str], rules: _Rules
) -> Iterator[SourceFile | SkippedFile]:
    path = f"{parent.path}{entry.name}/"
    reason = _folder_reason(entry, path=path, parent=parent, siblings=siblings, rules=rules)
    if reason is not None:
        yield SkippedFile(_printable(path), reason)
        return
    child = replace(
        parent,
        absolute=entry.path,
        path=path,
        depth=parent.depth + 1,
        is_ignored=_is_ignored(path, folder=parent, rules=rules),
    )
    yield from _walk(child, rules=rules)


def _is_ignored(path: str, *, folder: _Folder, rules: _Rules) -> bool:
    """Judge an entry by what git leaves out; nothing comes back that lies below an ignored folder."""
    is_folder = path.endswith("/")
    named = rules.prefix + path.removesuffix("/")
    return folder.is_ignored or folder.ignores.ignores(named, is_folder=is_folder)


def _folder_reason(
    entry: os.DirEntry[str], *, path: str, parent: _Folder, siblings: set[str], rules: _Rules
) -> str | None:
    if not _is_unicode(entry.name):
        return "file name is not unicode"
    unwanted = unwanted_folder(entry.name, siblings=siblings)
    if unwanted is not None:
        return unwanted
    ignored = _is_ignored(path, folder=parent, rules=rules)
    if ignored and not parent.tracked.has_below(rules.prefix + path):
        return "ignored by git"
    if rules.exclude is not None and rules.exclude.match_file(path):
        return "excluded"
    if parent.depth >= _MAX_DEPTH:
        return "too deep"
    return "virtual environment" if os.path.lexists(f"{entry.path}/pyvenv.cfg") else None


def _file(entry: os.DirEntry[str], *, folder: _Folder, rules: _Rules) -> SourceFile | SkippedFile:
    path = folder.path + entry.name
    try:
        status = entry.stat(follow_symlinks=False)
    except OSError as error:
        return SkippedFile(_printable(path), UNREADABLE, error.strerror or str(error))
    reason = _file_reason(entry, path=path, status=status, folder=folder, rules=rules)
    if reason is not None:
        return SkippedFile(_printable(path), reason)
    if status.st_size > rules.max_bytes:
        return SkippedFile(path, TOO_LARGE, f"{status.st_size} bytes")
    return SourceFile(
        path=path,
        absolute_path=entry.path,
        size=status.st_size,
        mtime_ns=status.st_mtime_ns,
        project=folder.project,
        ctime_ns=status.st_ctime_ns,
        root_namespace=folder.root_namespace if entry.name.lower().endswith(VISUAL_BASIC) else "",
    )


def _file_reason(
    entry: os.DirEntry[str], *, path: str, status: os.stat_result, folder: _Folder, rules: _Rules
) -> str | None:
    """Name the first reason that holds; those that say what the file is come after those that someone set."""
    if not _is_unicode(entry.name):
        return "file name is not unicode"
    ignored = _is_ignored(path, folder=folder, rules=rules)
    if ignored and not folder.tracked.has(rules.prefix + path):
        return "ignored by git"
    if rules.exclude is not None and rules.exclude.match_file(path):
        return "excluded"
    if stat.S_ISLNK(status.st_mode):
        return _link_reason(entry.path, root=rules.root)
    if not stat.S_ISREG(status.st_mode):
        return "special file"
    if rules.include is not None and not rules.include.match_file(path):
        return "not included"
    return unwanted_file(entry.name)


def _link_reason(path: str, *, root: str) -> str:
    """Tell links apart; none is followed, as what lies inside the root is walked under its own name."""
    try:
        target = os.path.realpath(path, strict=True)
    except OSError:
        return "broken symlink"
    is_inside = target == root or target.startswith(root.rstrip(os.sep) + os.sep)
    return "symlink" if is_inside else "symlink leaves the root"


def _is_unicode(name: str) -> bool:
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _printable(path: str) -> str:
    """Show bytes that are not UTF-8 as escapes, for the path is going to be printed and stored."""
    return path.encode("utf-8", errors="backslashreplace").decode("utf-8")
