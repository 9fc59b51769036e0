"""Read the namespaces that a project opens in all its files, by its SDK and `Using` items, and its references.

Those of Visual Basic have `Import` items instead. Namespaces may stand in a `Directory.Build.props` or `.targets` for
all projects below it. A reference becomes a call `project-reference("../Shop.Core/Shop.Core.csproj")`. The root
namespace of a project of C#, which is that of its Razor components, is its module.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from ragduck.facts import (
    PROGRAM,
    Argument,
    Call,
    CallFact,
    FileFacts,
    Import,
    Name,
    StatementFacts,
    Text,
    ViewFact,
)
from ragduck.model import Document
from ragduck.parse.facts.xml_comments import without_comments

EXTENSION, VISUAL_BASIC = ".csproj", ".vbproj"
REFERENCE = "project-reference"
CALLED_AS_PROJECT = "$(MSBuildProjectName)"  # the root namespace that an SDK gives where none is written
BUILD_FILES = frozenset(("directory.build.props", "directory.build.targets"))
# What `ImplicitUsings` opens (learn.microsoft.com/dotnet/core/project-sdk/overview#implicit-using-directives).
_OF_ALL = (
    "System", "System.Collections.Generic", "System.IO", "System.Linq", "System.Net.Http", "System.Threading",
    "System.Threading.Tasks",
)  # fmt: skip
_OF_HOSTS = (
    "Microsoft.Extensions.Configuration", "Microsoft.Extensions.DependencyInjection",
    "Microsoft.Extensions.Hosting", "Microsoft.Extensions.Logging",
)  # fmt: skip
_OF_WEB = (
    "System.Net.Http.Json", "Microsoft.AspNetCore.Builder", "Microsoft.AspNetCore.Hosting",
    "Microsoft.AspNetCore.Http", "Microsoft.AspNetCore.Routing", *_OF_HOSTS,
)  # fmt: skip
_OF_SDK = {"microsoft.net.sdk.web": _OF_WEB, "microsoft.net.sdk.worker": _OF_HOSTS}

_SDK = re.compile(r"<Project\b[^<>]{0,500}?\bSdk\s*=\s*[\"']([^\"'<>]{1,200})[\"']")
_ROOT_NAMESPACE = re.compile(
    r"<RootNamespace\b[^<>]{0,300}(?<!/)>\s*(?P<name>[^<>\s][^<>]{0,300})</RootNamespace>"
)
_PROGRAM = re.compile(r"<OutputType>\s*Exe\s*</OutputType>", re.IGNORECASE)
# Web hosts, programs with windows, hosts of functions and of tests
_OTHER_PROGRAM = re.compile(
    r"<(?:UseWPF|UseWindowsForms|UseMaui|IsTestProject|AzureFunctionsVersion)>\s*(?!false)|Microsoft\.NET\.Test\.Sdk"
    r"|\bSdk\s*=\s*[\"'][^\"'<>]{0,100}(?:\.Web|BlazorWebAssembly|WindowsDesktop|Functions)\b",
    re.IGNORECASE,
)
_SWITCHED_OFF = re.compile(r"<ImplicitUsings>\s*(?:disable|false)\s*</ImplicitUsings>", re.IGNORECASE)
_USING = re.compile(r"<Using\s([^<>]{1,500})>")
_IMPORT = re.compile(r"<Import\s([^<>]{1,500})>|\bGet(?:PathOf|DirectoryNameOf)FileAbove\(([^()<>]{1,500})")
_REFERENCE = re.compile(r"<ProjectReference\s[^<>]{0,300}?\bInclude\s*=\s*[\"']([^\"'<>]{1,400})[\"']")
_OPENED = re.compile(r"<Import\s+Include\s*=\s*[\"']([\w.=]{1,200})[\"']")
_ATTRIBUTE = re.compile(r"\b(Include|Remove|Alias|Static)\s*=\s*[\"']([^\"'<>]{1,200})[\"']")


def facts_of_project(document: Document) -> FileFacts | None:
    """Return the namespaces that are open in all files of a project as imports, and its references as calls.

    None for other files, and where there are neither, nor a root namespace, and it becomes no program.

    Whether those of the SDK are opened may be said further up, in a `Directory.Build.props`: they count unless the
    project says no. Where they are not open, code that compiles does not lean on them. Such a file of the build has
    one import more, which is not global: the file of its name further up that it takes in, or else an empty name.
    """
    path = PurePosixPath(document.path)
    text = without_comments(document.text)
    calls: tuple[CallFact, ...] = ()
    if path.suffix.lower() == EXTENSION:
        imports = tuple(dict.fromkeys(_imports(text)))
    elif path.suffix.lower() == VISUAL_BASIC:
        imports = tuple(dict.fromkeys(_opened_in_basic(text)))
    elif path.name.lower() in BUILD_FILES:
        above = path.name if _takes_in(path.name, text) else ""
        imports = (Import(above), *dict.fromkeys(_imports(text)))
    else:
        return None
    views: tuple[ViewFact, ...] = ()
    if path.suffix.lower() in (EXTENSION, VISUAL_BASIC):
        views = tuple(_program(text))
        calls = tuple(_references(text, path=document.path))
    root_namespace = _root_namespace(text, path) if path.suffix.lower() != VISUAL_BASIC else ""
    if not imports and not calls and not root_namespace and not views:
        return None
    return FileFacts(
        document.path,
        "csharp",
        document.file_class,
        document.project,
        document.last_line,
        imports=imports,
        views=views,
        statements=StatementFacts(calls=calls),
        module=root_namespace,
    )


def _program(text: str) -> Iterator[ViewFact]:
    """Tell of a project that becomes a program for the command line, or for what runs such at times."""
    found = _PROGRAM.search(text)
    if found is not None and _OTHER_PROGRAM.search(text) is None:
        yield ViewFact("", PROGRAM, text.count("\n", 0, found.start()) + 1)


def _root_namespace(text: str, path: PurePosixPath) -> str:
    """Return the root namespace as it is written, with the variables of MSBuild; empty where none is told.

    Only projects of an SDK can have components.
    """
    is_project = path.suffix.lower() == EXTENSION
    if is_project and _SDK.search(text) is None:
        return ""
    written = _ROOT_NAMESPACE.search(text)
    if written is not None:
        return written["name"].strip()
    return CALLED_AS_PROJECT if is_project else ""


def _references(text: str, *, path: str) -> Iterator[CallFact]:
    for written in dict.fromkeys(_REFERENCE.findall(text)):
        for name in _listed(written):
            call = Call(Name(REFERENCE), (Argument(Text(name.replace("\\", "/"))),))
            yield CallFact(f"file:{path}|FILE", call, 1)


def _opened_in_basic(text: str) -> Iterator[Import]:
    """Yield the namespaces that all files of a project of Visual Basic open: `<Import Include="System.Data" />`."""
    for item in _OPENED.findall(text):
        alias, equals, name = item.partition("=")
        yield Import(name if equals else alias, alias=alias if equals else "", is_global=True)


def _takes_in(name: str, text: str) -> bool:
    """Say whether a file of the build imports the one of its name further up, by its path or by looking for it."""
    return any(name.lower() in "".join(found).lower() for found in _IMPORT.findall(text))


def _imports(text: str) -> Iterator[Import]:
    items = [dict(_ATTRIBUTE.findall(item)) for item in _USING.findall(text)]
    removed = {name for item in items for name in _listed(item.get("Remove", ""))}
    sdk = _SDK.search(text)
    if sdk is not None and not _SWITCHED_OFF.search(text):
        names = (*_OF_ALL, *_OF_SDK.get(sdk[1].partition("/")[0].lower(), ()))
        yield from (Import(name, is_global=True) for name in names if name not in removed)
    for item in items:
        is_static = item.get("Static", "").lower() == "true"
        for name in _listed(item.get("Include", "")):
            yield Import(name, item.get("Alias", ""), is_static=is_static, is_global=True)


def _listed(names: str) -> Iterator[str]:
    """Yield the items of a list of MSBuild."""
    yield from (name.strip() for name in names.split(";") if name.strip())
