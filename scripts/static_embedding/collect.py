"""Collect the training pairs: fetch packages, cut pairs, drop duplicates and everything that is evaluated on.

Usage: collect.py DATA --evaluation FOLDER [--processes 2] [--no-download]

Writes DATA/pairs/PACKAGE.jsonl.gz for each package, DATA/pairs.parquet and DATA/manifest.json, which tells packages,
licences, languages and what was removed. None of it belongs into the repository.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import tarfile
import zipfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict
from hashlib import blake2b
from pathlib import Path, PurePosixPath
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from archives import files_of
from download import CLIENTS, download_all, package_of
from licences import METADATA, is_licence_file, is_permissive, licence_in
from overlap import Evaluated, read_evaluated, words_of
from pairs import Pair, pairs_of

MOST_PAIRS = 25_000  # of one package, so that none drowns the others
MOST_UNSAID = 8_000  # of these without a comment
MOST_OF_A_TEXT = 3  # "Return the name." says little the hundredth time
SCHEMA = pa.schema([(name, pa.string()) for name in ("kind", "language", "title", "text", "code", "package")])


def main() -> None:
    """Collect in one go; what is there already is not made again."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--evaluation", type=Path, required=True)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--no-download", action="store_true")
    arguments = parser.parse_args()
    data = arguments.data.resolve()
    if not arguments.no_download:
        download_all(data / "downloads")
    cut_all(data, processes=arguments.processes)
    merge(data, read_evaluated(arguments.evaluation))


def cut_all(data: Path, *, processes: int) -> None:
    """Cut the pairs of each package into a file of its own."""
    (data / "pairs").mkdir(exist_ok=True)
    packages: dict[tuple[str, str], list[Path]] = {}
    for registry in CLIENTS:
        for archive in sorted((data / "downloads" / registry).glob("*")):
            packages.setdefault((registry, package_of(registry, archive.name)), []).append(archive)
    with ProcessPoolExecutor(processes, initializer=os.nice, initargs=(15,)) as executor:
        jobs = {
            executor.submit(cut_package, registry, name, archives, data / "pairs"): name
            for (registry, name), archives in packages.items()
        }
        for done in as_completed(jobs):
            try:
                done.result()
            except (tarfile.TarError, zipfile.BadZipFile) as error:
                print(f"{jobs[done]} left out: {error}")


def cut_package(registry: str, name: str, archives: list[Path], folder: Path) -> None:
    """Write the pairs of a package, a header with its name and licence first; none when the licence asks for much."""
    target = folder / f"{registry}+{name}.jsonl.gz"
    if target.exists():
        return
    licence = _licence_of(archives)
    pairs: list[dict[str, str]] = []
    if is_permissive(licence):
        pairs = list(_cut_pairs(archives))
    header = {"package": name, "registry": registry, "licence": licence or "none named"}
    part = target.with_suffix(".part")
    with gzip.open(part, "wt", encoding="utf-8", compresslevel=1) as file:
        for row in (header, *pairs):
            file.write(json.dumps(row) + "\n")
    part.rename(target)


def _licence_of(archives: list[Path]) -> str:
    """Return the licence that the metadata name, else the one whose text is there; empty when there is neither."""
    by_text = ""
    for path, text in files_of(sorted(archives, key=_debian_first), wanted=is_licence_file):
        licence = licence_in(path, text) or ""
        if licence and PurePosixPath(path).name in METADATA:
            return licence
        by_text = by_text or licence
    return by_text


def _debian_first(archive: Path) -> bool:
    return ".debian.tar" not in archive.name


def _cut_pairs(archives: list[Path]) -> Iterator[dict[str, str]]:
    counts: Counter[bool] = Counter()
    for path, text in files_of(archives):
        for pair in _readable_pairs(path, text):
            is_unsaid = pair.kind == "name"
            if counts.total() >= MOST_PAIRS:
                return
            if not is_unsaid or counts[True] < MOST_UNSAID:
                counts[is_unsaid] += 1
                yield asdict(pair)


def _readable_pairs(path: str, text: str) -> Iterator[Pair]:
    try:
        yield from pairs_of(path, text)
    except (RecursionError, ValueError, KeyError) as error:
        print(f"{path}: {type(error).__name__}: {error}")


def merge(data: Path, evaluated: Evaluated) -> None:
    """Write one table of distinct pairs, none of which is evaluated on."""
    merger = _Merger(evaluated)
    packages: list[dict[str, Any]] = []
    with pq.ParquetWriter(data / "pairs.parquet", SCHEMA, compression="zstd") as writer:
        for path in sorted((data / "pairs").glob("*.jsonl.gz")):
            header, *pairs = _rows(path)
            kept = [{**pair, "package": header["package"]} for pair in pairs if merger.keeps(Pair(**pair))]
            writer.write_table(pa.Table.from_pylist(kept, schema=SCHEMA))
            packages.append({**header, "pairs": len(kept)})
    figures = {
        "pairs": merger.counts.total(),
        "packages": sum(package["pairs"] > 0 for package in packages),
        "by language and kind": merger.counts,
        "removed": merger.removed,
    }
    manifest = {**figures, "from": packages}
    (data / "manifest.json").write_text(json.dumps(manifest, indent=1), encoding="utf-8")
    print(json.dumps(figures, indent=1))


def _rows(path: Path) -> Iterator[dict[str, str]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


class _Merger:
    """Keep a pair unless its code was seen before, its text is frequent, or it is evaluated on; count both."""

    def __init__(self, evaluated: Evaluated) -> None:
        self.counts: Counter[str] = Counter()
        self.removed: Counter[str] = Counter()
        self._evaluated = evaluated
        self._codes: set[bytes] = set()
        self._texts: Counter[bytes] = Counter()

    def keeps(self, pair: Pair) -> bool:
        """Return whether the pair is kept."""
        code, text = _digest(pair.code), _digest(pair.text or pair.title)
        reason = self._reason_against(pair, code, text)
        if reason:
            self.removed[reason] += 1
            return False
        self._codes.add(code)
        self._texts[text] += 1
        self.counts[f"{pair.language} {pair.kind}"] += 1
        return True

    def _reason_against(self, pair: Pair, code: bytes, text: bytes) -> str:
        if code in self._codes:
            return "duplicate code"
        if self._texts[text] >= MOST_OF_A_TEXT:
            return "frequent text"
        return "evaluation" if self._evaluated.holds(pair) else ""


def _digest(text: str) -> bytes:
    return blake2b(" ".join(words_of(text)).encode(), digest_size=12).digest()


if __name__ == "__main__":
    main()
