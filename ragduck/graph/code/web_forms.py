"""Relate Web Forms to what stands behind them: classes, methods that handle events, other forms, data sources."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ragduck.facts import ADDRESS, FileFacts, MemberFact
from ragduck.graph.code.edges import EdgeCollector, Site
from ragduck.graph.code.friendly_urls import FriendlyUrls
from ragduck.graph.code.http_handlers import ANSWERING, add_registered
from ragduck.graph.code.module_controls import add_module_controls
from ragduck.graph.code.nodes import file_key
from ragduck.graph.code.redirects import LINK, add_linked, add_loaded, add_redirects, add_written
from ragduck.graph.types.catalog import Catalog, TypeInfo
from ragduck.graph.types.form_paths import FormPaths
from ragduck.model import Graph

LANGUAGE = "webforms"
PAGE = "page"  # which browsers ask for, other than controls and master pages
FORMS = ("layout", "control", "include")  # how one form names another, beside links
WEB_METHODS = frozenset(("WebMethod", "ScriptMethod"))
CODE_BEHIND, EVENT, WIRED = "code-behind", "event handler", "page event"
DATA_SOURCE, WEB_METHOD = "data source", "web method"

HANDLES = {"handles": EVENT, "handles own": WIRED}

_WIRED = re.compile(r"(?:Page|Application|Session)_\w+")
_OVERRIDDEN = re.compile(
    r"On(?:PreInit|Init|PreLoad|Load|PreRender|Unload|Error)\w*|Render|CreateChildControls"
)


class Handler(NamedTuple):
    """A method that the server calls for a form: by what rule, and on which line the form says so.

    ``path`` is that of the file of the method where its own clause says it.
    """

    method: MemberFact
    rule: str
    line: int
    path: str = ""


def web_form_graph(catalog: Catalog) -> Graph:
    """Return the edges of all Web Forms; their nodes are those of the code."""
    edges = EdgeCollector()
    files = tuple(web_forms(catalog))
    forms = FormPaths((file.path for file in files), catalog.files)
    friendly = FriendlyUrls(catalog, forms)
    finders = {**dict.fromkeys(FORMS, forms.find), LINK: forms.requested, ADDRESS: friendly.page}
    for file in files:
        for info, line in classes_behind(catalog, file):
            _handle(file, info.key, rule=CODE_BEHIND, line=line, edges=edges)
        for handler in handlers(catalog, file):
            site = Site(handler.path or file.path, handler.line)
            edges.add(file_key(file.path), handler.method.key, relation="Handles", rule=handler.rule, at=site)
        _add_sources(catalog, file, edges=edges)
        for fact in file.views:
            finder = finders.get(fact.how)
            found = finder(fact.name, file=file) if finder is not None else None
            if found is not None and found.path != file.path:
                site = Site(file.path, fact.line)
                rule = LINK if fact.how == ADDRESS else fact.how
                edges.add(
                    file_key(file.path), file_key(found.path), relation="Uses", rule=rule, at=site,
                    confidence=found.confidence,
                )  # fmt: skip
            control = catalog.resolve(fact.name, file=file).info if fact.how == "server control" else None
            if control is not None:
                _use(file, control.key, rule=fact.how, line=fact.line, edges=edges)
    add_redirects(catalog, forms, friendly, edges)
    add_loaded(catalog, forms, edges)
    if files:
        add_linked(catalog, forms, friendly, edges)
        add_written(catalog, forms, edges)
        add_module_controls(catalog, forms, edges)
    add_registered(catalog, edges)
    return Graph(edges=edges.edges())


def web_forms(catalog: Catalog) -> Iterator[FileFacts]:
    """Yield the forms, and the files of handlers, which have the code in them, in order of their paths."""
    for path in sorted(catalog.files):
        file = catalog.files[path]
        if file.language == LANGUAGE or (file.views and any(fact.how == "class" for fact in file.views)):
            yield file


def classes_behind(catalog: Catalog, file: FileFacts) -> Iterator[tuple[TypeInfo, int]]:
    """Yield the class that a form derives from or stands for, with the line that says so."""
    for fact in file.views:
        if fact.how in ("inherits", "class"):
            info = catalog.resolve(fact.name, file=file, owner=own_type(catalog, file)).info
            if info is not None:
                yield info, fact.line


def handlers(catalog: Catalog, file: FileFacts) -> Iterator[Handler]:
    """Yield the methods that the server calls for a form.

    Events that attributes name may be handled by any class that the form derives from; what is called by its name, or
    overrides what the framework calls, counts for the class behind the form alone, as bases would for all forms. Web
    sites have classes of one name in several folders: what stands in the folder of the form is meant, if any.
    """
    behind = tuple(classes_behind(catalog, file))
    own = own_type(catalog, file)
    is_wired = any(fact.how == "wired" for fact in file.views)
    for info, line in (*behind, *(((own, 1),) if own is not None else ())):
        for name, members in info.members.items():
            if _is_called(name, members, is_wired=is_wired):
                yield from (Handler(one, WIRED, line) for one in _beside(catalog, file, info, members))
            elif any(map(is_web_method, members)):
                beside = _beside(catalog, file, info, members)
                yield from (Handler(one, WEB_METHOD, line) for one in beside if is_web_method(one))
        for clause in _handling(catalog, info):
            yield from (clause for _ in _beside(catalog, file, info, [clause.method]))
    for fact in file.views:
        if fact.how == "event" and own is not None:
            found = [one for one in catalog.members(own, fact.name) if one.kind == "METHOD"]
            yield from (Handler(one, EVENT, fact.line) for one in found)


def roles_in_forms(catalog: Catalog) -> Mapping[str, str]:
    """Return the roles of pages, of the classes behind forms and of what servers and browsers call, by their keys."""
    roles: dict[str, str] = {}
    for file in web_forms(catalog):
        own = own_type(catalog, file)
        if own is not None and own.declarations[0].element_type == PAGE:
            roles[own.key] = "CONTROLLER"
        roles.update((info.key, "CONTROLLER") for info, _ in classes_behind(catalog, file))
        roles.update((one.method.key, "ACTION") for one in handlers(catalog, file))
    roles.update((key, "ACTION") for key in _web_methods(catalog))
    return roles


def _web_methods(catalog: Catalog) -> Iterator[str]:
    """Yield the keys of methods that browsers call by name: `[WebMethod]` of services and pages."""
    for file in catalog.files.values():
        for member in file.members if file.language in ("csharp", LANGUAGE) else ():
            if is_web_method(member):
                yield member.key


def is_web_method(member: MemberFact) -> bool:
    """Say whether a method of a service or page is one that browsers call by name."""
    marks = {mark.name.rpartition(".")[2] for mark in member.attributes}
    return member.kind == "METHOD" and not WEB_METHODS.isdisjoint(marks)


def own_type(catalog: Catalog, file: FileFacts) -> TypeInfo | None:
    """Return the type that a form is itself."""
    return catalog.types.get(file.types[0].key) if file.language == LANGUAGE and file.types else None


def _handling(catalog: Catalog, info: TypeInfo) -> Iterator[Handler]:
    """Yield the methods of which a `Handles` clause of Visual Basic says what they handle."""
    for file in info.files:
        for fact in file.views:
            rule = HANDLES.get(fact.how)
            for method in info.members.get(fact.name, ()) if rule is not None else ():
                if method.line == fact.line and catalog.home_of(method) is file:
                    yield Handler(method, rule or EVENT, fact.line, file.path)


def _is_called(name: str, members: Sequence[MemberFact], *, is_wired: bool) -> bool:
    if name in ANSWERING or (is_wired and _WIRED.fullmatch(name)):
        return True
    return _OVERRIDDEN.fullmatch(name) is not None and any("override" in one.modifiers for one in members)


def _beside(
    catalog: Catalog, file: FileFacts, info: TypeInfo, members: Sequence[MemberFact]
) -> Iterator[MemberFact]:
    """Yield the methods among members that the class of a form has, though another folder may have such a class."""
    folder = posixpath.dirname(file.path)
    is_here = any(posixpath.dirname(one.path) == folder for one in info.files)
    for member in members:
        is_own = posixpath.dirname(catalog.home_of(member).path) == folder
        if member.kind == "METHOD" and (is_own or not is_here):
            yield member


def _handle(file: FileFacts, key: str, *, rule: str, line: int, edges: EdgeCollector) -> None:
    edges.add(file_key(file.path), key, relation="Handles", rule=rule, at=Site(file.path, line))


def _use(file: FileFacts, key: str, *, rule: str, line: int, edges: EdgeCollector) -> None:
    edges.add(file_key(file.path), key, relation="Uses", rule=rule, at=Site(file.path, line))


def _add_sources(catalog: Catalog, file: FileFacts, *, edges: EdgeCollector) -> None:
    """Add the methods that object data sources call."""
    own = own_type(catalog, file)
    for fact in file.views if own is not None else ():
        if fact.how != DATA_SOURCE:
            continue
        type_, _, name = fact.name.rpartition(".")
        info = catalog.resolve(type_, file=file, owner=own).info
        for method in catalog.members(info, name) if info is not None else ():
            if method.kind == "METHOD" and own is not None:
                site = Site(file.path, fact.line)
                edges.add(own.key, method.key, relation="Calls", rule=DATA_SOURCE, at=site)
