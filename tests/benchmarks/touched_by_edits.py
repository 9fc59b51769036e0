"""Count the files that are read again after real edits: of one file each time, as it was before its last commit.

Usage: python -m tests.benchmarks.touched_by_edits REPOSITORY [--edits 300] [--seed 1] [--above 100] [--suffix .cs]
    [--commits 600]

REPOSITORY is a clone with its history. What its HEAD has is parsed once; then each edit is looked at by itself, in
0.2 s, so that rare ones are found which `real_edits` hardly draws. Prints edits that touch more than so many files,
with what is declared otherwise and the seconds that it took to know, and how all are spread in the end.
"""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from ragduck.facts import FileFacts
from ragduck.facts.digests import NO_DECLARATIONS
from ragduck.facts.packing import Room, declarations_of, head_of, read_facts
from ragduck.model import Snapshot, SourceFile
from ragduck.parse import ChunkSettings
from ragduck.preparation.known_facts import digest_of
from ragduck.preparation.known_words import packed_words, unpacked_words
from ragduck.preparation.touched_files import touched_files
from ragduck.preparation.workers import ParseTask, parse_batch, parse_files
from ragduck.sources import walk_files
from tests.benchmarks.real_edits import COMMITS, edits_of, git, lay_out


class Parsed(NamedTuple):
    """What HEAD has: packed facts by path, these read, the packed declarations of those that have any, and words."""

    packed: Mapping[str, bytes]
    files: Mapping[str, FileFacts]
    heads: Mapping[str, bytes]
    words: bytes


class Counted(NamedTuple):
    """How many files are read again after an edit, all where names do not tell; and the seconds to know it."""

    files: int
    otherwise: str
    seconds: float
    path: str


def parsed(task: ParseTask) -> Parsed:
    """Parse what was laid out."""
    files = [one for one in walk_files(task.snapshot.root) if isinstance(one, SourceFile)]
    packed = {path: each for batch in parse_files(files, task=task) for path, each in batch.facts.items()}
    read = {file.path: file for file in read_facts(packed.values(), Room())}
    heads = {path: head_of(each) for path, each in packed.items() if declarations_of(each) != NO_DECLARATIONS}
    digests = {path: digest_of(each) for path, each in packed.items()}
    return Parsed(packed, read, heads, packed_words(packed, digests, key=b""))


def counted(path: str, content: bytes, known: Parsed, task: ParseTask) -> Counted:
    """Count what an edit of one file touches that has some content afterwards."""
    place = task.snapshot.root / path
    now = place.read_bytes()
    place.write_bytes(content)
    file = SourceFile(path, str(place), len(content), 0, known.files[path].project)
    fresh = parse_batch([file], task).facts[path]
    place.write_bytes(now)
    if declarations_of(fresh) == declarations_of(known.packed[path]):
        return Counted(1, "statements", 0, path)
    packed = {**known.packed, path: fresh}
    files = {**known.files, path: next(read_facts((fresh,), Room()))}
    digests = {path: digest_of(each) for path, each in packed.items()}
    started = time.perf_counter()
    words = unpacked_words(known.words, digests, key=b"")
    touched = touched_files(known.heads, packed, {path}, lambda: files, words)
    seconds = time.perf_counter() - started
    if touched is None:
        return Counted(len(files), "what holds for many", seconds, path)
    return Counted(len(touched.reaching), "types" if touched.types_may_differ else "members", seconds, path)


def main() -> None:
    """Print the edits that touch many files, and how all are spread."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("repository", type=Path)
    parser.add_argument("--edits", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--above", type=int, default=100)
    parser.add_argument("--suffix", action="append", dest="suffixes")
    parser.add_argument("--commits", type=int, default=COMMITS)
    arguments = parser.parse_args()
    edits = sorted(edits_of(arguments.repository, arguments.suffixes or (".cs",), arguments.commits))
    random.Random(arguments.seed).shuffle(edits)
    with tempfile.TemporaryDirectory() as place:
        lay_out(arguments.repository, Path(place))
        task = ParseTask(Snapshot("measured", "main", None, Path(place)), ChunkSettings())
        known = parsed(task)
        found = [
            counted(path, git(arguments.repository, "show", f"{commit}~1:{path}"), known, task)
            for path, commit in edits[: arguments.edits]
            if path in known.files
        ]
    for each in sorted(found, reverse=True):
        if each.files > arguments.above:
            print(f"{each.files:6,} files  {each.otherwise:20} {each.seconds:.2f} s  {each.path}")
    for otherwise in sorted({each.otherwise for each in found}):
        of_kind = [each for each in found if each.otherwise == otherwise]
        mean = statistics.mean(each.files for each in of_kind)
        many = sum(each.files > arguments.above for each in of_kind)
        seconds = statistics.median(each.seconds for each in of_kind)
        spread = f"{mean:.1f} files each, {many} with more than {arguments.above}, {seconds:.2f} s"
        print(f"{otherwise}: {len(of_kind)} edits, {spread}")


if __name__ == "__main__":
    main()
