"""Measure how long the import of a unified index and of a sqlrooms-rag file takes, without embedding.

Usage: import_index.py [--chunks 100000] [--dimension 384] [unified|sqlrooms]...

Texts and vectors are made up from a seed: sections of some forty words of a vocabulary of 20,000, in files of fifty.
"""

from __future__ import annotations

import argparse
import json
import resource
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter, process_time

import duckdb
import faiss
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

import ragduck

SECTIONS = 50  # of a file
WORDS = 40  # of a section
VOCABULARY = 20_000
SLICE = 10_000


def vectors_of(chunks: int, dimension: int) -> Iterator[NDArray[np.float32]]:
    """Yield unit vectors, a slice at a time."""
    random = np.random.default_rng(1)
    for low in range(0, chunks, SLICE):
        vectors = random.normal(size=(min(SLICE, chunks - low), dimension)).astype(np.float32)
        yield vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def sections_of(chunks: int) -> list[tuple[str, str]]:
    """Return the path and the text of each section."""
    random = np.random.default_rng(2)
    words = np.array([f"word{number}" for number in range(VOCABULARY)])
    drawn = words[np.minimum(random.zipf(1.3, size=(chunks, WORDS)), VOCABULARY) - 1]
    return [
        (
            f"/docs/part{number // 5_000}/file{number // SECTIONS}.md",
            f"## Section {number}\n\n{' '.join(row)}",
        )
        for number, row in enumerate(drawn)
    ]


def write_sqlrooms(path: Path, chunks: int, dimension: int) -> Path:
    """Write the three tables as sqlrooms-rag does, headings repeated in front of each chunk."""
    sections = sections_of(chunks)
    files: dict[str, list[str]] = {}
    for name, text in sections:
        files.setdefault(name, []).append(text)
    with duckdb.connect(str(path)) as connection:
        connection.execute(
            f"create table documents (node_id varchar, text varchar, metadata_ json, embedding float[{dimension}], "
            "doc_id varchar)"
        )
        for number, vectors in enumerate(vectors_of(chunks, dimension)):
            part = sections[number * SLICE : number * SLICE + len(vectors)]
            rows = pa.table(
                {
                    "node_id": [f"node-{number}-{row}" for row in range(len(part))],
                    "text": [f"{text.partition(chr(10))[0][3:]}\n" * 3 + "\n" + text for _, text in part],
                    "metadata_": [json.dumps({"file_path": name, "header_path": "/"}) for name, _ in part],
                    "embedding": pa.FixedSizeListArray.from_arrays(pa.array(vectors.ravel()), dimension),
                    "doc_id": [name for name, _ in part],
                }
            )
            connection.register("rows", rows)
            connection.execute("insert into documents select * from rows")
        sources = pa.table(
            {
                "doc_id": list(files),
                "file_path": list(files),
                "text": ["\n\n".join(texts) for texts in files.values()],
            }
        )
        connection.register("sources", sources)
        connection.execute("create table source_documents as from sources")
        connection.execute(
            "create table embedding_metadata as select 'embedding_model' as key, 'made-up' as value"
        )
    return path


def write_unified(folder: Path, chunks: int, dimension: int) -> Path:
    """Write index, metadata and a manifest that names the model."""
    folder.mkdir()
    index = faiss.IndexFlatIP(dimension)
    for vectors in vectors_of(chunks, dimension):
        index.add(vectors)
    faiss.write_index(index, str(folder / "unified_index.faiss"))
    rows = []
    for number, (name, text) in enumerate(sections_of(chunks)):
        line = 4 * (number % SECTIONS) + 1
        rows.append(
            {
                "id": f"cs:Part.Type{number}.Run:part=0", "local_id": f"cs:Part.Type{number}.Run",
                "data_type": "regular_code", "file_type": "cs", "source_file": name.replace(".md", ".cs")[1:],
                "chunk_part": 0, "chunk_total": 1, "class": f"Type{number}", "member": "Run",
                "cs_key": f"Part.Type{number}.Run", "repo": "made-up", "branch": "main", "text": text,
                "start_line": line, "end_line": line + 2,
                "calls": [f"csharp:Part.Type{(number * 7 + step) % chunks}.Run|METHOD" for step in range(3)],
            }
        )  # fmt: skip
    (folder / "unified_metadata.json").write_text(json.dumps(rows))
    (folder / "manifest.json").write_text(json.dumps({"embedding_model": "made-up"}))
    return folder


WRITERS = {"unified": write_unified, "sqlrooms": write_sqlrooms}


def main() -> None:
    """Print seconds per stage and the most memory, per kind."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("kinds", nargs="*", default=list(WRITERS))
    parser.add_argument("--chunks", type=int, default=100_000)
    parser.add_argument("--dimension", type=int, default=384)
    arguments = parser.parse_args()
    for kind in arguments.kinds:
        with tempfile.TemporaryDirectory() as folder:
            source = WRITERS[kind](Path(folder) / f"{kind}.duckdb", arguments.chunks, arguments.dimension)
            start, cpu = perf_counter(), process_time()
            report = ragduck.prepare(source, Path(folder) / "store.duckdb")
            seconds, cpu = perf_counter() - start, process_time() - cpu
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        laps = ", ".join(f"{stage} {lap:.1f}" for stage, lap in report.seconds.items())
        print(
            f"{kind:<9} {seconds:6.1f} s, {cpu:.1f} s of processors ({laps})  {peak:,.0f} MiB  {report.counts}"
        )


if __name__ == "__main__":
    main()
