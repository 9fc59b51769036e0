"""Expressions of code, as far as a file tells what they mean."""

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

    `new[] { a, b }` and `[a, b]` have the type `[]`, `new T[] { a }` has `T[]`, `(a, b)` has `()`; the
    elements are the arguments.
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
    """An element of a collection: a `foreach` variable, an indexer, the range variable of a query.

    ``is_picked`` holds for an indexer of C#.
    """

    collection: Expression
    is_picked: bool = False


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

    `x => x.Customer.Id` has ``(("Customer", "Id"),)``, `x => new { x.A, x.B }` has ``(("A",), ("B",))``. ``made`` is
    the type that it makes, or asks for by a call's only type argument: `s => new Store(s)`, `s => s.Get<Store>()`.
    ``given`` are those of what it makes that with: `s => new Cached(new Store())` has Store. ``result`` is what it
    returns, begun with HANDED in place of its parameter and without what calls in it are given, lambdas aside.
    """

    members: tuple[tuple[str, ...], ...] = ()
    made: str = ""
    given: tuple[str, ...] = ()
    result: Expression = Unknown()


class LambdaParameter(NamedTuple):
    """A parameter of a lambda that is handed to ``call``, the ``position``-th from 0.

    ``call`` has only the arguments before the lambda, so their number is the lambda's own position, unless the
    name of an ``argument`` says which it is. Its ``function`` may be a New, whose constructor takes the lambda.
    Scripts tell the ``name`` as well, by which they get what they need: `function ($http) { … }`.
    """

    call: Call
    position: int = 0
    name: str = ""
    argument: str = ""


class DelegateParameter(NamedTuple):
    """A parameter of a lambda that ``delegate`` gets, the ``position``-th from 0.

    `order.Closed += (sender, e) => …` has the Member, `Action<Order> show = order => …` a Typed.
    """

    delegate: Expression
    position: int = 0


class OutArgument(NamedTuple):
    """`out var order`: what ``call`` puts into its ``position``-th argument, from 0."""

    call: Call
    position: int = 0


class Argument(NamedTuple):
    """An argument of a call; ``name`` is empty unless it is written."""

    value: Expression
    name: str = ""


class Call(NamedTuple):
    """An invocation: ``function`` is a Name or a Member, or else what holds a delegate, of which no fact tells.

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
    | DelegateParameter
    | OutArgument
    | Call
)

UNKNOWN = Unknown()
HANDED = LambdaParameter(Call(UNKNOWN))  # in the result of a lambda: what is handed to it
