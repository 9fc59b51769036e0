"""Know the paths that code serves: routes of controllers and of minimal APIs, with the methods that answer."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from ragduck.facts import Attribute, Call, CallFact, FileFacts, Lambda, MemberFact, Typed
from ragduck.graph.code.actions import ENDING, routed_name
from ragduck.graph.code.application_services import made_controllers_in, service_methods
from ragduck.graph.code.areas import Areas
from ragduck.graph.code.endpoints import HANDLED, handlers, is_of_framework
from ragduck.graph.code.roles import actions_of, ancestor_names, is_controller, is_page
from ragduck.graph.code.route_calls import areas_in
from ragduck.graph.code.route_marks import route_marks
from ragduck.graph.code.routes import ANY, Scene
from ragduck.graph.types.catalog import Catalog, TypeInfo
from ragduck.graph.types.chains import argument, function_name, inward, receiver_of
from ragduck.graph.types.declarations import family_of
from ragduck.graph.types.expressions import Evaluators

NUMBER, GUID, REST = "{number}", "{guid}", "{*}"  # segments that are parameters, as is ANY
VERBS = ("get", "post", "put", "patch", "delete", "head")
_VERB_MARK = re.compile(r"Http(Get|Post|Put|Patch|Delete|Head)", re.IGNORECASE)
_GROUP = re.compile(r"RouteGroupBuilder\??")
_PARAMETER = re.compile(r"\{[^{}]*\}")
_NUMBERED = re.compile(r"\{[^{}:]*:(?:int|long)\b[^{}]*\}")
_IDENTIFIED = re.compile(r"\{[^{}:]*:guid\b[^{}]*\}")
_IS_NUMBER = re.compile(r"-?\d+")
_IS_GUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
BASE = re.compile(
    r"api|rest|odata|services?|v\d[\w.]*"
)  # what the address of a service may end with by itself
_WEB_API = "ApiController"
_SERVICE = "DnnApiController"  # of a module of DotNetNuke, the name of whose folder stands in the path
_SERVICE_ROOTS = (("api", ANY), ("desktopmodules", ANY, "api"))
_NOT_SERVED = frozenset(("NonAction", "ChildActionOnly"))
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
    project: str | None = None


class ServedPaths:
    """Paths that are served, to be asked for."""

    def __init__(self, served: Iterable[Served]) -> None:
        self._by_rarest: defaultdict[str, list[Served]] = defaultdict(list)
        self._by_last: defaultdict[str, list[Served]] = defaultdict(list)
        self._answers: dict[tuple[str, Path], Sequence[Served]] = {}
        served = tuple(dict.fromkeys(served))
        counts = Counter(literal for one in served for literal in _literals(one.path))
        for one in served:
            literals = _literals(one.path)
            needed = _literals(one.path._replace(segments=one.path.segments[: -one.path.optional or None]))
            if needed:
                self._by_rarest[min(needed, key=lambda literal: counts[literal])].append(one)
                for literal in {needed[-1], literals[-1]}:
                    self._by_last[literal].append(one)

    def answering(self, verb: str, path: Path) -> Sequence[Served]:
        """Return who answers a request: those whose paths say most of it."""
        if (verb, path) not in self._answers:
            self._answers[verb, path] = self._find(verb, path)
        return self._answers[verb, path]

    def _find(self, verb: str, path: Path) -> Sequence[Served]:
        best: list[Served] = []
        most = 0
        places = self._by_last if path.is_open else self._by_rarest
        for literal in dict.fromkeys(path.segments):
            for one in places.get(literal, ()) if literal != ANY else ():
                found = _matched(path, one.path) if not verb or one.verb in ("", verb) else 0
                if found > most:
                    best, most = [], found
                if found and found == most:
                    best.append(one)
        return best


class RouteReader:
    """Read the routes of a snapshot."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._areas = Areas(catalog)

    def read(self) -> Iterator[Served]:
        """Yield the paths that controllers, services that are made controllers, and minimal APIs serve."""
        yield from self._of_controllers()
        for one in service_methods(self._catalog):
            yield Served(one.verb, Path(one.segments), one.method.key, one.project)
        yield from self._mapped()

    def _of_controllers(self) -> Iterator[Served]:
        for info in self._catalog.types.values():
            if family_of(info.language) != "csharp" or info.files[0].file_class == "test":
                continue
            is_abstract = "abstract" in info.declarations[0].modifiers
            if not is_abstract and is_controller(self._catalog, info) and not is_page(self._catalog, info):
                bases = (ref.info for ref in self._catalog.ancestors(info))
                lineage = [info, *(one for one in bases if one is not None and not one.is_interface)]
                prefixes = self._prefixes(lineage)
                for one in lineage if prefixes is not None else ():
                    for action in actions_of(self._catalog, one):
                        yield from self._of_action(info, action, prefixes or ())

    def _prefixes(self, lineage: Sequence[TypeInfo]) -> Sequence[tuple[str, bool]] | None:
        """Return the templates of a controller, else of the nearest base that has some; None if not known.

        With each goes whether it serves what has no template of its own, as `[RoutePrefix]` does not.
        """
        for one in lineage:
            found = [
                (_text(mark, Scene(self._catalog, file, one.key)), _name(mark) == "Route")
                for declared, file in zip(one.declarations, one.files, strict=True)
                for mark in route_marks(declared.attributes, Scene(self._catalog, file, one.key))
                if _name(mark) in ("Route", "RoutePrefix")
            ]
            if found:
                known = [(text, serves) for text, serves in found if text is not None]
                return known if len(known) == len(found) else None
        return ()

    def _of_action(
        self, info: TypeInfo, action: MemberFact, prefixes: Sequence[tuple[str, bool]]
    ) -> Iterator[Served]:
        if any(_name(mark) in _NOT_SERVED for mark in action.attributes):
            return
        pairs = _pairs(action, Scene(self._catalog, self._catalog.home_of(action), action.key))
        controller = info.name.removesuffix(ENDING).lower()
        for verb, template in pairs:
            if template is None:
                continue
            own = [prefix for prefix, serves in prefixes if serves or template]
            if own or template:
                for prefix in own or ("",):
                    path = _template(
                        _joined(prefix, template), controller, routed_name(action, catalog=self._catalog)
                    )
                    yield Served(verb, path, action.key, info.files[0].project)
            else:
                yield from self._by_convention(info, action, verb, controller)

    def _by_convention(
        self, info: TypeInfo, action: MemberFact, verb: str, controller: str
    ) -> Iterator[Served]:
        project = info.files[0].project
        bases = ancestor_names(self._catalog, info)
        if _WEB_API in bases:
            told = verb or next((one for one in VERBS if action.name.lower().startswith(one)), "post")
            key = next((one for one in action.parameters if one.name.lower() == "id"), None)
            is_left_out = key is not None and (key.is_optional or key.type.endswith("?"))
            segments = ("api", controller, *((ANY,) if key is not None else ()))
            yield Served(told, Path(segments, optional=int(is_left_out)), action.key, project)
            return
        name = routed_name(action, catalog=self._catalog)
        if _SERVICE in bases:
            for root in _SERVICE_ROOTS:
                yield Served(verb, Path((*root, controller, name, ANY), optional=1), action.key, project)
            return
        area = self._areas.of_type(info).lower()
        segments = (*((area,) if area else ()), controller, name, ANY)
        yield Served(verb, Path(segments, optional=1 + (name == _INDEX)), action.key, project)

    def _mapped(self) -> Iterator[Served]:
        look = self._catalog.watch.all_in
        for file in self._catalog.files_calling(HANDLED):
            yield from look(file, partial(_mapped_in, self._catalog, file))


