"""Find the actions that code and views link, post or redirect to, by their own names or by those of routes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ragduck.facts import Call, CallFact, Expression, FileFacts, Member, Name, New, Typed
from ragduck.graph.code.actions import ActionName, Actions, Elsewhere
from ragduck.graph.code.edges import EdgeCollector, Site
from ragduck.graph.code.nodes import file_key
from ragduck.graph.code.routes import Routes, Scene
from ragduck.graph.types.catalog import Catalog, TypeInfo
from ragduck.graph.types.chains import function_name, receiver_of

LINK = "link"
REDIRECT = "redirect"
ROUTE = "route"
SURE = 0.95


class _Form(NamedTuple):
    """What a call of some name is given: where the action or the route stands, and with what rule it counts."""

    position: int
    rule: str
    is_helper: bool = True  # called on `Url`, `Html` or `Ajax`, else on the controller itself


_ENDINGS = ("", "Permanent", "PreserveMethod", "PermanentPreserveMethod")
_ACTIONS = {
    "Action": _Form(0, LINK),
    "RenderAction": _Form(0, LINK),
    "BeginForm": _Form(0, LINK),
    "ActionLink": _Form(1, LINK),
    "CreatedAtAction": _Form(0, LINK, is_helper=False),
    "AcceptedAtAction": _Form(0, LINK, is_helper=False),
    **{f"RedirectToAction{one}": _Form(0, REDIRECT, is_helper=False) for one in _ENDINGS},
}
_ROUTES = {
    "RouteUrl": _Form(0, ROUTE),
    "HttpRouteUrl": _Form(0, ROUTE),
    "RouteLink": _Form(1, ROUTE),
    "Link": _Form(0, ROUTE),
    "BeginRouteForm": _Form(0, ROUTE),
    "CreatedAtRoute": _Form(0, ROUTE, is_helper=False),
    "AcceptedAtRoute": _Form(0, ROUTE, is_helper=False),
    **{f"RedirectToRoute{one}": _Form(0, ROUTE, is_helper=False) for one in _ENDINGS},
}
_FORMS = _ACTIONS | _ROUTES
_URLS = ("url", "urlhelper")
_HELPERS = (*_URLS, "html", "htmlhelper", "ajax", "ajaxhelper")
_SELF = frozenset(("this", "base"))


class Links:
    """Read what the code and the views of a snapshot lead to."""

    def __init__(self, catalog: Catalog, *, actions: Actions, routes: Routes) -> None:
        self._catalog = catalog
        self._actions = actions
        self._routes = routes

    def add_calls(self, edges: EdgeCollector) -> None:
        """Relate methods and views to the actions that their calls name.

        An action does nothing of what is done where it sends the browser to: that is a relation of its own.
        """
        for file in self._catalog.files_calling(_FORMS):
            if file.file_class == "test":
                continue
            in_view = self._actions.controller_of(file) if file.language == "razor" else None
            for fact in file.calls:
                form = _FORMS.get(function_name(fact.call))
                if form is None or not _is_meant(fact.call, form):
                    continue
                own = in_view or self._actions.own_of(fact.source)
                is_view = file.language == "razor"
                source, relation = (file_key(file.path), "Handles") if is_view else (fact.source, "LeadsTo")
                for key in self._reached(fact, form, file=file, own=own):
                    site = Site(file.path, fact.line)
                    edges.add(source, key, relation=relation, rule=form.rule, at=site, confidence=SURE)

    def add_tags(self, file: FileFacts, edges: EdgeCollector) -> None:
        """Relate a view to the actions that its tags name."""
        own = self._actions.controller_of(file)
        for fact in file.views:
            keys: Iterator[str] = iter(())
            if fact.how == "action":
                area, is_given, name = fact.name.rpartition("/")
                controller, _, action = name.rpartition(".")
                wanted = ActionName(controller, action, area if is_given else None)
                keys = self._actions.reached(wanted, file=file, own=own)
            elif fact.how == "route":
                keys = self._leading(fact.name, file=file)
            rule = LINK if fact.how == "action" else ROUTE
            for key in keys:
                site = Site(file.path, fact.line)
                edges.add(file_key(file.path), key, relation="Handles", rule=rule, at=site, confidence=SURE)

    def _reached(
        self, fact: CallFact, form: _Form, *, file: FileFacts, own: TypeInfo | None
    ) -> Iterator[str]:
        """Yield the action that a call names, itself or by its route."""
        scene = Scene(self._catalog, file, fact.source)
        call, name = fact.call, function_name(fact.call)
        given = _values(call, scene)
        if name in _ROUTES:
            route = scene.first(call, form.position, "routeName")
            wanted = ActionName(given.get("controller", ""), given.get("action", ""), given.get("area"))
            if route and not wanted.action:
                yield from self._leading(route, file=file)
                return
        else:
            at = 0 if name == "ActionLink" and _is_called(receiver_of(call), _URLS) else form.position
            wanted = ActionName(
                scene.first(call, at + 1, "controllerName", "controller") or given.get("controller", ""),
                scene.first(call, at, "actionName", "action") or given.get("action", ""),
                given.get("area"),
            )
        if wanted.action or wanted.controller:
            is_vague = any(_is_dictionary(one.value) for one in call.arguments)
            elsewhere: Elsewhere = "only" if is_vague else "nearest"
            yield from self._actions.reached(wanted, file=file, own=own, elsewhere=elsewhere)

    def _leading(self, route: str, *, file: FileFacts) -> Iterator[str]:
        key = self._routes.named(route, file=file)
        if key is not None:
            yield key


def _values(call: Call, scene: Scene) -> dict[str, str]:
    """Return the controller, action and area that the anonymous objects among the arguments name."""
    return {name: text for one in call.arguments for name, text in scene.values(one.value).items()}


def _is_dictionary(value: Expression) -> bool:
    """Say whether route values are given of which nothing is known, not even whether they name an area."""
    return (
        isinstance(value, (New, Typed))
        and value.type.rpartition(".")[2].rstrip("?") == "RouteValueDictionary"
    )


def _is_meant(call: Call, form: _Form) -> bool:
    """Say whether a call is one of the helper's, or the controller's own."""
    receiver = receiver_of(call)
    if form.is_helper:
        return _is_called(receiver, _HELPERS)
    return receiver is None or (isinstance(receiver, Name) and receiver.name in _SELF)


def _is_called(receiver: Expression | None, endings: tuple[str, ...]) -> bool:
    """Say whether a receiver is called like a helper, or is of a type that is: `_urlHelper`, `new UrlHelper(c)`."""
    if isinstance(receiver, (Typed, New)):
        return receiver.type.partition("<")[0].lower().rstrip("?").endswith(endings)
    return isinstance(receiver, (Name, Member)) and receiver.name.lower().endswith(endings)
