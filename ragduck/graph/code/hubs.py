"""Relate both ends of SignalR: `connection.invoke("Join")` to hubs, `Clients.All.SendAsync("Joined")` to listeners.

Names are compared in lower case, as SignalR does.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ragduck.facts import Call, CallFact, Expression, FileFacts, Member, MemberFact, Typed
from ragduck.graph.code.addresses import SCRIPTS
from ragduck.graph.code.edges import EdgeCollector, Site
from ragduck.graph.code.request_clients import TOLD
from ragduck.graph.code.requests import SEVERAL
from ragduck.graph.code.roles import ancestor_names
from ragduck.graph.code.routes import Scene
from ragduck.graph.types.catalog import Catalog, TypeInfo
from ragduck.graph.types.chains import argument, function_name, inward, last_name, receiver_of
from ragduck.graph.types.declarations import family_of
from ragduck.graph.types.expressions import Evaluators

RULE = "signalr"
HUBS = "types of hubs"  # the rule that says which there are
MOST = 8  # that bear a name; more of them tell nothing
_HUB, _CONNECTION, _CLIENTS = "Hub", "HubConnection", "Clients"
_CHOICES = frozenset(
    (
        *("All", "AllExcept", "Caller", "Client", "Clients", "Group", "GroupExcept", "Groups"),
        *("Others", "OthersInGroup", "User", "Users"),
    )
)
_PROXIES = frozenset(("IClientProxy", "ISingleClientProxy"))
_ASKS = frozenset(("invoke", "send", "stream"))  # of scripts
_LISTENS = "on"
_CORE = ("", "Core")
_ASKS_IN_CODE = frozenset(f"{verb}{core}Async" for verb in ("Invoke", "Send", "Stream") for core in _CORE)
_SENDS = frozenset(f"Send{core}Async" for core in _CORE)
_LISTENS_IN_CODE = "On"
_CALLED_CONNECTION = re.compile(r"\w*(?:connection|hub|signalr)\w*", re.IGNORECASE)


class _Place(NamedTuple):
    """A call, the file that it stands in, and what it names."""

    file: FileFacts
    fact: CallFact
    name: str

    @property
    def site(self) -> Site:
        """Where the call stands."""
        return Site(self.file.path, self.fact.line)


def hubs_of(catalog: Catalog) -> Iterator[TypeInfo]:
    """Yield the hubs of a snapshot, but for those of tests."""
    for info in catalog.types.values():
        is_code = family_of(info.language) == "csharp" and info.files[0].file_class != "test"
        if is_code and _HUB in ancestor_names(catalog, info):
            yield info


def add_hub_calls(catalog: Catalog, edges: EdgeCollector, hubs: Sequence[TypeInfo]) -> None:
    """Relate who calls methods of hubs by their names to these, and who sends messages to who listens to them."""
    if hubs:
        _add_asked(catalog, hubs, edges)
        _add_sent(catalog, hubs, edges)


def _add_asked(catalog: Catalog, hubs: Sequence[TypeInfo], edges: EdgeCollector) -> None:
    answering: defaultdict[str, list[str]] = defaultdict(list)
    for hub in hubs:
        for member in _methods(hub):
            answering[member.name.lower()].append(member.key)
    for place in _named(catalog, scripts=_ASKS, code=_ASKS_IN_CODE):
        keys = answering.get(place.name, ())
        for key in keys if len(keys) <= MOST else ():
            confidence = TOLD if len(keys) == 1 else SEVERAL
            edges.add(
                place.fact.source, key, relation="Calls", rule=RULE, at=place.site, confidence=confidence
            )


def _add_sent(catalog: Catalog, hubs: Sequence[TypeInfo], edges: EdgeCollector) -> None:
    listening: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for place in _named(catalog, scripts=frozenset((_LISTENS,)), code=frozenset((_LISTENS_IN_CODE,))):
        listening[place.name][place.fact.source] = None
    if not listening:
        return
    heard = {name: tuple(sources) for name, sources in listening.items() if len(sources) <= MOST}
    for source, name, site in _sent(catalog):
        for key in heard.get(name, ()):
            edges.add(source, key, relation="Calls", rule=RULE, at=site, confidence=TOLD)
    _add_of_typed_clients(catalog, hubs, heard, edges)


def _sent(catalog: Catalog) -> Iterator[tuple[str, str, Site]]:
    """Yield who sends what, also through methods that are given the name of the message."""
    handing: defaultdict[str, set[int]] = defaultdict(set)
    for file in catalog.files_calling(_SENDS):
        evaluators = Evaluators(catalog, file)
        for fact in file.calls if family_of(file.language) == "csharp" else ():
            receiver = receiver_of(fact.call)
            if function_name(fact.call) not in _SENDS or receiver is None:
                continue
            ref = evaluators.within(fact.source).type_of(receiver)
            if not (_is_of_clients(receiver) or (ref is not None and ref.name in _PROXIES)):
                continue
            told = argument(fact.call, 0, name="method")
            text = Scene(catalog, file, fact.source).text(told)
            if text:
                yield fact.source, text.lower(), Site(file.path, fact.line)
            elif isinstance(told, Typed) and told.name:
                _note_handing(catalog, fact.source, told.name, handing)
    for place, name in _given(catalog, handing):
        yield place.fact.source, name, place.site


def _note_handing(catalog: Catalog, source: str, parameter: str, handing: defaultdict[str, set[int]]) -> None:
    owner = catalog.owner_of(source)
    name = source.rpartition("|")[0].rpartition(".")[2]
    for member in owner.members.get(name, ()) if owner is not None else ():
        for at, one in enumerate(member.parameters) if member.key == source else ():
            if one.name == parameter:
                handing[member.name].add(at)


def _given(catalog: Catalog, handing: Mapping[str, set[int]]) -> Iterator[tuple[_Place, str]]:
    for file in catalog.files_calling(handing.keys()) if handing else ():
        for fact in file.calls if family_of(file.language) == "csharp" else ():
            for at in handing.get(function_name(fact.call), ()):
                text = Scene(catalog, file, fact.source).text(argument(fact.call, at))
                if text:
                    yield _Place(file, fact, text.lower()), text.lower()


def _add_of_typed_clients(
    catalog: Catalog, hubs: Sequence[TypeInfo], heard: Mapping[str, Sequence[str]], edges: EdgeCollector
) -> None:
    """Relate `Clients.All.Joined(name)` of a `Hub<IChatClient>` to the interface, and its methods to who listens."""
    messages: defaultdict[str, dict[str, MemberFact]] = defaultdict(dict)  # by name, of each interface
    clients: defaultdict[str, set[str]] = defaultdict(set)  # the interfaces of a hub
    for hub in hubs:
        for ref in catalog.ancestors(hub):
            told = ref.arguments[0].info if ref.name == _HUB and ref.arguments else None
            for one in _methods(told) if told is not None else ():
                messages[one.name][one.owner] = one
                clients[hub.key].add(one.owner)
    for name, members in messages.items():
        for member in members.values():
            site = Site(catalog.home_of(member).path, member.line)
            for key in heard.get(name.lower(), ()):
                edges.add(member.key, key, relation="Calls", rule=RULE, at=site, confidence=TOLD)
    for file in catalog.files_calling(messages.keys()) if messages else ():
        for fact in file.calls if family_of(file.language) == "csharp" else ():
            receiver, sent = receiver_of(fact.call), messages.get(function_name(fact.call), {})
            if not sent or receiver is None or not _is_of_clients(receiver):
                continue
            owner = catalog.owner_of(fact.source)
            own = clients.get(owner.key, set()) if owner is not None else set()
            meant = [member for key, member in sent.items() if key in own] or list(sent.values())
            if len(meant) == 1:
                at = Site(file.path, fact.line)
                edges.add(fact.source, meant[0].key, relation="Calls", rule=RULE, at=at, confidence=TOLD)


def _is_of_clients(receiver: Expression) -> bool:
    """Say whether something is `Clients.All`, `_hub.Clients.Group(room)` and the like."""
    for one in inward(receiver):
        chosen = one.function if isinstance(one, Call) else one
        if isinstance(chosen, Member) and chosen.name in _CHOICES and last_name(chosen.receiver) == _CLIENTS:
            return True
    return False


def _methods(info: TypeInfo) -> Iterator[MemberFact]:
    for members in info.members.values():
        for one in members[:1]:
            if one.kind == "METHOD" and one.element_type != "constructor" and one.visibility != "private":
                yield one


def _named(catalog: Catalog, *, scripts: frozenset[str], code: frozenset[str]) -> Iterator[_Place]:
    """Yield the calls of a connection that name a method of a hub or a message."""
    for file in catalog.files_calling(scripts | code):
        is_script = file.language in SCRIPTS
        names = scripts if is_script else code
        if not is_script and family_of(file.language) != "csharp":
            continue
        evaluators = Evaluators(catalog, file)
        for fact in file.calls:
            if function_name(fact.call) in names and _is_of_connection(fact, evaluators, is_script=is_script):
                text = Scene(catalog, file, fact.source).text(argument(fact.call, 0))
                if text:
                    yield _Place(file, fact, text.lower())


def _is_of_connection(fact: CallFact, evaluators: Evaluators, *, is_script: bool) -> bool:
    receiver = receiver_of(fact.call)
    if receiver is None:
        return False
    ref = evaluators.within(fact.source).type_of(receiver)
    if ref is not None and ref.name:
        return ref.name.rpartition(".")[2] == _CONNECTION
    return is_script and _CALLED_CONNECTION.fullmatch(_called(receiver)) is not None


def _called(receiver: Expression) -> str:
    return "" if isinstance(receiver, Call) else last_name(receiver)
