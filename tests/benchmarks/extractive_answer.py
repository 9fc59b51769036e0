"""Measure the extractive answer, warm, by step: the aim is 150 ms on 100,000 chunks without the query's embedding.

Usage: extractive_answer.py STORE [QUESTION ...] [--repeat 10]

Asks each question once to warm up, which also embeds it, then again; prints the median and the least of each step in
milliseconds over all questions, and of the whole run with the engine's own work.
"""

from __future__ import annotations

import argparse
import statistics
from time import perf_counter

import ragduck
from ragduck.conversation import Conversation, HistorySummary, RunRecord, Turn
from ragduck.pipeline.loading.loading import load_pipeline
from ragduck.pipeline.running.engine import run_pipeline
from ragduck.pipeline.state import State

QUESTIONS = (
    "How are attachments of a cipher stored?",
    "Which procedure deletes an organization?",
    "Where is the event log written?",
    "What breaks if we change dbo.Collection?",
    "How are invoices created?",
)


class NoHistory:
    """Keep nothing: saving a turn is measured elsewhere."""

    def load(self, session_id: str) -> Conversation:
        """Return a conversation without turns."""
        return Conversation(session_id)

    def save_turn(self, turn: Turn) -> None:
        """Forget it."""

    def save_summary(self, summary: HistorySummary) -> None:
        """Forget it."""

    def save_run(self, run: RunRecord) -> None:
        """Forget it."""


def measured(store: ragduck.Store, question: str) -> tuple[RunRecord, float]:
    """Return the trace of one answer and its milliseconds."""
    pipeline = load_pipeline("extractive")
    start = perf_counter()
    record = run_pipeline(
        pipeline, State(question, question_en=question), store=store, history=NoHistory(), model=None
    )
    return record, 1000 * (perf_counter() - start)


def main() -> None:
    """Print a table of the steps."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("store")
    parser.add_argument("questions", nargs="*", default=list(QUESTIONS))
    parser.add_argument("--repeat", type=int, default=10)
    arguments = parser.parse_args()
    steps: dict[str, list[float]] = {}
    wholes: list[float] = []
    with ragduck.open(arguments.store) as store:
        for question in arguments.questions:
            record, _ = measured(store, question)
            print(f"{record.status}, {len(record.steps)} steps: {question}")
            for _ in range(arguments.repeat):
                record, milliseconds = measured(store, question)
                wholes.append(milliseconds)
                for step in record.steps:
                    steps.setdefault(step.action, []).append(step.milliseconds)
    for name, times in {**steps, "whole run": wholes}.items():
        print(f"{name:28} {statistics.median(times):8.1f} {min(times):8.1f}")


if __name__ == "__main__":
    main()
