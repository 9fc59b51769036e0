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
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from archives import files_of, licence_in
from download import CLIENTS, download_all, package_of
from overlap import Evaluated, read_evaluated, words_of
from pairs import Pair, pairs_of

MOST_PAIRS = 15_000  # of one package, so that none drowns the others
MOST_UNSAID = 6_000  # of these without a comment
MOST_OF_A_TEXT = 3  # "Return the name." says little the hundredth time


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
    with ProcessPoolExecutor(processes, initializer=os.nice, initargs=(19,)) as executor:
        jobs = [
            executor.submit(cut_package, registry, name, archives, data / "pairs")
            for (registry, name), archives in packages.items()
        ]
        for done in as_completed(jobs):
            done.result()


def cut_package(registry: str, name: str, archives: list[Path], folder: Path) -> None:
    """Write the pairs of a package, a header with its name and licence first."""
    target = folder / f"{registry}+{name}.jsonl.gz"
    if target.exists():
        return
    licence, pairs = None, []
    unsaid = 0
    for path, text in files_of(archives):
        licence = licence or licence_in(path, text)
        for pair in _readable_pairs(path, text) if len(pairs) < MOST_PAIRS else ():
            unsaid += pair.kind == "name"
            if pair.kind != "name" or unsaid <= MOST_UNSAID:
                pairs.append(asdict(pair))
    header = {"package": name, "registry": registry, "licence": licence or "see the package"}
    part = target.with_suffix(".part")
    with gzip.open(part, "wt", encoding="utf-8", compresslevel=1) as file:
        for row in (header, *pairs):
            file.write(json.dumps(row) + "\n")
    part.rename(target)


def _readable_pairs(path: str, text: str) -> Iterator[Pair]:
    try:
        yield from pairs_of(path, text)
    except (RecursionError, ValueError, KeyError) as error:
        print(f"{path}: {type(error).__name__}: {error}")


def merge(data: Path, evaluated: Evaluated) -> None:
    """Write one table of distinct pairs, none of which is evaluated on."""
    kept: list[dict[str, str]] = []
    packages: list[dict[str, Any]] = []
    codes: set[str] = set()
    texts: Counter[str] = Counter()
    removed: Counter[str] = Counter()
    for path in sorted((data / "pairs").glob("*.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as file:
            header = json.loads(next(file))
            before = len(kept)
            for line in file:
                pair = Pair(**json.loads(line))
                reason = _reason_against(pair, codes, texts) or (
                    "evaluation" if evaluated.holds(pair) else ""
                )
                if reason:
                    removed[reason] += 1
                else:
                    kept.append({**asdict(pair), "package": header["package"]})
            packages.append({**header, "pairs": len(kept) - before})
    pq.write_table(pa.Table.from_pylist(kept), data / "pairs.parquet", compression="zstd")
    counted = Counter(f"{row['language']} {row['kind']}" for row in kept)
    manifest = {"pairs": len(kept), "by language and kind": counted, "removed": removed, "packages": packages}
    (data / "manifest.json").write_text(json.dumps(manifest, indent=1), encoding="utf-8")
    print(
        json.dumps({name: manifest[name] for name in ("pairs", "by language and kind", "removed")}, indent=1)
    )


def _reason_against(pair: Pair, codes: set[str], texts: Counter[str]) -> str:
    code = " ".join(words_of(pair.code))
    if code in codes:
        return "duplicate code"
    text = " ".join(words_of(pair.text or pair.title))
    if texts[text] >= MOST_OF_A_TEXT:
        return "frequent text"
    codes.add(code)
    texts[text] += 1
    return ""


if __name__ == "__main__":
    main()
