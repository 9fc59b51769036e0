"""Compare the embedding stage with the bare onnxruntime session on the same token batches.

    python tests/benchmarks/embedding_rate.py FOLDER --count 96 --repeat 7

Both take turns, so that other work on the machine slows both; the ratio is the figure to look at.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from onnxruntime import InferenceSession

from ragduck.embed import embed_in_batches
from ragduck.embed.batches import plan_batches
from ragduck.embed.minilm import MiniLMEmbedder
from ragduck.embed.minilm.embedder import pad, plan_runs
from ragduck.embed.minilm.tokenizer import load_tokenizer
from ragduck.embed.minilm.weights import read_weights

SUFFIXES = {".cs", ".sql", ".py", ".ts", ".js", ".java", ".go", ".md"}
MEAN_TOKENS = (250, 90)
TARGET = 0.95

Inputs = dict[str, NDArray[np.int64]]


def main() -> None:
    """Print the rates for long and for short chunks."""
    arguments = parse_arguments()
    for mean_tokens in MEAN_TOKENS:
        texts = cut_texts(arguments.corpus, count=arguments.count, mean_tokens=mean_tokens)
        compare(texts, repeat=arguments.repeat, label=f"~{mean_tokens} tokens")


def parse_arguments() -> argparse.Namespace:
    """Read the corpus folder, the number of chunks and of repetitions."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("corpus", type=Path, help="folder with source files")
    parser.add_argument("--count", type=int, default=96, help="chunks of each length")
    parser.add_argument("--repeat", type=int, default=7, help="rounds of both ways")
    return parser.parse_args()


def cut_texts(corpus: Path, *, count: int, mean_tokens: int) -> list[str]:
    """Cut chunks of varying length, ``mean_tokens`` on average, from files in random but fixed order."""
    chooser = random.Random(mean_tokens)
    files = sorted(path for path in corpus.rglob("*") if path.suffix in SUFFIXES and path.is_file())
    chooser.shuffle(files)
    tokenizer = load_tokenizer()
    texts: list[str] = []
    for path in files:
        text = path.read_text(encoding="utf-8", errors="replace")
        offsets = tokenizer.encode(text[:8_192]).offsets[1:-1]
        wanted = round(mean_tokens * chooser.uniform(0.8, 1.2)) - 2
        if len(offsets) >= wanted * 0.9:
            texts.append(text[: offsets[min(wanted, len(offsets)) - 1][1]])
        if len(texts) == count:
            return texts
    raise SystemExit(f"{corpus} yields only {len(texts)} of {count} chunks")


def compare(texts: list[str], *, repeat: int, label: str) -> None:
    """Time both ways in turns and print the medians and the ratio of each round."""
    embedder, session = MiniLMEmbedder(), InferenceSession(read_weights(), providers=["CPUExecutionProvider"])
    batches = list(token_batches(texts))
    embedder.embed_query("warm up")
    session.run(None, batches[-1])
    stage, bare = [], []
    for _ in range(repeat):
        bare.append(len(texts) / seconds(lambda: [session.run(None, batch) for batch in batches]))
        stage.append(len(texts) / seconds(lambda: list(embed_in_batches(embedder, texts))))
    ratio = statistics.median(ours / theirs for ours, theirs in zip(stage, bare, strict=True))
    print(
        f"{label}: stage {statistics.median(stage):.1f} (best {max(stage):.1f}) chunks/s, "
        f"bare {statistics.median(bare):.1f} (best {max(bare):.1f}) chunks/s, "
        f"ratio {ratio:.3f}, best against best {max(stage) / max(bare):.3f}, target {TARGET}"
    )


def token_batches(texts: list[str]) -> Iterator[Inputs]:
    """Yield the very inputs that the stage gives to the model, in its order."""
    tokenizer = load_tokenizer()
    for positions in plan_batches([len(text) for text in texts]):
        tokens = [np.array(tokenizer.encode(texts[position]).ids, dtype=np.int64) for position in positions]
        for run in plan_runs([len(ids) for ids in tokens]):
            ids, mask = pad([tokens[position] for position in run])
            yield {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}


def seconds(work: Callable[[], object]) -> float:
    """Return how long a call took."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


if __name__ == "__main__":
    main()
