"""Relate what a module of DotNetNuke registers, and who leads to its controls: `EditUrl("Moderate")`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from ragduck.facts import BUSINESS_CONTROLLER, MODULE_CONTROL, Call, FileFacts
from ragduck.graph.code.edges import EdgeCollector, Site
from ragduck.graph.code.nodes import file_key
from ragduck.graph.code.routes import Scene
from ragduck.graph.code.senders import called
from ragduck.graph.types.catalog import Catalog
from ragduck.graph.types.chains import argument, function_name
from ragduck.graph.types.expressions import Evaluators
from ragduck.graph.types.form_paths import FormPaths, FoundForm

EDIT = "EditUrl"
NAVIGATE = frozenset(("NavigateURL", "NavigateUrl"))
LEADING = NAVIGATE | {EDIT}
SURE = 0.8
_UNSAID = "Edit"  # the control to which EditUrl leads unless it is given a key
_FIRST = 4  # arguments of NavigateURL, among which the key is


class _Control(NamedTuple):
    """A control that a manifest registers under a key."""

    manifest: FileFacts
    key: str
    form: FoundForm
    line: int


def add_module_controls(catalog: Catalog, forms: FormPaths, edges: EdgeCollector) -> None:
    """Add what manifests register, and the calls that lead there."""
    controls = tuple(_controls(catalog, forms))
    for one in controls:
        edges.add(
            file_key(one.manifest.path), file_key(one.form.path), relation="Uses", rule=MODULE_CONTROL,
            at=Site(one.manifest.path, one.line), confidence=one.form.confidence,
        )  # fmt: skip
    _add_business_controllers(catalog, edges)
    if controls:
        _add_calls(catalog, controls, edges)


def _controls(catalog: Catalog, forms: FormPaths) -> Iterator[_Control]:
    for file in catalog.files.values():
        for fact in file.views if file.language == "xml" else ():
            if fact.how == MODULE_CONTROL:
                key, _, path = fact.name.partition(" ")
                found = forms.installed(path, file=file)
                if found is not None:
                    yield _Control(file, key, found, fact.line)


def _add_business_controllers(catalog: Catalog, edges: EdgeCollector) -> None:
    """Add the classes that the platform makes for a module: to search it, to import and to upgrade it."""
    for file in catalog.files.values():
        for fact in file.views if file.language == "xml" else ():
            key = f"csharp:{fact.name}|TYPE"
            if fact.how == BUSINESS_CONTROLLER and key in catalog.types:
                site = Site(file.path, fact.line)
                edges.add(file_key(file.path), key, relation="Uses", rule=BUSINESS_CONTROLLER, at=site)


def _add_calls(catalog: Catalog, controls: tuple[_Control, ...], edges: EdgeCollector) -> None:
    own: defaultdict[tuple[str | None, str], set[str]] = defaultdict(set)  # forms by project and key
    anywhere: defaultdict[str, set[str]] = defaultdict(set)
    for one in controls:
        own[one.manifest.project, one.key.lower()].add(one.form.path)
        anywhere[one.key.lower()].add(one.form.path)
    with_manifest = {one.manifest.project for one in controls}
    for file in catalog.files_calling(LEADING):
        evaluators = Evaluators(catalog, file)
        for fact in file.calls if file.file_class != "test" else ():
            if function_name(fact.call) not in LEADING:
                continue
            key = _key(fact.call, Scene(catalog, file, fact.source)).lower()
            is_own = file.project in with_manifest  # what it does not register is of the platform
            found = (own.get((file.project, key)) if is_own else anywhere.get(key)) if key else None
            is_only = found is not None and len(found) == 1
            if found and is_only and called(fact.call, evaluators.within(fact.source)) is None:
                edges.add(
                    fact.source, file_key(next(iter(found))), relation="LeadsTo", rule=MODULE_CONTROL,
                    at=Site(file.path, fact.line), confidence=SURE,
                )  # fmt: skip


def _key(call: Call, scene: Scene) -> str:
    """Return the key of a control that a call is given, "" where it is not told."""
    count = len(call.arguments)
    if function_name(call) == EDIT:
        if count in (0, 2):
            return _UNSAID
        return scene.text(argument(call, 0 if count == 1 else 2, name="controlKey")) or ""
    texts = (scene.text(argument(call, place, name="controlKey")) for place in range(min(count, _FIRST)))
    return next((text for text in texts if text is not None), "")
