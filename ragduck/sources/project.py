"""Name the project that a folder's files belong to."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Collection
from pathlib import PurePath

from ragduck.sources.languages import extension_of
from ragduck.sources.regular_file import read_small_text
from ragduck.sources.unwanted import PROJECT_EXTENSIONS
from ragduck.untrusted_json import read_json

_MAX_NAME_LENGTH = 200
_VISUAL_BASIC = "vbproj"
_ROOT_NAMESPACE = re.compile(r"<RootNamespace\s*(?:/>|>\s*([\w.]{0,200})\s*</RootNamespace>)")
_SDK = re.compile(r"<Project\b[^<>]{0,500}?\bSdk\s*=")
_MAX_PROJECT = 2_000_000  # bytes; old projects name each of their files
_GO_MODULE = re.compile(r"^module[ \t]+\"?([^\s\"]+)", re.MULTILINE)
_MAVEN_ARTIFACT = re.compile(r"<artifactId>([^<]{1,200})</artifactId>")


def may_name_project(name: str) -> bool:
    """Tell whether a file of this name may declare a project."""
    return name in _MANIFESTS or extension_of(name) in PROJECT_EXTENSIONS


def project_in(folder: str, *, names: Collection[str]) -> str | None:
    """Return the project that a file directly in ``folder`` declares; a broken file declares none."""
    stems = sorted(PurePath(name).stem for name in names if extension_of(name) in PROJECT_EXTENSIONS)
    if stems and stems[0]:
        return stems[0]
    for manifest, declared_name in _MANIFESTS.items():
        if manifest in names:
            name = _declared(f"{folder}/{manifest}", declared_name)
            if name is not None:
                return name
    return None


def root_namespace_in(folder: str, *, names: Collection[str], above: str) -> str:
    """Return what stands before all names of the Visual Basic in a folder; ``above`` holds where it has no project.

    A project that does not say it has none, unless it is one of an SDK: then it is called as the project is.
    """
    projects = sorted(name for name in names if extension_of(name) in PROJECT_EXTENSIONS)
    if not projects:
        return above
    basic = next((name for name in projects if extension_of(name) == _VISUAL_BASIC), None)
    text = read_small_text(f"{folder}/{basic}", limit=_MAX_PROJECT) if basic is not None else None
    if text is None:
        return ""
    written = _ROOT_NAMESPACE.search(text)
    if written is not None:
        return written[1] or ""
    return PurePath(basic or "").stem.replace(" ", "_") if _SDK.search(text) else ""


def _declared(path: str, declared_name: Callable[[str], object]) -> str | None:
    text = read_small_text(path)
    if text is None:
        return None
    try:
        name = declared_name(text)
    except (ValueError, RecursionError):  # of TOML, too
        return None
    if not isinstance(name, str) or not name.strip().isprintable():
        return None
    return name.strip()[:_MAX_NAME_LENGTH] or None


def _npm_name(text: str) -> object:
    package = read_json(text)
    return package.get("name") if isinstance(package, dict) else None


def _python_name(text: str) -> object:
    project = tomllib.loads(text).get("project")
    return project.get("name") if isinstance(project, dict) else None


def _go_name(text: str) -> object:
    match = _GO_MODULE.search(text)
    return match[1] if match else None


def _maven_name(text: str) -> object:
    """Find the artifact's own name, which is not the one of its parent."""
    before, _, rest = text.partition("<parent>")
    match = _MAVEN_ARTIFACT.search(before + rest.partition("</parent>")[2])
    return match[1] if match else None


_MANIFESTS: dict[str, Callable[[str], object]] = {
    "package.json": _npm_name,
    "pyproject.toml": _python_name,
    "go.mod": _go_name,
    "pom.xml": _maven_name,
}
