"""Types of the frameworks whose names types of a project have as well, by the namespace that brings them in sight.

A name that such a namespace opens is its own: only what the language looks up before may be meant. Types with type
parameters alone are left out, as they have other names than those without.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

_NAMES: Mapping[str, str] = {
    "System": "Action Attribute Buffer Console Convert DateTime Delegate Environment EventArgs Exception Guid Math"
    " Object Random String TimeSpan TimeZone Type Uri Version",
    "System.Collections": "ArrayList Hashtable",
    "System.ComponentModel": "Component Container License",
    "System.Data": "DataColumn DataRow DataSet DataTable DataView Rule",
    "System.Diagnostics": "Debug Process Trace",
    "System.Drawing": "Bitmap Brush Color Font Graphics Icon Image Pen Point Rectangle Region Size",
    "System.Globalization": "Calendar",
    "System.IO": "Directory File Path Stream",
    "System.Net": "Cookie WebClient WebRequest",
    "System.Net.Http": "HttpClient",
    "System.Net.Mail": "Attachment MailAddress MailMessage",
    "System.Reflection": "Assembly Binder Module",
    "System.Threading": "Barrier Monitor Thread Timer",
    "System.Threading.Tasks": "Parallel Task",
    "System.Timers": "Timer",
    "System.Web": "HttpApplication HttpContext HttpCookie HttpRequest HttpResponse",
    "System.Web.Caching": "Cache",
    "System.Web.Mvc": "Controller Filter HtmlHelper SelectList UrlHelper ViewPage",
    "System.Web.Security": "Membership MembershipProvider MembershipUser RoleProvider Roles",
    "System.Web.Services": "WebService",
    "System.Web.UI": "Control MasterPage Page Pair Triplet UserControl",
    "System.Web.UI.WebControls": "BoundField Button Calendar CheckBox Content DropDownList FileUpload GridView"
    " HyperLink Image Label LinkButton ListBox ListItem Literal Login Menu MenuItem Panel Parameter PlaceHolder"
    " Repeater SiteMapPath Style Table TableCell TableRow TextBox TreeNode TreeView Unit View WebControl Wizard Xml",
    "System.Web.UI.WebControls.WebParts": "WebPart",
    "System.Windows": "Application Point Size Window",
    "System.Windows.Controls": "Button Calendar Control Image Label Menu MenuItem Page Panel TextBox UserControl",
    "System.Windows.Forms": "Application Button Control Form Label Menu MenuItem Message Panel Screen TextBox"
    " Timer TreeNode UserControl",
}
_NAMESPACES: dict[str, set[str]] = {}
for _namespace, _words in _NAMES.items():
    for _name in _words.split():
        _NAMESPACES.setdefault(_name, set()).add(_namespace)


def is_opened(name: str, namespaces: Iterable[str]) -> bool:
    """Say whether one of the namespaces is one of a framework that has a type of this name."""
    known = _NAMESPACES.get(name)
    return known is not None and not known.isdisjoint(namespaces)


def has_namesakes(namespace: str) -> bool:
    """Say whether a namespace of a framework has types whose names types of a project have as well."""
    return namespace in _NAMES
