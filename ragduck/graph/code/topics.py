"""Find the methods that subscribe to topics, which senders name by a text: `[CapSubscribe("order.placed")]`."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping

from ragduck.facts import Attribute, Call, MemberFact
from ragduck.graph.code.routes import Scene
from ragduck.graph.types.catalog import Catalog
from ragduck.graph.types.chains import function_name
from ragduck.graph.types.declarations import family_of
from ragduck.graph.types.expressions import Evaluator
from ragduck.graph.types.literals import text_of

_SUBSCRIBES = re.compile(r"\w*(?:Subscribe|Topic)")
_PUBLISHES = re.compile(r"Publish\w*")
_PLACES = 2  # a topic comes first, or after a broker or a delay


class Topics:
    """The subscribers of a snapshot, by the topics that their attributes name."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._of: defaultdict[str, dict[str, MemberFact]] = defaultdict(dict)
        for file in catalog.files.values():
            for member in file.members if family_of(file.language) == "csharp" else ():
                for mark in member.attributes if member.kind == "METHOD" else ():
                    topic = self._topic(mark, Scene(catalog, file, member.key))
                    if topic:
                        self._of[topic][member.key] = member

    def told(self) -> Mapping[str, frozenset[str]]:
        """Return the keys of the subscribers of each topic."""
        return {topic: frozenset(members) for topic, members in self._of.items()}

    def reached(self, call: Call, evaluator: Evaluator) -> Iterator[str]:
        """Yield the keys of the methods that get what a call publishes."""
        if not self._of or not _PUBLISHES.fullmatch(function_name(call)):
            return
        is_test = evaluator.file.file_class == "test"
        source = evaluator.owner.key if evaluator.owner is not None else ""
        for one in call.arguments[:_PLACES]:
            topic = text_of(one.value, catalog=self._catalog, file=evaluator.file, source=source)
            for key, member in self._of.get(topic, {}).items() if topic else ():
                if is_test or self._catalog.home_of(member).file_class != "test":
                    yield key

    def _topic(self, mark: Attribute, scene: Scene) -> str | None:
        """Return the last text that an attribute is given by position: a broker stands before the topic."""
        given = [one.value for one in mark.arguments if not one.name]
        if not given or not _SUBSCRIBES.fullmatch(mark.name.rpartition(".")[2]):
            return None
        return scene.text(given[:_PLACES][-1])
