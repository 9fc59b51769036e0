"""Read nodes of LlamaIndex as rows of a store."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any, NoReturn

import numpy as np
from llama_index.core.schema import BaseNode, MetadataMode
from llama_index.core.vector_stores.utils import node_to_metadata_dict
from numpy.typing import NDArray

from ragduck.embed.vectors import unit_rows
from ragduck.errors import EmbeddingError, UsageError
from ragduck.store.added import AddedNode

PATH_KEYS = ("file_path", "file_name", "filename", "source")  # as readers of LlamaIndex name them
NAME_KEYS = ("title", "header_path", "section", "name")
MAX_PATH = 400
MAX_NAME = 200
DRIVE = re.compile(r"^[A-Za-z]:(?=[/\\])")
UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f]+")


def added_node(node: BaseNode) -> AddedNode:
    """Return the row of a node.

    Raises UsageError when it has no id, and when it cannot be written as JSON in UTF-8.
    """
    if not isinstance(node.node_id, str) or not node.node_id:
        raise UsageError("a node has no id", hint="leave id_ out, and LlamaIndex makes one")
    text = node.get_content(metadata_mode=MetadataMode.NONE)
    content = _content(node)
    _require_utf8(node, text + content + node.node_id)
    ref_id = _source(node) or node.node_id
    path = _path(node.metadata, ref_id)
    return AddedNode(node.node_id, ref_id, text, content, path, _name(node.metadata, path))


def vectors_of(nodes: Sequence[BaseNode], *, dimension: int) -> NDArray[np.float32]:
    """Return the embeddings of nodes as unit vectors, shape (len(nodes), dimension)."""
    for node in nodes:
        size = len(node.embedding or ())
        if size != dimension:
            raise EmbeddingError(
                f"the vector of node {node.node_id} has {size} dimensions, those of the store {dimension}",
                hint="embed nodes with the model of the store, or make a store of another embed_dim",
            )
        if not all(map(isfinite, node.embedding or ())):
            raise EmbeddingError(
                f"the vector of node {node.node_id} has a number that is not finite",
                hint="embed the node again, or leave it out",
            )
    return unit_rows([node.embedding or () for node in nodes])


def _source(node: BaseNode) -> str | None:
    try:
        return node.ref_doc_id
    except ValueError as error:
        _refuse(node, str(error))


def _content(node: BaseNode) -> str:
    """Return what LlamaIndex itself keeps of a node: its JSON without text and embedding."""
    try:
        content: str = node_to_metadata_dict(node, remove_text=True)["_node_content"]
        json.dumps(node.metadata, allow_nan=False, default=str)  # LlamaIndex makes null of what is not finite
    except (TypeError, ValueError, RecursionError) as error:
        _refuse(node, f"its metadata is no JSON: {error}")
    return content


def _require_utf8(node: BaseNode, text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        _refuse(node, f"it has a character that UTF-8 has not, {error.object[error.start]!r}")


def _refuse(node: BaseNode, reason: str) -> NoReturn:
    raise UsageError(
        f"node {node.node_id!r} cannot be stored: {reason}", hint="change the node and add it again"
    )


def _path(metadata: Mapping[str, Any], ref_id: str) -> str:
    """Return where a document is said to be, as a path that leads nowhere else; its id if nothing says so."""
    for given in [*(metadata.get(key) for key in PATH_KEYS), ref_id]:
        if isinstance(given, str) and (path := _clean_path(given)):
            return path
    return "document"


def _clean_path(given: str) -> str:
    parts = DRIVE.sub("", UNPRINTABLE.sub(" ", given[-4 * MAX_PATH :])).replace("\\", "/").split("/")
    return "/".join(part.strip() for part in parts if part.strip(" .") != "")[-MAX_PATH:].strip("/ ")


def _name(metadata: Mapping[str, Any], path: str) -> str:
    """Return what to show of a node, and what counts as its name in a search by keyword."""
    for given in (metadata.get(key) for key in NAME_KEYS):
        if isinstance(given, str) and given.strip("/ \n"):
            return UNPRINTABLE.sub(" ", given.strip("/ \n"))[:MAX_NAME]
    return path.rsplit("/", 1)[-1]
