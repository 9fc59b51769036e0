"""Tell whether the mirror beside a store may be used, without reading more than its manifest."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from ragduck.mirror.manifest import (
    Manifest,
    MirrorRefusedError,
    read_manifest,
    require_hashes,
    require_sizes,
)
from ragduck.model import EmbeddingModel

SUFFIX = ".faiss"
Status = Literal["none", "fresh", "stale", "foreign", "damaged"]


@dataclass(frozen=True, slots=True)
class MirrorState:
    """What is known of a mirror: only a `fresh` one is used; ``reason`` says why another is not."""

    status: Status
    folder: Path
    reason: str | None = None
    manifest: Manifest | None = None

    def __str__(self) -> str:
        if self.status == "fresh" and self.manifest is not None:
            return f"fresh ({self.manifest.kind}, recall {self.manifest.recall_at_10:.3f})"
        return f"{self.status} ({self.reason})" if self.reason else self.status

    @property
    def is_damage(self) -> bool:
        """Whether something is wrong with the files, not merely out of date."""
        return self.status in ("foreign", "damaged")

    def to_dict(self) -> dict[str, Any]:
        """Return the state as `info --json` prints it."""
        known = {}
        if self.manifest is not None:
            known = {
                "index": self.manifest.kind,
                "recall_at_10": self.manifest.recall_at_10,
                "rows": self.manifest.rows,
                "created_at": self.manifest.created_at,
            }
        return {"status": self.status, "folder": str(self.folder), "reason": self.reason, **known}


def mirror_folder(store: Path) -> Path:
    """Return where the mirror of a store lies when nobody said otherwise."""
    return store.with_name(store.name + SUFFIX)


def mirror_state(
    path: str | Path, meta: Mapping[str, str], *, folder: str | Path | None = None, thorough: bool = False
) -> MirrorState:
    """Compare the mirror of the store at ``path`` with what the store says of itself, the rows of `ragduck_meta`.

    Manifest, sizes and fingerprint are looked at; ``thorough`` hashes the files as well. Needs neither faiss nor
    an open store.
    """
    place = mirror_folder(Path(path)) if folder is None else Path(folder)
    if not place.is_dir():
        return MirrorState("none", place, None if folder is None else "there is no such folder")
    try:
        manifest = read_manifest(place)
    except MirrorRefusedError as error:
        return MirrorState("damaged", place, str(error))
    if reason := _why_foreign(manifest, meta):
        return MirrorState("foreign", place, reason, manifest)
    if manifest.fingerprint != meta.get("vectors_fingerprint"):
        return MirrorState(
            "stale", place, "it was exported from other vectors than the store holds now", manifest
        )
    try:
        require_sizes(place, manifest)
        if thorough:
            require_hashes(place, manifest)
    except MirrorRefusedError as error:
        return MirrorState("damaged", place, str(error), manifest)
    return MirrorState("fresh", place, None, manifest)


def _why_foreign(manifest: Manifest, meta: Mapping[str, str]) -> str | None:
    model = EmbeddingModel.from_dict(meta)
    if model is None:
        return "the store has no vectors"
    if manifest.model_key != meta.get("model_key"):
        return f"its vectors are of {manifest.model_key.split('@', 1)[0]}, those of the store of {model.name}"
    if manifest.dimension != model.dimension:
        return f"its vectors have {manifest.dimension} dimensions, those of the store {model.dimension}"
    if not math.isfinite(manifest.recall_at_10) or manifest.rows < 1:
        return "its manifest makes no sense"
    return None


def asked_state(path: Path, meta: Mapping[str, str], *, faiss: str | Path) -> MirrorState | None:
    """Return the state of the mirror that a search shall use; None when there is none or it shall not be used.

    ``faiss`` is `auto` for the folder beside the store, `off`, or a folder, which is missed when it is not there.
    """
    if faiss == "off":
        return None
    folder = None if faiss == "auto" else Path(faiss)
    state = mirror_state(path, meta, folder=folder)
    return None if state.status == "none" and folder is None else state
