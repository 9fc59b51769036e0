"""Find the methods that send what they are given, so that whoever calls them is known to send it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import NamedTuple

from ragduck.facts import Call, CallFact, Expression, FileFacts, Lambda, Member, MemberFact, Name, New, Typed
from ragduck.graph.told import digest, of_called, of_kind, of_message, of_sender
from ragduck.graph.types.catalog import Catalog, TypeInfo, TypeRef
from ragduck.graph.types.chains import function_name
from ragduck.graph.types.expressions import Evaluator, Evaluators
from ragduck.graph.types.findings import Found
from ragduck.graph.types.inheritance import binding_of, spelled, substitute
from ragduck.graph.types.methods import ANYTHING, best_overload, put_in, resolved


def _both(names: Collection[str]) -> frozenset[str]:
    """Return names with their asynchronous forms."""
    return frozenset(form for name in names for form in (name, f"{name}Async"))


_EVENTS = [
    f"{verb}{kind}Event"
    for verb in ("Add", "Dispatch", "Publish", "Queue", "Raise", "Register", "Trigger")
    for kind in ("", "Domain", "Integration")
]
SENDING = _both(("Send", "Publish", "Dispatch", "Raise", "Trigger", "SendLocal", *_EVENTS)) | {"InvokeAsync"}
LATER = _both(("Enqueue", "Push", "Schedule"))  # of a system's own: a queue of the framework sends nothing
# What is handed over by these is sent only where the called method may be given any message
_KINDS = ("Command", "Event", "Message", "Query", "Request")
ASKING = _both(
    [verb + kind for verb in ("Ask", "Authorize", "Execute", "Query", "Request") for kind in ("", *_KINDS)]
    + [
        verb + kind
        for verb in ("Dispatch", "Publish", "Send")
        for kind in _KINDS
        if verb + kind not in _EVENTS
    ]
)
_AFTER_OTHERS = (SENDING | ASKING) - {"InvokeAsync"}
TEXTS = frozenset(("string", "String", "string?"))
_MAX_ROUNDS = 4  # a method that hands its message to a method that hands it on
_MAX_SENT = 20  # by one method: each call of it goes through them
_NOTHING: frozenset[Sent] = frozenset()


class Sent(NamedTuple):
    """What a method sends: the argument for its ``parameter``, else a message that its type parameters make."""

    parameter: int = -1
    message: TypeRef | None = None


class _Overload(NamedTuple):
    """One of the methods that share a key: their parameters tell them apart."""

    key: str
    parameters: tuple[str, ...]


class Senders:
    """The methods of a snapshot that send what their callers give them.

    ``messages`` are the keys of the types that have handlers. ``telling`` are the paths of files with such methods,
    to be given where they are known: others need not be read.
    """

    def __init__(
        self, catalog: Catalog, messages: Collection[str], *, telling: Collection[str] | None = None
    ) -> None:
        self._catalog = catalog
        self.telling: set[str] = set()
        self._messages = messages
        self._kinds = frozenset(_kinds_of(catalog, messages))
        self._of: defaultdict[_Overload, set[Sent]] = defaultdict(set)
        self._names: set[str] = set()
        fresh = set(SENDING | LATER | ASKING) if messages else set()
        for _ in range(_MAX_ROUNDS):
            known = [catalog.files[path] for path in sorted(telling)] if telling is not None else None
            files = tuple(catalog.files_calling(fresh)) if known is None else known
            look = partial(self._read, names=frozenset(fresh))
            noted = {name for file in files for name in catalog.watch.all_in(file, partial(look, file))}
            self._names |= noted
            fresh = noted

    @property
    def sent(self) -> Mapping[str, Sequence[str]]:
        """What methods send in words, by what is told of them."""
        return {of_sender(one.key, one.parameters): _in_words(sent) for one, sent in self._of.items()}

    @cached_property
    def told(self) -> Mapping[str, str]:
        """What methods send, the same in every process, what they are called, and what may be any message."""
        sent = {key: digest(each) for key, each in self.sent.items()}
        called = dict.fromkeys(map(of_called, self._names), "")
        return {**sent, **called, **dict.fromkeys(map(of_kind, self._kinds), "")}

    def told_by(self, file: FileFacts) -> Iterator[str]:
        """Yield the names of methods of another file that send something of their callers."""
        return self._read(file, names=SENDING | LATER | ASKING | self._names) if self._messages else iter(())

    def may_send(self, name: str) -> bool:
        """Say whether a method that is called like this may send something."""
        return name in SENDING or name in LATER or name in ASKING or name in self._names

    def sent_by(self, call: Call, evaluator: Evaluator, *, found: Found | None) -> Iterator[TypeRef]:
        """Yield the types of the messages that a call sends; ``found`` is the method that it means."""
        for given in self._given(call, evaluator, found):
            ref = given if isinstance(given, TypeRef) else _handed_over_by(given, evaluator)
            if ref is not None:
                yield ref
        if function_name(call) in SENDING and _is_made_elsewhere(call):
            yield evaluator.resolve(call.type_arguments[0])

    def _given(self, call: Call, evaluator: Evaluator, found: Found | None) -> Iterator[Expression | TypeRef]:
        """Yield the arguments that a call sends, and the messages that it makes the called method send."""
        name = function_name(call)
        is_sending = name in SENDING or (name in LATER and found is not None)
        if is_sending and call.arguments:
            yield call.arguments[0].value
        if name in _AFTER_OTHERS:
            yield from self._handed_over(call, evaluator, found)
        if name not in self._names or found is None:
            return
        method = best_overload(found, count=len(call.arguments), generic=len(call.type_arguments))
        overload = _overload(method)
        self._catalog.watch.asked_told(of_sender(overload.key, overload.parameters))
        sent = self._of.get(overload, _NOTHING)
        for place in sorted(one.parameter for one in sent if one.message is None):
            yield from arguments_for(call, method, place=place, is_extension=found.is_extension)
        made = [one.message for one in sent if one.message is not None]
        if made:
            binding = self._binding(call, evaluator, method=method, found=found)
            yield from (put_in(one, binding, binding_of(found.declaring)) for one in made)

    def _handed_over(self, call: Call, evaluator: Evaluator, found: Found | None) -> Iterator[Expression]:
        """Yield the arguments of a call that may be any message; what follows a text belongs to that."""
        if found is not None:
            method = best_overload(found, count=len(call.arguments), generic=len(call.type_arguments))
            for place, parameter in enumerate(method.parameters):
                wanted = resolved(self._catalog, method, written=parameter.type)
                if wanted.name in TEXTS:
                    return
                if self._is_any(wanted) or _names_parameter(wanted, method.type_parameters):
                    yield from arguments_for(call, method, place=place, is_extension=found.is_extension)
            return
        function = call.function
        if not isinstance(function, Member) or evaluator.type_of(function.receiver) is None:
            return
        for argument in call.arguments:
            ref = evaluator.bound(evaluator.type_of(argument.value))
            if ref is None or ref.name in TEXTS:
                return
            if self._is_any(ref) or (ref.info is not None and self._is_message(ref.info)):
                yield argument.value

    def _is_any(self, ref: TypeRef) -> bool:
        """Say whether something of a type may be any message: an object, or what messages derive from."""
        kind = _kind(ref)
        self._catalog.watch.asked_told(of_kind(kind))
        return kind in self._kinds or (ref.info is None and ref.name in ANYTHING)

    def _is_message(self, info: TypeInfo) -> bool:
        self._catalog.watch.asked_told(of_message(info.key))
        return info.key in self._messages

    def _binding(
        self, call: Call, evaluator: Evaluator, *, method: MemberFact, found: Found
    ) -> Mapping[str, TypeRef]:
        function = call.function
        receiver = evaluator.type_of(function.receiver) if isinstance(function, Member) else None
        return evaluator.method_binding(method, call, receiver, found)

    def _read(self, file: FileFacts, names: Collection[str]) -> Iterator[str]:
        """Note which methods of a file send something of their callers; yield the names of those."""
        if file.file_class == "test":
            return
        evaluators = Evaluators(self._catalog, file)
        for fact in file.statements.unpacked().calls:
            if function_name(fact.call) not in names:
                continue
            evaluator = evaluators.within(fact.source)
            member = self._around(fact, evaluator.owner, file=file)
            if member is None or evaluator.owner is None:
                continue
            found = called(fact.call, evaluator)
            for given in self._given(fact.call, evaluator, found):
                sent = self._of_callers(given, member, evaluator=evaluator)
                if sent is not None and self._note(member, evaluator.owner, sent=sent):
                    self.telling.add(file.path)
                    yield member.name.rpartition(".")[2]

    def _around(self, fact: CallFact, owner: TypeInfo | None, *, file: FileFacts) -> MemberFact | None:
        """Return the method in which a call stands: overloads share a key, and differ in their lines."""
        name = fact.source.rpartition("|")[0].rpartition(".")[2]
        for member in owner.members.get(name, ()) if owner is not None else ():
            is_around = member.key == fact.source and member.line <= fact.line <= member.end_line
            if is_around and self._catalog.home_of(member) is file:
                return member
        return None

    def _of_callers(
        self, given: Expression | TypeRef, member: MemberFact, *, evaluator: Evaluator
    ) -> Sent | None:
        """Say what of that which a method sends depends on who calls it."""
        ref = given if isinstance(given, TypeRef) else evaluator.type_of(given)
        if isinstance(given, Typed) and given.name:
            names = [one.name for one in member.parameters]
            is_message = ref is not None and ref.info is not None and ref.info.key in self._messages
            if given.name in names and not (is_message and ref is not None and not ref.arguments):
                return Sent(names.index(given.name))
        owner = evaluator.owner
        open_names = {*member.type_parameters, *(owner.type_parameters if owner is not None else ())}
        if ref is None or not any(_names_parameter(one, open_names) for one in (ref, *ref.arguments)):
            return None
        return Sent(message=ref)

    def _note(self, member: MemberFact, owner: TypeInfo, *, sent: Sent) -> bool:
        """Note what a method sends, also for the declarations that it implements; say whether that is new."""
        known = self._of[_overload(member)]
        if sent in known or len(known) >= _MAX_SENT:
            return False
        known.add(sent)
        for base in self._catalog.ancestors(owner):
            for declared in base.info.members.get(member.name, ()) if base.info is not None else ():
                is_open = base.info is not None and (
                    base.info.is_interface or "abstract" in declared.modifiers
                )
                if is_open and len(declared.parameters) == len(member.parameters):
                    self._of[_overload(declared)].add(
                        _as_declared(sent, member, declared=declared, base=base)
                    )
        return True


def _in_words(sent: Collection[Sent]) -> Sequence[str]:
    return sorted(str(one.parameter) if one.message is None else spelled(one.message) for one in sent)


def _handed_over_by(given: Expression, evaluator: Evaluator) -> TypeRef | None:
    """Return the type of a message that is given, or of what a function makes that is given in its place."""
    if isinstance(given, Lambda):
        return evaluator.type_of(given.result)
    ref = evaluator.type_of(given)
    is_function = ref is not None and ref.info is None and ref.name == "Func" and len(ref.arguments) == 1
    return ref.arguments[0] if ref is not None and is_function else ref


def _is_made_elsewhere(call: Call) -> bool:
    """Say whether a call tells only the type of its message: `Publish<Paid>(new { id })`, `Send<Pay>(m => …)`."""
    first = call.arguments[0].value if call.arguments else None
    is_told = first is None or isinstance(first, Lambda) or (isinstance(first, New) and not first.type)
    return len(call.type_arguments) == 1 and is_told


def _kinds_of(catalog: Catalog, messages: Collection[str]) -> Iterator[str]:
    for key in messages:
        yield from map(_kind, catalog.ancestors(catalog.types[key]) if key in catalog.types else ())


def _kind(ref: TypeRef) -> str:
    return ref.info.key if ref.info is not None else ref.name


def called(call: Call, evaluator: Evaluator) -> Found | None:
    """Return the methods that a call means by the type of its receiver."""
    function = call.function
    if isinstance(function, Name):
        found = evaluator.root(function).found
    elif isinstance(function, Member):
        found = evaluator.find(evaluator.type_of(function.receiver), function.name, count=len(call.arguments))
    else:
        return None
    return found if found is not None and found.is_method else None


def _overload(member: MemberFact) -> _Overload:
    return _Overload(member.key, tuple(one.type for one in member.parameters))


def arguments_for(call: Call, method: MemberFact, *, place: int, is_extension: bool) -> Iterator[Expression]:
    """Yield what a call gives for the parameter of a method at a place."""
    if place >= len(method.parameters):
        return
    if is_extension and place == 0 and isinstance(call.function, Member):
        yield call.function.receiver
        return
    name = method.parameters[place].name
    for position, argument in enumerate(call.arguments):
        if argument.name == name or (not argument.name and position == place - is_extension):
            yield argument.value


def _names_parameter(ref: TypeRef, names: Collection[str]) -> bool:
    return ref.info is None and not ref.arguments and ref.name in names


def _as_declared(sent: Sent, member: MemberFact, *, declared: MemberFact, base: TypeRef) -> Sent:
    """Say in the type parameters of an interface what the method sends that implements it."""
    if sent.message is None or base.info is None:
        return sent
    own = [(one.name, name) for one, name in zip(base.arguments, base.info.type_parameters, strict=False)]
    own += zip(member.type_parameters, declared.type_parameters, strict=False)
    return Sent(message=substitute(sent.message, {name: TypeRef(given) for name, given in own}))
