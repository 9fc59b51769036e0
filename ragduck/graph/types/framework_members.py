"""Members that controllers, pages and views have of base classes which no snapshot declares."""

from __future__ import annotations

from ragduck.facts import FileFacts
from ragduck.graph.types.catalog import Catalog
from ragduck.graph.types.declarations import TypeInfo, TypeRef

VIEW_HELPERS = {"Html": "HtmlHelper", "Url": "UrlHelper", "Ajax": "AjaxHelper"}  # members of every Razor view
BASES = (
    "Controller", "ControllerBase", "PageModel", "ViewComponent", "RazorPage", "ViewPage",
)  # fmt: skip
MEMBERS = {
    "ControllerContext": "ControllerContext",
    "HttpContext": "HttpContext",
    "ModelState": "ModelStateDictionary",
    "PageContext": "PageContext",
    "Request": "HttpRequest",
    "Response": "HttpResponse",
    "RouteData": "RouteData",
    "Session": "HttpSessionState",
    "TempData": "TempDataDictionary",
    "Url": "UrlHelper",
    "User": "ClaimsPrincipal",
    "ViewBag": "dynamic",
    "ViewData": "ViewDataDictionary",
}


VIEW = ".cshtml"  # a component of Blazor has none of these


def member_of_framework(
    catalog: Catalog, name: str, *, file: FileFacts, owner: TypeInfo | None
) -> TypeRef | None:
    """Return the type of a member that a type inherits from a controller or page of the framework, or a view has."""
    if file.path.lower().endswith(VIEW):
        held = VIEW_HELPERS.get(name) or MEMBERS.get(name)
        return TypeRef(held) if held is not None else None
    held = MEMBERS.get(name)
    if held is None or owner is None:
        return None
    bases = (ref.name for ref in catalog.ancestors(owner) if ref.info is None)
    return TypeRef(held) if any(base.endswith(BASES) for base in bases) else None
