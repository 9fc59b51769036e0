"""What the manifest of a unified index tells of its model and of what it was made from."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ragduck.errors import EmbeddingError
from ragduck.imports.models import named_model
from ragduck.model import EmbeddingModel

MODEL_KEY = re.compile(r"(?P<name>.{1,200})@(?P<revision>[^@]{0,200})/(?P<dimension>[0-9]{1,6})")

LONGEST = 1_000  # characters of what is told of a model


def model_of(manifest: Mapping[str, Any], dimension: int) -> EmbeddingModel | None:
    """Return the model of the vectors; None when the manifest names none, or one of another dimension.

    ragduck writes `model`, with prefixes; `model_key` alone or a name as `embedding_model` do as well, so that a line
    added by hand tells the model of an index of old.
    """
    model = _described(manifest.get("model")) or _keyed(manifest.get("model_key"))
    model = model or named_model(manifest.get("embedding_model"), dimension)
    return model if model is not None and model.dimension == dimension else None


def _described(value: object) -> EmbeddingModel | None:
    if not isinstance(value, dict) or not all(map(_is_plain, value.values())):
        return None
    try:
        return EmbeddingModel.from_dict(value)
    except EmbeddingError:
        return None


def _is_plain(value: object) -> bool:
    return isinstance(value, str) and len(value) <= LONGEST and value.isprintable()


def _keyed(value: object) -> EmbeddingModel | None:
    found = MODEL_KEY.fullmatch(value) if isinstance(value, str) and value.isprintable() else None
    if found is None:
        return None
    return named_model(found["name"], int(found["dimension"]), revision=found["revision"])


def bundles_of(manifest: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the names of the bundles that an index was made from, where it tells them."""
    branches = manifest.get("branches")
    names = (
        [each.get("zip_file") for each in branches if isinstance(each, dict)]
        if isinstance(branches, list)
        else []
    )
    return tuple(name[:200] for name in names[:20] if isinstance(name, str) and name)
