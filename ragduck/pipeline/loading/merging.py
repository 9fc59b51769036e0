"""Merge a child into its parent: settings deeply, steps by id (seed 003, §11.2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from ragduck.pipeline.loading.yaml_document import Value


def merge_values(parent: Value, child: Value) -> Value:
    """Merge mappings key by key, at every depth; anything else of the child takes the place of the parent's."""
    if not (isinstance(parent.content, dict) and isinstance(child.content, dict)):
        return child
    merged = dict(parent.content)
    for key, value in child.content.items():
        merged[key] = merge_values(merged[key], value) if key in merged else value
    return replace(child, content=merged, size=1 + sum(value.size for value in merged.values()))


def merge_steps(
    parent: Mapping[str, Value], child: Mapping[str, Value], *, is_deep: bool = False
) -> dict[str, Value]:
    """Put the child's steps in the place of the parent's with the same id, or merge them; new ones follow."""
    merged = dict(parent)
    for step_id, step in child.items():
        merged[step_id] = merge_values(merged[step_id], step) if is_deep and step_id in merged else step
    return merged


def in_order(settings: Iterable[Value]) -> Value:
    """Merge settings from the root parent to the child."""
    levels = iter(settings)
    merged = next(levels)
    for level in levels:
        merged = merge_values(merged, level)
    return merged
