"""Know the paths that code serves: routes of controllers and of minimal APIs, with the methods that answer."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ragduck.facts import Attribute, Call, CallFact, FileFacts, Lambda, MemberFact, Typed
from ragduck.graph.code.actions import ENDING, routed_name
from ragduck.graph.code.endpoints import HANDLED, handlers, is_of_framework
from ragduck.graph.code.roles import actions_of, ancestor_names, is_controller, is_page
from ragduck.graph.code.routes import Scene
from ragduck.graph.types.catalog import Catalog, TypeInfo
from ragduck.graph.types.chains import argument, function_name, inward, receiver_of
from ragduck.graph.types.declarations import family_of
from ragduck.graph.types.expressions import Evaluators

ANY = "*"  # a segment that is a parameter, or of which nothing is known
VERBS = ("get", "post", "put", "patch", "delete", "head")
_VERB_MARK = re.compile(r"Http(Get|Post|Put|Patch|Delete|Head)", re.IGNORECASE)
_PREFIXES = frozenset(("Route", "RoutePrefix"))
_GROUPS = re.compile(r"(?:I?EndpointRouteBuilder|RouteGroupBuilder)\??")
_WEB_API = "ApiController"
_INDEX = "index"


class Path(NamedTuple):
    """Segments of a path in lower case; one that is open begins behind others that are not known.

    Of what is served, ``optional`` segments at the end may be left out.
    """

    segments: tuple[str, ...]
    is_open: bool = False
    optional: int = 0


class Served(NamedTuple):
    """A path, and the key of the method that answers; an empty verb stands for all of them."""

    verb: str
    path: Path
    key: str


class ServedPaths:
    """The paths of a snapshot."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._by_literal: defaultdict[str, list[Served]] = defaultdict(list)
        for one in (*self._of_controllers(), *self._mapped()):
            for literal in set(one.path.segments) - {ANY}:
                self._by_literal[literal].append(one)

    def answering(self, verb: str, path: Path) -> frozenset[str]:
        """Return the keys of the methods that answer a request: those whose paths say most of it."""
        best: set[str] = set()
        most = 0
        for literal in set(path.segments) - {ANY}:
            for one in self._by_literal.get(literal, ()):
                found = _matched(path, one.path) if not verb or one.verb in ("", verb) else 0
                if found > most:
                    best, most = set(), found
                if found and found == most:
                    best.add(one.key)
        return frozenset(best)

    def _of_controllers(self) -> Iterator[Served]:
        for info in self._catalog.types.values():
            if family_of(info.language) != "csharp" or info.files[0].file_class == "test":
                continue
            if is_controller(self._catalog, info) and not is_page(self._catalog, info):
                prefixes = self._prefixes(info)
                for action in actions_of(self._catalog, info):
                    yield from self._of_action(info, action, prefixes)

    def _prefixes(self, info: TypeInfo) -> Sequence[str]:
        """Return the templates of a controller, else of the nearest base that has some."""
        bases = (ref.info for ref in self._catalog.ancestors(info) if ref.info is not None)
        for one in (info, *bases):
            found = [
                text
                for declared, file in zip(one.declarations, one.files, strict=True)
                for mark in declared.attributes
                if mark.name in _PREFIXES
                for text in self._texts(mark, Scene(self._catalog, file, one.key))
            ]
            if found:
                return found
        return ()

    def _of_action(self, info: TypeInfo, action: MemberFact, prefixes: Sequence[str]) -> Iterator[Served]:
        scene = Scene(self._catalog, self._catalog.home_of(action), action.key)
        verbs: list[str] = []
        templates: list[str] = []
        for mark in action.attributes:
            verb = _VERB_MARK.fullmatch(mark.name)
            verbs += [verb[1].lower()] if verb else []
            templates += self._texts(mark, scene) if verb or mark.name == "Route" else []
        controller = info.name.removesuffix(ENDING).lower()
        if prefixes or templates:
            paths = [
                _template(_joined(prefix, template), controller, routed_name(action))
                for prefix in prefixes or ("",)
                for template in templates or ("",)
            ]
        elif _WEB_API in ancestor_names(self._catalog, info):
            verbs = verbs or [verb for verb in VERBS if action.name.lower().startswith(verb)][:1]
            paths = [Path(("api", controller, ANY), optional=1)]
        else:
            name = routed_name(action)
            paths = [Path((controller, name, ANY), is_open=True, optional=1 + (name == _INDEX))]
        for path in paths:
            yield from (Served(verb, path, action.key) for verb in verbs or ("",))

    @staticmethod
    def _texts(mark: Attribute, scene: Scene) -> Iterator[str]:
        """Yield the template of `[HttpGet("{id}")]` and `[Route(template: "orders")]`."""
        for one in mark.arguments[:1]:
            text = scene.text(one.value) if one.name in ("", "template") else None
            if text is not None:
                yield text

    def _mapped(self) -> Iterator[Served]:
        """Yield what `group.MapGet("{id}", GetOrder)` serves."""
        for file in self._catalog.files_calling(HANDLED):
            if file.file_class == "test" or family_of(file.language) != "csharp":
                continue
            evaluators = Evaluators(self._catalog, file)
            for fact in file.calls:
                evaluator = evaluators.within(fact.source)
                if function_name(fact.call) not in HANDLED or not is_of_framework(fact.call, evaluator):
                    continue
                path = self._mapped_path(fact, file)
                verb = function_name(fact.call).removeprefix("Map").lower()
                for one in fact.call.arguments if path is not None else ():
                    keys = [fact.source] if isinstance(one.value, Lambda) else handlers(one.value, evaluator)
                    for key in keys:
                        if path is not None:
                            yield Served(verb if verb in VERBS else "", path, key)

    def _mapped_path(self, fact: CallFact, file: FileFacts) -> Path | None:
        scene = Scene(self._catalog, file, fact.source)
        pattern = scene.text(argument(fact.call, 0, name="pattern"))
        if pattern is None:
            return None
        groups: list[str] = []
        is_open = False
        for one in inward(receiver_of(fact.call) or fact.call):
            if isinstance(one, Call) and function_name(one) == "MapGroup":
                groups.insert(0, scene.text(argument(one, 0, name="prefix")) or "{unknown}")
            elif isinstance(one, Typed) and not groups:
                is_open = _GROUPS.fullmatch(one.type) is not None
        return _template("/".join((*groups, pattern)), "", "")._replace(is_open=is_open)


