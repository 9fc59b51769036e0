"""What one file says about the graph, before anyone has seen the other files.

`parse` reads facts off each document, in worker processes; `graph` ties the facts of a snapshot together. Names
are kept as they are written: only `graph` can tell what they refer to. Facts are named tuples rather than
dataclasses because hundreds of thousands of them cross process borders, and tuples pickle ten times faster.

``source`` is always the node key of the innermost declaration that a fact stands in, as chunks have it:
`csharp:Shop.OrderService.Place|METHOD`, `csharp:Shop.OrderService|TYPE`, or `file:path|FILE` outside of all.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias


class Unknown(NamedTuple):
    """An expression whose value and type cannot be told, or that is of no interest."""


class Name(NamedTuple):
    """A bare identifier that is no local and no parameter: a member, a type, a namespace, `this` or `base`."""

    name: str


class Member(NamedTuple):
    """`receiver.name`; `?.` and `!.` are the same, as are the members that an object initializer sets."""

    receiver: Expression
    name: str


class Text(NamedTuple):
    """A string literal, escapes and quotes undone."""

    value: str


class Joined(NamedTuple):
    """Pieces put together to one string: interpolation, concatenation, `string.Format`, StringBuilder appends."""

    parts: tuple[Expression, ...]


class TypeOf(NamedTuple):
    """`typeof(T)`; ``T`` may be a type parameter."""

    type: str


class NameOf(NamedTuple):
    """`nameof(A.B)`: the last name of its argument."""

    name: str


class New(NamedTuple):
    """`new T(…)`; ``type`` is empty for an anonymous object, its members are then the arguments.

    `new[] { a, b }` and `[a, b]` have the type `[]`, `new T[] { a }` has `T[]`; the elements are the arguments.
    """

    type: str
    arguments: tuple[Argument, ...] = ()


class Typed(NamedTuple):
    """A value of which the file tells the type: a parameter, a local, a cast, `as T`, `is T x`.

    ``name`` is the parameter's or local's name, or empty.
    """

    type: str
    name: str = ""


class Element(NamedTuple):
    """An element of a collection: a `foreach` variable, an indexer, the range variable of a query."""

    collection: Expression


class Awaited(NamedTuple):
    """The result of a task."""

    task: Expression


class Choice(NamedTuple):
    """One of several values: `a ? b : c`, `a ?? b`, a `switch` expression, a local that is assigned twice.

    ``is_fallback`` holds for `a ?? b`: an option counts only where those before it are null.
    """

    options: tuple[Expression, ...]
    is_fallback: bool = False


class Lambda(NamedTuple):
    """A lambda given as an argument; ``members`` are the member chains of its body.

    `x => x.Customer.Id` has ``(("Customer", "Id"),)``, `x => new { x.A, x.B }` has ``(("A",), ("B",))``.
    """

    members: tuple[tuple[str, ...], ...] = ()


class LambdaParameter(NamedTuple):
    """A parameter of a lambda that is handed to ``call``, the ``position``-th from 0.

    ``call`` has only the arguments before the lambda, so their number is the lambda's own position.
    """

    call: Call
    position: int = 0


class Argument(NamedTuple):
    """An argument of a call; ``name`` is empty unless it is written."""

    value: Expression
    name: str = ""


class Call(NamedTuple):
    """An invocation: ``function`` is a Name or a Member.

    Where a string is an argument of `new SqlCommand("…", c) { CommandType = t }`, ``function`` is the New, and what
    the initializer sets follows as named arguments.
    Calls and objects made within an argument have facts of their own; there they may be ``Unknown``.
    """

    function: Expression
    arguments: tuple[Argument, ...] = ()
    type_arguments: tuple[str, ...] = ()


Expression: TypeAlias = (
    Unknown
    | Name
    | Member
    | Text
    | Joined
    | TypeOf
    | NameOf
    | New
    | Typed
    | Element
    | Awaited
    | Choice
    | Lambda
    | LambdaParameter
    | Call
)

UNKNOWN = Unknown()


class Import(NamedTuple):
    """`using N;`, `import a.b as c`, `from a import b`: ``name`` is what is imported, in full.

    ``alias`` is the local name where one is given. ``is_static`` takes in the members of a type, ``is_global``
    holds for the whole project.
    """

    name: str
    alias: str = ""
    is_static: bool = False
    is_global: bool = False


class Attribute(NamedTuple):
    """An attribute, annotation or decorator; ``name`` without the ending `Attribute`."""

    name: str
    arguments: tuple[Argument, ...] = ()


class Parameter(NamedTuple):
    """A parameter as written; `this` parameters make an extension method.

    ``default`` is kept where it is a string: `string schema = Names.Schema`. ``is_rest`` holds for `params T[]`.
    """

    name: str
    type: str
    is_this: bool = False
    default: Expression = UNKNOWN
    is_optional: bool = False
    is_rest: bool = False


class TypeFact(NamedTuple):
    """One declaration of a type; a partial class has several.

    ``scope`` is the namespace and outer types, ``bases`` are base class and interfaces as written, generic
    arguments included. ``parameters`` are those of a primary constructor, ``base_arguments`` what it hands on.
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


