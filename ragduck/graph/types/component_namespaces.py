"""Tell the namespaces of Blazor components: of a directive in the file or above it, else of the project.

Folders between what tells the namespace and the component are parts of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ragduck.facts import FileFacts
from ragduck.facts.files import PROJECT
from ragduck.graph.types.build_files import BUILD_FILES, build_files, taken_in

COMPONENT = ".razor"
DIRECTIVE = "namespace"
_IMPORTS = "_imports.razor"  # in any spelling
_PROPERTIES = BUILD_FILES[0]
_CALLED_AS_PROJECT = "$(MSBuildProjectName)"
_WITH_BLANKS = re.compile(r"\$\(MSBuildProjectName\.Replace\([^()]{1,40}\)\)")  # the default, written out
_NAMESPACE = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")


def component_namespaces(files: Mapping[str, FileFacts]) -> Mapping[str, str]:
    """Return the namespaces of the components whose project or directives are here, by path."""
    components = {
        path: file
        for path, file in files.items()
        if path.lower().endswith(COMPONENT) and file.language == "razor"
    }
    if not components:
        return {}
    directives = {path: name for path, file in components.items() for name in _directives(file)}
    given = {_folder(path): name for path, name in directives.items() if path.lower().endswith(_IMPORTS)}
    bases = _root_namespaces(files) | given  # imports in the folder of a project come before it
    found = {
        path: directives[path] if path in directives else _from_above(path, bases) for path in components
    }
    return {path: name for path, name in found.items() if name}


def _directives(file: FileFacts) -> Iterator[str]:
    """Yield the namespaces that a file says, of which the last one counts; empty where it is none, in templates."""
    for view in file.views:
        if view.how == DIRECTIVE:
            yield view.name if _NAMESPACE.fullmatch(view.name) else ""


def _from_above(path: str, bases: Mapping[str, str]) -> str:
    """Return what the folders above give to a component; imports above its project do not reach it."""
    folder = _folder(path)
    below: list[str] = []
    while True:
        if folder in bases:
            return ".".join((bases[folder], *reversed(below))) if bases[folder] else ""
        if not folder:
            return ""
        below.append(_identifier(folder.rpartition("/")[2]))
        folder = _folder(folder)


def _root_namespaces(files: Mapping[str, FileFacts]) -> dict[str, str]:
    """Return the root namespaces of projects by their folders, empty where it is written but not known."""
    above = build_files(files)
    found: dict[str, str] = {}
    for path, project in files.items():
        if path.lower().endswith(PROJECT) and project.module:
            written = project.module
            if written == _CALLED_AS_PROJECT:
                told = (one.module for one in taken_in(_PROPERTIES, above, project=project))
                written = next(filter(None, told), written)
            found.setdefault(_folder(path), _expanded(written, path=path))
    return found


def _expanded(written: str, *, path: str) -> str:
    name = path.rpartition("/")[2].rpartition(".")[0]
    text = _WITH_BLANKS.sub(lambda _: name.replace(" ", "_"), written).replace(_CALLED_AS_PROJECT, name)
    parts = [_identifier(part) for part in text.split(".")]
    return ".".join(parts) if all(parts) and not set("$()[]") & set(text) else ""


def _identifier(name: str) -> str:
    """Make a name an identifier as Razor does."""
    return re.sub(r"^(?=\d)|\W", "_", name)


def _folder(path: str) -> str:
    return path.rpartition("/")[0]