def served_in(catalog: Catalog, file: FileFacts) -> Iterator[object]:
    """Yield what the statements of a file say of the paths that are served."""
    yield from _mapped_in(catalog, file)
    yield from areas_in(catalog, file)
    yield from made_controllers_in(file)


def _mapped_in(catalog: Catalog, file: FileFacts) -> Iterator[Served]:
    """Yield what `group.MapGet("{id}", GetOrder)` serves."""
    if file.file_class == "test" or family_of(file.language) != "csharp":
        return
    evaluators = Evaluators(catalog, file)
    for fact in file.calls:
        evaluator = evaluators.within(fact.source)
        if function_name(fact.call) not in HANDLED or not is_of_framework(fact.call, evaluator):
            continue
        path = _mapped_path(fact, Scene(catalog, file, fact.source))
        verb = function_name(fact.call).removeprefix("Map").lower()
        if path is None or verb not in VERBS:
            continue
        for one in fact.call.arguments:
            keys = [fact.source] if isinstance(one.value, Lambda) else handlers(one.value, evaluator)
            yield from (Served(verb, path, key, file.project) for key in keys)


def _mapped_path(fact: CallFact, scene: Scene) -> Path | None:
    parts = [scene.text(argument(fact.call, 0, name="pattern"))]
    is_open = False
    for one in inward(receiver_of(fact.call) or fact.call):
        if isinstance(one, Call) and function_name(one) == "MapGroup":
            parts.insert(0, scene.text(argument(one, 0, name="prefix")))
        elif isinstance(one, Typed):
            is_open = _GROUP.fullmatch(one.type.rpartition(".")[2]) is not None
    known = [part for part in parts if part is not None]
    return _template("/".join(known), "", "")._replace(is_open=is_open) if len(known) == len(parts) else None


