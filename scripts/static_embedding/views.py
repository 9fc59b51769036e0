"""Turn pairs into what the model is shown: a question on one side, a chunk as `prepare` embeds it on the other."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import numpy as np
import torch
from numpy.typing import NDArray
from pairs import Pair
from teacher import teacher_vectors

from ragduck.embed.static.tokens import IDENTIFIER, Tokenizer, words_in

MOST_CHUNK_TOKENS = 128
LONGEST_QUESTION = 300  # characters
SPOKEN = {"csharp": "c#", "typescript": "typescript", "tsx": "react", "javascript": "javascript", "python": "python",
          "java": "java", "go": "golang", "sql": "sql", "markdown": "docs"}  # fmt: skip
FILLERS = frozenset(
    ("a", "an", "the", "of", "to", "for", "and", "or", "is", "are", "be", "it", "this", "that", "with", "from", "by",
     "as", "on", "in", "into", "given", "if", "returns", "return")
)  # fmt: skip
SENTENCE_END = re.compile(r"(?<=[a-z)])\. ")


def question_of(pair: Pair, chance: Random) -> str:
    """Return what somebody might ask for the pair: its comment or its name, now and then in a web query's manner."""
    if pair.kind == "section":
        return " ".join(pair.title.split(" > ")[-2:])
    name = " ".join(words_in(pair.title.rpartition(".")[2]))
    if not pair.text:
        owner = " ".join(words_in(pair.title.rpartition(".")[0]))
        return f"{name} {owner}" if owner and chance.random() < 0.5 else name
    text = SENTENCE_END.split(pair.text)[0] if chance.random() < 0.7 else pair.text
    if chance.random() < 0.3:
        text = " ".join(word for word in text.split() if word.lower().strip(".,") not in FILLERS) or text
    if chance.random() < 0.15:
        text = (
            f"{SPOKEN[pair.language]} {text}"
            if chance.random() < 0.5
            else f"{text} in {SPOKEN[pair.language]}"
        )
    return text


def chunk_of(pair: Pair, chance: Random) -> str:
    """Return what is to be found: title and code, sometimes without the name or with a part of the comment."""
    if pair.kind == "section":
        head = pair.title.split(" > ")[0] if chance.random() < 0.5 else ""
        return f"{head}\n{pair.code}"
    if not pair.text:
        name = pair.title.rpartition(".")[2]
        return pair.code.replace(name, " ", 1) if chance.random() < 0.7 else pair.code
    drawn = chance.random()
    code = pair.code if drawn > 0.15 else pair.code.replace(pair.title.rpartition(".")[2], " ", 1)
    title = pair.title if drawn > 0.25 else ""
    if chance.random() < 0.3:
        words = pair.text.split()
        half = (
            words[len(words) // 2 :] if chance.random() < 0.5 else chance.sample(words, (len(words) + 1) // 2)
        )
        return f"{title}\n{' '.join(half)}\n{code}"
    return f"{title}\n{code}"


def whole_of(title: str, text: str, code: str) -> str:
    """Return a chunk as the store holds it, comment included."""
    return f"{title}\n{text}\n{code}"


class Bags:
    """Token lists of many texts in one array; ``bag(i)`` are the tokens of text i in order of first appearance."""

    def __init__(self, texts: Iterable[str], tokenizer: Tokenizer, *, most: int) -> None:
        lists = [tokenizer.distinct_tokens(text, most=most) for text in texts]
        self.starts = np.zeros(len(lists) + 1, dtype=np.int64)
        np.cumsum([len(tokens) for tokens in lists], out=self.starts[1:])
        self.tokens = np.fromiter((token for tokens in lists for token in tokens), dtype=np.int32)

    def __len__(self) -> int:
        return len(self.starts) - 1

    def select(
        self, rows: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """Return the tokens of some texts one after the other, where each text begins, and places within texts."""
        lengths = self.starts[rows + 1] - self.starts[rows]
        offsets = np.concatenate(([0], np.cumsum(lengths)[:-1]))
        places = np.arange(lengths.sum()) - np.repeat(offsets, lengths)
        return self.tokens[np.repeat(self.starts[rows], lengths) + places].astype(np.int64), offsets, places


@dataclass(frozen=True, slots=True)
class Sight:
    """One sight of each pair: what is asked, as MiniLM's vectors, and what is to be found."""

    questions: NDArray[np.float16]
    chunk_texts: Sequence[str]
    chunks: Bags

    @classmethod
    def of(
        cls, pairs: Sequence[Pair], tokenizer: Tokenizer, chance: Random, cache: Path, *, threads: int
    ) -> Sight:
        """Draw a question and a chunk for each pair, and let MiniLM read the questions: some 400 a second."""
        drawn = [question_of(pair, chance)[:LONGEST_QUESTION] for pair in pairs]
        texts = [chunk_of(pair, chance) for pair in pairs]
        return cls(
            teacher_vectors(drawn, cache, threads=threads),
            texts,
            Bags(texts, tokenizer, most=MOST_CHUNK_TOKENS),
        )

    def question_vectors(self, rows: NDArray[np.int64]) -> torch.Tensor:
        """Return MiniLM's vectors of some questions."""
        return torch.from_numpy(self.questions[rows].astype(np.float32))


def build_vocabulary(texts: Iterable[str], *, size: int, kept: Sequence[str]) -> list[str]:
    """Return the words to have vectors for, most frequent first; ``kept`` ones need to occur only twice."""
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update({word for name in set(IDENTIFIER.findall(text)) for word in words_in(name)})
    letters = "abcdefghijklmnopqrstuvwxyz0123456789"
    chosen = dict.fromkeys(letters)
    chosen.update(dict.fromkeys(word for word in kept if counts[word] >= 2))
    for word, count in counts.most_common():
        if len(chosen) >= size or count < 3:
            break
        if _is_worth_a_vector(word):
            chosen[word] = None
    return sorted(chosen, key=lambda word: (-counts[word], word))[:size]


def _is_worth_a_vector(word: str) -> bool:
    return len(word) <= 24 and not (word.isdigit() and len(word) > 4)


def minilm_words(vocabulary: Path) -> Iterator[str]:
    """Yield the whole English words of MiniLM's vocabulary."""
    for word in vocabulary.read_text(encoding="utf-8").split("\n"):
        if word.isascii() and word.isalpha() and len(word) > 1:
            yield word
