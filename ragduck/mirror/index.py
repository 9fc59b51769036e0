"""Make, ask and read FAISS indexes. Inner products of unit vectors are their cosines."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ragduck.errors import StoreError
from ragduck.mirror.manifest import INDEX, IndexKind, Manifest, MirrorRefusedError
from ragduck.mirror.plan import ASKED_WITH, POINTS_PER_LIST, IndexPlan, code_bits

faiss: Any = import_module("faiss")  # its annotations know little of what it holds

Floats = NDArray[np.float32]
Positions = NDArray[np.int64]

SEED = 1
TRAINING_ROUNDS = 10
MAX_EF = 8192
EF_PER_HIT = 2  # a graph search keeps so many times the hits wanted
HEADER = struct.Struct("<4siqqqBi")  # name, dimension, rows, two unused, trained, metric
HEADER_NAMES = {"flat": b"IxFI", "hnsw": b"IHNf", "ivf": b"IwFl", "pq": b"IwPQ"}
CLASSES = {"flat": "IndexFlat", "hnsw": "IndexHNSWFlat", "ivf": "IndexIVFFlat", "pq": "IndexIVFPQ"}
TABLES = 256 << 20  # bytes of tables that faiss computes while it reads codes
FLAT_FRAME = 45  # bytes of a flat index that are no vectors
IN_PLACE = getattr(faiss, "IO_FLAG_MMAP_IFC", 0)  # maps the file instead of copying it; since faiss 1.11


@dataclass(frozen=True, slots=True)
class Found:
    """Hits of each query, best first: cosines, and positions with -1 where there were no more."""

    cosines: Floats
    positions: Positions


def new_index(plan: IndexPlan, *, dimension: int, rows: int) -> Any:
    """Return an empty index."""
    if plan.kind == "flat":
        return faiss.IndexFlatIP(dimension)
    if plan.kind == "hnsw":
        graph = faiss.IndexHNSWFlat(dimension, plan.parameters["m"], faiss.METRIC_INNER_PRODUCT)
        graph.hnsw.efConstruction = plan.parameters["ef_construction"]
        return graph
    centres, lists = faiss.IndexFlatIP(dimension), plan.parameters["lists"]
    if plan.kind == "ivf":
        index = faiss.IndexIVFFlat(centres, dimension, lists, faiss.METRIC_INNER_PRODUCT)
    else:
        parts, bits = plan.parameters["code_bytes"], code_bits(rows)
        index = faiss.IndexIVFPQ(centres, dimension, lists, parts, bits, faiss.METRIC_INNER_PRODUCT)
        _keep_quiet(index.pq.cp)
    index.cp.spherical = True
    index.cp.max_points_per_centroid = POINTS_PER_LIST
    _keep_quiet(index.cp)
    return index


def _keep_quiet(clustering: Any) -> None:
    """Train in the same way each time, and without warnings where there are few vectors."""
    clustering.min_points_per_centroid = 1
    clustering.niter = TRAINING_ROUNDS
    clustering.seed = SEED


def find(
    index: Any,
    kind: IndexKind,
    queries: Floats,
    *,
    depth: int,
    search: Mapping[str, int],
    allowed: NDArray[np.bool_] | None = None,
) -> Found:
    """Return the best ``depth`` of each query as the index finds them; ``allowed`` marks the positions that count.

    The fewer are allowed, the wider the index is searched.
    """
    share = 1.0 if allowed is None else max(float(allowed.mean()), 1e-6)
    settings: dict[str, Any] = {} if allowed is None else {"sel": _selector(allowed)}
    if kind == "hnsw":
        width = max(search["ef_search"], EF_PER_HIT * depth)
        parameters = faiss.SearchParametersHNSW(efSearch=min(math.ceil(width / share), MAX_EF), **settings)
    elif kind in ("ivf", "pq"):
        probes = min(math.ceil(search["nprobe"] / share), index.nlist)
        parameters = faiss.SearchParametersIVF(nprobe=probes, **settings)
    else:
        parameters = faiss.SearchParameters(**settings)
    return Found(*index.search(queries, depth, params=parameters))


def scan(
    index: Any, kind: IndexKind, queries: Floats, *, depth: int, allowed: NDArray[np.bool_] | None = None
) -> Found:
    """Return the best ``depth`` of each query by comparing every vector that is allowed; not for `pq`."""
    if kind == "hnsw":
        return find(
            faiss.downcast_index(index.storage), "flat", queries, depth=depth, search={}, allowed=allowed
        )
    search = {"nprobe": index.nlist} if kind == "ivf" else {}
    return find(index, kind, queries, depth=depth, search=search, allowed=allowed)


def _selector(allowed: NDArray[np.bool_]) -> Any:
    return faiss.IDSelectorBitmap(np.packbits(allowed, bitorder="little"))


@contextmanager
def one_thread() -> Iterator[None]:
    """Ask in the calling thread: for one question, to wake and to wait for others takes longer than the search."""
    before = faiss.omp_get_max_threads()
    faiss.omp_set_num_threads(1)
    try:
        yield
    finally:
        faiss.omp_set_num_threads(before)


def write_index(index: Any, folder: Path) -> None:
    """Write an index into the folder of a mirror. Raises StoreError where that cannot be done."""
    try:
        faiss.write_index(index, str(folder / INDEX))
    except RuntimeError as error:  # how faiss fails, with the source of it
        reason = str(error).rpartition("Error: ")[2].strip() or str(error)
        raise StoreError(f"the index cannot be written: {reason}", hint="check free disk space") from error


def read_index(folder: Path, manifest: Manifest) -> Any:
    """Return the index of a mirror, mapped into memory; MirrorRefusedError when it is not what the manifest says.

    FAISS trusts what it reads. So the header is read first, lists may not be much longer than the file, and links and
    positions are compared with the number of rows before they are followed.
    """
    path = folder / INDEX
    _require_search(manifest)
    _require_header(path, manifest)
    try:
        with _bounded(manifest.files[INDEX].size):
            index = faiss.read_index(str(path), IN_PLACE)
    except (RuntimeError, MemoryError) as error:
        raise MirrorRefusedError(f"{INDEX} cannot be read by faiss {faiss.__version__}") from error
    if not isinstance(index, getattr(faiss, CLASSES[manifest.kind])) or index.ntotal != manifest.rows:
        raise MirrorRefusedError(f"{INDEX} holds another index than its manifest says")
    if manifest.kind == "hnsw":
        _require_links_within(index)
    return index


def _require_search(manifest: Manifest) -> None:
    for search in (manifest.search, manifest.deep_search):
        if set(search) != set(ASKED_WITH[manifest.kind]) or any(value < 1 for value in search.values()):
            raise MirrorRefusedError(f"its manifest does not say how a {manifest.kind} index is asked")


def _require_header(path: Path, manifest: Manifest) -> None:
    with path.open("rb") as file:
        start = file.read(HEADER.size)
    expected = HEADER_NAMES[manifest.kind], manifest.dimension, manifest.rows, 1, faiss.METRIC_INNER_PRODUCT
    if len(start) < HEADER.size:
        raise MirrorRefusedError(f"{INDEX} has no header")
    name, dimension, rows, _, _, trained, metric = HEADER.unpack(start)
    if (name, dimension, rows, trained, metric) != expected:
        raise MirrorRefusedError(f"{INDEX} is not the {manifest.kind} index that its manifest says")
    size, vectors = manifest.files[INDEX].size, manifest.rows * manifest.dimension * 4
    if (manifest.kind == "flat" and size != vectors + FLAT_FRAME) or (
        manifest.kind != "pq" and size < vectors
    ):
        raise MirrorRefusedError(f"{INDEX} has not the size of {manifest.rows:,} vectors")


@contextmanager
def _bounded(size: int) -> Iterator[None]:
    """Let no list that a file announces be much longer than the file, where faiss can be told so."""
    if not hasattr(faiss, "set_deserialization_vector_byte_limit"):
        yield
        return
    before = faiss.get_deserialization_vector_byte_limit()
    faiss.set_deserialization_vector_byte_limit(size + TABLES)
    try:
        yield
    finally:
        faiss.set_deserialization_vector_byte_limit(before)


def _require_links_within(index: Any) -> None:
    """Refuse a graph whose links lead out of it: the search would follow them."""
    graph = index.hnsw
    links = faiss.rev_swig_ptr(graph.neighbors.data(), graph.neighbors.size())
    if not (
        int(links.min()) >= -1 and int(links.max()) < index.ntotal and 0 <= graph.entry_point < index.ntotal
    ):
        raise MirrorRefusedError(f"{INDEX} has links that lead out of the index")
