"""Say what a store keeps of a text that was embedded."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class KeptText:
    """What a store knows of the text that was embedded, of which it keeps only the hash.

    ``llamaindex_node`` is the node, without its text, of what LlamaIndex added.
    """

    content_hash: str
    element_type: str
    element_name: str
    object_id: str
    text: str
    llamaindex_node: str | None = None
