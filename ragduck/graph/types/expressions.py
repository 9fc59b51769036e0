"""Tell the type of an expression where the files tell it."""

from __future__ import annotations

from collections.abc import Sequence

from ragduck.facts import (
    HANDED,
    Awaited,
    Call,
    Choice,
    DelegateParameter,
    Element,
    Expression,
    FileFacts,
    LambdaParameter,
    Member,
    MemberFact,
    Name,
    New,
    OutArgument,
    Text,
    Typed,
    TypeOf,
)
from ragduck.graph.types import externals
from ragduck.graph.types.called_members import find_called, root_called
from ragduck.graph.types.catalog import Catalog, TypeInfo, TypeRef
from ragduck.graph.types.chains import Step, unwound
from ragduck.graph.types.delegates import handed_over
from ragduck.graph.types.elements import picked
from ragduck.graph.types.extended_types import extended_type
from ragduck.graph.types.findings import Found, Root
from ragduck.graph.types.framework_members import inherited_from_framework, member_of_foreign
from ragduck.graph.types.inheritance import binding_of
from ragduck.graph.types.lambdas import chain_result, parameter_of_lambda
from ragduck.graph.types.methods import (
    BOUND_WORDS,
    bounds_of,
    find_member,
    member_owner,
    put_in,
)
from ragduck.graph.types.out_arguments import type_handed_out
from ragduck.graph.types.overloads import overload_of, type_arguments
from ragduck.graph.types.records import positional_type
from ragduck.graph.types.roots import find_root
from ragduck.graph.types.written import ARRAY, TUPLE

MAX_CHAIN = 200
MAX_DEPTH = 12


def type_of(expression: Expression, *, catalog: Catalog, file: FileFacts, source: str) -> TypeRef | None:
    """Return the type of an expression that stands in the declaration ``source`` of a file, if it can be told.

    The name of a type is of that type, so that static members are found the same way.
    """
    return Evaluator(catalog, file=file, source=source).type_of(expression)


