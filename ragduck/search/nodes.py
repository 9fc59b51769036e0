"""Turn chunks into LlamaIndex nodes."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from llama_index.core.schema import NodeRelationship, NodeWithScore, ObjectType, RelatedNodeInfo, TextNode

# A language model or a reranker reads these before the text; the other columns would only cost it tokens.
SHOWN_KEYS = frozenset({"location", "element_type", "element_name"})


def node_of(chunk: Mapping[str, Any]) -> TextNode:
    """Return the node of a chunk: its text, a copy of its metadata, the file as its source."""
    metadata = deepcopy(dict(chunk["metadata"]))
    hidden = [name for name in metadata if name not in SHOWN_KEYS]
    source = RelatedNodeInfo(
        node_id=metadata["doc_id"],
        node_type=ObjectType.DOCUMENT,
        metadata={"file_path": metadata["file_path"]},
    )
    return TextNode(
        id_=chunk["node_id"],
        text=chunk["text"],
        metadata=metadata,
        excluded_embed_metadata_keys=hidden,
        excluded_llm_metadata_keys=hidden,
        relationships={NodeRelationship.SOURCE: source},
    )


def scored_node_of(result: Mapping[str, Any]) -> NodeWithScore:
    """Return the node of a search result with its score."""
    return NodeWithScore(node=node_of(result), score=result["score"])
