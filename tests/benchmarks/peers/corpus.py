"""Make the rows and queries that every peer is given: real Python source, made-up vectors, labels to filter by.

The vectors lie around one random centre per 50 chunks, as those of models lie around topics, and their variance falls
with the direction as theirs does: product quantisation and sign bits lose about as much on them as on real vectors.
"""

from __future__ import annotations

import hashlib
import re
import sysconfig
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray
from queries import Query, write_queries

DIMENSION = 384
LINES = 40  # per chunk
MIN_LINES = 10  # with something on them; shorter rests of files are left out
CHUNKS_PER_CENTRE = 50
DECAY = 0.5  # of the standard deviation, by direction: real MiniLM vectors of code have about that
REPOS = 50  # so that one holds about 2 % of the rows
KINDS = (*["METHOD"] * 3, *["TYPE"] * 3, *["FIELD"] * 2, *["FILE"] * 2)
WIDE = ("kind", "METHOD")  # about 30 % of the rows
WORDS = 4  # of a chunk, in a query
WORD = re.compile(r"[A-Za-z]{4,}")
MAX_FILE_BYTES = 1_000_000


@dataclass(frozen=True, slots=True)
class _Law:
    """How vectors are drawn: around centres, with less and less spread along turned axes."""

    centres: NDArray[np.float64]
    turn: NDArray[np.float64]
    spread: NDArray[np.float64]

    @classmethod
    def drawn(cls, random: np.random.Generator, *, chunks: int) -> _Law:
        spread = np.arange(1, DIMENSION + 1) ** -DECAY
        turn, _ = np.linalg.qr(random.normal(size=(DIMENSION, DIMENSION)))
        centres = random.normal(size=(max(chunks // CHUNKS_PER_CENTRE, 2), DIMENSION)) * spread
        return cls(centres, turn, spread)

    def vectors(self, random: np.random.Generator, *, topics: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return unit vectors, shape (len(topics), DIMENSION), each around the centre of its topic."""
        noise = random.normal(size=(len(topics), DIMENSION)) * self.spread
        vectors = ((self.centres[topics] + noise) @ self.turn).astype(np.float32)
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def write_corpus(
    folder: Path, *, chunks: int, queries: int, sources: Iterable[Path] = (), seed: int = 0
) -> None:
    """Write `rows.parquet` and `queries.json`; the same sources and seed give the same files."""
    folder.mkdir(parents=True, exist_ok=True)
    random = np.random.default_rng(seed)
    rows = _rows(list(sources) or default_sources(), chunks)
    law = _Law.drawn(random, chunks=chunks)
    topics = random.integers(len(law.centres), size=chunks)
    vectors = law.vectors(random, topics=topics)
    flat = pa.FixedSizeListArray.from_arrays(pa.array(vectors.ravel()), DIMENSION)
    table = pa.Table.from_pylist(rows).append_column("embedding", flat)
    chosen = random.choice(chunks, size=queries, replace=queries > chunks)
    near = vectors[chosen] + law.vectors(random, topics=topics[chosen])
    near /= np.linalg.norm(near, axis=1, keepdims=True)
    asked = [_query(rows[row], vector, random) for row, vector in zip(chosen, near, strict=True)]
    pq.write_table(table, folder / "rows.parquet")
    write_queries(folder / "queries.json", asked)


def default_sources() -> list[Path]:
    """Return the folders of the standard library and of installed packages."""
    return [Path(sysconfig.get_path(name)) for name in ("stdlib", "purelib")]


def _rows(sources: Iterable[Path], chunks: int) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = []
    seen: set[bytes] = set()
    for label, path in _files(sources):
        for start, text in _chunks(path):
            digest = hashlib.blake2b(text.encode(), digest_size=16).digest()
            if digest in seen:
                continue
            seen.add(digest)
            rows.append({"id": len(rows), "text": text, **_labels(label), "path": label, "start_line": start})
            if len(rows) == chunks:
                return rows
    raise SystemExit(
        f"only {len(rows):,} chunks of source here: ask for fewer, or name more folders with --source"
    )


def _files(sources: Iterable[Path]) -> Iterator[tuple[str, Path]]:
    """Yield Python files in an order that mixes packages, each with its path below its source."""
    found = {
        path.resolve(): f"{root.name}/{path.relative_to(root).as_posix()}"
        for root in sources
        for path in root.rglob("*.py")
    }
    for path, label in sorted(found.items(), key=lambda item: _hash(item[1])):
        yield label, path


def _chunks(path: Path) -> Iterator[tuple[int, str]]:
    if path.stat().st_size > MAX_FILE_BYTES:
        return
    lines = path.read_text(encoding="utf-8", errors="replace").replace("\x00", " ").splitlines()
    for start in range(0, len(lines), LINES):
        part = lines[start : start + LINES]
        if sum(bool(line.strip()) for line in part) >= MIN_LINES:
            yield start + 1, "\n".join(part)


def _labels(path: str) -> dict[str, str]:
    """Return a repository and a kind, the same for all chunks of a file."""
    number = _hash(path)
    return {"repo": f"repo{number % REPOS:02d}", "kind": KINDS[number // REPOS % len(KINDS)]}


def _hash(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(errors="replace"), digest_size=8).digest(), "big")


def _query(row: dict[str, object], vector: NDArray[np.float32], random: np.random.Generator) -> Query:
    words = sorted(set(WORD.findall(str(row["text"])))) or ["python"]
    chosen = random.choice(words, size=min(WORDS, len(words)), replace=False)
    narrow = ("repo", f"repo{random.integers(REPOS):02d}")
    return Query(" ".join(chosen), vector.tolist(), int(str(row["id"])), narrow, WIDE)
