"""Nodes that LlamaIndex added, embedded anew: with their metadata, as LlamaIndex embeds them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from llama_index.core.schema import MetadataMode, TextNode
from llama_index.core.vector_stores.utils import node_to_metadata_dict

import ragduck
from ragduck.embed import load_embedder
from ragduck.integrations.llamaindex import RagduckVectorStore
from ragduck.preparation.reembedding import embed, with_metadata

VALUES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=9)
    | st.lists(st.text(max_size=3), max_size=2)
)


@given(
    text=st.text(max_size=20),
    metadata=st.dictionaries(st.text(max_size=5), VALUES, max_size=4),
    excluded=st.sets(st.text(max_size=5), max_size=2),
    template=st.sampled_from(("{key}: {value}", "[{key}={value}]", "{value}")),
    separator=st.sampled_from(("\n", " | ")),
    around=st.sampled_from(("{metadata_str}\n\n{content}", "{content}\n--\n{metadata_str}", "{content}")),
)
def test_text_with_metadata_is_the_one_that_llamaindex_embeds(
    text: str, metadata: dict[str, Any], excluded: set[str], template: str, separator: str, around: str
) -> None:
    node = TextNode(
        text=text, metadata=metadata, metadata_template=template, metadata_separator=separator,
        text_template=around, excluded_embed_metadata_keys=sorted({*excluded, *list(metadata)[:1]}),
    )  # fmt: skip
    kept = json.loads(node_to_metadata_dict(node, remove_text=True)["_node_content"])

    assert with_metadata(text, kept) == node.get_content(metadata_mode=MetadataMode.EMBED)


def test_template_of_a_file_reaches_nothing_but_its_fields() -> None:
    node = {
        "metadata": {"a": 1},
        "text_template": "{content.__class__} {content:>99} {content} {metadata_str}",
    }

    assert with_metadata("text", node) == "{content.__class__} {content:>99} text a: 1"


def test_metadata_of_a_node_counts_in_its_new_vector(tmp_path: Path) -> None:
    node = TextNode(id_="memo", text="Two signatures.", metadata={"author": "Ann"})
    store = RagduckVectorStore(tmp_path / "notes.duckdb", embed_model="hashing:32")
    store.add([node])
    embed(store.path, "hashing:16")
    with ragduck.open(store.path) as opened:
        [row] = opened.sql("select embedding from documents")
    embedder = load_embedder("hashing:16")
    assert embedder is not None

    expected = embedder.embed_texts([node.get_content(metadata_mode=MetadataMode.EMBED)])[0]

    assert np.array(row["embedding"]) == pytest.approx(np.array(expected), abs=1e-6)
