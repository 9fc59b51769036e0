"""Name models of other systems as ragduck loads them, with the prefix that a question to them needs."""

from __future__ import annotations

import re

from ragduck.model import EmbeddingModel

MAX_NAME = 200

# The same weights as `minilm`, in 8 bits: cosine 0.998 and more, and neither torch nor network are needed to ask.
MINILM = frozenset({"sentence-transformers/all-MiniLM-L6-v2", "all-MiniLM-L6-v2"})

# What LlamaIndex's HuggingFaceEmbedding puts in front of questions to these, and so what a question needs here.
BGE = re.compile(r"BAAI/bge-(?:small|base|large)-(en|zh)(?:-v1\.5)?")
BGE_PREFIXES = {
    "en": "Represent this question for searching relevant passages: ",
    "zh": "为这个句子生成表示以用于检索相关文章：",
}


def named_model(
    name: object, dimension: int, *, provider: str = "", revision: str = ""
) -> EmbeddingModel | None:
    """Return the model that another system calls by this name; None for what is no name."""
    if not isinstance(name, str) or not name.strip() or len(name) > MAX_NAME or not name.isprintable():
        return None
    name = name.strip()
    if provider.lower() == "openai":
        return EmbeddingModel(
            f"openai:{name.removeprefix('openai:')}", revision, dimension, provider="openai"
        )
    if name in MINILM:
        from ragduck.embed import load_embedder

        embedder = load_embedder("minilm")
        if embedder is not None and embedder.model.dimension == dimension:
            return embedder.model
    language = BGE.fullmatch(name)
    prefix = BGE_PREFIXES[language[1]] if language else ""
    return EmbeddingModel(name, revision, dimension, query_prefix=prefix, provider=provider)
