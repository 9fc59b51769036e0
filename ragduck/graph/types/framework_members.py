"""Members that controllers, pages, controls and views have of base classes which no snapshot declares."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ragduck.facts import FileFacts
from ragduck.graph.types import libraries
from ragduck.graph.types.catalog import Catalog
from ragduck.graph.types.declarations import TypeInfo, TypeRef
from ragduck.graph.types.framework_types import is_opened

VIEW_HELPERS = {"Html": "HtmlHelper", "Url": "UrlHelper", "Ajax": "AjaxHelper"}  # members of every Razor view
OF_MODEL = frozenset(("Html", "Ajax"))  # those that know the type of the view's model
VIEWS = ("RazorPage", "ViewMasterPage", "ViewPage", "ViewUserControl")  # whose type argument is the model
WCF_CLIENTS = ("ClientBase", "DuplexClientBase")  # whose channel is of the contract that they name
CRUD_SERVICES = ("CrudAppService", "CrudAppServiceBase", "ReadOnlyAppService")  # of ABP, with an entity first
CRUD_REPOSITORIES = ("Repository", "ReadOnlyRepository")  # members of these
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
_SERVED = {
    "Application": "HttpApplicationState",
    "Context": "HttpContext",
    "Server": "HttpServerUtility",
    "Session": "HttpSessionState",
    "User": "IPrincipal",
}
_CONTROL = {
    "ClientIDMode": "ClientIDMode",
    "Context": "HttpContext",
    "Controls": "ControlCollection",
    "Events": "EventHandlerList",
    "NamingContainer": "Control",
    "Page": "Page",
    "Parent": "Control",
    "Site": "ISite",
    "TemplateControl": "TemplateControl",
    "ViewState": "StateBag",
}
_WEB_CONTROL = {
    **_CONTROL,
    "Attributes": "AttributeCollection",
    "Font": "FontInfo",
    "Style": "CssStyleCollection",
}
_USER_CONTROL = {
    **_CONTROL,
    "Application": "HttpApplicationState",
    "Attributes": "AttributeCollection",
    "Cache": "Cache",
    "Request": "HttpRequest",
    "Response": "HttpResponse",
    "Server": "HttpServerUtility",
    "Session": "HttpSessionState",
    "Trace": "TraceContext",
}
_PAGE = {
    **_CONTROL,
    **_SERVED,
    "Cache": "Cache",
    "ClientScript": "ClientScriptManager",
    "Form": "HtmlForm",
    "Header": "HtmlHead",
    "Items": "IDictionary",
    "Master": "MasterPage",
    "ModelState": "ModelStateDictionary",
    "PreviousPage": "Page",
    "Request": "HttpRequest",
    "Response": "HttpResponse",
    "RouteData": "RouteData",
    "Theme": "string",
    "Title": "string",
    "Trace": "TraceContext",
    "Validators": "ValidatorCollection",
}
WEB_FORMS: Mapping[str, Mapping[str, str]] = {
    **dict.fromkeys(("Control", "TemplateControl"), _CONTROL),
    **dict.fromkeys(
        ("WebControl", "CompositeControl", "DataBoundControl"),
        _WEB_CONTROL,
    ),
    "UserControl": _USER_CONTROL,
    "MasterPage": {**_USER_CONTROL, "Master": "MasterPage"},
    "Page": _PAGE,
    "HttpApplication": {
        **_SERVED,
        "Events": "EventHandlerList",
        "Request": "HttpRequest",
        "Response": "HttpResponse",
    },
    "WebService": _SERVED,
}
_OF_CONTEXT = {**_PAGE, "User": MEMBERS["User"]}  # of a request, which newer frameworks have as well
VIEW = ".cshtml"  # a component of Blazor has none of these
FORMS = {".aspx": "Page", ".ascx": "UserControl", ".master": "MasterPage", ".asax": "HttpApplication"}
WEB_CONTROLS = ("System.Web.UI.WebControls", "System.Web.UI.WebControls.WebParts")
UNMISTAKABLE = frozenset(("HttpApplication", "MasterPage", "WebService"))
NAMES = frozenset(MEMBERS).union(VIEW_HELPERS, CRUD_REPOSITORIES, ("Model", "Channel"), *WEB_FORMS.values())


def member_of_framework(
    catalog: Catalog, name: str, *, file: FileFacts, owner: TypeInfo | None
) -> TypeRef | None:
    """Return the type of a member that a type inherits from a class of the framework, or a view has."""
    if file.path.lower().endswith(VIEW):
        if name in VIEW_HELPERS:
            model = model_of(catalog, file) if name in OF_MODEL else None
            return _helper(name, (model,) if model is not None else ())
        return TypeRef(MEMBERS[name]) if name in MEMBERS else None
    return inherited_from_framework(catalog, name, owner=owner) if owner is not None else None


def model_of(catalog: Catalog, file: FileFacts) -> TypeRef | None:
    """Return the type of the model that a view names."""
    written = next((view.name for view in file.views if view.how == "model"), "")
    return catalog.resolve(written, file=file) if written else None


def _helper(name: str, model: tuple[TypeRef, ...]) -> TypeRef:
    return TypeRef(VIEW_HELPERS[name], None, model)


def inherited_from_framework(catalog: Catalog, name: str, *, owner: TypeInfo) -> TypeRef | None:
    """Return the type of a member that a type inherits from a controller, page or client of the framework."""
    if name not in NAMES:
        return None
    foreign = [ref for ref in catalog.ancestors(owner) if ref.info is None]
    if name == "Channel":
        return next((ref.arguments[0] for ref in foreign if ref.name in WCF_CLIENTS and ref.arguments), None)
    if name in CRUD_REPOSITORIES:
        service = next((ref for ref in foreign if ref.name.endswith(CRUD_SERVICES) and ref.arguments), None)
        return TypeRef("IRepository", None, service.arguments[:1]) if service is not None else None
    view = next((ref for ref in foreign if ref.name.endswith(VIEWS)), None)
    if view is not None and name in VIEW_HELPERS:
        return _helper(name, view.arguments[-1:] if name in OF_MODEL else ())
    if name == "Model":
        return view.arguments[-1] if view is not None and view.arguments else None
    bases = [ref.name for ref in foreign]
    held = MEMBERS.get(name) if any(base.endswith(BASES) for base in bases) else None
    found = (members.get(name) for members in (_of_web_forms(catalog, owner) if held is None else ()))
    held = held or next(filter(None, found), None)
    return TypeRef(held) if held is not None else None


def member_of_foreign(type_name: str, name: str) -> TypeRef | None:
    """Return the type of a member of something of the framework: the `Session` of a page or of what is served."""
    held = _OF_CONTEXT.get(name) if type_name == "HttpContext" else WEB_FORMS.get(type_name, {}).get(name)
    return TypeRef(held) if held is not None else None


def _of_web_forms(catalog: Catalog, owner: TypeInfo) -> Iterator[Mapping[str, str]]:
    """Yield the members that a type inherits as a page, control, service or application."""
    for info in (owner, *(ref.info for ref in catalog.ancestors(owner))):
        for ref in catalog.bases(info) if info is not None else ():
            if ref.info is None and info is not None:
                yield from _of_base(catalog, info, ref.name)
    for one in (owner, *catalog.derived(owner)):  # a form says what the class behind it is
        path = one.files[0].path if one.language == "webforms" else ""
        base = next((base for ending, base in FORMS.items() if path.lower().endswith(ending)), None)
        if base is not None:
            yield WEB_FORMS[base]


def _of_base(catalog: Catalog, info: TypeInfo, base: str) -> Iterator[Mapping[str, str]]:
    """Yield the members of a base that a type names."""
    members = WEB_FORMS.get(base) or (_WEB_CONTROL if is_opened(base, WEB_CONTROLS) else None)
    if members is None:
        return
    written = (written for declared in info.declarations for written in declared.bases)
    if (
        base in UNMISTAKABLE
        or any("System.Web.UI." in one for one in written)
        or any(catalog.opens(file, libraries.WEB_CONTROLS) for file in info.files)
    ):
        yield members
