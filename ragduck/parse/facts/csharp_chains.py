"""Read chains of names, members, calls and indexers, `a.B(c)?.D[0]`, from the left and in a loop."""

from __future__ import annotations

from tree_sitter import Node

from ragduck.facts import (
    UNKNOWN,
    AccessFact,
    Argument,
    Call,
    Element,
    Expression,
    Joined,
    Member,
    Name,
    NameOf,
    New,
    Text,
    Typed,
    TypeOf,
    Unknown,
)
from ragduck.parse.facts.csharp_branches import is_in_branch
from ragduck.parse.facts.csharp_building import (
    BUILDERS,
    appended_on_line,
    builder_text,
    built_string,
    known_text,
)
from ragduck.parse.facts.csharp_lambdas import LAMBDAS, given_to, lambda_of
from ragduck.parse.facts.csharp_out_arguments import DECLARATION, hand_out, untyped_name
from ragduck.parse.facts.csharp_reader import PREDEFINED, Local, Reader
from ragduck.parse.facts.csharp_strings import is_about_database, last_name
from ragduck.parse.facts.csharp_texts import names_text, note_string
from ragduck.parse.facts.csharp_values import LEAVES, MAX_SPINE, as_argument, element, is_string, spine
from ragduck.parse.treesitter import last_row

MEMBER = "member_access_expression"
CALL = "invocation_expression"
ELEMENT = "element_access_expression"
CONDITIONAL = "conditional_access_expression"
MEMBER_BINDING = "member_binding_expression"
ELEMENT_BINDING = "element_binding_expression"
QUALIFIED = "qualified_name"
CAST = "cast_expression"
ARGUMENT = "argument"
PARENTHESES = frozenset(("parenthesized_expression", "tuple_expression", CAST))
MAX_ARGUMENTS = 100  # of a call that are kept
MAX_BEFORE_LAMBDA = 16  # arguments, for its parameters to be known
KEPT_CALLS = 2  # at the beginning of a chain that is cut because it is too long
PROCEDURES = "StoredProcedure"  # of CommandType
DISCARD = Name("_")
EMPTY = Text("")
_LINKS = frozenset((MEMBER, CALL, ELEMENT, QUALIFIED))
_LISTS = frozenset(("argument_list", "tuple_expression"))
_SELF = frozenset(("this", "base"))
_ASSIGNED = frozenset(("ref", "out"))


def read_chain(reader: Reader, node: Node) -> Expression:
    """Read a chain whose value is wanted."""
    return _follow(reader, node).finish(node, is_write=False)


def write_chain(reader: Reader, node: Node) -> Expression:
    """Read a chain that something is assigned to."""
    return _follow(reader, node).finish(node, is_write=True)


def read_name(reader: Reader, node: Node) -> Expression:
    """Read a name that stands alone."""
    name = reader.name(node)
    local = reader.locals.get(name)
    if local is not None:
        return local.value
    value = reader.name_value(name)
    if value == DISCARD:
        return UNKNOWN
    reader.accesses.append(AccessFact(reader.origin, value, node.start_point.row + 1))
    return value


def read_self(reader: Reader, node: Node) -> Expression:
    """Read `this` or `base`."""
    return reader.name_value(node.type)


def read_generic_call(reader: Reader, node: Node, *, type_: Node, given: Node) -> Expression:
    """Read a call of `node` with a type argument; ``given`` begins with its arguments, then the chain goes on."""
    chain = _follow(reader, node)
    links, arguments = unrolled(given, until=PARENTHESES)
    chain.call(arguments, type_arguments=(reader.use(type_, "argument"),))
    for link in reversed(links):
        chain.add(link)
    return chain.finish(given, is_write=False)


def _follow(reader: Reader, node: Node) -> _Chain:
    target, reader.target = reader.target, ""
    links, first = unrolled(node)
    is_called = bool(links) and links[-1].type == CALL
    chain = _Chain(reader, first, target=target, is_called=is_called)
    for link in reversed(links):
        chain.add(link)
    return chain


def unrolled(node: Node, *, until: frozenset[str] = frozenset()) -> tuple[list[Node], Node]:
    """Return the links of a chain, last first, and what it begins with: a node of a kind of ``until``, or any."""
    links: list[Node] = []
    while True:
        kind = node.type
        if kind in until:
            return links, node
        if kind in _LINKS:
            links.append(node)
            node = node.children[0]
        elif kind == CONDITIONAL:
            children = node.children
            links.append(children[-1])
            node = children[0]
        elif kind == "parenthesized_expression" and node.named_child_count == 1:
            node = node.named_children[0]
        elif kind == "postfix_unary_expression" and node.children[-1].type == "!":
            node = node.children[0]
        else:
            return links, node


