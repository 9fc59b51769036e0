"""The actions that ship with ragduck; importing this package registers them."""

from ragduck.pipeline.actions import (
    budget,
    control,
    entry_points,
    finishing,
    graph,
    history,
    model_calls,
    presenting,
    retrieval,
    routing,
    texts,
    translation,
    understanding,
    variables,
)

__all__ = [
    "budget",
    "control",
    "entry_points",
    "finishing",
    "graph",
    "history",
    "model_calls",
    "presenting",
    "retrieval",
    "routing",
    "texts",
    "translation",
    "understanding",
    "variables",
]
