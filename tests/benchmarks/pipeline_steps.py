"""Measure what the engine adds to each step: milliseconds per step of a pipeline whose actions do nothing.

Usage: pipeline_steps.py [--steps 2000] [--evidence 200]

The state is full, as late in a run: evidence of many texts, hits, a neighbourhood of 120 nodes. One action changes
nothing, the other replaces hits and evidence in each step, which the trace then shows. The engine may add 5 ms.
"""

from __future__ import annotations

import argparse
import statistics
import time
from typing import Any

from ragduck.conversation import Conversation, RunRecord
from ragduck.pipeline.definition import Pipeline, Place, Step
from ragduck.pipeline.prompting.prompts import Prompts
from ragduck.pipeline.registry import action
from ragduck.pipeline.running.engine import run_pipeline
from ragduck.pipeline.state import EvidenceBlock, State
from ragduck.search.neighbourhood import GraphNode, Neighbourhood

PLACE = Place("pipeline_steps.yaml", 1, 1)
ROUNDS = 5
TARGET = 5.0  # milliseconds


class NoHistory:
    def load(self, session_id: str) -> Conversation:
        return Conversation(session_id)

    def save_turn(self, turn: Any) -> None: ...

    def save_summary(self, summary: Any) -> None: ...

    def save_run(self, run: RunRecord) -> None: ...


@action("benchmark_nothing")
def do_nothing(context: Any) -> None:
    """Do nothing."""


@action("benchmark_change")
def change_all(context: Any) -> None:
    """Replace what is large in the state."""
    state = context.state
    state.hits = tuple(dict(hit) for hit in state.hits)
    state.evidence = (*state.evidence[1:], state.evidence[0])
    first, *others = state.neighbourhood.nodes
    state.neighbourhood = Neighbourhood((), (*others, first), ())


def full_state(evidence: int) -> State:
    nodes = tuple(
        GraphNode(
            number, f"dbo.T{number}|TABLE", "TABLE", f"T{number}", "r", "main", "db_code", is_external=False
        )
        for number in range(120)
    )
    text = "select * from dbo.Invoice where Id = @Id\n" * 50
    blocks = (
        EvidenceBlock(f"dbo.T{number}|TABLE", "text", text, 500, "a.sql:1-9") for number in range(evidence)
    )
    hits = (
        {"id": f"sql:{number}", "score": 0.5, "location": "a.sql:1-9", "text": text}
        for number in range(evidence)
    )
    return State(
        "How are invoices implemented?",
        hits=tuple(hits),
        evidence=tuple(blocks),
        neighbourhood=Neighbourhood((), nodes, ()),
    )


def milliseconds_per_step(action_name: str, *, steps: int, evidence: int) -> float:
    made = {
        f"s{number}": Step(f"s{number}", action_name, {"next": f"s{number + 1}"}, PLACE)
        for number in range(steps)
    }
    made[f"s{steps}"] = Step(f"s{steps}", "benchmark_nothing", {"end": True}, PLACE)
    pipeline = Pipeline("benchmark", {"entry_step_id": "s0", "max_steps": steps + 1}, made, PLACE)
    prompts, state = Prompts([]), full_state(evidence)
    started = time.perf_counter()
    record = run_pipeline(pipeline, state, store=None, history=NoHistory(), prompts=prompts)
    taken = (time.perf_counter() - started) * 1000
    assert len(record.steps) == steps + 1, record.error
    return taken / len(record.steps)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--evidence", type=int, default=200)
    given = parser.parse_args()
    for name, steps in (("benchmark_nothing", given.steps), ("benchmark_change", given.steps // 10)):
        times = [milliseconds_per_step(name, steps=steps, evidence=given.evidence) for _ in range(ROUNDS)]
        print(f"{name:20} {statistics.median(times):8.3f} ms per step (target {TARGET:g})")


if __name__ == "__main__":
    main()
