"""The settings of a pipeline, with their defaults and meaning."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from ragduck.pipeline.parameters import Parameter

SETTINGS = (
    Parameter("entry_step_id", "text", "Step that a run begins with.", required=True),
    Parameter("repository", "text", "Search only this repository; all of the store when empty."),
    Parameter("active_index", "text", "Search only this branch or snapshot; an older name of `branch`."),
    Parameter("branch", "text", "Search only this branch or snapshot; all of the store when empty."),
    Parameter("branch_b", "text", "The branch that `snapshot_source: secondary` searches."),
    Parameter("snapshot_id", "text", "An older name of `branch`."),
    Parameter("snapshot_id_b", "text", "An older name of `branch_b`."),
    Parameter(
        "filters", "mapping", "Filters of every search, such as file_class: [source]; no step widens them."
    ),
    Parameter("model_language", "text", "Language of the prompts.", default="en"),
    Parameter("max_context_tokens", "integer", "Evidence in a prompt, in tokens.", default=5000, low=200),
    Parameter(
        "max_history_tokens", "integer", "Conversation history in a prompt, in tokens.", default=800, low=50
    ),
    Parameter("max_output_tokens", "integer", "Answer of the model, in tokens.", default=1000, low=1),
    Parameter(
        "budget_safety_margin_tokens", "integer", "Tokens of the window left free.", default=128, low=0
    ),
    Parameter(
        "max_turn_loops", "integer", "How often a run may ask for more evidence.", default=4, low=0, high=100
    ),
    Parameter(
        "max_reformulations",
        "integer",
        "How often weak entry points are searched for again.",
        default=2,
        low=0,
        high=10,
    ),
    Parameter("max_steps", "integer", "Steps after which a run is ended.", default=200, low=1, high=10_000),
    Parameter("timeout_seconds", "number", "How long a run may take; no limit when empty.", low=0),
    Parameter(
        "model_timeout_seconds", "number", "How long one answer of the model may take.", default=120, low=0
    ),
    Parameter(
        "graph_max_depth",
        "integer",
        "Steps that the graph is walked from an entry point.",
        default=2,
        low=0,
        high=32,
    ),
    Parameter(
        "graph_max_nodes",
        "integer",
        "Nodes that a walk collects, entry points included.",
        default=120,
        low=1,
        high=100_000,
    ),
    Parameter(
        "graph_edge_allowlist",
        "texts",
        "Relations that a walk follows, aliases such as FK too; all when empty.",
    ),
    Parameter(
        "node_text_fetch_top_n",
        "integer",
        "Texts of nodes that are fetched at most.",
        default=12,
        low=1,
        high=1000,
    ),
    Parameter(
        "retrieval_modes",
        "texts",
        "Modes that a step may search in.",
        default=("semantic", "semantic_rerank", "bm25", "hybrid"),
    ),
    Parameter(
        "on_missing_mode",
        "text",
        "What happens when the store cannot serve a mode.",
        default="fall_back",
        choices=("fall_back", "fail"),
    ),
    Parameter(
        "default_search_method",
        "text",
        "Mode of a search that names none.",
        default="hybrid",
        choices=("semantic", "semantic_rerank", "bm25", "hybrid"),
    ),
    Parameter("top_k", "integer", "Chunks that a search returns.", default=10, low=1, high=1000),
    Parameter("history_limit", "integer", "Turns of a session that are loaded at most.", default=30, low=1),
    Parameter(
        "history_summarization_policy",
        "text",
        "How a long history is kept short.",
        default="incremental_resummarize",
        choices=("incremental_resummarize", "newest_only"),
    ),
    Parameter(
        "prompts_dir",
        "text",
        "Folder of prompts, from the file of the pipeline; those of ragduck when empty.",
    ),
    Parameter(
        "merge_steps",
        "text",
        "Whether a step replaces the parent's step of the same id or is merged into it.",
        default="replace",
        choices=("replace", "deep"),
    ),
    Parameter("variables", "mapping", "Values for your own actions and for templates."),
)

# Of the system that the format comes from; accepted so that its files load, and without effect here.
WITHOUT_EFFECT = frozenset(
    {
        "behavior_version", "compat_mode", "snapshot_set_id", "retrieval_budget_tokens", "rerank_widen_factor",
        "native_chat", "callback", "stages_visibility", "tenant_id", "owner_id", "allowed_group_ids", "test",
    }
)  # fmt: skip
RENAMED: Mapping[str, str] = MappingProxyType(
    {
        "active_index": "branch",
        "snapshot_id": "branch",
        "snapshot_id_b": "branch_b",
        "default_serach_method": "default_search_method",
    }
)


def with_defaults(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings under their present names, with the default of each that is not written."""
    named = {RENAMED.get(name, name): value for name, value in settings.items() if value is not None}
    return {
        parameter.name: parameter.default for parameter in SETTINGS if parameter.default is not None
    } | named
