"""Keep what is evaluated on out of the training data, and show that it is out."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from zlib import crc32

from pairs import Pair, pairs_of

WORD = re.compile(r"[a-z]+|\d+")
SHINGLE = 8  # words; a run of so many is hardly ever chance
SAMPLED = 4  # of a pair every fourth run is looked up, of the evaluation data all are known
SHARE = 0.2  # of a pair's shingles that are evaluation data: then it is a copy, whatever was changed
FEWEST_WORDS = 4  # of a text that is compared as a whole


def words_of(text: str) -> list[str]:
    """Return the words of a text in lower case, without what formatting and quoting change."""
    return WORD.findall(text.lower())


def shingles(words: list[str], *, every: int = 1) -> set[int]:
    """Return hashes of the runs of ``SHINGLE`` words, or of one in ``every``."""
    runs = range(0, max(0, len(words) - SHINGLE + 1), every)
    return {crc32(" ".join(words[start : start + SHINGLE]).encode()) for start in runs}


@dataclass(frozen=True, slots=True)
class Evaluated:
    """What must not be trained on: runs of words, and whole short texts."""

    runs: set[int] = field(default_factory=set)
    texts: set[str] = field(default_factory=set)

    def add(self, text: str) -> None:
        """Add a query or a function; of a function also what its comment says."""
        words = words_of(text)
        self.runs.update(shingles(words))
        self.texts.add(" ".join(words))
        if text.lstrip().startswith(("def ", "@", "class ", "async ")):
            for pair in pairs_of("evaluated.py", text.strip() + "\n"):
                self.texts.update(" ".join(words_of(part)) for part in (pair.text, pair.code))

    def holds(self, pair: Pair) -> bool:
        """Whether a pair is, or nearly is, something that is evaluated on."""
        text, code = words_of(pair.text), words_of(pair.code)
        if any(len(words) >= FEWEST_WORDS and " ".join(words) in self.texts for words in (text, code)):
            return True
        own = shingles(text + code, every=SAMPLED)
        return bool(own) and len(own & self.runs) > SHARE * len(own)


def read_evaluated(folder: Path) -> Evaluated:
    """Read every text of every JSON file of the evaluation data, keys of objects included."""
    evaluated = Evaluated()
    for path in sorted(folder.rglob("*.json")):
        for text in _strings(json.loads(path.read_text(encoding="utf-8"))):
            evaluated.add(text)
    return evaluated


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from _strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _strings(inner)


def require_disjoint(pairs: Iterable[Pair], evaluated: Evaluated) -> int:
    """Return how many pairs were looked at; raise SystemExit when one of them is evaluated on."""
    count = 0
    for pair in pairs:
        count += 1
        if evaluated.holds(pair):
            raise SystemExit(f"evaluation data is in the training data: {pair.title}: {pair.text[:80]}")
    return count
