"""Find who names the scripts that a method loads by its parameter: `Load("GetOrders")` of `$"Scripts/{name}.sql"`."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ragduck.facts import CallFact, FileFacts, Joined, MemberFact, StringFact, Text, Typed
from ragduck.graph.code.senders import arguments_for, called
from ragduck.graph.inline_sql.strings import StringEvaluator, distinct
from ragduck.graph.types.catalog import Catalog
from ragduck.graph.types.chains import function_name
from ragduck.graph.types.expressions import Evaluators
from ragduck.graph.types.methods import best_overload

_MARK = "\u01c2{}\u01c2"  # of letters that occur in no name
_MARKS = re.compile("\u01c2(\\d{1,4})\u01c2")
_MOST = 20  # names of one method, and texts of one call
_MOST_OVERLOADS = 50  # of one name, among which the one around a text is looked for


class LoadingCall(NamedTuple):
    """A call of a method that loads a script, and what it calls the script, unknown pieces being U+FFFC."""

    file: FileFacts
    fact: CallFact
    names: Sequence[str]


class ScriptLoaders:
    """The methods whose callers say which script they load."""

    def __init__(self, catalog: Catalog, strings: StringEvaluator) -> None:
        self._catalog = catalog
        self._strings = strings
        self._of: defaultdict[int, list[str]] = defaultdict(list)  # by id of the method
        self._called: set[str] = set()

    def note(self, value: Text | Joined, fact: StringFact, file: FileFacts) -> None:
        """Keep the name of a script that has a parameter of its method in it."""
        names = (
            {one.name for one in value.parts if isinstance(one, Typed)}
            if isinstance(value, Joined)
            else set()
        )
        method = self._around(fact, file) if names else None
        if method is None or names.isdisjoint(one.name for one in method.parameters):
            return
        marks = {one.name: (_MARK.format(place),) for place, one in enumerate(method.parameters)}
        evaluated = self._strings.evaluate(value, file=file, source=fact.source, given=marks)
        texts = [text for text in evaluated.texts if _MARKS.search(text) is not None]
        for one in (method, *self._declared(method)):
            self._of[id(one)] = [*self._of[id(one)], *texts][:_MOST]
            self._called.add(one.name)

    def calls(self) -> Iterator[LoadingCall]:
        """Yield the calls of the methods that are noted."""
        for file in self._catalog.files_calling(self._called) if self._called else ():
            within = Evaluators(self._catalog, file).within
            for fact in file.statements.unpacked().calls:
                if function_name(fact.call) not in self._called:
                    continue
                found = called(fact.call, within(fact.source))
                generic = len(fact.call.type_arguments)
                method = (
                    best_overload(found, count=len(fact.call.arguments), generic=generic)
                    if found is not None
                    else None
                )
                if found is not None and method is not None and id(method) in self._of:
                    given = self._given(fact, method, file, is_extension=found.is_extension)
                    names = [text for one in self._of[id(method)] for text in _with(one, given)]
                    yield LoadingCall(file, fact, names[:_MOST])

    def _around(self, fact: StringFact, file: FileFacts) -> MemberFact | None:
        """Return the method around a text: overloads share a key, and differ in their lines."""
        owner = self._catalog.owner_of(fact.source)
        name = fact.source.rpartition("|")[0].rpartition(".")[2]
        overloads = owner.members.get(name, ()) if owner is not None else ()
        for member in overloads[:_MOST_OVERLOADS]:
            is_around = member.key == fact.source and member.line <= fact.line <= member.end_line
            if is_around and self._catalog.home_of(member) is file:
                return member
        return None

    def _declared(self, method: MemberFact) -> Iterator[MemberFact]:
        """Yield the declarations of interfaces that a method implements."""
        owner = self._catalog.owner_of(method.key)
        types = [one.type for one in method.parameters]
        for base in self._catalog.ancestors(owner) if owner is not None else ():
            for one in base.info.members.get(method.name, ()) if base.info is not None else ():
                if (
                    base.info is not None
                    and base.info.is_interface
                    and types == [each.type for each in one.parameters]
                ):
                    yield one

    def _given(
        self, fact: CallFact, method: MemberFact, file: FileFacts, *, is_extension: bool
    ) -> Mapping[int, Sequence[str]]:
        """Return what a call gives for each parameter, by its place."""
        found: dict[int, Sequence[str]] = {}
        for place in range(len(method.parameters)):
            for one in arguments_for(fact.call, method, place=place, is_extension=is_extension):
                found[place] = self._strings.evaluate(one, file=file, source=fact.source).texts
        return found


def _with(text: str, given: Mapping[int, Sequence[str]]) -> Sequence[str]:
    """Put what is given in the places of the marks; a text of which nothing is given is none."""
    texts = [text]
    for mark in distinct(_MARKS.findall(text)):
        values = given.get(int(mark or 0), ())
        texts = [one.replace(_MARK.format(mark), value) for one in texts for value in values][:_MOST]
    return texts
