"""Fetch texts of known nodes by identity and make the evidence (seed 001, F.3; seed 003, 5.3 and 6.1)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ragduck.pipeline.actions.graph import SNAPSHOT_SOURCE, place_of
from ragduck.pipeline.answering.asked_lines import told_of_asked
from ragduck.pipeline.answering.evidence import FENCE_TOKENS, GRAPH_LOCATION
from ragduck.pipeline.context import StepContext
from ragduck.pipeline.parameters import Parameter
from ragduck.pipeline.prompting.tokens import CHARACTERS_PER_TOKEN, Count, counter_of
from ragduck.pipeline.registry import action
from ragduck.pipeline.retrieval.entry_points import ASKED_CLASSES
from ragduck.pipeline.retrieval.graph_lines import graph_text, is_test, within
from ragduck.pipeline.retrieval.node_texts import (
    LOOKED_AT,
    WITHOUT_TEXT,
    Order,
    Packed,
    Wanted,
    definitions_first,
    fetch,
    in_order,
    pack,
    without_copies,
)
from ragduck.pipeline.state import EvidenceBlock
from ragduck.search.neighbourhood import GraphNode

TEXT_SHARE = 0.7  # of the budget of the evidence
GRAPH_SHARE = 0.25
ASKED_MIGRATIONS = re.compile(r"\b(migrat\w*|history|histories|evol\w*|over time)\b", re.IGNORECASE)
ORDERS = ("seed_first", "graph_first", "balanced")
METADATA = ("kind", "role", "schema", "project")


@action(
    "fetch_node_texts",
    parameters=(
        Parameter(
            "prioritization_mode", "text", "Which texts come first.", default="balanced", choices=ORDERS
        ),
        Parameter("top_n", "integer", "Texts at most; the setting if empty.", low=1, high=1000),
        Parameter("top_n_from_settings", "any", "Setting to take instead of node_text_fetch_top_n."),
        Parameter("max_chars", "integer", "Characters of all texts.", low=1),
        Parameter("budget_tokens", "integer", "Tokens of all texts.", low=1),
        Parameter("budget_tokens_from_settings", "any", "Setting that holds the tokens of all texts."),
        Parameter("max_context_tokens", "integer", "Evidence in tokens instead of the setting.", low=1),
        SNAPSHOT_SOURCE,
        Parameter("append", "boolean", "Whether the evidence so far is kept.", default=False),
        Parameter(
            "include_metadata_in_context", "boolean", "Whether blocks say kind and role.", default=False
        ),
        Parameter("metadata_fields", "texts", "What blocks say: kind, role, schema, project."),
        Parameter(
            "include_graph", "boolean", "Whether the evidence says what the graph knows.", default=True
        ),
    ),
)
def fetch_node_texts(context: StepContext) -> None:
    """Fetch the texts of entry points and their neighbours by identity, whole or not at all, within a budget."""
    state = context.state
    count = counter_of(context.model)
    budget, top_n = _text_budget(context), _top_n(context)
    order: Order = context.parameters.get("prioritization_mode") or "balanced"
    wanted = in_order(_entry_points(context), _neighbours(context), order)
    repo, branch = place_of(context)
    kept = list(state.evidence) if context.parameters.get("append") else []
    had = {block.key for block in kept if block.kind == "text" and branch in (None, block.branch)}
    wanted = [one for one in wanted if one.key not in had][: LOOKED_AT * top_n]
    kept += _graph_blocks(context, count, branch=branch)
    texts = fetch(context.store.rows, wanted, hits=state.hits, repo=repo, branch=branch)
    if not ASKED_MIGRATIONS.search(state.question_en or state.question):
        texts = {key: without_copies(found) for key, found in texts.items()}
        texts = definitions_first(texts, whole=state.entry_nodes)
    packed = pack(wanted, texts, hits=state.hits, count=count, budget=budget, top_n=top_n)
    state.evidence = (*kept, *packed.blocks)
    state.skipped = tuple(packed.skipped)
    _tell(context, packed, without=[one.key for one in wanted if not texts.get(one.key)], budget=budget)


def _tell(context: StepContext, packed: Packed, *, without: Sequence[str], budget: int) -> None:
    context.note(f"{len(packed.blocks)} texts, {packed.used:,} of {budget:,} tokens")
    if packed.skipped:
        context.note(f"left out for want of room: {', '.join(packed.skipped)}")
    if without:
        context.note(
            f"without a text of their own: {', '.join(without[:8])}{' …' if len(without) > 8 else ''}"
        )


def _text_budget(context: StepContext) -> int:
    parameters, settings = context.parameters, context.settings
    if parameters.get("budget_tokens"):
        return int(parameters["budget_tokens"])
    named = parameters.get("budget_tokens_from_settings")
    if isinstance(named, str) and settings.get(named):
        return int(settings[named])
    if parameters.get("max_chars"):
        return int(parameters["max_chars"]) // CHARACTERS_PER_TOKEN
    return int(TEXT_SHARE * _evidence_budget(context))


def _evidence_budget(context: StepContext) -> int:
    return int(context.parameters.get("max_context_tokens") or context.settings["max_context_tokens"])


def _top_n(context: StepContext) -> int:
    named = context.parameters.get("top_n_from_settings")
    from_settings = context.settings.get(named) if isinstance(named, str) else None
    return int(context.parameters.get("top_n") or from_settings or context.settings["node_text_fetch_top_n"])


def _entry_points(context: StepContext) -> list[Wanted]:
    state = context.state
    nodes = {node.node_key: node for node in state.neighbourhood.nodes} if state.neighbourhood else {}
    keys = state.entry_nodes or tuple(
        str(hit["id"] if hit["data_type"] == "docs" else hit["node_key"]) for hit in state.hits
    )
    return [
        Wanted(key, _label(context, nodes.get(key), "entry point"), nodes.get(key))
        for key in dict.fromkeys(keys)
    ]


def _neighbours(context: StepContext) -> list[Wanted]:
    """Return the other nodes, closest first, tests last unless they are asked for."""
    state = context.state
    _, branch = place_of(context)
    if state.neighbourhood is None:
        return []
    entry = set(state.entry_nodes)
    nodes = [
        node
        for node in state.neighbourhood.nodes
        if node.node_key not in entry
        and branch in (None, node.branch)
        and node.source_file
        and not node.is_external
        and node.kind not in WITHOUT_TEXT
    ]
    if not ASKED_CLASSES["test"].search(state.question_en or state.question):
        nodes.sort(key=is_test)
    return [Wanted(node.node_key, _label(context, node, node.why), node) for node in nodes]


def _label(context: StepContext, node: GraphNode | None, why: str) -> str:
    fields = tuple(context.parameters.get("metadata_fields") or ())
    if context.parameters.get("include_metadata_in_context"):
        fields = fields or METADATA
    told = [
        f"{name}: {value}" for name in fields if name in METADATA and (value := getattr(node, name, None))
    ]
    return "; ".join([why, *told])


def _graph_blocks(context: StepContext, count: Count, *, branch: str | None) -> list[EvidenceBlock]:
    """Return what the graph says of the branch; nothing when the evidence says it already."""
    neighbourhood = within(context.state.neighbourhood, branch)
    said = context.parameters.get("append") and any(
        block.kind == "graph" and branch in (None, block.branch) for block in context.state.evidence
    )
    if neighbourhood is None or said or not context.parameters.get("include_graph", True):
        return []
    budget = int(GRAPH_SHARE * _evidence_budget(context)) - FENCE_TOKENS
    is_asked_here = context.state.asked_at == place_of(context)
    asked = told_of_asked(context.state, neighbourhood) if is_asked_here else ()
    told = _fitting(asked, count=count, budget=budget // 2)
    text = graph_text(neighbourhood, count=count, budget=budget - count(told))
    text = "\n".join(filter(None, (told, text)))
    return (
        [
            EvidenceBlock(
                "graph", "graph", text, count(text) + FENCE_TOKENS, location=GRAPH_LOCATION, branch=branch
            )
        ]
        if text
        else []
    )


def _fitting(lines: Iterable[str], *, count: Count, budget: int) -> str:
    """Return the first lines, as many as fit a budget of tokens."""
    kept, used = list[str](), 0
    for line in lines:
        used += count(line) + 1
        if used > budget:
            break
        kept.append(line)
    return "\n".join(kept)
