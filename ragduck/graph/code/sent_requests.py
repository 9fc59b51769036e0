"""Know all requests that code sends; of files that did not change since, an earlier run read them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple, cast

from ragduck.facts import REST_REQUEST, Attribute, Choice, FileFacts, MemberFact
from ragduck.graph.code.addresses import HOLE, SCRIPTS, path_in, readings, written_address
from ragduck.graph.code.request_clients import (
    OPEN,
    TOLD,
    Sending,
    files_sending,
    may_be_sent_otherwise,
    sendings_of,
)
from ragduck.graph.code.request_senders import RequestSenders, passed_on
from ragduck.graph.code.routes import Scene
from ragduck.graph.code.script_requests import SCRIPT_CALLS, sendings_of_script
from ragduck.graph.code.served_paths import VERBS, Path
from ragduck.graph.file_rows import VALUES, FileRule, Reach, Reading, ReadOff, Row
from ragduck.graph.rule_memory import RuleMemory, Terms
from ragduck.graph.told import digest
from ragduck.graph.types import libraries
from ragduck.graph.types.catalog import Catalog
from ragduck.graph.types.declarations import family_of
from ragduck.graph.types.expressions import Evaluators

SENT = "sent requests"  # what other rules come after
_PARAMETER = re.compile(r"\{[^{}]*\}")
_FILE = re.compile(r"\w\.\w+$")
_MOST_OPTIONS = 4  # of an address


class Request(NamedTuple):
    """A request as far as the code tells it; an empty verb may be any."""

    source: str
    verb: str
    address: str
    line: int
    confidence: float = TOLD

    @property
    def paths(self) -> tuple[Path, ...]:
        """Readings of the address, likeliest first."""
        return tuple(readings(self.address))


_OF_REQUEST = len(Request._fields)  # values of a row; others tell what a method sends for its callers


class SentRequests:
    """The requests of a snapshot, each with the path of the file that sends it.

    What a file sends depends on its statements, on what these name, and on the methods of others that send what they
    are given. That is told from round to round.
    """

    def __init__(self, catalog: Catalog, memory: RuleMemory) -> None:
        self._catalog = catalog
        self._rows = memory.rows
        self._memory = memory
        self.all = tuple(self._read())
        memory.say(SENT, {"": digest(self.all)})

    def _read(self) -> Iterator[tuple[str, Request]]:
        catalog = self._catalog
        scripts = (file for file in catalog.files_calling(SCRIPT_CALLS) if file.language in SCRIPTS)
        rule = FileRule("requests of scripts", Reach.VALUES)
        yield from self._requests(rule, scripts, self._of_script)
        sent: list[tuple[FileFacts, Iterable[Row]]] = []
        rule = FileRule("requests of clients", Reach.VALUES, [catalog.makes(REST_REQUEST)])
        sent.extend(self._rows.read(rule, files_sending(catalog), self._of_clients))
        yield from _in_requests(
            (file, [row for row in rows if len(row) == _OF_REQUEST]) for file, rows in sent
        )
        passed = [row for _, rows in sent for row in rows if len(row) != _OF_REQUEST]
        senders = RequestSenders(catalog, passed, self._rows)
        rule = FileRule("requests by senders", Reach.VALUES, senders.told)
        yield from self._requests(rule, senders.files(), partial(self._of_senders, senders))
        marked = Terms(regards=_is_marked, reach=Reach.OWN)
        for path in self._memory.words("declaring requests", self._declaring, marked):
            file = catalog.files[path]
            for member in filter(_is_marked, file.members):
                yield from ((path, request) for request in _declared(catalog, file, member))

    def _requests(
        self, rule: FileRule, files: Iterable[FileFacts], reading: Reading
    ) -> Iterator[tuple[str, Request]]:
        return _in_requests(self._rows.read(rule, files, reading))

    def _of_script(self, file: FileFacts) -> ReadOff:
        sent = list(sendings_of_script(file))
        rows = [request for one in sent for request in _requests_of(self._catalog, file, one)]
        return ReadOff(rows, leans=(VALUES,) if sent else ())

    def _of_clients(self, file: FileFacts) -> ReadOff:
        """Read the requests that a file sends by itself, and which of its methods do so for their callers."""
        sent = list(sendings_of(file, self._catalog))
        rows: list[Row] = [request for one in sent for request in _requests_of(self._catalog, file, one)]
        evaluators = Evaluators(self._catalog, file)
        for one in sent:
            rows += passed_on(one, evaluators.within(one.fact.source))
        is_leaning = bool(sent) or may_be_sent_otherwise(file, self._catalog)
        return ReadOff(rows, leans=(VALUES,) if is_leaning else ())

    def _of_senders(self, senders: RequestSenders, file: FileFacts) -> ReadOff:
        asked = list(senders.asked(file))
        rows = [
            Request(one.fact.source, one.verb, one.address, one.fact.line, OPEN)
            for one in asked
            if any(readings(one.address))
        ]
        return ReadOff(rows, leans=(VALUES,) if asked else ())

    def _declaring(self) -> Mapping[str, str]:
        """Return the paths of the files that declare requests by interfaces."""
        files = (one for one in self._catalog.files.values() if family_of(one.language) == "csharp")
        marked = (file for file in files if any(map(_is_marked, file.members)))
        return {file.path: "" for file in marked if self._catalog.opens(file, libraries.REST_INTERFACES)}


def _in_requests(
    read: Iterable[tuple[FileFacts, Iterable[Row]]],
) -> Iterator[tuple[str, Request]]:
    return ((file.path, Request(*cast(tuple[Any, ...], row))) for file, rows in read for row in rows)


def _requests_of(catalog: Catalog, file: FileFacts, sent: Sending) -> Iterator[Request]:
    scene = Scene(catalog, file, sent.fact.source)
    address = sent.address
    for option in address.options[:_MOST_OPTIONS] if isinstance(address, Choice) else (address,):
        written = path_in(written_address(option, scene))
        if any(readings(written)) or _FILE.search(written):
            yield Request(sent.fact.source, sent.verb, written, sent.fact.line, sent.confidence)


def _declared(catalog: Catalog, file: FileFacts, member: MemberFact) -> Iterator[Request]:
    """Yield what `[Get("/orders/{id}")]` of an interface of Refit asks for."""
    for mark in member.attributes:
        if _tells_verb(mark):
            verb = mark.name.rpartition(".")[2].lower()
            text = Scene(catalog, file, member.key).text(mark.arguments[0].value) or ""
            address = path_in(_PARAMETER.sub(HOLE, text))
            if any(readings(address)):
                yield Request(member.key, verb, address, member.line)


def _is_marked(member: MemberFact) -> bool:
    return any(map(_tells_verb, member.attributes))


def _tells_verb(mark: Attribute) -> bool:
    return bool(mark.arguments) and mark.name.rpartition(".")[2].lower() in VERBS
