"""Say what the build files above a project open in it: the nearest `Directory.Build.props` and `.targets`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ragduck.facts import FileFacts, Import
from ragduck.facts.files import PROJECT

BUILD_FILES = ("directory.build.props", "directory.build.targets")  # in any spelling


def is_build_file(path: str) -> bool:
    """Say whether MSBuild takes a file into the projects below it."""
    return path.rpartition("/")[2].lower() in BUILD_FILES


def opened_from_above(files: Mapping[str, FileFacts]) -> Iterator[tuple[FileFacts, Import]]:
    """Yield each project of C# with what the build files above it open in it."""
    found = build_files(files)
    projects = [file for path, file in files.items() if path.lower().endswith(PROJECT)] if found else []
    for project in projects:
        for name in BUILD_FILES:
            for file in taken_in(name, found, project=project):
                yield from ((project, one) for one in file.imports if one.is_global)


def build_files(files: Mapping[str, FileFacts]) -> Mapping[tuple[str, str], FileFacts]:
    """Return the build files of a snapshot by folder and name in lower case."""
    return {_place(path): file for path, file in files.items() if is_build_file(path)}


def _place(path: str) -> tuple[str, str]:
    folder, _, name = path.rpartition("/")
    return folder, name.lower()


def taken_in(
    name: str, found: Mapping[tuple[str, str], FileFacts], *, project: FileFacts
) -> Iterator[FileFacts]:
    """Yield the nearest build file of a name, and the next above it as long as each imports that."""
    folder = project.path
    while folder:
        folder = folder.rpartition("/")[0]
        file = found.get((folder, name))
        if file is not None:
            yield file
            if not any(one.name.lower() == name for one in file.imports if not one.is_global):
                return
