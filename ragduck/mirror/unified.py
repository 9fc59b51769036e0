"""Write the historic unified index: one flat FAISS index with metadata and term counts row by row."""

from __future__ import annotations

import json
from array import array
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import faiss
import numpy as np

from ragduck.errors import StoreError
from ragduck.mirror.folder import replaced_folder
from ragduck.mirror.manifest import describe_file
from ragduck.mirror.unified_files import (
    ARRAYS,
    INDEX,
    MANIFEST,
    MANIFEST_FORMAT,
    METADATA,
    TERMS_FORMAT,
    TERMS_META,
    TOKENIZER,
    VOCABULARY,
    TermCounts,
    array_file,
    words_of,
)
from ragduck.model import EmbeddingModel
from ragduck.progress import NO_PROGRESS, Progress
from ragduck.resources import sql_text
from ragduck.shell import quote
from ragduck.store import Database, open_database
from ragduck.store.vectors import BATCH_CHUNKS, vector_batches, vector_chunks

MOST_COUNTED = 32_767  # of one word in one row; the arrays hold 16 bits
KINDS = {
    "TABLE": "Table", "PROC": "Procedure", "FUNC": "Function", "VIEW": "View", "TRIGGER": "Trigger",
    "INDEX": "Index", "FOREIGN_KEY": "ForeignKey", "SYNONYM": "Synonym",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class UnifiedReport:
    """What an export of the unified index wrote."""

    folder: Path
    rows: int
    dimension: int
    terms: int
    size: int

    def to_dict(self) -> dict[str, Any]:
        """Return the report as `export unified --json` prints it."""
        return {
            "folder": str(self.folder),
            "rows": self.rows,
            "dimension": self.dimension,
            "terms": self.terms,
            "size_bytes": self.size,
        }


def export_unified(store: str | Path, out: str | Path, *, progress: Progress = NO_PROGRESS) -> UnifiedReport:
    """Write unified_index.faiss, unified_metadata.json, the tf_ arrays and manifest.json into a folder.

    Row n of the index is entry n of the metadata and document n of the arrays; chunks without a vector are left out.
    Raises StoreError for a store without vectors, ForeignFileError for a folder that holds something else.
    """
    target = Path(out)
    with open_database(store) as database:
        model = EmbeddingModel.from_dict(database.meta)
        rows = len(vector_chunks(database).chunk_nos) if model else 0
        if model is None or not rows:
            raise StoreError(
                f"{database.path} has no vectors to export",
                hint=f"give it some with: ragduck embed {quote(str(database.path))} --model static",
            )
        with replaced_folder(target, manifest_format=MANIFEST_FORMAT) as folder:
            _write_index(database, folder, model.dimension, rows, progress)
            counts = _write_rows(database, folder, rows, progress)
            _write_counts(folder, counts)
            size = _write_manifest(database, folder, model)
    return UnifiedReport(target, rows, model.dimension, len(counts.vocabulary), size)


def _write_index(database: Database, folder: Path, dimension: int, rows: int, progress: Progress) -> None:
    index = faiss.IndexFlatIP(dimension)
    with progress.stage("vectors", total=rows) as stage:
        for batch in vector_batches(database):
            index.add(batch.vectors)
            stage.advance(len(batch.vectors))
    faiss.write_index(index, str(folder / INDEX))


def _write_rows(database: Database, folder: Path, rows: int, progress: Progress) -> TermCounts:
    """Write the metadata one row after the other, and count the words of the texts."""
    counter = _TermCounter()
    with (folder / METADATA).open("w", encoding="utf-8") as file, progress.stage("rows", total=rows) as stage:
        for number, row in enumerate(_metadata_rows(database)):
            file.write(("[\n" if number == 0 else ",\n") + json.dumps(row, ensure_ascii=False))
            counter.add(row["text"])
            stage.advance(1)
        file.write("\n]\n")
    return counter.counts()


def _metadata_rows(database: Database) -> Iterator[dict[str, Any]]:
    """Yield what is known of each chunk; what does not apply is left out."""
    last = int(database.rows("select coalesce(max(chunk_no), 0) as last from documents")[0]["last"])
    for low in range(0, last, BATCH_CHUNKS):
        bounds: dict[str, object] = {"low": low, "high": low + BATCH_CHUNKS}
        for row in database.rows(sql_text("mirror/unified_rows.sql"), bounds):
            kind = KINDS.get(row["kind"], row["kind"])
            yield {name: value for name, value in {**row, "kind": kind}.items() if value is not None}


class _TermCounter:
    """Counts of words by row, collected as flat arrays."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._terms, self._documents, self._times = array("i"), array("i"), array("h")
        self._lengths = array("i")

    def add(self, text: str) -> None:
        """Count the words of the next row."""
        counted = Counter(words_of(text))
        for word, times in counted.items():
            self._terms.append(self._numbers.setdefault(word, len(self._numbers)))
            self._documents.append(len(self._lengths))
            self._times.append(min(times, MOST_COUNTED))
        self._lengths.append(counted.total())

    def counts(self) -> TermCounts:
        """Return the counts with words in alphabetical order."""
        words = sorted(self._numbers)
        places = np.empty(len(words), dtype=np.int64)
        places[[self._numbers[word] for word in words]] = np.arange(len(words))
        terms = places[np.frombuffer(self._terms, dtype=np.intc)] if len(words) else np.empty(0, np.int64)
        order = np.argsort(terms, kind="stable")
        df = np.bincount(terms, minlength=len(words)).astype(np.int32)
        return TermCounts(
            vocabulary={word: number for number, word in enumerate(words)},
            offsets=np.concatenate([[0], np.cumsum(df, dtype=np.int64)]),
            doc_ids=np.asarray(self._documents, dtype=np.int32)[order],
            tfs=np.asarray(self._times, dtype=np.int16)[order],
            df=df,
            doc_len=np.asarray(self._lengths, dtype=np.int32),
        )


def _write_counts(folder: Path, counts: TermCounts) -> None:
    for name, kind in ARRAYS.items():
        np.save(folder / array_file(name), getattr(counts, name).astype(kind))
    _write_json(folder / VOCABULARY, counts.vocabulary)
    meta = {
        "format": TERMS_FORMAT,
        "tokenizer": TOKENIZER,
        "doc_count": len(counts.doc_len),
        "vocab_size": len(counts.vocabulary),
        "avgdl": counts.average_length,
    }
    _write_json(folder / TERMS_META, meta)


def _write_manifest(database: Database, folder: Path, model: EmbeddingModel) -> int:
    """Write what the index was made from; return the bytes of all other files."""
    branches = database.rows(sql_text("mirror/unified_branches.sql"))
    files = {path.name: describe_file(path) for path in sorted(folder.iterdir())}
    repos = sorted({branch["repo"] for branch in branches})
    manifest = {
        "format": MANIFEST_FORMAT,
        "index_id": database.meta.get("vectors_fingerprint", "")[:16],
        "friendly_name": database.path.stem,
        "repo_name": ", ".join(repos),
        "created_at_utc": datetime.now(UTC).isoformat(timespec="seconds"),
        "model_key": model.key,
        "model": model.to_dict(),
        "dimension": model.dimension,
        "branches": [
            {"repo": each["repo"], "branch_name": each["branch"], "commit_sha": each["commit_sha"]}
            for each in branches
        ],
        "artifacts": {name: asdict(file) for name, file in files.items()},
    }
    _write_json(folder / MANIFEST, manifest)
    return sum(file.size for file in files.values())


def _write_json(path: Path, value: object) -> None:
    path.write_text(json.dumps(value, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