def _name(mark: Attribute) -> str:
    return mark.name.rpartition(".")[2]


def _text(mark: Attribute, scene: Scene) -> str | None:
    """Return the template of `[HttpGet("{id}")]` or `[Route(template: "…")]`, "" without one, None if not known."""
    given = mark.arguments[:1]
    if not given or given[0].name not in ("", "template"):
        return ""
    return scene.text(given[0].value)


def _pairs(action: MemberFact, scene: Scene) -> Sequence[tuple[str, str | None]]:
    """Return the verbs of an action, each with its template: those that have none go with the ones of `[Route]`."""
    pairs: list[tuple[str, str | None]] = []
    verbs: list[str] = []
    templates: list[str | None] = []
    for mark in route_marks(action.attributes, scene):
        verb = _VERB_MARK.fullmatch(_name(mark))
        if verb is not None and (text := _text(mark, scene)) != "":
            pairs.append((verb[1].lower(), text))
        elif verb is not None:
            verbs.append(verb[1].lower())
        elif _name(mark) == "AcceptVerbs":
            verbs += [(scene.text(one.value) or "").lower() for one in mark.arguments if not one.name]
        elif _name(mark) == "Route":
            templates.append(_text(mark, scene))
    pairs += [(verb, template) for template in templates for verb in verbs or ("",)]
    if not templates:
        pairs += [(verb, "") for verb in verbs] or ([] if pairs else [("", "")])
    return tuple(dict.fromkeys(pairs))


def _joined(prefix: str, template: str) -> str:
    return template if template.startswith(("/", "~")) else f"{prefix}/{template}"


def path_of_template(written: str) -> Path:
    """Read a template that stands alone, such as that of `@page`."""
    return _template(written, "", "")


def _template(written: str, controller: str, action: str) -> Path:
    """Read a template of a route: `api/[controller]/{id:int}`."""
    segments: list[str] = []
    optional = 0
    for part in written.lstrip("~").lower().split("/"):
        segment = part.replace("[controller]", controller).replace("[action]", action)
        if segment:
            may_be_left_out = segment.endswith("?}") or ("=" in segment and segment.endswith("}"))
            optional = optional + 1 if may_be_left_out else 0
            segments.append(_segment(segment))
    return Path(tuple(segments), optional=optional)


def _segment(written: str) -> str:
    if _PARAMETER.fullmatch(written) is None:
        return _PARAMETER.sub(ANY, written)
    if written.startswith("{*"):
        return REST
    if _NUMBERED.fullmatch(written):
        return NUMBER
    return GUID if _IDENTIFIED.fullmatch(written) else ANY


def _literals(path: Path) -> Sequence[str]:
    return [segment for segment in path.segments if "{" not in segment]


def _matched(asked: Path, served: Path) -> int:
    """Return how many segments two paths say alike, 0 where one does not fit the other."""
    most = 0
    for left_out in range(served.optional + 1):
        segments = served.segments[: len(served.segments) - left_out]
        own = asked.segments
        if segments[-1:] == (REST,) and not asked.is_open:
            segments = segments[:-1]
            own = own[: max(len(segments), 0)]
        shared = min(len(segments), len(own)) if asked.is_open and not served.is_open else len(segments)
        if len(own) < shared or (len(own) > shared and not served.is_open):
            continue
        before, end = segments[: len(segments) - shared], segments[len(segments) - shared :]
        found = _alike(own[len(own) - shared :], end)
        if asked.is_open and found < 2 and not all(map(BASE.fullmatch, before)):
            continue  # a word at the end of an unknown address
        most = max(most, found)
    return most


def _alike(asked: Sequence[str], served: Sequence[str]) -> int:
    """Return how many segments are the same, 0 where one does not fit."""
    literals = 0
    for mine, theirs in zip(asked, served, strict=True):
        if mine == theirs and mine != ANY:
            literals += 1
        elif not _fits(mine, theirs):
            return 0
    return literals


def _fits(asked: str, served: str) -> bool:
    if "{" not in served:
        return False
    if asked == ANY:
        return _PARAMETER.fullmatch(served) is not None
    if served == NUMBER:
        return _IS_NUMBER.fullmatch(asked) is not None
    if served == GUID:
        return _IS_GUID.fullmatch(asked) is not None
    before, _, after = served.partition(ANY)
    return served in (ANY, REST) or (asked.startswith(before) and asked.endswith(after.rpartition("}")[2]))
