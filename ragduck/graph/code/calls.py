"""Resolve calls to the methods that they can mean, with how sure that is."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cached_property, partial
from typing import NamedTuple

from ragduck.facts import Call, Expression, FileFacts, Member, MemberFact, Name, New
from ragduck.graph.code.implementations import (
    ONE_OF_SEVERAL,
    Choice,
    Implementations,
    implementing,
    to_implement,
)
from ragduck.graph.code.messages import RULE, SENT, MessageHandlers
from ragduck.graph.code.overrides import OVERRIDES, may_be_overridden, overriding
from ragduck.graph.code.own_objects import OWN_OBJECT
from ragduck.graph.code.registrations import is_open
from ragduck.graph.code.taken import Taken, taken
from ragduck.graph.code.topics import Topics
from ragduck.graph.rule_memory import RuleMemory
from ragduck.graph.told import EVERYWHERE, digest, of_property
from ragduck.graph.types import libraries
from ragduck.graph.types.called_members import root_called
from ragduck.graph.types.catalog import Catalog, TypeInfo, TypeRef
from ragduck.graph.types.declarations import is_interface_name
from ragduck.graph.types.expressions import Evaluator, Evaluators
from ragduck.graph.types.externals import CLOSED, is_collection
from ragduck.graph.types.findings import Found
from ragduck.graph.types.methods import accepts, clash, parameter_type
from ragduck.graph.types.overloads import names_method
from ragduck.graph.types.roots import BASE_NAMES, SELF_NAMES

KNOWN_RECEIVER = 0.95
RECEIVER = "receiver type"
MOCK = "Mock"
ON_MOCKS = frozenset(("Setup", "SetupGet", "SetupSequence", "Verify", "VerifyGet", "VerifySet"))


class Target(NamedTuple):
    """A method that a call can mean, or a type that inherits it."""

    key: str
    rule: str
    confidence: float


class Resolution(NamedTuple):
    """What a call means: methods, or a member that holds what is called.

    ``found`` has the method with its overloads. ``through`` are the types that inherit what is called: that of the
    receiver, and those that stand behind it. ``is_open`` holds where the receiver's type does not tell,
    ``is_foreign`` where it is known to be declared elsewhere, under the name of ``receiver``.
    """

    targets: tuple[Target, ...] = ()
    held_by: tuple[MemberFact, ...] = ()
    through: tuple[Target, ...] = ()
    is_open: bool = False
    is_foreign: bool = False
    receiver: str = ""
    found: Found | None = None


class CallResolver:
    """Resolve the calls of a snapshot. What its ``RULES`` say is read once."""

    RULES = ("senders", "acting")

    def __init__(
        self, catalog: Catalog, implementations: Implementations, memory: RuleMemory | None = None
    ) -> None:
        self._catalog = catalog
        self._implementations = implementations
        self._memory = memory or RuleMemory()
        self._mocking: dict[str, bool] = {}

    def read(self) -> None:
        """Read now what is sent and what acts, rather than when it is needed: it is noted who asks for what."""
        self._messages.senders  # noqa: B018
        self._acting_properties  # noqa: B018

    @cached_property
    def _messages(self) -> MessageHandlers:
        return MessageHandlers(self._catalog, self._memory)

    @cached_property
    def _topics(self) -> Topics:
        return Topics(self._catalog)

    @cached_property
    def _acting_properties(self) -> Collection[str]:
        catalog = self._catalog
        return self._memory.words("acting", lambda: dict.fromkeys(sorted(catalog.acting_properties), ""))

    @property
    def told(self) -> Mapping[str, str]:
        """What answers depend on beside declarations, by what is asked for.

        That is what containers are told, which methods handle messages and topics, what methods send for their
        callers, and which properties act.
        """
        shared = self._implementations.told
        return {
            **shared,
            EVERYWHERE: digest((shared[EVERYWHERE], bool(self._messages.of), self._topics.are_any)),
            **self._messages.told(),
            **self._messages.senders.told,
            **self._topics.told(),
            **dict.fromkeys(map(of_property, self._acting()), ""),
        }

    def _acting(self) -> Iterator[str]:
        """Yield the properties that act, as far as they may implement others, also those of a derived type."""
        for key in self._acting_properties:
            owner = self._catalog.owner_of(key)
            if owner is not None and (self._catalog.bases(owner) or self._catalog.derived(owner)):
                yield key

    def resolve(self, call: Call, evaluator: Evaluator) -> Resolution:
        """Say what a call means by the type of its receiver, and who handles what it sends."""
        resolution = self._resolve(call, evaluator)
        if self._mocks(evaluator.file):
            return resolution
        called = {target.key for target in resolution.targets}
        reached = self._messages.reached(call, evaluator, called=called, found=resolution.found)
        keys = dict.fromkeys((*(one.key for one in reached), *self._topics.reached(call, evaluator)))
        handlers = tuple(Target(key, RULE, SENT) for key in keys)
        return resolution._replace(targets=resolution.targets + handlers) if handlers else resolution

    def _mocks(self, file: FileFacts) -> bool:
        """Say whether a test puts doubles in the place of implementations."""
        if file.file_class != "test":
            return False
        if file.path not in self._mocking:
            self._mocking[file.path] = _uses_mocks(self._catalog, file)
        return self._mocking[file.path]

    def _resolve(self, call: Call, evaluator: Evaluator) -> Resolution:
        function = call.function
        if isinstance(function, Name):
            return self._without_receiver(call, evaluator)
        if not isinstance(function, Member):
            return Resolution()
        receiver = evaluator.bound(evaluator.type_of(function.receiver))
        if receiver is None and isinstance(function.receiver, Name):
            receiver = _of_type_parameter(function.receiver, evaluator)
        count = _count_of(call, receiver, evaluator=evaluator)
        found = evaluator.find(receiver, function.name, count=count, call=call)
        if found is not None and found.is_extension and _clash_all(found, call, evaluator=evaluator):
            return Resolution(is_foreign=True, receiver=receiver.name if receiver is not None else "")
        if found is None and receiver is None:
            found = evaluator.found_by_path(function)
        if found is None:
            return _unknown(function, receiver, evaluator=evaluator)
        rule = RECEIVER if found.declaring.info is not None else "import"
        rule = "extension method" if found.is_extension else rule
        return self._resolution(found, evaluator, rule=rule, receiver=receiver, value=function.receiver)

    def _without_receiver(self, call: Call, evaluator: Evaluator) -> Resolution:
        root = root_called(call, evaluator)
        if root.found is not None:
            if self._has_foreign_base(evaluator.owner) and not _fits(root.found, call, evaluator=evaluator):
                return Resolution(is_foreign=True)
            return self._resolution(root.found, evaluator, rule=root.rule)
        if root.type is not None and root.type.info is not None:
            return Resolution(tuple(constructor_targets(root.type.info)))
        return Resolution()

    def _has_foreign_base(self, owner: TypeInfo | None) -> bool:
        """Say whether a type may inherit methods of any name, as the `View` of an MVC controller."""
        bases = self._catalog.ancestors(owner) if owner is not None else ()
        return any(ref.info is None and not is_interface_name(ref.name) for ref in bases)

    def _resolution(
        self,
        found: Found,
        evaluator: Evaluator,
        *,
        rule: str,
        receiver: TypeRef | None = None,
        value: Expression | None = None,
    ) -> Resolution:
        if not found.is_method:
            return Resolution(held_by=found.members[:1])
        member = found.members[0]
        targets = {member.key: Target(member.key, rule, KNOWN_RECEIVER)}
        heirs = self._heirs(found, evaluator, receiver=receiver, value=value)
        through = {one.key: one for one in heirs}
        for choice, one in self._behind(found, evaluator, receiver=receiver, value=value):
            targets.setdefault(one.key, Target(one.key, choice.rule, choice.confidence))
            if one.owner != choice.info.key:
                key = choice.info.key
                through.setdefault(key, Target(key, choice.rule, choice.confidence))
        for one in self._overriding(found, evaluator, receiver=receiver, value=value):
            targets.setdefault(one.key, Target(one.key, OVERRIDES, ONE_OF_SEVERAL))
        return Resolution(tuple(targets.values()), through=tuple(through.values()), found=found)

    def _heirs(
        self, found: Found, evaluator: Evaluator, *, receiver: TypeRef | None, value: Expression | None
    ) -> Iterator[Target]:
        """Yield the types that inherit what is called on them: the receiver's, and the own one that can be made."""
        owner, declaring = evaluator.owner, found.declaring.info
        if found.is_extension or declaring is None:
            return
        if receiver is not None and receiver.info is not None and receiver.info is not declaring:
            yield Target(receiver.info.key, RECEIVER, KNOWN_RECEIVER)
        is_own = value is None or (isinstance(value, Name) and value.name in BASE_NAMES)
        if owner is None or not is_own or is_open(owner) or "static" in found.members[0].modifiers:
            return
        if any(ref.info is declaring for ref in self._catalog.inherited(owner)):
            yield Target(owner.key, OWN_OBJECT, KNOWN_RECEIVER)

    def behind_read(self, found: Found, node: Expression, evaluator: Evaluator) -> Iterator[Target]:
        """Yield the properties that run where one is read or set that is only declared.

        Those that hold a value and no more lead nowhere, and are left out.
        """
        if found.members[0].kind != "PROPERTY" or not _is_only_declared(found):
            return
        value = node.receiver if isinstance(node, Member) else None
        receiver = evaluator.bound(evaluator.type_of(value)) if value is not None else None
        for choice, one in self._behind(found, evaluator, receiver=receiver, value=value):
            self._catalog.watch.asked_told(of_property(one.key))
            if one.key in self._acting_properties:
                yield Target(one.key, choice.rule, choice.confidence)

    def _overriding(
        self, found: Found, evaluator: Evaluator, *, receiver: TypeRef | None, value: Expression | None
    ) -> Iterator[MemberFact]:
        """Yield the methods that run instead of a virtual one if the object is of a derived class."""
        member, declaring = found.members[0], found.declaring.info
        is_exact = isinstance(value, New) or (isinstance(value, Name) and value.name in BASE_NAMES)
        if is_exact or declaring is None or found.is_extension or not may_be_overridden(member):
            return
        holder = receiver.info if receiver is not None else evaluator.owner
        is_below = holder is not None and any(
            ref.info is declaring for ref in self._catalog.inherited(holder)
        )
        if not self._mocks(evaluator.file):
            info = holder if holder is not None and is_below else declaring
            applications = self._implementations.applications
            yield from overriding(self._catalog, applications, info, member=member, near=evaluator.file)

    def _behind(
        self, found: Found, evaluator: Evaluator, *, receiver: TypeRef | None, value: Expression | None
    ) -> Iterator[tuple[Choice, MemberFact]]:
        """Yield the members that implement what is called or read of a value, if it is only declared there."""
        if not _is_only_declared(found) or self._mocks(evaluator.file):
            return
        member = _of_arity(found, receiver) if value is not None and not _is_self(value) else found.members[0]
        if receiver is None and evaluator.owner is not None:
            receiver = self._catalog.own(evaluator.owner)
        asked = to_implement(self._catalog, found.declaring, receiver=receiver)
        holds = partial(self._implementations.is_handed_out, asked.info)
        how = taken(value, evaluator, is_holder=holds) if value is not None else Taken.OPEN
        choices = self._implementations.behind(asked, near=evaluator.file, by=evaluator.owner, how=how)
        for choice in choices:
            yield from ((choice, one) for one in implementing(self._catalog, choice.info, member=member))


