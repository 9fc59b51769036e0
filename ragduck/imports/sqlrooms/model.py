"""Tell what vectors a sqlrooms-rag file has, and which embedder of ragduck asks them."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ragduck.imports.models import named_model
from ragduck.model import EmbeddingModel

VECTOR_TYPE = re.compile(r"(?:FLOAT|REAL|DOUBLE)\[(\d*)\]")
MAX_DIMENSION = 8_192


def dimension_of(vector_type: str, facts: Mapping[str, str]) -> int | None:
    """Return the length of the vectors by their column's type, else by what the file tells; None for no vectors."""
    found = VECTOR_TYPE.fullmatch(vector_type)
    if found is None:
        return None
    told = found[1] or facts.get("embedding_dimensions", "")
    if not (told.isascii() and told.isdigit()) or len(told) > 5:
        return None
    return int(told) if 0 < int(told) <= MAX_DIMENSION else None


def model_of(facts: Mapping[str, str], dimension: int) -> EmbeddingModel | None:
    """Return the model that a file names, under the name by which ragduck loads it; None when it names none."""
    provider = facts.get("embedding_provider", "").lower() or "huggingface"
    return named_model(facts.get("embedding_model"), dimension, provider=provider[:50])
