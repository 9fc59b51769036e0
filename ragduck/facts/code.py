"""What code declares, and what its statements call, read, name and say."""

from __future__ import annotations

import re
from typing import NamedTuple

from ragduck.facts.expressions import UNKNOWN, Argument, Call, Expression

MADE = "made"  # how a type is used by `new(…)`
MODULE = "module"  # a modifier: the type is a module of Visual Basic
EXTENSION = "extension"  # a modifier: a static member of a block of C# 14 that extends a type
ADDRESSES = frozenset(("NavigateUrl", "PostBackUrl", "HRef"))  # members of controls that lead to pages
PARAMETER = "parameter"  # how a view fact names `Tag.Name`: what a tag of Razor sets
ADDRESS = "address"  # how a view fact names the path to which a tag of a component leads, `{}` for code in it
TEMPLATE_EVENT = (
    "template event"  # how a view fact names a function that the template of a component of Vue calls
)
HTTP_HANDLER, HTTP_MODULE = "handler", "module"  # how a view fact of a Web.config registers a type
MODULE_CONTROL, BUSINESS_CONTROLLER = "module control", "business controller"  # of a manifest of DotNetNuke
PROGRAM = "program"  # how a view fact of a project says that it becomes a program of the command line
# What a script opens: `location.href = "Edit.aspx"`, `window.open('Edit.aspx?id=1')`
OPENED_FORM = re.compile(
    r"""\b(?:location(?:\.href)?\s*+=(?!=)\s*+|location\.(?:assign|replace)\s*+\(\s*+|window\.open\s*+\(\s*+)"""
    r"""["'](?P<path>[^"'?#<>\s:]{1,300}?\.(?:aspx|ashx))\b""",
    re.IGNORECASE,
)
REQUEST_MESSAGE = "HttpRequestMessage"  # of what it is made is kept: the verb and the address
REST_REQUEST = "RestRequest"  # of RestSharp, likewise
RESOURCE_TEXT = "resource-text"  # a call of a resource file: the name of a text, and the text
RESOURCE_SCRIPT = "resource-script"  # likewise: the name of a text, and the path of the script that holds it
SET_ITEM = "set_Item"  # what C# calls for `tokens["area"] = "Admin"`


class Import(NamedTuple):
    """`using N;`, `import a.b as c`, `from a import b`: ``name`` is what is imported, in full.

    ``alias`` is the local name where one is given. ``is_static`` takes in the members of a type, ``is_global``
    holds for the whole project, ``is_inner`` stands within the only namespace of a file of C#.
    """

    name: str
    alias: str = ""
    is_static: bool = False
    is_global: bool = False
    is_inner: bool = False


class Attribute(NamedTuple):
    """An attribute, annotation or decorator; ``name`` without the ending `Attribute`."""

    name: str
    arguments: tuple[Argument, ...] = ()


class Parameter(NamedTuple):
    """A parameter as written; `this` parameters make an extension method.

    ``default`` is kept where it is a string: `string schema = Names.Schema`. ``is_rest`` holds for `params T[]`.
    ``triggers`` are the attributes that say where it comes from: `[QueueTrigger("orders")]`.
    """

    name: str
    type: str
    is_this: bool = False
    default: Expression = UNKNOWN
    is_optional: bool = False
    is_rest: bool = False
    triggers: tuple[Attribute, ...] = ()


class TypeFact(NamedTuple):
    """One declaration of a type; a partial class has several.

    ``scope`` is the namespace and outer types, ``bases`` are base class and interfaces as written, generic
    arguments included. ``parameters`` are those of a primary constructor, ``base_arguments`` what it hands on.
    ``takes`` are the parameters of a delegate.
    """

    key: str
    name: str
    qualified_name: str
    scope: str
    element_type: str
    line: int
    end_line: int
    bases: tuple[str, ...] = ()
    type_parameters: tuple[str, ...] = ()
    attributes: tuple[Attribute, ...] = ()
    modifiers: frozenset[str] = frozenset()
    parameters: tuple[Parameter, ...] = ()
    base_arguments: tuple[Argument, ...] = ()
    owner: str = ""  # key of the type around it
    constraints: tuple[Parameter, ...] = ()  # `where T : IEntity` is Parameter("T", "IEntity"), one per bound
    takes: tuple[Parameter, ...] = ()


class Assignment(NamedTuple):
    """`Table = table` in a constructor, an initializer or a setter: a member of the own object gets a value."""

    member: str
    value: Expression


