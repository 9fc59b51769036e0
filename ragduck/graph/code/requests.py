"""Find the requests that code sends, and who answers them: `http.get("/api/orders")`, `fetch`, HttpClient, Refit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from ragduck.facts import FileFacts, MemberFact
from ragduck.graph.code.addresses import HOLE
from ragduck.graph.code.edges import EdgeCollector, Site
from ragduck.graph.code.request_clients import OPEN
from ragduck.graph.code.sent_requests import SENT, Request, SentRequests
from ragduck.graph.code.served_files import ServedFiles
from ragduck.graph.code.served_paths import Path, RouteReader, Served, ServedPaths, served_in
from ragduck.graph.rule_memory import RuleMemory, Terms, from_words, in_words
from ragduck.graph.types.catalog import Catalog

RULE = "http request"
SEVERAL = 0.5
MOST = 3  # that answer the same path; more of them tell nothing
_SERVED = "served paths"


class Requests:
    """The requests of a snapshot and the paths that it serves; ``is_asked`` says which members may tell these."""

    RULES = (SENT, _SERVED)

    def __init__(
        self, catalog: Catalog, memory: RuleMemory, *, is_asked: Callable[[MemberFact], bool]
    ) -> None:
        self._catalog = catalog
        self._sent = SentRequests(catalog, memory)
        terms = Terms(finds=self._serves, is_by_file=True, regards=is_asked)
        self._served = memory.words(_SERVED, self._read_served, terms) if self._sent.all else {}

    def add_edges(self, edges: EdgeCollector) -> None:
        """Relate who sends requests to the methods that answer them."""
        if not self._sent.all:
            return
        files = ServedFiles(self._catalog)
        served = ServedPaths(_served(self._served))
        for path, request in self._sent.all:
            file = self._catalog.files[path]
            known = request.address.lstrip(HOLE).partition(HOLE)[0]
            answer = files.answering(known, file=file, is_open=request.address.startswith(HOLE))
            if answer is not None:
                confidence = request.confidence if answer.is_sure else OPEN
                _add(request, answer.keys, path, confidence=confidence, edges=edges)
                continue
            found = next(filter(None, (served.answering(request.verb, one) for one in request.paths)), ())
            own = [one for one in found if one.project == file.project]
            keys = {one.key for one in own or found}
            if 0 < len(keys) <= MOST:
                confidence = SEVERAL if len(keys) > 1 else _confidence(request, found)
                _add(request, keys, path, confidence=confidence, edges=edges)

    def _read_served(self) -> Mapping[str, str]:
        return in_words(dict.fromkeys(RouteReader(self._catalog).read()))

    def _serves(self, file: FileFacts, _: Mapping[str, str]) -> Iterable[object]:
        return served_in(self._catalog, file)


def _served(words: Mapping[str, str]) -> Iterable[Served]:
    for verb, (segments, is_open, optional), key, project in from_words(words):
        yield Served(verb, Path(tuple(segments), is_open, optional), key, project)


def _add(
    request: Request, keys: Iterable[str], path: str, *, confidence: float, edges: EdgeCollector
) -> None:
    for key in sorted(keys):
        site = Site(path, request.line)
        edges.add(request.source, key, relation="Calls", rule=RULE, at=site, confidence=confidence)


def _confidence(request: Request, found: Sequence[Served]) -> float:
    is_open = request.paths[0].is_open or any(one.path.is_open for one in found)
    return OPEN if is_open else request.confidence
