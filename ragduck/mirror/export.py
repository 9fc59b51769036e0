"""Export the vectors of a store as a FAISS index that answers as the store does."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter
from typing import Any

import faiss
import numpy as np

from ragduck.errors import StoreError
from ragduck.mirror.folder import replaced_folder
from ragduck.mirror.index import Floats, new_index, one_thread, write_index
from ragduck.mirror.manifest import CHUNK_NOS, FILES, FORMAT, MANIFEST, Manifest, describe_file
from ragduck.mirror.plan import POINTS_PER_LIST, IndexPlan, other_plan, plan_index
from ragduck.mirror.state import mirror_folder
from ragduck.mirror.tuning import SAMPLE, Measured, Truth, between, exact_neighbours, tune
from ragduck.model import EmbeddingModel
from ragduck.progress import NO_PROGRESS, Progress
from ragduck.shell import quote
from ragduck.store import Database, open_database
from ragduck.store.vectors import vector_batches, vector_chunks
from ragduck.version import __version__

SMALL = 5_000  # vectors; for fewer, threads wait for each other longer than they work
MIN_TRAINING = 1 << 14  # vectors


@dataclass(frozen=True, slots=True)
class MirrorReport:
    """What an export wrote; ``note`` says so when another index than the one wanted was taken."""

    folder: Path
    manifest: Manifest
    seconds: Mapping[str, float]
    note: str | None = None

    @property
    def size(self) -> int:
        """Bytes of all files but the manifest."""
        return sum(file.size for file in self.manifest.files.values())

    def to_dict(self) -> dict[str, Any]:
        """Return the report as `export faiss --json` prints it."""
        seconds = {stage: round(spent, 3) for stage, spent in self.seconds.items()}
        return {
            "folder": str(self.folder),
            "size_bytes": self.size,
            "note": self.note,
            "seconds": seconds,
            **self.manifest.to_dict(),
        }


def export_faiss(
    store: str | Path,
    out: str | Path | None = None,
    *,
    index: str = "auto",
    parameters: Mapping[str, int] | None = None,
    progress: Progress = NO_PROGRESS,
) -> MirrorReport:
    """Write index, chunk numbers and manifest into a folder, by default `STORE.faiss` beside the store.

    ``index`` is flat, hnsw, ivf, pq, or auto to choose by the number of vectors; ``parameters`` change how it is
    made (m, ef_construction, lists, code_bytes) or asked (ef_search, nprobe, candidates). Where recall@10 on the
    store's own vectors stays below 0.99, a flat index is written instead. A mirror that is there is replaced.
    Raises StoreError for a store without vectors, ForeignFileError for a folder that holds something else.
    """
    with open_database(store) as database:
        model = _require_vectors(database)
        target = mirror_folder(database.path) if out is None else Path(out)
        with replaced_folder(target, manifest_format=FORMAT) as folder:
            writer = _Writer(database, model, progress)
            with one_thread() if writer.rows <= SMALL else nullcontext():
                manifest, note = writer.write(folder, index=index, parameters=parameters)
    return MirrorReport(target, manifest, writer.seconds, note)


def _require_vectors(database: Database) -> EmbeddingModel:
    model = EmbeddingModel.from_dict(database.meta)
    if model is None or not database.rows("select 1 from documents where sign_0 is not null limit 1"):
        raise StoreError(
            f"{database.path} has no vectors to export",
            hint=f"give it some with: ragduck embed {quote(str(database.path))} --model static",
        )
    if "vectors_fingerprint" not in database.meta:
        raise StoreError(
            f"{database.path} does not record a fingerprint of its vectors",
            hint=f"prepare it again: ragduck prepare FOLDER -o {quote(str(database.path))} --overwrite",
        )
    return model


@dataclass(frozen=True, slots=True)
class _Tried:
    """An index that was made, and how it fares."""

    plan: IndexPlan
    index: Any
    measured: Measured

    @property
    def rank(self) -> tuple[bool, float]:
        """Less is better: what finds enough comes first, then what is faster."""
        return not self.measured.is_enough, self.measured.cost


class _Writer:
    """One export: the store it reads, what it measured, the seconds each stage took."""

    def __init__(self, database: Database, model: EmbeddingModel, progress: Progress) -> None:
        self.seconds: dict[str, float] = {}
        self._database = database
        self._model = model
        self._progress = progress
        self._chunk_nos = vector_chunks(database).chunk_nos
        self.rows = len(self._chunk_nos)

    def write(
        self, folder: Path, *, index: str, parameters: Mapping[str, int] | None
    ) -> tuple[Manifest, str | None]:
        """Write the files of a mirror and return its manifest, and what a reader should know of it."""
        dimension = self._model.dimension
        plan = plan_index(self.rows, dimension, choice=index, parameters=parameters)
        note = (
            None
            if index in ("auto", plan.kind)
            else f"there are too few vectors for {index}: took {plan.kind}"
        )
        truth = self._truth()
        best = self._tried(plan, truth)
        other = other_plan(plan.kind, self.rows, dimension) if index == "auto" and not parameters else None
        if other and not (best.measured.is_enough and best.measured.is_fast):
            first, best = best, min(best, self._tried(other, truth), key=lambda each: each.rank)
            if best is not first:
                note = f"{first.plan.kind} took {first.measured.cost:.1f} ms for two searches: took {best.plan.kind}"
        if not best.measured.is_enough:
            recall = best.measured.recall
            note = f"{best.plan.kind} reached recall@10 {recall:.3f}, less than 0.99: took flat"
            best = self._tried(plan_index(self.rows, dimension, choice="flat"), truth)
        np.save(folder / CHUNK_NOS, self._chunk_nos)
        write_index(best.index, folder)
        manifest = self._manifest(folder, best.plan, best.measured)
        (folder / MANIFEST).write_text(json.dumps(manifest.to_dict(), indent=2) + "\n", encoding="utf-8")
        return manifest, note

    def _tried(self, plan: IndexPlan, truth: Truth) -> _Tried:
        index = self._built(plan)
        return _Tried(plan, index, self._measured(index, plan, truth))

    def _manifest(self, folder: Path, plan: IndexPlan, measured: Measured) -> Manifest:
        return Manifest(
            kind=plan.kind,
            parameters=plan.parameters,
            search=measured.search,
            deep_search=measured.deep_search,
            model_key=self._database.meta["model_key"],
            dimension=self._model.dimension,
            rows=self.rows,
            fingerprint=self._database.meta["vectors_fingerprint"],
            files={name: describe_file(folder / name) for name in FILES},
            recall_at_10=round(measured.recall, 4),
            recall_at_100=round(measured.deep_recall, 4),
            latency_ms=measured.latency_ms,
            faiss_version=faiss.__version__,
            ragduck_version=__version__,
            created_at=datetime.now(UTC).isoformat(timespec="seconds"),
        )

    def _truth(self) -> Truth:
        start = perf_counter()
        own = np.unique(np.linspace(0, self.rows - 1, min(SAMPLE, self.rows)).astype(np.int64))
        stored = np.concatenate([batch[picked] for batch, picked in self._picked(own)])
        queries = np.concatenate([stored, between(stored)])
        with self._progress.stage("exact neighbours", total=self.rows) as stage:
            truth = exact_neighbours(self._batches(stage.advance), queries, own)
        self.seconds["exact"] = perf_counter() - start
        return truth

    def _built(self, plan: IndexPlan) -> Any:
        start = perf_counter()
        built = new_index(plan, dimension=self._model.dimension, rows=self.rows)
        self._fill(built, plan)
        self.seconds["build"] = self.seconds.get("build", 0.0) + perf_counter() - start
        return built

    def _fill(self, built: Any, plan: IndexPlan) -> None:
        if not built.is_trained:
            wanted = max(POINTS_PER_LIST * plan.parameters["lists"], MIN_TRAINING)
            sample = np.unique(np.linspace(0, self.rows - 1, min(wanted, self.rows)).astype(np.int64))
            built.train(np.concatenate([batch[picked] for batch, picked in self._picked(sample)]))
        with self._progress.stage(f"index ({plan.kind})", total=self.rows) as stage:
            for vectors in self._batches(stage.advance):
                built.add(vectors)

    def _measured(self, built: Any, plan: IndexPlan, truth: Truth) -> Measured:
        start = perf_counter()
        measured = tune(built, plan, truth)
        if plan.kind == "flat":
            measured = replace(
                measured, recall=1.0, deep_recall=1.0
            )  # it is the exact scan, and differs by rounding at most
        self.seconds["measure"] = self.seconds.get("measure", 0.0) + perf_counter() - start
        return measured

    def _batches(self, advance: Any) -> Iterator[Floats]:
        for batch in vector_batches(self._database):
            yield batch.vectors
            advance(len(batch.vectors))

    def _picked(self, positions: Any) -> Iterator[tuple[Floats, Any]]:
        """Yield each batch with the places in it of some positions, which rise."""
        start = 0
        for batch in vector_batches(self._database):
            low, high = np.searchsorted(positions, [start, start + len(batch.vectors)])
            yield batch.vectors, positions[low:high] - start
            start += len(batch.vectors)