class Evaluator:
    """Tell the types of the expressions of one declaration, each once."""

    def __init__(self, catalog: Catalog, *, file: FileFacts, source: str, depth: int = 0) -> None:
        self.catalog = catalog
        self.file = file
        self.source = source
        self.owner = catalog.owner_of(source)
        self._bounds = bounds_of(catalog, owner=self.owner, methods=self._declared(source))
        self._depth = depth
        self._known: dict[int, tuple[Expression, TypeRef | None]] = {}

    def _declared(self, source: str) -> Sequence[MemberFact]:
        """Return the overloads in which the expressions stand; only what is generic matters."""
        if self.owner is None or source == self.owner.key:
            return ()
        name = source[len(self.owner.key) - len("TYPE") :].rpartition("|")[0]
        return [one for one in self.owner.members.get(name, ()) if one.constraints]

    def type_of(self, expression: Expression) -> TypeRef | None:
        """Return the type of an expression."""
        known = self._known.get(id(expression))
        if known is not None:
            return known[1]
        if self._depth >= MAX_DEPTH:
            return None
        self._depth += 1
        found = self._evaluate(expression)
        self._depth -= 1
        self._known[id(expression)] = (expression, found)  # kept, so that the id stays its own
        return found

    def type_from(self, handed: TypeRef | None, expression: Expression) -> TypeRef | None:
        """Return the type of what a lambda returns that is ``handed`` something of a type."""
        root, steps = unwound(expression)
        return self._climb(handed, steps) if root == HANDED else self.type_of(expression)

    def bound(self, ref: TypeRef | None) -> TypeRef | None:
        """Take the constraint of a type parameter for its type."""
        if ref is None or ref.info is not None or ref.name not in self._bounds:
            return ref
        bounds = [self.resolve(one) for one in self._bounds[ref.name] if one not in BOUND_WORDS]
        declared = next((one for one in bounds if one.info is not None), None)
        return declared or next((one for one in bounds if one.name not in self._bounds), ref)

    def resolve(self, written: str) -> TypeRef:
        """Resolve a type that is written among the expressions."""
        return self.catalog.resolve(written, file=self.file, owner=self.owner)

    def find(
        self, receiver: TypeRef | None, name: str, *, count: int | None = None, call: Call | None = None
    ) -> Found | None:
        """Find a member on the type of a receiver, or an extension method.

        An extension method takes the ``count`` of arguments, and comes before a method that does not. Where the
        ``call`` is given, it comes before one that cannot be meant by type arguments and the types of arguments, too.
        """
        receiver = self.bound(receiver) or extended_type(call, self)
        if receiver is None:
            return None
        return find_called(receiver, name, evaluator=self, count=count, call=call)

    def found_by_path(self, expression: Member) -> Found | None:
        """Find a function that is qualified by the name of its module."""
        names = [expression.name]
        node = expression.receiver
        while isinstance(node, Member) and len(names) < MAX_DEPTH:
            names.append(node.name)
            node = node.receiver
        root = self.root(node)
        if root.is_known or not root.path:
            return None
        path = ".".join((root.path, *reversed(names)))
        return find_root(self.catalog, path, file=self.file, owner=self.owner).found

    def root(self, expression: Expression) -> Root:
        """Say what a bare name means."""
        if not isinstance(expression, Name):
            return Root()
        return find_root(self.catalog, expression.name, file=self.file, owner=self.owner)

    def _evaluate(self, expression: Expression) -> TypeRef | None:
        """Walk down a chain of members and calls to its root, then up again."""
        node, steps = unwound(expression)
        if len(steps) > MAX_CHAIN:
            return None
        if isinstance(node, Name):
            return self._from_name(node, steps)
        return self._climb(self._value(node), steps)

    def _from_name(self, name: Name, steps: list[Step]) -> TypeRef | None:
        """Begin with a name: a member, a type, or the first part of a qualified name."""
        if steps and isinstance(steps[-1], Call) and isinstance(steps[-1].function, Name):
            return self._climb(self._called(steps.pop()), steps)
        root = self.root(name)
        if root.is_known:
            meant = self._in_namespace(root, name, steps)
            return meant or self._climb(self._of_root(root), steps)
        return self._from_path(root, steps) or self._climb(externals.static_type(name.name), steps)

    def _in_namespace(self, root: Root, name: Name, steps: list[Step]) -> TypeRef | None:
        """Begin with a namespace that a type is called like: `Parser.Parser` is no member of the type."""
        step = steps[-1] if steps else None
        if root.type is None or root.type.name != name.name or not isinstance(step, Member):
            return None
        member = find_member(self.catalog, root.type, name=step.name, file=self.file)
        if member is not None and member.members[0].element_type != "constructor":
            return None
        return self._from_path(Root(path=name.name), steps)

    def _from_path(self, root: Root, steps: list[Step]) -> TypeRef | None:
        """Take names for the path to a type or function as long as they lead to none."""
        at = len(steps) - 1
        while root.path and not root.is_known and at >= 0:
            step = steps[at]
            if not isinstance(step, Member):
                return None
            root = find_root(self.catalog, f"{root.path}.{step.name}", file=self.file, owner=self.owner)
            at -= 1
        caller = steps[at] if at >= 0 else None
        if isinstance(caller, Call) and root.found is not None:
            return self._climb(self._returned(root.found, caller, receiver=None), steps[:at])
        return self._climb(self._of_root(root), steps[: at + 1])

    def _of_root(self, root: Root) -> TypeRef | None:
        if root.found is not None:
            return self._held(root.found)
        return root.type

    def _called(self, step: Step) -> TypeRef | None:
        """Return what a call without receiver returns; calling a class makes one."""
        if not isinstance(step, Call):
            return None
        root = root_called(step, self)
        if root.found is not None:
            return self._returned(root.found, step, receiver=None)
        if root.type is not None:
            return root.type
        name = step.function.name if isinstance(step.function, Name) else ""
        return self._by_type_argument(step, name)

    def _climb(self, ref: TypeRef | None, steps: list[Step]) -> TypeRef | None:
        at = len(steps) - 1
        while at >= 0:
            step = steps[at]
            caller = steps[at - 1] if at else None
            if isinstance(step, Member) and isinstance(caller, Call) and caller.function is step:
                ref = self._call(ref, step.name, call=caller)
                at -= 1
            elif isinstance(step, Member):
                ref = self.member_type(ref, step.name)
            elif isinstance(step, Awaited):
                ref = externals.awaited(ref) if ref is not None else None
            elif isinstance(step, Element):
                ref = picked(ref, step, following=caller, evaluator=self)
            else:  # a delegate that an expression results in is called
                ref = externals.called(ref) if ref is not None else None
            at -= 1
        return ref

    def _value(self, node: Expression) -> TypeRef | None:
        if isinstance(node, (New, Typed)):
            return (
                self._new(node) if isinstance(node, New) else self.resolve(node.type) if node.type else None
            )
        if isinstance(node, Choice):
            types = [self.type_of(option) for option in node.options[:MAX_DEPTH]]
            known = [one for one in types if one is not None]
            return next((one for one in known if one.info is not None), known[0] if known else None)
        if isinstance(node, LambdaParameter):
            return parameter_of_lambda(node, self)
        if isinstance(node, DelegateParameter):
            return handed_over(self.type_of(node.delegate), node.position, evaluator=self)
        if isinstance(node, OutArgument):
            return type_handed_out(node, self)
        if isinstance(node, Text):
            return TypeRef("string")
        return TypeRef("Type") if isinstance(node, TypeOf) else None

    def _new(self, node: New) -> TypeRef | None:
        if node.type == TUPLE:
            parts = (self.type_of(one.value) for one in node.arguments)
            labels = tuple(one.name for one in node.arguments)
            return TypeRef(TUPLE, None, tuple(one or TypeRef("") for one in parts), labels)
        if node.type != ARRAY:
            return self.resolve(node.type) if node.type else None
        first = self.type_of(node.arguments[0].value) if node.arguments else None
        return TypeRef(ARRAY, None, (first,)) if first is not None else None

    def element_of(self, ref: TypeRef | None) -> TypeRef | None:
        """Return what a collection holds, or an indexer returns."""
        ref = self.bound(ref)
        if ref is None or ref.info is None:
            return externals.element(ref) if ref is not None else None
        indexer = find_member(self.catalog, ref, name="this[]", file=self.file)
        if indexer is not None:
            return self._held(indexer)
        binding = binding_of(ref)
        collections = (one for one in self.catalog.ancestors(ref.info) if externals.is_collection(one))
        held = next(collections, None)
        return put_in(held.arguments[-1], binding) if held is not None else None

    def member_type(self, ref: TypeRef | None, name: str) -> TypeRef | None:
        """Return the type of a member of something of a type."""
        ref = self.bound(ref)
        if ref is None:
            return None
        found = find_member(self.catalog, ref, name=name, file=self.file)
        if found is not None:
            return self._held(found)
        if ref.info is None:
            return externals.member_of(ref, name) or member_of_foreign(ref.name, name)
        nested = self.catalog.nested(ref.info, name)
        if nested is not None:
            return TypeRef(nested.name, nested)
        inherited = inherited_from_framework(self.catalog, name, owner=ref.info)
        if inherited is not None:
            return put_in(inherited, binding_of(ref))
        if name == "Value" and ref.info.declarations[0].element_type in ("struct", "enum", "record"):
            return ref  # of a nullable
        return positional_type(self.catalog, ref, name)

    def _held(self, found: Found) -> TypeRef | None:
        """Return what a property or field holds, or a method returns when it is not called here."""
        held = self.type_of_member(found.members[0])
        return put_in(held, binding_of(found.declaring)) if held is not None else None

    def type_of_member(self, member: MemberFact) -> TypeRef | None:
        """Return what a member is declared to hold or to return, else the type of its value."""
        known = self.catalog.memory.member_types
        if not known:
            self._remember_values()
        if id(member) not in known:
            self._remember(member)
        return known[id(member)]

    def _remember_values(self) -> None:
        """Tell the types of members that only have values, file by file: in a circle it matters which is first."""
        known = self.catalog.memory.member_types
        outermost = Evaluator(self.catalog, file=self.file, source="")
        for file in self.catalog.files.values():
            for member in file.members:
                if not member.type and id(member) not in known:
                    outermost._remember(member)

    def _remember(self, member: MemberFact) -> None:
        known = self.catalog.memory.member_types
        known[id(member)] = None  # for members that are their own value
        known[id(member)] = self._declared_type(member)

    def _declared_type(self, member: MemberFact) -> TypeRef | None:
        owner = self.catalog.types.get(member.owner)
        if member.element_type == "enum_member" and owner is not None:
            return TypeRef(owner.name, owner)
        home = self.catalog.home_of(member)
        if member.type:
            return self.catalog.resolve(member.type, file=home, owner=owner)
        inside = Evaluator(self.catalog, file=home, source=member.key, depth=self._depth)
        return inside.type_of(member.value) or self._assigned(member, owner)

    def _assigned(self, member: MemberFact, owner: TypeInfo | None) -> TypeRef | None:
        """Return the type of what a constructor puts into a member without a type."""
        for name in (owner.name, "__init__", "constructor") if owner is not None and not member.type else ():
            for constructor in owner.members.get(name, ()) if owner is not None else ():
                for assignment in constructor.assignments:
                    if assignment.member == member.name:
                        home = self.catalog.home_of(constructor)
                        inside = Evaluator(self.catalog, file=home, source=constructor.key, depth=self._depth)
                        return inside.type_of(assignment.value)
        return None

    def _call(self, ref: TypeRef | None, name: str, *, call: Call) -> TypeRef | None:
        found = self.find(ref, name, count=len(call.arguments), call=call)
        if found is not None:
            return self._returned(found, call, receiver=ref)
        held = self.collected(ref)
        result = externals.result_of(held, name) if held is not None else externals.result_by_name(name)
        if held is not None and result is None:
            result = chain_result(name, call, held=held, evaluator=self)
        return result or self._by_type_argument(call, name)

    def collected(self, ref: TypeRef | None) -> TypeRef | None:
        """Return a declared collection as one that LINQ knows."""
        if ref is None or ref.info is None:
            return ref
        binding = binding_of(ref)
        found = (one for one in self.catalog.ancestors(ref.info) if externals.is_collection(one))
        held = next(found, None)
        return put_in(held, binding) if held is not None else ref

    def _by_type_argument(self, call: Call, name: str) -> TypeRef | None:
        if not call.type_arguments:
            return None
        return externals.by_type_arguments(name, tuple(map(self.resolve, call.type_arguments)))

    def _returned(self, found: Found, call: Call, *, receiver: TypeRef | None) -> TypeRef | None:
        """Return what a method returns, or the result of a delegate that a member holds."""
        if not found.is_method:
            held = self._held(found)
            return externals.element(held) if held is not None else None
        method = overload_of(found, call, self)
        result = self.type_of_member(method)
        if method.element_type == "constructor":
            owner = member_owner(self.catalog, method)
            return TypeRef(owner.name, owner)
        if result is None:
            return None
        return put_in(
            result,
            self.method_binding(method, call, receiver=receiver, found=found),
            binding_of(found.declaring),
        )

    def method_binding(
        self, method: MemberFact, call: Call, receiver: TypeRef | None, found: Found
    ) -> dict[str, TypeRef]:
        """Return a method's type arguments, as written or as the arguments tell."""
        return type_arguments(method, call, self, found=found, receiver=self.collected(receiver))


class Evaluators:
    """The evaluators of one file, one per declaration; they keep the expressions that they have seen."""

    def __init__(self, catalog: Catalog, file: FileFacts) -> None:
        self.file = file
        self._catalog = catalog
        self._by_source: dict[str, Evaluator] = {}

    def within(self, source: str) -> Evaluator:
        """Return what tells the types of expressions in a declaration."""
        found = self._by_source.get(source)
        if found is None:
            found = self._by_source[source] = Evaluator(self._catalog, file=self.file, source=source)
        return found