def _is_only_declared(found: Found) -> bool:
    info = found.declaring.info
    if info is None or found.is_extension:
        return False
    return info.is_interface or "abstract" in found.members[0].modifiers


def _is_self(value: Expression) -> bool:
    return isinstance(value, Name) and value.name in SELF_NAMES


def _of_arity(found: Found, receiver: TypeRef | None) -> MemberFact:
    """Return the member of a generic type or of its plain namesake: the receiver has as many type arguments."""
    is_own = receiver is not None and receiver.info is found.declaring.info
    seen = receiver if receiver is not None and is_own else found.declaring
    alike = (one for one in found.members if one.arity == len(seen.arguments))
    return next(alike, found.members[0])


def _of_type_parameter(receiver: Name, evaluator: Evaluator) -> TypeRef | None:
    """Return what bounds the `T` of `T.Create()`, if it is a type parameter."""
    bound = evaluator.bound(TypeRef(receiver.name))
    return bound if bound is not None and bound.info is not None else None


def _uses_mocks(catalog: Catalog, file: FileFacts) -> bool:
    """Say whether a file opens a library of doubles, or says what one has to do or has done."""
    if not catalog.sight_of(file).opened.isdisjoint(libraries.MOCKS):
        return True
    within = Evaluators(catalog, file).within
    for fact in file.statements.unpacked().calls:
        function = fact.call.function
        if isinstance(function, Member) and function.name in ON_MOCKS:
            receiver = within(fact.source).type_of(function.receiver)
            if receiver is not None and receiver.info is None and receiver.name == MOCK:
                return True
    return False