class _Chain:
    """The value of a chain so far, and what the next link needs to know."""

    __slots__ = (
        "_builder",
        "_calls",
        "_end_line",
        "_is_of_interest",
        "_is_open",
        "_levels",
        "_line",
        "_local",
        "_name",
        "_path",
        "_reader",
        "_stem",
        "_target",
        "_type_arguments",
        "value",
    )

    def __init__(self, reader: Reader, node: Node, *, target: str, is_called: bool) -> None:
        self._reader = reader
        self._target = target
        self._type_arguments: tuple[str, ...] = ()
        self._line = self._end_line = node.start_point.row + 1
        self._local: Local | None = None
        self._name = ""
        self._builder: Expression | None = None  # what the StringBuilder holds that the chain writes to
        self._path: list[str] = []
        self._is_open = False  # whether the path still grows
        self.value = self._first(node, is_called=is_called)
        self._levels = 0 if type(self.value) in LEAVES else spine(self.value)
        self._is_of_interest = _has_members_of_ours(self.value)
        self._calls = 0
        self._stem = self.value

    def _first(self, node: Node, *, is_called: bool) -> Expression:
        reader, kind = self._reader, node.type
        if kind == "identifier":
            return self._named(reader.name(node))
        if kind in _SELF:
            return reader.name_value(kind)
        if kind == "generic_name":
            if not is_called:
                return reader.name_value(reader.use(node, "argument"))
            return self._named(self._generic(node))
        if kind == "predefined_type":
            return reader.name_value(reader.text(node))
        if kind == "alias_qualified_name":
            return reader.name_value(reader.name(node.children[-1]))
        value = reader.value(node)
        self._builder = builder_text(value) if isinstance(value, New) else None
        return value

    def _named(self, name: str) -> Expression:
        local = self._reader.locals.get(name)
        if local is None:
            return self._reader.name_value(name)
        self._local, self._name = local, name
        self._builder = local.text
        self._is_open = local.members is not None
        return local.value

    def _generic(self, node: Node) -> str:
        """Return the name of a generic name, and keep its type arguments for the call."""
        name, arguments = node.children[0], node.children[-1]
        self._type_arguments = tuple(
            self._reader.use(child, "argument") for child in arguments.children if child.is_named
        )
        return self._reader.name(name)

    def add(self, link: Node) -> None:
        """Go on to the next link."""
        kind = link.type
        if kind in (MEMBER, MEMBER_BINDING, QUALIFIED):
            self._add_member(link.children[-1])
        elif kind == CALL:
            self.call(link.children[-1])
        elif kind in (ELEMENT, ELEMENT_BINDING):
            self._close_path()
            self._reader.parts(link.children[-1] if kind == ELEMENT else link)
            self._make_room()
            self.value = element(self.value, is_picked=True)
        else:
            self.value = self._reader.value(link)

    def _add_member(self, node: Node) -> None:
        self._type_arguments = ()
        name = self._generic(node) if node.type == "generic_name" else self._reader.name(node)
        self._line = node.start_point.row + 1
        if self._is_open:
            self._path.append(name)
        self._make_room()
        self.value = Member(self.value, name)

    def _make_room(self) -> None:
        """Go back to how the chain begins when it is too long."""
        if self._levels >= MAX_SPINE:
            self.value = self._stem
            self._levels = spine(self.value)
        self._levels += 1

    def call(self, arguments_node: Node, *, type_arguments: tuple[str, ...] = ()) -> None:
        """Go on to a call of what the chain has led to."""
        function = self.value
        self._end_line = last_row(arguments_node) + 1
        if self._is_open:
            self._path = self._path[:-1]
            self._close_path()
        if isinstance(function, Name) and function.name == "nameof":
            self.value = NameOf(last_name(self._reader.text(arguments_node)))
            return
        type_arguments, self._type_arguments = type_arguments or self._type_arguments, ()
        arguments, strings = read_arguments(
            self._reader, arguments_node, function=function, type_arguments=type_arguments
        )
        if isinstance(function, Member | Name):
            self._called(Call(function, arguments, type_arguments), strings=strings)
        else:
            local, self._local = self._local, None
            if isinstance(function, Element):
                self._note_access(is_write=False)
            delegate = Call(function, arguments) if function is not UNKNOWN else UNKNOWN
            self.value = (local.result if local is not None else None) or delegate
        self._levels += 1

    def _called(self, call: Call, *, strings: list[tuple[Expression, Node]]) -> None:
        self._reader.call(call, line=self._line, target=self._target)
        self.value = call
        self._calls += 1
        if self._calls <= KEPT_CALLS:
            self._stem = call
        function = call.function
        if not (isinstance(function, Member) and self._builds(function, call.arguments)):
            note_arguments(self._reader, call, strings=strings)

    def _builds(self, function: Member, arguments: tuple[Argument, ...]) -> bool:
        """Take the value of a call that puts a string together."""
        if self._builder is not None:
            if function.name == "ToString":
                self.value = self._builder
                return True
            lines = (self._local.line if self._local is not None else 0, self._line)
            text = appended_on_line(self._builder, function.name, arguments, lines=lines)
            if text is not None:
                self._builder = text
                self._keep_builder(text)
                return True
        built = built_string(function, arguments)
        if built is not None:
            self.value = built
        return built is not None and built is not UNKNOWN

    def _keep_builder(self, text: Expression) -> None:
        local = self._local
        if local is not None and self._name:
            line = self._line if local.text == EMPTY else local.line or self._line
            found = local._replace(text=text, line=line, end_line=self._end_line)
            local = found._replace(line=0, facts=()) if text == EMPTY else found
            self._local = self._reader.locals[self._name] = local

    def _close_path(self) -> None:
        if self._is_open and self._local is not None and self._local.members is not None and self._path:
            self._local.members.setdefault(tuple(self._path))
        self._is_open = False

    def finish(self, node: Node, *, is_write: bool) -> Expression:
        """Note the member that is read or set by a chain, and return the value."""
        self._close_path()
        value = self._note_access(is_write=is_write, node=node)
        known = known_text(value)
        return Text(known) if known is not None else self.value

    def _note_access(self, *, is_write: bool, node: Node | None = None) -> Expression:
        """Note the member that the chain has led to, of an element that which holds it, and return it."""
        value = self.value
        while isinstance(value, Element):
            value, is_write = value.collection, False
        if isinstance(value, Member | Name) and self._is_of_interest and value != DISCARD:
            is_conditional = node is not None and value.name == PROCEDURES and is_in_branch(node)
            self._reader.accesses.append(
                AccessFact(self._reader.origin, value, self._line, is_write, is_conditional)
            )
        return value


