"""Know what answers at the paths of files: web services, methods of pages, and handlers."""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from ragduck.facts import FileFacts
from ragduck.graph.code.http_handlers import ANYWHERE, answering_methods, registered
from ragduck.graph.code.web_forms import classes_behind, is_web_method, own_type, web_forms
from ragduck.graph.types.catalog import Catalog, TypeInfo
from ragduck.graph.types.form_paths import SURE, FormPaths

HANDLER, SERVICE, PAGE = ".ashx", ".asmx", ".aspx"


class Answer(NamedTuple):
    """The keys of the methods that answer; it is sure where the path is that from the folder or the root."""

    keys: frozenset[str]
    is_sure: bool


class ServedFiles:
    """The files that answer requests, each with its methods by their names in lower case, "" for the file itself."""

    def __init__(self, catalog: Catalog) -> None:
        self._methods: defaultdict[str, defaultdict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
        for file in web_forms(catalog):
            for name, key in _served_by(catalog, file):
                self._methods[file.path][name].add(key)
        self._anywhere: defaultdict[str, set[str]] = defaultdict(set)
        for one in registered(catalog):
            if one.path:
                self._register(one.path, {method.key for method in answering_methods(catalog, one.info)})
        self._names = {posixpath.basename(path).lower() for path in self._methods}
        self._paths = FormPaths(self._methods, catalog.files)

    def _register(self, path: str, keys: set[str]) -> None:
        """Note what answers at a path, or at a name in all folders; of others with a star nothing is known."""
        name = posixpath.basename(path).removeprefix(ANYWHERE).lower()
        if ANYWHERE not in path:
            self._methods[path][""] |= keys
        elif ANYWHERE not in name and name[:1].isalnum():
            self._anywhere[name] |= keys

    def answering(self, path: str, *, file: FileFacts, is_open: bool) -> Answer | None:
        """Return what answers at a path that a file names; an open one begins behind something unknown.

        A relative path counts from the folder of the file or, as scripts stand in folders of their own, from the
        root.
        """
        place, _, method = path.rpartition("/")
        if posixpath.basename(place).lower() not in self._names:
            place, method = path, ""
        anywhere = self._anywhere.get(posixpath.basename(place).lower())
        if anywhere:
            return Answer(frozenset(anywhere), is_sure=not is_open)
        if posixpath.basename(place).lower() not in self._names:
            return None
        rooted = "/" + place.replace("../", "").lstrip("./")
        found = None if is_open else self._paths.find(place, file=file)
        found = found or self._paths.find(rooted, file=file)
        keys = self._methods[found.path].get(method.lower()) if found is not None else None
        if found is None or not keys:
            return None
        return Answer(frozenset(keys), is_sure=not is_open and found.confidence == SURE)


def _served_by(catalog: Catalog, file: FileFacts) -> Iterator[tuple[str, str]]:
    """Yield the names by which a file serves methods, with their keys."""
    ending = posixpath.splitext(file.path)[1].lower()
    for info, _ in classes_behind(catalog, file):
        if ending == HANDLER:
            yield from (("", one.key) for one in answering_methods(catalog, info))
        elif ending in (SERVICE, PAGE):
            yield from _web_methods(catalog, info, is_page=ending == PAGE)
    own = own_type(catalog, file)
    if own is not None and ending == PAGE:
        yield from _web_methods(catalog, own, is_page=True)


def _web_methods(catalog: Catalog, info: TypeInfo, *, is_page: bool) -> Iterator[tuple[str, str]]:
    """Yield the web methods that a type has or inherits; those of a page are static."""
    for one in (info, *(ref.info for ref in catalog.inherited(info))):
        for name, members in one.members.items() if one is not None else ():
            for member in members:
                if is_web_method(member) and (not is_page or member.modifiers & {"static", "shared"}):
                    yield name.lower(), member.key