class MemberFact(NamedTuple):
    """One declaration of a member; overloads share the key.

    ``owner`` is the key of its type, empty for functions of a module. ``type`` is what it returns or holds, as
    written. ``value`` is an initializer or the result of an expression-bodied or single-return getter, kept for
    strings and `new`. A constructor has ``assignments`` and, in ``handed_on``, what it gives to `base(…)`
    (``hands_to`` is then `base`) or `this(…)`. ``arity`` is the number of type parameters of the declaration around
    it, as `Holder` and `Holder<T>` share a key; ``interface_arity`` is that of the interface that stands before the
    name of an explicit implementation.
    """

    key: str
    name: str
    owner: str
    kind: str  # METHOD, PROPERTY, FIELD
    element_type: str
    line: int
    end_line: int
    type: str = ""
    parameters: tuple[Parameter, ...] = ()
    type_parameters: tuple[str, ...] = ()
    attributes: tuple[Attribute, ...] = ()
    modifiers: frozenset[str] = frozenset()
    visibility: str = ""
    value: Expression = UNKNOWN
    assignments: tuple[Assignment, ...] = ()
    handed_on: tuple[Argument, ...] = ()
    hands_to: str = ""
    constraints: tuple[Parameter, ...] = ()  # as those of a type
    arity: int = 0
    interface_arity: int = 0


class CallFact(NamedTuple):
    """A call somewhere in a body.

    ``assigned_to`` is the local, field or member of an object initializer that gets the result, or what is chained
    to it: in `Id = t.Column<int>().Annotation("…")` both calls have `Id`.
    """

    source: str
    call: Call
    line: int
    assigned_to: str = ""


class AccessFact(NamedTuple):
    """A member chain that is read or set, not called: `order.Total`, `_db.Orders`, `Options.Default`.

    Chains that are the receiver of a call are in the call, and have no fact of their own. ``is_conditional`` is
    told of `CommandType.StoredProcedure` in C#: it is named in a branch or compared, so that it may not hold.
    ``is_detached`` holds for what is right of `-=`: a handler there is taken off an event.
    """

    source: str
    expression: Expression
    line: int
    is_write: bool = False
    is_conditional: bool = False
    is_detached: bool = False


class UseFact(NamedTuple):
    """A type that is named: ``how`` is new, typeof, parameter, returns, holds, cast, argument, attribute, catch.

    It is ``MADE`` for `new(…)`, which does not name it: ``type`` is that of what is declared with it, else empty.
    """

    source: str
    type: str
    line: int
    how: str


class StringFact(NamedTuple):
    """A string that may be SQL or name a database object: literal, interpolation or concatenation.

    ``call`` is the call that it is an argument of, if any, with ``assigned_to`` the local, field, constant or
    property (`CommandText`) that it is put into otherwise. Names of locals are resolved where the file can. A string
    that an object initializer sets has both. Addresses that controls are given (`NavigateUrl`) are told, too.
    ``value`` is the name of a constant, field or parameter where that is what a constructor is given first
    (`new SqlCommand(Names.Place, c)`) or what `CommandText` is set to.
    """

    source: str
    value: Expression
    line: int
    end_line: int
    call: Call | None = None
    assigned_to: str = ""


class ViewFact(NamedTuple):
    """What a Razor page or view, or a Web Form, names.

    ``how`` is model, inject, inherits, namespace, page (a route of its own), link (to another page), layout,
    partial, component, parameter (`Tag.Name`, an attribute of a component's tag), address, view component (by its
    name), route (by its name) or action. For an action ``name`` is `Controller.Action`, with an empty part where
    the markup leaves it out, after `Area/` where it names one: `/Home.Index` is of none. Links that calls make are
    calls.

    Of a Web Form ``how`` is inherits (the class behind it), class (that a handler or service stands for),
    layout, control (a form that it registers or refers to), server control (a class), link (another form),
    address (from the root, without the ending of a form), include (a form that is put in), event (the method
    that an attribute names), wired (methods such as Page_Load are called by their names, which is no name
    itself) or data source (`Type.Method` of an object data source). Of a file of Visual Basic it is handles (a
    method that its `Handles` clause makes handle an event of a control) or handles own (of the page or form
    itself). Of a `Web.config` it is handler (`Type path`, the class and the path that it serves), module (a
    class) or inherits (the base of the views below); of a project it is program (without a name); of a manifest of
    DotNetNuke module control (`Key path`, a form) or business controller (a class). Of XAML it is inherits, event,
    names (a type), shows (the type of what is bound), binding (the first member of its path) or own binding (to a
    member of the class behind). Of a component of Vue it is template event (a function of its script).
    """

    name: str
    how: str
    line: int