def _fits(found: Found, call: Call, *, evaluator: Evaluator) -> bool:
    """Say whether an overload takes the arguments, as far as they are known."""
    if not found.is_method:
        return True
    return any(
        accepts(one, len(call.arguments)) and not _clashes(one, call, evaluator=evaluator)
        for one in found.members
    )


def _clash_all(found: Found, call: Call, *, evaluator: Evaluator) -> bool:
    return all(_clashes(one, call, evaluator=evaluator, first=1) for one in found.members)


def _count_of(call: Call, receiver: TypeRef | None, *, evaluator: Evaluator) -> int | None:
    """Return the number of arguments; for a helper of a view pieces of markup may be some, which are not known."""
    takes_markup = evaluator.file.language == "razor" and not (receiver and is_collection(receiver))
    return None if takes_markup else len(call.arguments)


def _clashes(method: MemberFact, call: Call, *, evaluator: Evaluator, first: int = 0) -> bool:
    return any(
        clash(evaluator.type_of(argument.value), parameter_type(evaluator.catalog, method, position=at))
        for at, argument in enumerate(call.arguments, first)
        if not (argument.name or names_method(argument.value, evaluator))
    )


def _unknown(function: Member, receiver: TypeRef | None, *, evaluator: Evaluator) -> Resolution:
    """Say what is known of a receiver on whose type no declared method is found."""
    if receiver is None:
        is_foreign = _is_foreign_name(function.receiver, evaluator)
        return Resolution(is_open=not is_foreign, is_foreign=is_foreign)
    is_foreign = receiver.info is None
    is_open = is_foreign and receiver.name not in CLOSED
    return Resolution(is_open=is_open, is_foreign=is_foreign, receiver=receiver.name)


def _is_foreign_name(receiver: Expression, evaluator: Evaluator) -> bool:
    """Say whether a receiver names what only others declare.

    That is an imported module, a base that is not declared here, or a type, by its capital letter.
    """
    if isinstance(receiver, Name) and receiver.name in BASE_NAMES and evaluator.owner is not None:
        bases = evaluator.catalog.bases(evaluator.owner)
        return any(ref.info is None and not is_interface_name(ref.name) for ref in bases)
    if isinstance(receiver, Name) and receiver.name[:1].isupper():
        return True
    while isinstance(receiver, Member):
        receiver = receiver.receiver
    if not isinstance(receiver, Name) or evaluator.root(receiver).is_known:
        return False
    return receiver.name in evaluator.catalog.sight_of(evaluator.file).aliases


def constructor_targets(info: TypeInfo) -> Iterator[Target]:
    """Yield the constructor of a type that is made, if it declares one."""
    for name in (info.name, "__init__", "constructor"):
        for member in info.members.get(name, ())[:1]:
            if member.element_type == "constructor":
                yield Target(member.key, "new", KNOWN_RECEIVER)
