"""Make the map of a store: points, topics, links, tables, page."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter

from ragduck.corpus_map.drawing import StoredMap, draw_page, read_map
from ragduck.corpus_map.link_graph import read_links
from ragduck.corpus_map.points import Floats, Integers, Points, read_points
from ragduck.corpus_map.positions import lay_out, method_of, require_packages
from ragduck.corpus_map.report import MapReport
from ragduck.corpus_map.settings import MapSettings
from ragduck.corpus_map.state import map_state
from ragduck.corpus_map.storing import CorpusMap, store_map
from ragduck.corpus_map.topics import (
    Topic,
    describe_topics,
    find_topics,
    keywords_of,
    largest_first,
    no_topics,
)
from ragduck.errors import StoreError, UsageError
from ragduck.progress import NO_PROGRESS, Progress
from ragduck.shell import quote
from ragduck.store import Database, open_database
from ragduck.store.facts import snapshots_of
from ragduck.store.writer_lock import await_writer
from ragduck.version import __version__

SUFFIX = ".map.html"


def page_path(store: Path) -> Path:
    """Return where the page of a store lies when nobody said otherwise: `shop.map.html` beside `shop.duckdb`."""
    return store.with_name(store.stem + SUFFIX)


def make_map(
    store: str | Path,
    out: str | Path | None = None,
    *,
    settings: MapSettings | None = None,
    wait: float = 0.0,
    progress: Progress = NO_PROGRESS,
) -> MapReport:
    """Compute the map of a store, put it into the store as tables, and write it as one HTML page.

    A map that the store already holds, of the same vectors and settings, is only drawn again; that needs no extra.
    Another writer of the store is waited for ``wait`` seconds, before it is read and before the map is put into it.
    Raises UsageError when the extra is missing or nothing is left to show, StoreError for a store without vectors or
    one that cannot be written, StoreBusyError while someone else writes it.
    """
    path, maker = Path(store), _Maker(settings or MapSettings(), progress)
    target = path.resolve() if path.is_symlink() else path
    page = page_path(path) if out is None else Path(out)
    if wait:
        await_writer(target, wait=wait)
    is_stored_one = maker.is_stored(target)
    if not is_stored_one:
        maker.store(target, wait=wait)
    with open_database(target) as database, maker.timed("page"):
        drawn = read_map(database)
        size = draw_page(drawn, page, title=path.stem)
    return _report(path, page, drawn, size=size, seconds=maker.seconds, is_stored_one=is_stored_one)


class _Maker:
    """One making of a map: what is asked for, and the seconds each stage took."""

    def __init__(self, settings: MapSettings, progress: Progress) -> None:
        self.settings = settings
        self.seconds: dict[str, float] = {}
        self._progress = progress

    @contextmanager
    def timed(self, name: str) -> Iterator[None]:
        began = perf_counter()
        yield
        self.seconds[name] = self.seconds.get(name, 0.0) + perf_counter() - began

    def is_stored(self, store: Path) -> bool:
        """Whether the store holds the map that is asked for."""
        with open_database(store) as database:
            _require_known(database, self.settings)
            _require_vectors(database)
            state = map_state(database)
        return state.status == "fresh" and state.settings == self.settings.key

    def store(self, store: Path, *, wait: float) -> None:
        """Compute the map and write it into the store."""
        with open_database(store) as database:
            drawn = self._computed(database)
            meta = database.meta
        with self.timed("write"), self._progress.stage("write", total=None):
            store_map(store, drawn, meta=meta, wait=wait)

    def _computed(self, database: Database) -> CorpusMap:
        with self.timed("read"), self._progress.stage("read vectors", total=None):
            found = read_points(database, self.settings)
        if not found.points:
            raise UsageError(
                "nothing that was asked for has a vector",
                hint=f"see what there is: ragduck info {quote(str(database.path))}",
            )
        require_packages(len(found.vectors), self.settings)
        with self.timed("lay out"):
            distinct = lay_out(found.vectors, self.settings, progress=self._progress)
        positions = distinct[found.vector_of]
        topic_of = largest_first(self._topics(distinct)[found.vector_of])
        with self.timed("links"):
            links = (
                read_links(database, found.points, self.settings, progress=self._progress)
                if self.settings.links
                else []
            )
        topics: list[Topic] = []
        if self.settings.topics:
            with self.timed("topics"), self._progress.stage("name topics", total=None):
                topics = describe_topics(
                    topic_of, positions, keywords_of(database, found.chunks, topic_of[found.owners])
                )
        facts = self._facts(database, found, topics=len(topics), links=len(links))
        return CorpusMap(found.points, positions, topic_of, topics, links, facts)

    def _topics(self, positions: Floats) -> Integers:
        if not self.settings.topics:
            return no_topics(len(positions))
        with self.timed("topics"), self._progress.stage("find topics", total=None):
            return find_topics(positions, min_size=self.settings.topic_size(len(positions)))

    def _facts(self, database: Database, found: Points, *, topics: int, links: int) -> dict[str, str]:
        return {
            "level": self.settings.level,
            "points": str(len(found.points)),
            "left_out": str(found.left_out),
            "without_vector": str(found.without_vector),
            "topics": str(topics),
            "links": str(links),
            "method": method_of(len(found.vectors)),
            "model_key": database.meta.get("model_key", ""),
            "vectors_fingerprint": database.meta.get("vectors_fingerprint", ""),
            "settings": self.settings.key,
            "made_at": datetime.now(UTC).replace(tzinfo=None).isoformat(sep=" ", timespec="seconds"),
            "ragduck_version": __version__,
        }


def _require_known(database: Database, settings: MapSettings) -> None:
    held = snapshots_of(database)
    known = {"repository": {each.repo for each in held}, "branch": {each.branch for each in held}}
    for kind, names in (("repository", settings.repos), ("branch", settings.branches)):
        for name in names:
            if name not in known[kind]:
                listed = "; ".join(f"{each.repo}, {each.branch}" for each in held)
                raise UsageError(f"the store holds no {kind} {name!r}", hint=f"it holds {listed}")


def _require_vectors(database: Database) -> None:
    if not database.rows("select 1 from documents where sign_0 is not null limit 1"):
        raise StoreError(
            f"{database.path} has no vectors, which a map is made of",
            hint=f"give it some with: ragduck embed {quote(str(database.path))} --model static",
        )


def _report(
    store: Path, page: Path, drawn: StoredMap, *, size: int, seconds: dict[str, float], is_stored_one: bool
) -> MapReport:
    return MapReport(
        store=store,
        page=page,
        level=drawn.facts.get("level", ""),
        method=drawn.facts.get("method", ""),
        points=len(drawn.points),
        left_out=drawn.number("left_out"),
        without_vector=drawn.number("without_vector"),
        topics=tuple((str(topic["name"]), int(topic["points"])) for topic in drawn.topics),
        between_topics=sum(point["topic"] is None for point in drawn.points),
        links=drawn.link_counts,
        page_bytes=size,
        seconds=seconds,
        is_stored_one=is_stored_one,
    )