def _joined(prefix: str, template: str) -> str:
    if template.startswith(("/", "~")):
        return template
    return f"{prefix}/{template}"


def _template(written: str, controller: str, action: str) -> Path:
    """Read a template of a route: `api/[controller]/{id:int}`."""
    segments = []
    optional = 0
    for written_segment in written.lstrip("~").lower().split("/"):
        segment = written_segment.replace("[controller]", controller).replace("[action]", action)
        if not segment:
            continue
        if "{" in segment or "[" in segment:
            optional = optional + 1 if segment.endswith("?}") or "=" in segment or "{*" in segment else 0
            segments.append(ANY)
        else:
            optional = 0
            segments.append(segment)
    return Path(tuple(segments), optional=optional)


def _matched(asked: Path, served: Path) -> int:
    """Return how many segments two paths say alike, 0 where one does not fit the other."""
    most = 0
    for left_out in range(served.optional + 1):
        segments = served.segments[: len(served.segments) - left_out]
        shared = len(segments)
        if asked.is_open and not served.is_open:
            shared = min(shared, len(asked.segments))
            if ANY in segments[: len(segments) - shared]:
                continue
        if len(asked.segments) < shared or (len(asked.segments) > shared and not served.is_open):
            continue
        most = max(
            most, _alike(asked.segments[len(asked.segments) - shared :], segments[len(segments) - shared :])
        )
    return most


def _alike(asked: Sequence[str], served: Sequence[str]) -> int:
    pairs = list(zip(asked, served, strict=True))
    if any(mine not in (ANY, theirs) for theirs, mine in pairs):
        return 0
    return sum(mine != ANY for _, mine in pairs)
