"""Relate methods to the forms that they name: to which they send the browser, and controls that they load."""

from __future__ import annotations

import re

from ragduck.facts import Call, Expression, Joined, Member, Text
from ragduck.graph.code.edges import EdgeCollector, Site
from ragduck.graph.code.form_paths import FormPaths
from ragduck.graph.code.nodes import file_key
from ragduck.graph.code.routes import Scene
from ragduck.graph.types.catalog import Catalog
from ragduck.graph.types.chains import argument, function_name

RESOLVERS = frozenset(("ResolveUrl", "ResolveClientUrl"))
REDIRECTS = frozenset(("Redirect", "RedirectPermanent", "Transfer"))
LOADING = "LoadControl"
REDIRECT, CONTROL = "redirect", "control"
CONTROLS = ".ascx"

_ADDRESS = re.compile(r"[^?#:]{1,300}?\.(?:aspx|ashx)\b", re.IGNORECASE)


def add_redirects(catalog: Catalog, forms: FormPaths, edges: EdgeCollector) -> None:
    """Add the forms to which methods send the browser, or hand the request on."""
    for file in catalog.files_calling(REDIRECTS):
        for fact in file.calls if file.file_class != "test" else ():
            function, arguments = fact.call.function, fact.call.arguments
            if not isinstance(function, Member) or function.name not in REDIRECTS or not arguments:
                continue
            found = forms.find(_address(arguments[0].value), file=file)
            if found is not None:
                site = Site(file.path, fact.line)
                edges.add(
                    fact.source, file_key(found.path), relation="LeadsTo", rule=REDIRECT, at=site,
                    confidence=found.confidence,
                )  # fmt: skip


def add_loaded(catalog: Catalog, forms: FormPaths, edges: EdgeCollector) -> None:
    """Add the controls that methods load by their paths: `LoadControl("~/Controls/Pager.ascx")`."""
    for file in catalog.files_calling((LOADING,)):
        for fact in file.calls if file.file_class != "test" else ():
            if function_name(fact.call) != LOADING:
                continue
            written = Scene(catalog, file, fact.source).text(argument(fact.call, 0, name="virtualPath")) or ""
            found = forms.find(written, file=file) if written.lower().endswith(CONTROLS) else None
            if found is not None:
                site = Site(file.path, fact.line)
                edges.add(
                    fact.source, file_key(found.path), relation="Uses", rule=CONTROL, at=site,
                    confidence=found.confidence,
                )  # fmt: skip


def _address(value: Expression) -> str:
    """Return the path in an address; what follows something else, such as the root of the site, counts from there."""
    if isinstance(value, Call) and function_name(value) in RESOLVERS and value.arguments:
        value = value.arguments[0].value
    parts = value.parts if isinstance(value, Joined) else (value,)
    for part in parts:
        found = _ADDRESS.match(part.value) if isinstance(part, Text) else None
        if found is not None and (part is parts[0] or found[0].startswith("/")):
            return found[0]
    return ""
