"""Know the handlers and modules of ASP.NET: what a `Web.config` registers, and what answers requests."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ragduck.facts import HTTP_HANDLER, HTTP_MODULE, FileFacts, MemberFact
from ragduck.graph.code.edges import EdgeCollector, Site
from ragduck.graph.code.nodes import file_key
from ragduck.graph.types.catalog import Catalog, TypeInfo
from ragduck.graph.types.declarations import family_of

RULES = {HTTP_HANDLER: "http handler", HTTP_MODULE: "http module"}
ANSWERING = ("ProcessRequest", "ProcessRequestAsync", "BeginProcessRequest")
BASES = frozenset(("IHttpHandler", "IHttpAsyncHandler", "HttpTaskAsyncHandler"))
CONFIG = "web.config"
ANYWHERE = "*"  # begins a path that is served in all folders


class Registered(NamedTuple):
    """A handler or module that a configuration names, on a line; ``path`` is what a handler serves, in full."""

    file: FileFacts
    info: TypeInfo
    how: str
    line: int
    path: str = ""


def registered(catalog: Catalog) -> Iterator[Registered]:
    """Yield the handlers and modules of the snapshot that configurations name."""
    for file in catalog.files.values():
        if posixpath.basename(file.path).lower() != CONFIG:
            continue
        for fact in file.views:
            type_, _, path = fact.name.partition(" ")
            info = catalog.resolve(type_, file=file).info if fact.how in RULES else None
            if info is not None:
                served = posixpath.join(posixpath.dirname(file.path), path.lstrip("~/")) if path else ""
                yield Registered(file, info, fact.how, fact.line, served)


def add_registered(catalog: Catalog, edges: EdgeCollector) -> None:
    """Relate configurations to the handlers and modules that they register, and to what the server calls of these."""
    for one in registered(catalog):
        methods = (
            answering_methods(catalog, one.info) if one.how == HTTP_HANDLER else _begun(catalog, one.info)
        )
        for key in (one.info.key, *(method.key for method in methods)):
            site = Site(one.file.path, one.line)
            edges.add(file_key(one.file.path), key, relation="Handles", rule=RULES[one.how], at=site)


def answering_methods(catalog: Catalog, info: TypeInfo) -> Iterator[MemberFact]:
    """Yield the methods by which a handler answers, own or inherited."""
    for name in ANSWERING:
        yield from _method(catalog, info, name)


def roles_of_handler(catalog: Catalog, info: TypeInfo) -> Mapping[str, str]:
    """Return the roles of a class that handles requests, and of the methods by which it does, by their keys."""
    if info.is_interface or info.is_test or family_of(info.language) != "csharp":
        return {}
    if not any(ref.info is None and ref.name in BASES for ref in catalog.ancestors(info)):
        return {}
    methods = [one.key for one in answering_methods(catalog, info)]
    return {**dict.fromkeys((info.key,) if methods else (), "CONTROLLER"), **dict.fromkeys(methods, "ACTION")}


def _begun(catalog: Catalog, info: TypeInfo) -> Iterator[MemberFact]:
    """Yield the method that the server calls of a module."""
    yield from _method(catalog, info, "Init")


def _method(catalog: Catalog, info: TypeInfo, name: str) -> Iterator[MemberFact]:
    """Yield the method of a name that a type has or inherits, also one that implements an interface explicitly."""
    for one in (info, *(ref.info for ref in catalog.inherited(info))):
        members = one.members.get(name) or one.explicit.get(name) if one is not None else None
        if members:
            yield from (member for member in members[:1] if member.kind == "METHOD")
            return
