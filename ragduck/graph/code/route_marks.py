"""Read route attributes of one's own as those of the framework: `[ApiRoute]` derives from `[Route("…")]`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from ragduck.facts import UNKNOWN, Argument, Attribute, MemberFact, New, Text
from ragduck.graph.code.routes import Scene
from ragduck.graph.types.attributes import ENDING, attribute_type
from ragduck.graph.types.catalog import Catalog, TypeInfo
from ragduck.graph.types.declarations import is_interface_name
from ragduck.graph.types.literals import text_of
from ragduck.graph.types.methods import accepts

MARKS = re.compile(r"Route|RoutePrefix|AcceptVerbs|Http(?:Get|Post|Put|Patch|Delete|Head)")
_PROVIDERS = frozenset(("IRouteTemplateProvider", "IActionHttpMethodProvider"))
_TEMPLATE, _METHODS = "Template", "HttpMethods"
_MAX_DEPTH = 5  # attributes that derive from attributes
_UNKNOWN = Argument(UNKNOWN)

Texts = Mapping[str, str]


def route_marks(marks: Sequence[Attribute], scene: Scene) -> Sequence[Attribute]:
    """Return attributes with those of the framework in place of such of one's own that derive from them."""
    return [one for mark in marks for one in _meant(mark, scene)]


def _meant(mark: Attribute, scene: Scene) -> Iterator[Attribute]:
    owner = scene.catalog.owner_of(scene.source)
    if not MARKS.fullmatch(mark.name.rpartition(".")[2]):
        info = attribute_type(scene.catalog, mark.name, file=scene.file, owner=owner).info
        if info is not None:
            yield from _of_own(scene.catalog, info, _texts(mark.arguments, scene, {}), depth=_MAX_DEPTH)
            return
    yield mark


def _of_own(
    catalog: Catalog, info: TypeInfo, given: Sequence[tuple[str, str | None]], *, depth: int
) -> Iterator[Attribute]:
    """Yield what an attribute of the system stands for when it is given such texts."""
    made = _constructor(info, len(given))
    bound = _bound(catalog, made, given) if made is not None else {}
    base = next((ref for ref in catalog.bases(info) if not is_interface_name(ref.name)), None)
    handed = made.handed_on if made is not None and made.hands_to == "base" else ()
    scene = Scene(catalog, catalog.home_of(made) if made is not None else info.files[0], info.key)
    name = base.name.removesuffix(ENDING) if base is not None and base.info is None else ""
    if MARKS.fullmatch(name):
        texts = [text for _, text in _texts(handed, scene, bound)]
        yield Attribute(name, tuple(_argument(text) for text in texts))
    elif base is not None and base.info is not None and depth and _TEMPLATE not in info.members:
        yield from _of_own(catalog, base.info, _texts(handed, scene, bound), depth=depth - 1)
    elif any(ref.name in _PROVIDERS for ref in catalog.ancestors(info)):
        yield from _of_members(info, made, scene, bound)


def _of_members(info: TypeInfo, made: MemberFact | None, scene: Scene, bound: Texts) -> Iterator[Attribute]:
    """Yield what the members say that the framework asks for: `Template` and `HttpMethods`."""
    set_ = [one.value for one in made.assignments if one.member == _TEMPLATE] if made is not None else []
    values = set_ or [one.value for one in info.members.get(_TEMPLATE, ())]
    template = [_argument(_text(Argument(values[0]), scene, bound))] if values else []
    if _METHODS not in info.members:
        yield Attribute("Route", tuple(template))
    for member in info.members.get(_METHODS, ()):
        for one in member.value.arguments if isinstance(member.value, New) else ():
            verb = (_text(one, scene, bound) or "").capitalize()
            if MARKS.fullmatch(f"Http{verb}"):
                yield Attribute(f"Http{verb}", tuple(template))


def _constructor(info: TypeInfo, count: int) -> MemberFact | None:
    made = [one for one in info.members.get(info.name, ()) if one.element_type == "constructor"]
    return next((one for one in made if accepts(one, count)), None)


def _bound(catalog: Catalog, made: MemberFact, given: Sequence[tuple[str, str | None]]) -> Texts:
    """Return the texts of parameters, as far as they are known."""
    scene = Scene(catalog, catalog.home_of(made), made.key)
    told = {name: text for name, text in given if name}
    in_order = [text for name, text in given if not name]
    texts: dict[str, str] = {}
    for position, one in enumerate(made.parameters):
        text = in_order[position] if position < len(in_order) else scene.text(one.default)
        text = told.get(one.name, text)
        if text is not None:
            texts[one.name] = text
    return texts


def _texts(arguments: Sequence[Argument], scene: Scene, bound: Texts) -> list[tuple[str, str | None]]:
    """Return names and texts of what a constructor is given; properties are set beside it."""
    taken = [one for one in arguments if not one.name[:1].isupper()]
    return [(one.name, _text(one, scene, bound)) for one in taken]


def _text(one: Argument, scene: Scene, bound: Texts) -> str | None:
    return text_of(one.value, catalog=scene.catalog, file=scene.file, source=scene.source, parameters=bound)


def _argument(text: str | None) -> Argument:
    return Argument(Text(text)) if text is not None else _UNKNOWN
