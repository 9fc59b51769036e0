"""Turn chunks into LlamaIndex nodes."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from llama_index.core.schema import (
    BaseNode,
    NodeRelationship,
    NodeWithScore,
    ObjectType,
    RelatedNodeInfo,
    TextNode,
)
from llama_index.core.vector_stores.utils import metadata_dict_to_node

from ragduck.errors import StoreError
from ragduck.untrusted_json import read_json

# A language model or a reranker reads these before the text; the other columns would only cost it tokens.
SHOWN_KEYS = frozenset({"location", "element_type", "element_name"})


def node_of(chunk: Mapping[str, Any]) -> BaseNode:
    """Return the node of a chunk: its text, a copy of its metadata, the file as its source.

    A node that LlamaIndex added comes back as it was.
    """
    if chunk.get("llamaindex_node"):
        return _added_node_of(chunk)
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


def _added_node_of(chunk: Mapping[str, Any]) -> BaseNode:
    content = chunk["llamaindex_node"]
    try:
        kind = read_json(content)["class_name"]
        return metadata_dict_to_node({"_node_content": content, "_node_type": kind}, text=chunk["text"])
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise StoreError(
            f"the node {chunk['node_id']} is damaged: {error}", hint="delete it, and add it again"
        ) from error


def scored_node_of(result: Mapping[str, Any]) -> NodeWithScore:
    """Return the node of a search result with its score."""
    return NodeWithScore(node=node_of(result), score=result["score"])