def _has_members_of_ours(first: Expression) -> bool:
    """Say whether a chain may lead to members of the system: strings, numbers and the like have none."""
    if isinstance(first, Typed | Name):
        return (first.name if isinstance(first, Name) else first.type.rstrip("?")) not in PREDEFINED
    return not isinstance(first, Unknown | Text | Joined | TypeOf | NameOf)


def read_arguments(
    reader: Reader, node: Node, *, function: Expression, type_arguments: tuple[str, ...] = ()
) -> tuple[tuple[Argument, ...], list[tuple[Expression, Node]]]:
    """Read the arguments of a call; the strings among them come with their nodes.

    So does the name that a constructor is given first, as no other fact tells of it: `new SqlCommand(Names.Place)`.
    """
    arguments: list[Argument] = []
    strings: list[tuple[Expression, Node]] = []
    handed_out: list[tuple[str, int]] = []
    for child in _arguments_in(node):
        if child.type == "comment" or (node.type in _LISTS and child.type != ARGUMENT):
            reader.value(child)
            continue
        name, written, is_write = _argument_parts(reader, child)
        if written.type in LAMBDAS:
            is_known = function is not UNKNOWN and len(arguments) < MAX_BEFORE_LAMBDA
            call = Call(function, tuple(arguments), type_arguments) if is_known else None
            value = lambda_of(reader, written, parameter=given_to(call, argument=name))
        else:
            value = write_chain(reader, written) if is_write else reader.value(written)
        if is_string(value) or (isinstance(function, New) and not arguments and names_text(value)):
            strings.append((value, written))
        if len(arguments) < MAX_ARGUMENTS:
            if written.type == DECLARATION:
                handed_out.append((untyped_name(reader, written), len(arguments)))
            arguments.append(Argument(as_argument(value), name))
    if handed_out and isinstance(function, Member | Name):
        hand_out(reader, handed_out, call=Call(function, tuple(arguments), type_arguments))
    return tuple(arguments), strings


def _arguments_in(node: Node) -> list[Node]:
    """Return what stands in parentheses, which may be taken for those of an expression or a cast."""
    if node.type == CAST:
        return node.children_by_field_name("type")
    return [child for child in node.children if child.is_named]


def _argument_parts(reader: Reader, node: Node) -> tuple[str, Node, bool]:
    if node.type != ARGUMENT:
        return "", node, False
    children = node.children
    if len(children) == 1:
        return "", children[0], False
    children = [child for child in children if child.type != "comment"] or children
    first, last = children[0], children[-1]
    name = reader.name(first) if len(children) > 2 and children[1].type == ":" else ""
    is_write = last.type == MEMBER and any(child.type in _ASSIGNED for child in children)
    return name, last, is_write


def note_arguments(reader: Reader, call: Call, *, strings: list[tuple[Expression, Node]]) -> None:
    """Note the strings that are given to a call."""
    function = call.function
    if not strings or (isinstance(function, New) and function.type in BUILDERS):
        return
    name = function.type if isinstance(function, New) else getattr(function, "name", "")
    is_certain = is_about_database(name)
    for value, node in strings:
        note_string(reader, value, node=node, call=call, is_certain=is_certain)


CHAINS = {
    MEMBER: read_chain,
    CALL: read_chain,
    ELEMENT: read_chain,
    CONDITIONAL: read_chain,
    QUALIFIED: read_chain,
    "identifier": read_name,
    "this": read_self,
    "base": read_self,
}
