"""Measure how long the static model takes to load, and how many chunks of 90 tokens a second it embeds.

    python tests/benchmarks/static_rate.py FOLDER --count 5000

Tokens are counted as MiniLM counts them, so that the figure stands beside that of embedding_rate.py.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from pathlib import Path

from embedding_rate import cut_texts, seconds

from ragduck.embed import embed_in_batches
from ragduck.embed.static import StaticEmbedder
from ragduck.embed.static.model import load_model

TARGET = 5_000
LOAD = """
from time import perf_counter
from ragduck.embed.static.model import load_model
started = perf_counter()
load_model()
print(perf_counter() - started)
"""


def main() -> None:
    """Print the time to load and the rates of a cold and a warm process."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("corpus", type=Path, help="folder with source files")
    parser.add_argument("--count", type=int, default=5_000)
    parser.add_argument("--repeat", type=int, default=5)
    arguments = parser.parse_args()
    loads = [
        float(subprocess.run([sys.executable, "-c", LOAD], capture_output=True, text=True, check=True).stdout)
        for _ in range(arguments.repeat)
    ]
    print(f"load: {1000 * min(loads):.0f} ms, at worst {1000 * max(loads):.0f} ms")
    texts = cut_texts(arguments.corpus, count=arguments.count, mean_tokens=90)
    load_model()
    rates = []
    for _ in range(arguments.repeat):
        started = time.process_time()
        passed = seconds(lambda: list(embed_in_batches(StaticEmbedder(), texts)))
        rates.append((len(texts) / passed, len(texts) / (time.process_time() - started)))
    shown = ", ".join(f"{rate:,.0f} ({processor:,.0f} per second of processor)" for rate, processor in rates)
    print(
        f"chunks of 90 tokens a second, the first round with unknown identifiers: {shown}; target {TARGET:,}"
    )


if __name__ == "__main__":
    main()
