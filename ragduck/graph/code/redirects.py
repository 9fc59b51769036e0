"""Relate methods to the forms that they name: to which they send the browser, and controls that they load."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator
from typing import NamedTuple

from ragduck.facts import (
    ADDRESSES,
    OPENED_FORM,
    Call,
    CallFact,
    Choice,
    Expression,
    FileFacts,
    Joined,
    Member,
    Name,
    Text,
    Typed,
)
from ragduck.graph.code.edges import EdgeCollector, Site
from ragduck.graph.code.friendly_urls import FriendlyUrls
from ragduck.graph.code.nodes import file_key
from ragduck.graph.code.routes import Scene
from ragduck.graph.code.senders import arguments_for, called
from ragduck.graph.types import libraries
from ragduck.graph.types.catalog import Catalog
from ragduck.graph.types.chains import argument, function_name, last_name
from ragduck.graph.types.declarations import family_of
from ragduck.graph.types.expressions import Evaluators
from ragduck.graph.types.form_paths import FormPaths
from ragduck.graph.types.included_forms import WEB_FORMS
from ragduck.graph.types.methods import best_overload

RESOLVERS = frozenset(("ResolveUrl", "ResolveClientUrl"))
TRANSFER = "Transfer"
EXECUTE = "Execute"  # of a server, and of much else
REDIRECTS = frozenset(("Redirect", "RedirectPermanent", TRANSFER, EXECUTE))
WRITING = frozenset(
    (
        *("Write", "WriteLine", "Append", "AppendLine", "AppendFormat"),
        *("RegisterStartupScript", "RegisterClientScriptBlock"),
    )
)
LOADING = "LoadControl"
REDIRECT, CONTROL, LINK = "redirect", "control", "link"
CONTROLS = ".ascx"
_MAX_ROUNDS = 4  # a method that hands its address to a method that hands it on

_ADDRESS = re.compile(r"[^?#:]{1,300}?\.(?:aspx|ashx)\b", re.IGNORECASE)
_ATTRIBUTE = re.compile(
    r"""(?<![\w.-])(?:href|action|src)\s*+=\s*+["']?(?P<path>[^"'?#<>\s:]{1,300}?\.(?:aspx|ashx))\b""",
    re.IGNORECASE,
)


class Sending(NamedTuple):
    """A call that sends the browser to an address."""

    file: FileFacts
    fact: CallFact
    address: Expression


def add_redirects(catalog: Catalog, forms: FormPaths, friendly: FriendlyUrls, edges: EdgeCollector) -> None:
    """Add the forms to which methods send the browser, or hand the request on."""
    for file, fact, address in _Redirects(catalog).sendings():
        scene = Scene(catalog, file, fact.source)
        for option in address.options if isinstance(address, Choice) else (address,):
            found = forms.requested(_address(option, scene), file=file)
            found = found or friendly.led_to(_resolved(option), scene)
            if found is not None:
                site = Site(file.path, fact.line)
                edges.add(
                    fact.source, file_key(found.path), relation="LeadsTo", rule=REDIRECT, at=site,
                    confidence=found.confidence,
                )  # fmt: skip


