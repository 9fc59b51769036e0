"""Collect the facts of one file while its bodies are walked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar

from tree_sitter import Node

from ragduck.facts import (
    UNKNOWN,
    AccessFact,
    Assignment,
    Attribute,
    Awaited,
    Call,
    CallFact,
    Element,
    Expression,
    FileFacts,
    Import,
    Joined,
    Member,
    MemberFact,
    Name,
    Parameter,
    StatementFacts,
    StringFact,
    Text,
    Typed,
    TypeFact,
    UseFact,
)
from ragduck.parse.facts.body import Arguments, Body
from ragduck.parse.facts.declared import Declared, Reading
from ragduck.parse.facts.sql_words import STRINGS, holds_verb, is_string, may_be_sql, runs_queries
from ragduck.parse.facts.values import either, kept, names_path, starts_with_something, type_told
from ragduck.parse.outliner import join


class Collector:
    """Take down facts; what is of no interest to the graph is left out here."""

    taken: ClassVar[frozenset[str]] = frozenset(
        {"identifier"}
    )  # nodes whose strings are taken down elsewhere
    # Methods of built-in types: calls of them on who knows what are no news.
    boring_methods: ClassVar[frozenset[str]] = frozenset()
    requests: ClassVar[frozenset[str]] = (
        frozenset()
    )  # boring methods that are none where they are given a path

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.language = reading.language
        self.scope = reading.scope
        self.imports: list[Import] = []
        self.types: list[TypeFact] = []
        self.members: list[tuple[MemberFact, Body | None]] = []
        self.calls: list[CallFact] = []
        self.accesses: list[AccessFact] = []
        self.uses: list[UseFact] = []
        self.strings: list[StringFact] = []
        self.holds_sql = holds_verb(reading.source)
        self._qualified = {one.qualified_name for one in reading.declared.values()}
        self._sets: dict[frozenset[str], frozenset[str]] = {}
        self._values: dict[str, int] = {}  # where fields and variables are among the members

    def collected(self) -> FileFacts:
        """Return what was taken down."""
        document = self.reading.document
        arities = {one.key: len(one.type_parameters) for one in self.types if one.type_parameters}
        return FileFacts(
            path=document.path,
            language=self.language,
            file_class=document.file_class,
            project=document.project,
            lines=document.last_line,
            imports=tuple(self.imports),
            types=tuple(self.types),
            members=tuple(_finished(member, body, arities) for member, body in self.members),
            statements=StatementFacts(
                tuple(self.calls), tuple(self.accesses), tuple(self.uses), tuple(self.strings)
            ),
            module=self.scope,
        )

    def _one_set(self, words: Iterable[str]) -> frozenset[str]:
        """Return words as a set; equal ones are one object, of which a pickle holds one."""
        found = frozenset(words)
        return self._sets.setdefault(found, found)

    def key(self, *names: str, kind: str) -> str:
        """Return the node key of a member that the outline does not list."""
        return f"{self.language}:{join(*names)}|{kind}"

    def is_news(self, _written: str) -> bool:
        """Say whether a type is none of the language's own."""
        return True

    # what bodies do

    def call(self, function: Expression, node: Node, *, body: Body, arguments: Arguments) -> Expression:
        """Take a call down, with the strings among its arguments; only what has a name can be called."""
        if not isinstance(function, Name | Member):
            self.take_strings(arguments, None, body=body)
            return UNKNOWN
        call = Call(function, arguments.values, arguments.type_arguments)
        if not self._is_boring(function, arguments):
            self.calls.append(CallFact(body.source, call, node.end_point.row + 1))
        self.take_strings(arguments, call, body=body)
        return call

    def take_strings(self, arguments: Arguments, call: Call | None, *, body: Body) -> None:
        """Take down the strings among the arguments of a call that may be SQL."""
        takes_sql = call is not None and runs_queries(call.function)
        for argument, node in zip(arguments.values, arguments.nodes, strict=False):
            value = argument.value
            if not value or not isinstance(value, STRINGS) or not (takes_sql or self.holds_sql):
                continue
            if is_string(value) and (takes_sql or may_be_sql(value)):
                self._add_string(value, node, body=body, call=call)

    def take_string(self, value: Expression, node: Node, *, body: Body, assigned_to: str = "") -> None:
        """Take down a string that may be SQL."""
        if self.holds_sql and isinstance(value, STRINGS) and value and may_be_sql(value):
            self._add_string(value, node, body=body, assigned_to=assigned_to)

    def _add_string(
        self, value: Expression, node: Node, *, body: Body, call: Call | None = None, assigned_to: str = ""
    ) -> None:
        first, last = node.start_point.row + 1, node.end_point.row + 1
        self.strings.append(StringFact(body.source, value, first, last, call, assigned_to))

    def access(self, value: Expression, node: Node, *, body: Body, is_write: bool = False) -> None:
        """Take down the member chain that an expression is or is made from."""
        while isinstance(value, Element | Awaited):
            value = value[0]
        if not isinstance(value, Member) or not starts_with_something(value):
            return
        self.accesses.append(AccessFact(body.source, value, node.end_point.row + 1, is_write))

    def use(self, written: str, node: Node, *, body: Body, how: str) -> None:
        """Take down a type that is named."""
        if written and self.is_news(written):
            self.uses.append(UseFact(body.source, written, node.start_point.row + 1, how))

    def _is_boring(self, function: Name | Member, arguments: Arguments) -> bool:
        """Say whether a call is one of a built-in type."""
        if not isinstance(function, Member):
            return False
        if isinstance(function.receiver, Text | Joined):
            return True
        if function.name not in self.boring_methods or starts_with_something(function):
            return False
        return function.name not in self.requests or not names_path(arguments.values)

    # locals and members

    def bind(self, name: str, value: Expression, *, body: Body) -> None:
        """Give a local a value, one of several when it has another already."""
        known = body.locals.get(name)
        value = kept(value, name)
        body.locals[name] = value if not known else either(known, value)

    def declare(self, name: str, value: Expression, *, body: Body) -> None:
        """Make a new local of a block."""
        body.locals[name] = kept(value, name)

    def reassign(self, name: str, value: Expression, *, body: Body) -> None:
        """Give a local another value; its type stays as it is, a string may be one of several after a branch."""
        holder = body.holder(name) or body
        known = holder.locals.get(name, UNKNOWN)
        value = kept(value, name)
        if isinstance(known, Typed) or not value:
            holder.locals.setdefault(name, known)
        elif holder is body and isinstance(value, Text | Joined):
            holder.locals[name] = value
        else:
            holder.locals[name] = either(known, value)

    def keep_result(self, value: Expression, node: Node, *, body: Body) -> None:
        """Keep what a function returns, and take it down if it is SQL."""
        if node.type not in self.taken:
            self.take_string(value, node, body=body)
        body.frame.result = either(body.frame.result, kept(value))

    def add_type(
        self,
        declared: Declared,
        *,
        bases: Iterable[str] = (),
        type_parameters: Iterable[Parameter] = (),
        attributes: Iterable[Attribute] = (),
        modifiers: Iterable[str] = (),
        parameters: Iterable[Parameter] = (),
    ) -> None:
        """Take a type down; a type parameter's type is its bound."""
        generic = tuple(type_parameters)
        self.types.append(
            TypeFact(
                key=declared.key,
                name=declared.name,
                qualified_name=declared.qualified_name,
                scope=declared.scope,
                element_type=declared.element_type,
                line=declared.line,
                end_line=declared.end_line,
                bases=tuple(base for base in bases if base),
                type_parameters=tuple(one.name for one in generic),
                attributes=tuple(attributes),
                modifiers=self._one_set(modifiers),
                parameters=tuple(parameters),
                owner=declared.owner.key if declared.owner is not None else "",
                constraints=tuple(one for one in generic if one.type),
            )
        )

    def add_member(
        self,
        declared: Declared,
        *,
        body: Body | None = None,
        owner: str | None = None,
        type: str = "",  # noqa: A002 - the fact's own word
        parameters: Iterable[Parameter] = (),
        type_parameters: Iterable[Parameter] = (),
        attributes: Iterable[Attribute] = (),
        modifiers: Iterable[str] = (),
        value: Expression = UNKNOWN,
    ) -> None:
        """Take a member down; what its body tells is added when the file has been walked."""
        generic = tuple(type_parameters)
        around = declared.owner.key if declared.owner is not None else ""
        member = MemberFact(
            key=declared.key,
            name=declared.name,
            owner=around if owner is None else owner,
            kind=declared.kind,
            element_type=declared.element_type,
            line=declared.line,
            end_line=declared.end_line,
            type=type,
            parameters=tuple(parameters),
            type_parameters=tuple(one.name for one in generic),
            attributes=tuple(attributes),
            modifiers=self._one_set(modifiers),
            visibility=declared.visibility,
            value=kept(value),
            constraints=tuple(one for one in generic if one.type),
        )
        if declared.kind == "FIELD":
            self._values.setdefault(declared.key, len(self.members))
        self.members.append((member, body))

    def own_field(
        self, name: str, value: Expression, *, node: Node, body: Body, visibility: str = ""
    ) -> None:
        """Make a field of what a method puts into its own object, once, with the type where it is told."""
        owner = body.owner
        if owner is None:
            return
        self.note_assignment(name, value, body=body)
        key = self.key(owner.qualified_name, name, kind="FIELD")
        known = self._values.get(key)
        if known is not None:
            member, around = self.members[known]
            if not member.type:
                self.members[known] = member._replace(type=type_told(value)), around
        elif f"{owner.qualified_name}.{name}" not in self._qualified:
            self.add_value(key, name, node=node, owner=owner.key, value=value, visibility=visibility)

    def note_assignment(self, name: str, value: Expression, *, body: Body) -> None:
        """Keep what a constructor puts into its object."""
        if body.frame.is_constructor:
            body.frame.assignments.append(Assignment(name, kept(value)))

    def module_value(self, name: str, value: Expression, *, node: Node, body: Body) -> None:
        """Make a field of a module's variable whose type is told: others import it."""
        key = self.key(self.scope, name, kind="FIELD")
        if body.is_module and type_told(value) and key not in self._values:
            self.add_value(key, name, node=node, owner="", value=value)

    def add_value(
        self,
        key: str,
        name: str,
        *,
        node: Node,
        owner: str,
        value: Expression = UNKNOWN,
        type: str = "",  # noqa: A002 - the fact's own word
        visibility: str = "",
        kind: str = "FIELD",
        element_type: str = "",
        attributes: Iterable[Attribute] = (),
        modifiers: Iterable[str] = (),
    ) -> None:
        """Take down a field, variable or property that the outline may not list."""
        self._values.setdefault(key, len(self.members))
        usual = "property" if kind == "PROPERTY" else "field" if owner else "variable"
        member = MemberFact(
            key=key,
            name=name,
            owner=owner,
            kind=kind,
            element_type=element_type or usual,
            line=node.start_point.row + 1,
            end_line=node.end_point.row + 1,
            type=type or type_told(value),
            attributes=tuple(attributes),
            modifiers=self._one_set(modifiers),
            visibility=visibility or _visibility(name),
            value=UNKNOWN if isinstance(value, Typed) else kept(value),
        )
        self.members.append((member, None))


def _visibility(name: str) -> str:
    return "private" if name.startswith(("_", "#")) and not name.endswith("__") else "public"


def _finished(member: MemberFact, body: Body | None, arities: Mapping[str, int]) -> MemberFact:
    arity = arities.get(member.owner, 0)
    if body is None:
        return member._replace(arity=arity) if arity else member
    return member._replace(
        assignments=tuple(body.assignments),
        handed_on=body.handed_on,
        hands_to=body.hands_to,
        value=member.value or body.result,
        arity=arity,
    )