class Assignment(NamedTuple):
    """`Table = table` in a constructor, an initializer or a setter: a member of the own object gets a value."""

    member: str
    value: Expression


class MemberFact(NamedTuple):
    """One declaration of a member; overloads share the key.

    ``owner`` is the key of its type, empty for functions of a module. ``type`` is what it returns or holds, as
    written. ``value`` is an initializer or the result of an expression-bodied or single-return getter, kept for
    strings and `new`. A constructor has ``assignments`` and, in ``handed_on``, what it gives to `base(…)`
    (``hands_to`` is then `base`) or `this(…)`.
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

    Chains that are the receiver of a call are in the call, and have no fact of their own.
    """

    source: str
    expression: Expression
    line: int
    is_write: bool = False


class UseFact(NamedTuple):
    """A type that is named: ``how`` is new, typeof, parameter, returns, holds, cast, argument, attribute, catch."""

    source: str
    type: str
    line: int
    how: str


class StringFact(NamedTuple):
    """A string that may be SQL or name a database object: literal, interpolation or concatenation.

    ``call`` is the call that it is an argument of, if any, with ``assigned_to`` the local, field, constant or
    property (`CommandText`) that it is put into otherwise. Names of locals are resolved where the file can. A string
    that an object initializer sets has both. ``value`` is the name of a constant, field or parameter where that is
    what a constructor is given first (`new SqlCommand(Names.Place, c)`) or what `CommandText` is set to.
    """

    source: str
    value: Expression
    line: int
    end_line: int
    call: Call | None = None
    assigned_to: str = ""


class ViewFact(NamedTuple):
    """What a Razor page or view names.

    ``how`` is model, inject, inherits, page (a route of its own), link (to another page), layout, partial,
    component or action. For an action ``name`` is `Controller.Action`, with an empty part where the markup leaves
    it out.
    """

    name: str
    how: str
    line: int


class ObjectName(NamedTuple):
    """A database object as written, quotes removed."""

    name: str
    schema: str = ""
    database: str = ""
    server: str = ""


class ObjectFact(NamedTuple):
    """A database object that a script defines (``action`` create) or changes (alter, drop).

    ``key`` is as chunks have it: `dbo.Invoice|TABLE`. ``columns`` are those of a table or view where they are
    written. ``default_schema`` is what its dialect takes for a missing schema.
    """

    key: str
    kind: str
    name: ObjectName
    line: int
    end_line: int
    action: str = "create"
    columns: tuple[str, ...] = ()
    default_schema: str = "dbo"
    path: str = ""  # of the file, for what migrations in code create; elsewhere the file that holds the fact
    table: str = ""  # node key of the table that an index or a foreign key is part of


class ReferenceFact(NamedTuple):
    """A database object that a statement names.

    ``relation`` is ReadsFrom, WritesTo, Executes, Calls (functions), ForeignKey, On, SynonymFor, Uses (types,
    sequences) or SchemaChange (of a migration script); ``kind`` is what the target must be, or empty for table
    or view. ``rule`` says which construct names it: `from`, `join`, `insert`, `update`, `merge`, `exec`,
    `foreign key` …. ``detail`` names the foreign key or the columns. ``is_dynamic`` holds for what is read off a
    text that statements put together and run.
    """

    source: str
    name: ObjectName
    relation: str
    line: int
    kind: str = ""
    rule: str = ""
    detail: str = ""
    is_dynamic: bool = False


class FileFacts(NamedTuple):
    """All facts of one file. ``language`` is that of node keys: csharp, python, typescript, java, go, razor, sql.

    ``module`` is the dotted module, package or folder that qualifies the names of a Python, TypeScript, Java or Go
    file, even of one that declares nothing but passes on what it imports; of a SQL file it is the default schema,
    and ``imports`` are the databases that it uses.
    """

    path: str
    language: str
    file_class: str
    project: str | None
    lines: int
    imports: tuple[Import, ...] = ()
    types: tuple[TypeFact, ...] = ()
    members: tuple[MemberFact, ...] = ()
    calls: tuple[CallFact, ...] = ()
    accesses: tuple[AccessFact, ...] = ()
    uses: tuple[UseFact, ...] = ()
    strings: tuple[StringFact, ...] = ()
    views: tuple[ViewFact, ...] = ()
    objects: tuple[ObjectFact, ...] = ()
    references: tuple[ReferenceFact, ...] = ()
    module: str = ""
