"""Members that controllers, pages and views have of base classes which no snapshot declares."""

from __future__ import annotations

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


def member_of_framework(catalog: Catalog, name: str, *, owner: TypeInfo | None) -> TypeRef | None:
    """Return the type of a member that a type inherits from a controller, page or view of the framework."""
    held = MEMBERS.get(name)
    if held is None or owner is None:
        return None
    bases = (ref.name for ref in catalog.ancestors(owner) if ref.info is None)
    return TypeRef(held) if any(base.endswith(BASES) for base in bases) else None
