"""Find the methods that subscribe to topics and queues, which senders name by a text: `[CapSubscribe("paid")]`."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence

from ragduck.facts import Argument, Attribute, Call, Joined, Member, MemberFact, Name
from ragduck.graph.code.routes import Scene
from ragduck.graph.told import digest, of_queue, of_topic
from ragduck.graph.types.catalog import Catalog
from ragduck.graph.types.chains import function_name
from ragduck.graph.types.declarations import family_of
from ragduck.graph.types.expressions import Evaluator
from ragduck.graph.types.literals import text_of, text_over

_SUBSCRIBES = re.compile(r"\w*(?:Subscribe|Topic)")
_PUBLISHES = re.compile(r"Publish\w*")
_PLACES = 2  # a topic comes first, or after a broker or a delay
_TRIGGER = re.compile(r"\w*(?:Queue|ServiceBus|Topic|EventHub|Kafka|RabbitMQ)Trigger")
_SENDS = re.compile(
    r"(?:Publish|Push|Send|Enqueue|Dispatch|Schedule|AddTo\w*Queue|AddMessage)\w*|CreateSender|Get(?:Queue|Topic)\w*"
)
_TEXTS = "texts"  # names what is told of them
_MOST = 6  # arguments of a call that may name its queue


class Topics:
    """The subscribers of a snapshot, by the topics that their attributes name."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._of: defaultdict[str, dict[str, MemberFact]] = defaultdict(dict)
        self._queues: defaultdict[str, dict[str, MemberFact]] = defaultdict(dict)
        for file in catalog.files.values():
            for member in file.members if family_of(file.language) == "csharp" else ():
                is_marked = member.attributes or any(one.triggers for one in member.parameters)
                if is_marked and member.kind == "METHOD":
                    self._note(member, Scene(catalog, file, member.key))

    def _note(self, member: MemberFact, scene: Scene) -> None:
        for mark in member.attributes:
            topic = self._topic(mark, scene)
            if topic:
                self._of[topic][member.key] = member
        for mark in (mark for one in member.parameters for mark in one.triggers):
            queue = _queue(mark, scene)
            if queue:
                self._queues[queue][member.key] = member

    @property
    def are_any(self) -> tuple[bool, bool]:
        """Whether there are topics and queues: where there are none, nobody asks for any."""
        return bool(self._of), bool(self._queues)

    def told(self) -> Mapping[str, str]:
        """Return what is told of the subscribers of each topic and queue, and texts that senders may name."""
        topics = {of_topic(topic): digest(self._in_words(members)) for topic, members in self._of.items()}
        queues = {of_queue(queue): digest(self._in_words(members)) for queue, members in self._queues.items()}
        texts = {_TEXTS: digest(sorted(self._texts()))} if topics or queues else {}
        return topics | queues | texts

    def _in_words(self, members: Mapping[str, MemberFact]) -> Sequence[tuple[str, str]]:
        return sorted((key, self._catalog.home_of(member).file_class) for key, member in members.items())

    def _texts(self) -> Iterator[str]:
        """Yield the texts of members that are made of others, which senders may name for a topic, over how many."""
        for file in self._catalog.files.values():
            for member in file.members if family_of(file.language) == "csharp" else ():
                if isinstance(member.value, (Joined, Member, Name)):
                    found = text_over(member.value, catalog=self._catalog, file=file, source=member.key)
                    if found is not None:
                        text, constants = found
                        yield f"{member.key} {constants} {text}"

    def reached(self, call: Call, evaluator: Evaluator) -> Iterator[str]:
        """Yield the keys of the methods that get what a call publishes, or puts into a queue that it names."""
        name = function_name(call)
        if self._of and _PUBLISHES.fullmatch(name):
            yield from self._subscribed(self._of, call.arguments[:_PLACES], of_topic, evaluator=evaluator)
        if self._queues and _SENDS.fullmatch(name):
            yield from self._subscribed(self._queues, call.arguments[:_MOST], of_queue, evaluator=evaluator)

    def _subscribed(
        self,
        members: Mapping[str, Mapping[str, MemberFact]],
        arguments: Sequence[Argument],
        name: Callable[[str], str],
        *,
        evaluator: Evaluator,
    ) -> Iterator[str]:
        watch = self._catalog.watch
        watch.asked_told(_TEXTS)
        is_test = evaluator.file.file_class == "test"
        source = evaluator.owner.key if evaluator.owner is not None else ""
        for one in arguments:
            topic = text_of(one.value, catalog=self._catalog, file=evaluator.file, source=source)
            if topic:
                watch.asked_told(name(topic))
            for key, member in members.get(topic, {}).items() if topic else ():
                if is_test or self._catalog.home_of(member).file_class != "test":
                    yield key

    def _topic(self, mark: Attribute, scene: Scene) -> str | None:
        """Return the last text that an attribute is given by position: a broker stands before the topic."""
        given = [one.value for one in mark.arguments if not one.name]
        if not given or not _SUBSCRIBES.fullmatch(mark.name.rpartition(".")[2]):
            return None
        return scene.text(given[:_PLACES][-1])


def _queue(mark: Attribute, scene: Scene) -> str | None:
    """Return the queue or topic that a trigger names first; a subscription may follow."""
    given = next((one.value for one in mark.arguments if not one.name), None)
    is_one = given is not None and _TRIGGER.fullmatch(mark.name.rpartition(".")[2]) is not None
    return scene.text(given) if is_one and given is not None else None
