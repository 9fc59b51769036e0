"""Find the chunks nearest to a question in a mirror, as the exact scan of the store would."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ragduck.mirror.manifest import (
    CHUNK_NOS,
    DEEP,
    SHALLOW,
    IndexKind,
    Manifest,
    MirrorRefusedError,
    require_hashes,
)
from ragduck.mirror.postings import LoadedPostings
from ragduck.mirror.state import MirrorState
from ragduck.search.filters import Clause
from ragduck.search.kept_filters import KeptFilters, Marks
from ragduck.search.nearest import KeywordHits, VectorHits
from ragduck.search.request import Vector
from ragduck.store import Database
from ragduck.store.statements import own_columns
from ragduck.store.vectors import VectorChunks, vector_chunks, vectors_of

SPARE = 2  # times the hits wanted are asked for at first
SPARE_BY_KIND: Mapping[IndexKind, int] = {"flat": 8, "ivf": 8, "hnsw": 4}  # where importance differs
LEAST_POOL: Mapping[IndexKind, int] = {"flat": 256, "ivf": 256}  # hits that cost no more than fewer, likewise
WIDER = 4  # times more are asked for when that was not enough
MAX_POOL = 4096  # hits; beyond, the store is scanned
SCANNED = 8_000_000  # components that are compared one by one faster than an index is searched with a filter
MIN_SHARE = 0.1  # of the chunks; with a more selective filter an index misses too much
LOADED_FROM = 2  # questions by keyword on, postings are read


def _why_not(state: MirrorState) -> str:
    return state.reason if state.status == "none" and state.reason else str(state)


class FaissMirror:
    """The mirror of one open store; it is loaded at the first question, in whatever thread that comes.

    Postings are no part of what is exported: they are read from the store, with the second question that asks for
    them, as the first may remain the only one.
    """

    def __init__(self, state: MirrorState, database: Database) -> None:
        self._state = state
        self._database = database
        self._filters = KeptFilters(partial(own_columns, database))
        self._lock = Lock()
        self._reading = Lock()
        self._keyword_questions = 0
        self._refusal = None if state.status == "fresh" else _why_not(state)

    @property
    def refusal(self) -> str | None:
        """Why it is not used; None while nothing speaks against it."""
        if self._refusal is None:
            return None
        return f"the mirror {self._state.folder.name} is not used: {self._refusal}"

    @property
    def status(self) -> str:
        """What is told of it with answers: `refused` where it looked fresh and turned out not to be usable."""
        is_refused = self._state.status == "fresh" and self._refusal is not None
        return "refused" if is_refused else self._state.status

    def nearest(self, vector: Vector, *, depth: int, clause: Clause) -> VectorHits | None:
        """Return the best ``depth`` chunks that a clause leaves; None when the store has to be scanned."""
        loaded = self._load()
        if loaded is None:
            return None
        allowed = None if clause.is_open else self._filters.marks(clause)
        if allowed is None and not clause.is_open:
            return None
        query = np.asarray(vector.tolist(), dtype=np.float32)[None]
        try:
            return loaded.nearest(query, depth=depth, allowed=allowed)
        except RuntimeError as error:  # how faiss fails
            self._refusal = f"faiss failed: {type(error).__name__}"
            return None

    def by_keyword(
        self, term_keys: Sequence[int], *, depth: int, clause: Clause, preferred: Callable[[], Sequence[int]]
    ) -> KeywordHits | None:
        """Return the best ``depth`` chunks that a clause leaves; None when the store has to be asked."""
        postings = self._load_postings()
        if postings is None:
            return None
        allowed = None if clause.is_open else self._filters.marks(clause)
        if allowed is None and not clause.is_open:
            return None
        return postings.best(term_keys, depth=depth, allowed=allowed, preferred=preferred())

    def _load_postings(self) -> LoadedPostings | None:
        """Return the postings; None for the first question, and while another one reads them."""
        if self._refusal is not None:
            return None
        if "_postings" in vars(self):
            return self._postings
        if not self._reading.acquire(blocking=False):
            return None
        try:
            self._keyword_questions += 1
            return self._postings if self._keyword_questions >= LOADED_FROM else None
        finally:
            self._reading.release()

    @cached_property
    def _postings(self) -> LoadedPostings | None:
        highest = self._filters.highest
        return None if highest is None else LoadedPostings.read(self._database, highest=highest)

    def _load(self) -> LoadedMirror | None:
        with self._lock:
            if self._refusal is not None:
                return None
            try:
                return self._loaded
            except MirrorRefusedError as error:
                self._refusal = str(error)
            except OSError as error:
                self._refusal = f"it cannot be read: {error.strerror}"
            except ImportError as error:
                self._refusal = f"faiss cannot be loaded: {error}"
            return None

    @cached_property
    def _loaded(self) -> LoadedMirror:
        manifest = self._state.manifest
        if manifest is None:
            raise MirrorRefusedError("it has no manifest")
        return LoadedMirror(self._state.folder, manifest, self._database)


class LoadedMirror:
    """An index in memory, with what the store knows of the chunk at each position."""

    def __init__(self, folder: Path, manifest: Manifest, database: Database) -> None:
        """Load what was exported; MirrorRefusedError when it is not that, or belongs to other chunks."""
        require_hashes(folder, manifest)
        self._chunks = vector_chunks(database)
        _require_same_chunks(folder, manifest, self._chunks)
        from ragduck.mirror import index

        self._faiss = index
        self._index: Any = index.read_index(folder, manifest)
        self._manifest = manifest
        self._database = database
        importance = self._chunks.importance
        self._importance_bounds = low, high = float(importance.min()), float(importance.max())
        self._spare = SPARE if low == high else SPARE_BY_KIND.get(manifest.kind, SPARE)
        self._least_pool = 0 if low == high else LEAST_POOL.get(manifest.kind, 0)

    def nearest(self, query: NDArray[np.float32], *, depth: int, allowed: Marks | None) -> VectorHits | None:
        """Return the best ``depth`` by cosine times importance among the allowed; None to scan the store instead.

        ``allowed`` tells it by chunk number.
        """
        if allowed is not None:
            allowed = allowed[self._chunks.chunk_nos]
        available = self._manifest.rows if allowed is None else int(np.count_nonzero(allowed))
        if available == 0:
            return VectorHits((), (), ())
        if self._manifest.kind == "pq":
            return self._reranked(query, depth=depth, allowed=allowed, available=available)
        first = max(SPARE * depth, min(max(self._spare * depth, self._least_pool), MAX_POOL))
        pool = first
        while True:
            pool = min(pool, available)
            search = self._search(pool, is_shallow=depth <= SHALLOW and pool <= first)
            positions, cosines = self._pool(query, pool, search, allowed, available)
            hits = self._best(positions, cosines, depth)
            if pool == available or self._is_complete(hits, cosines, depth):
                return hits
            pool *= WIDER
            if pool > MAX_POOL:
                return None

    def _pool(
        self,
        query: NDArray[np.float32],
        size: int,
        search: Mapping[str, int],
        allowed: Marks | None,
        available: int,
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return the nearest positions with their cosines; scanned where a filter leaves too few for the index."""
        kind = self._manifest.kind
        with self._faiss.one_thread():
            if kind != "flat" and not self._is_scanned(available):
                found = self._faiss.find(self._index, kind, query, depth=size, search=search, allowed=allowed)
                positions, cosines = self._valid(found)
                if len(positions) == size:
                    return positions, cosines
            return self._valid(self._faiss.scan(self._index, kind, query, depth=size, allowed=allowed))

    def _search(self, size: int, *, is_shallow: bool) -> Mapping[str, int]:
        """Return how the index is asked for so many hits; more lists are looked at for more than were measured."""
        if is_shallow:
            return self._manifest.search
        times = -(-size // (self._spare * DEEP))
        deep = self._manifest.deep_search
        return {name: value * times if name == "nprobe" else value for name, value in deep.items()}

    def _is_scanned(self, available: int) -> bool:
        rows, dimension = self._manifest.rows, self._manifest.dimension
        return available < rows and (available * dimension <= SCANNED or available < MIN_SHARE * rows)

    def _valid(self, found: Any) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return what was found without gaps and repetitions; a torn index may point anywhere."""
        positions = found.positions[0]
        within = (positions >= 0) & (positions < self._manifest.rows) & np.isfinite(found.cosines[0])
        unique, first = np.unique(positions[within], return_index=True)
        return unique, found.cosines[0][within][first].astype(np.float64)

    def _best(self, positions: NDArray[np.int64], cosines: NDArray[np.float64], depth: int) -> VectorHits:
        scores = cosines * self._chunks.importance[positions]
        chunk_nos = self._chunks.chunk_nos[positions]
        order = np.lexsort((chunk_nos, -scores))[:depth]
        return VectorHits(chunk_nos[order].tolist(), cosines[order].tolist(), scores[order].tolist())

    def _is_complete(self, hits: VectorHits, cosines: NDArray[np.float64], depth: int) -> bool:
        """Whether no chunk beyond the pool can have a better score: its cosine is at most the least in the pool."""
        if len(hits.scores) < depth or not len(cosines):
            return False
        least = float(cosines.min())
        return hits.scores[-1] > max(least * factor for factor in self._importance_bounds)

    def _reranked(
        self, query: NDArray[np.float32], *, depth: int, allowed: Marks | None, available: int
    ) -> VectorHits | None:
        """Compare the candidates that codes find with the exact vectors of the store."""
        if self._is_scanned(available):
            return None
        size = SPARE * depth
        search = self._search(size, is_shallow=depth <= SHALLOW)
        size = min(max(search["candidates"], size), available)
        with self._faiss.one_thread():
            found = self._faiss.find(self._index, "pq", query, depth=size, search=search, allowed=allowed)
        positions, _ = self._valid(found)
        if len(positions) < min(depth, available):
            return None
        exact = vectors_of(self._database, self._chunks.chunk_nos[positions].tolist())
        return self._best(positions, (exact.vectors @ query[0]).astype(np.float64), depth)


def _require_same_chunks(folder: Path, manifest: Manifest, chunks: VectorChunks) -> None:
    try:
        recorded = np.lib.format.open_memmap(folder / CHUNK_NOS, mode="r")
    except ValueError as error:
        raise MirrorRefusedError(f"{CHUNK_NOS} is no list of chunks") from error
    same = recorded.dtype == np.int32 and np.array_equal(recorded, chunks.chunk_nos)
    if not same or manifest.rows != len(chunks.chunk_nos):
        raise MirrorRefusedError(f"{CHUNK_NOS} names other chunks than the store has")