class _Redirects:
    """Find what redirects, also through methods that hand an address of their callers on."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._places: defaultdict[str, set[tuple[int, int]]] = defaultdict(set)

    def sendings(self) -> Iterator[Sending]:
        """Yield the calls that redirect, those of the framework first."""
        fresh = list(self._of_framework())
        for _ in range(_MAX_ROUNDS):
            yield from fresh
            names = {name for sending in fresh for name in self._note(sending)}
            fresh = list(self._through(names)) if names else []

    def _of_framework(self) -> Iterator[Sending]:
        for file in self._catalog.files_calling(REDIRECTS):
            for fact in file.calls if file.file_class != "test" else ():
                function = fact.call.function
                if isinstance(function, Member) and _redirects(function) and fact.call.arguments:
                    name = "path" if function.name in (TRANSFER, EXECUTE) else "url"
                    yield Sending(file, fact, argument(fact.call, 0, name=name))

    def _note(self, sending: Sending) -> Iterator[str]:
        """Note the method around a call if it is given the address; yield its name if that is new."""
        address = _resolved(sending.address)
        owner = self._catalog.owner_of(sending.fact.source)
        name = sending.fact.source.rpartition("|")[0].rpartition(".")[2]
        for member in owner.members.get(name, ()) if owner is not None and isinstance(address, Typed) else ():
            names = [one.name for one in member.parameters]
            is_around = (
                member.key == sending.fact.source and member.line <= sending.fact.line <= member.end_line
            )
            is_around = is_around and self._catalog.home_of(member) is sending.file
            if is_around and isinstance(address, Typed) and address.name in names:
                place = (len(names), names.index(address.name))
                if place not in self._places[member.key]:
                    self._places[member.key].add(place)
                    yield name

    def _through(self, names: Collection[str]) -> Iterator[Sending]:
        """Yield the calls of methods that redirect to what they are given."""
        for file in self._catalog.files_calling(names):
            evaluators = Evaluators(self._catalog, file)
            for fact in file.calls if file.file_class != "test" else ():
                if function_name(fact.call) not in names:
                    continue
                found = called(fact.call, evaluators.within(fact.source))
                if found is None:
                    continue
                method = best_overload(found, count=len(fact.call.arguments), generic=0)
                for count, place in sorted(self._places.get(method.key, ())):
                    if count == len(method.parameters):
                        given = arguments_for(fact.call, method, place=place, is_extension=found.is_extension)
                        yield from (Sending(file, fact, one) for one in given)


def add_linked(catalog: Catalog, forms: FormPaths, friendly: FriendlyUrls, edges: EdgeCollector) -> None:
    """Add the forms to which methods let controls lead: `link.NavigateUrl = "~/Orders/Edit.aspx"`."""
    for file in catalog.files.values():
        if family_of(file.language) != "csharp" or file.file_class == "test":
            continue
        if not (file.language == WEB_FORMS or catalog.opens(file, libraries.WEB_CONTROLS)):
            continue
        for string in file.statements.unpacked().strings:
            if string.assigned_to not in ADDRESSES:
                continue
            scene = Scene(catalog, file, string.source)
            address = _address(string.value, scene)
            found = forms.requested(address, file=file) if address else None
            found = found or friendly.led_to(_resolved(string.value), scene)
            if found is not None:
                edges.add(
                    string.source, file_key(found.path), relation="LeadsTo", rule=LINK,
                    at=Site(file.path, string.line), confidence=found.confidence,
                )  # fmt: skip


def add_written(catalog: Catalog, forms: FormPaths, edges: EdgeCollector) -> None:
    """Add the forms to which markup and scripts lead that methods write: `Write("<a href='Edit.aspx?id=")`."""
    for file in catalog.files_calling(WRITING):
        is_of_web = file.language == WEB_FORMS or catalog.opens(file, libraries.WEB)
        for fact in file.calls if is_of_web and file.file_class != "test" else ():
            if function_name(fact.call) not in WRITING:
                continue
            names = (name for one in fact.call.arguments for name in _written_links(one.value))
            found = (forms.requested(name, file=file) for name in dict.fromkeys(names))
            for form in filter(None, found):
                edges.add(
                    fact.source, file_key(form.path), relation="LeadsTo", rule=LINK,
                    at=Site(file.path, fact.line), confidence=form.confidence,
                )  # fmt: skip


def _written_links(value: Expression) -> Iterator[str]:
    """Yield the paths in the attributes and scripts of a text."""
    for part in value.parts if isinstance(value, Joined) else (value,):
        if isinstance(part, Text) and ".as" in part.value.lower():
            for pattern in (_ATTRIBUTE, OPENED_FORM):
                yield from (match["path"] for match in pattern.finditer(part.value))


def add_loaded(catalog: Catalog, forms: FormPaths, edges: EdgeCollector) -> None:
    """Add the controls that methods load by their paths: `LoadControl("~/Controls/Pager.ascx")`."""
    for file in catalog.files_calling((LOADING,)):
        for fact in file.calls if file.file_class != "test" else ():
            if function_name(fact.call) != LOADING:
                continue
            given = _resolved(argument(fact.call, 0, name="virtualPath"))
            written = Scene(catalog, file, fact.source).text(given) or ""
            found = forms.find(written, file=file) if written.lower().endswith(CONTROLS) else None
            if found is not None:
                site = Site(file.path, fact.line)
                edges.add(
                    fact.source, file_key(found.path), relation="Uses", rule=CONTROL, at=site,
                    confidence=found.confidence,
                )  # fmt: skip


def _address(value: Expression, scene: Scene) -> str:
    """Return the path in an address; what follows something else, such as the root of the site, counts from there."""
    value = _resolved(value)
    if isinstance(value, (Name, Member)):
        value = Text(scene.text(value) or "")
    parts = value.parts if isinstance(value, Joined) else (value,)
    for part in parts:
        found = _ADDRESS.match(part.value) if isinstance(part, Text) else None
        if found is not None and (part is parts[0] or found[0].startswith("/")):
            return found[0]
    return ""


def _redirects(function: Member) -> bool:
    """Say whether what is called sends the browser elsewhere; much is executed that is no page."""
    is_server = function.name != EXECUTE or last_name(function.receiver) in ("Server", "HttpServerUtility")
    return function.name in REDIRECTS and is_server


def _resolved(value: Expression) -> Expression:
    """Return what is resolved to an address: the argument of `ResolveUrl`."""
    if isinstance(value, Call) and function_name(value) in RESOLVERS and value.arguments:
        return value.arguments[0].value
    return value
