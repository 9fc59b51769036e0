"""What a mirror says of itself: read with suspicion, since a folder may come from anyone."""

from __future__ import annotations

import hashlib
import re
import stat
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from ragduck.untrusted_json import read_json

IndexKind = Literal["flat", "hnsw", "ivf", "pq"]
KINDS: tuple[IndexKind, ...] = get_args(IndexKind)

FORMAT = "ragduck_faiss_mirror_v1"
MANIFEST = "manifest.json"
INDEX = "index.faiss"
CHUNK_NOS = "chunk_nos.npy"
FILES = (INDEX, CHUNK_NOS)
SHALLOW = 10  # hits of a search by meaning alone
DEEP = 100  # hits that are fused with those of another search
MAX_MANIFEST = 64 * 1024  # bytes
MAX_COUNT = 1 << 48
MAX_PARAMETER = 1 << 24
MAX_NAME = 500
HASHED_AT_ONCE = 1 << 20
SHA256 = re.compile(r"[0-9a-f]{64}")


class MirrorRefusedError(Exception):
    """Say why a mirror is not used; the search goes on without it."""


@dataclass(frozen=True, slots=True)
class MirrorFile:
    """Size and hash of one file of a mirror."""

    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """Index, origin and measurements of a mirror.

    ``parameters`` made the index; ``search`` is how it is asked for ten hits, ``deep_search`` how for a hundred.
    """

    kind: IndexKind
    parameters: Mapping[str, int]
    search: Mapping[str, int]
    deep_search: Mapping[str, int]
    model_key: str
    dimension: int
    rows: int
    fingerprint: str
    files: Mapping[str, MirrorFile]
    recall_at_10: float
    recall_at_100: float
    latency_ms: Mapping[str, float]
    faiss_version: str
    ragduck_version: str
    created_at: str

    def to_dict(self) -> dict[str, Any]:
        """Return what manifest.json holds."""
        return {
            "format": FORMAT,
            **asdict(self),
            "parameters": dict(self.parameters),
            "search": dict(self.search),
            "deep_search": dict(self.deep_search),
            "latency_ms": dict(self.latency_ms),
            "files": {name: asdict(file) for name, file in self.files.items()},
        }

    @classmethod
    def from_dict(cls, value: Mapping[str, Any]) -> Manifest:
        """Read what ``to_dict`` wrote; ValueError, KeyError or TypeError for anything else."""
        if value["format"] != FORMAT:
            raise ValueError("another format")
        kind = value["kind"]
        if kind not in KINDS:
            raise ValueError("an unknown kind of index")
        return cls(
            kind=kind,
            parameters=_numbers(value["parameters"]),
            search=_numbers(value["search"]),
            deep_search=_numbers(value["deep_search"]),
            model_key=_name(value["model_key"]),
            dimension=_count(value["dimension"]),
            rows=_count(value["rows"]),
            fingerprint=_hash(value["fingerprint"]),
            files={name: _file(value["files"][name]) for name in FILES},
            recall_at_10=float(value["recall_at_10"]),
            recall_at_100=float(value["recall_at_100"]),
            latency_ms={_name(name): float(number) for name, number in dict(value["latency_ms"]).items()},
            faiss_version=_name(value["faiss_version"]),
            ragduck_version=_name(value["ragduck_version"]),
            created_at=_name(value["created_at"]),
        )


def read_manifest(folder: Path) -> Manifest:
    """Return the manifest of a mirror; MirrorRefusedError when it is missing or makes no sense."""
    path = folder / MANIFEST
    if regular_size(path) > MAX_MANIFEST:
        raise MirrorRefusedError(f"{MANIFEST} is larger than a manifest")
    try:
        value = read_json(path.read_bytes())
        return Manifest.from_dict(value)
    except OSError as error:
        raise MirrorRefusedError(f"{MANIFEST} cannot be read: {error.strerror}") from error
    except (ValueError, KeyError, TypeError) as error:
        raise MirrorRefusedError(f"{MANIFEST} is not one of this version of ragduck") from error


def regular_size(path: Path) -> int:
    """Return the size of a regular file; MirrorRefusedError for none, and for a link that could lead anywhere."""
    try:
        found = path.lstat()
    except OSError as error:
        raise MirrorRefusedError(f"{path.name} is missing") from error
    if not stat.S_ISREG(found.st_mode):
        raise MirrorRefusedError(f"{path.name} is no regular file")
    return found.st_size


def describe_file(path: Path) -> MirrorFile:
    """Return size and hash of a file."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(HASHED_AT_ONCE):
            digest.update(block)
        return MirrorFile(file.tell(), digest.hexdigest())


def require_sizes(folder: Path, manifest: Manifest) -> None:
    """Refuse files that are missing, links, or longer or shorter than the manifest says."""
    for name, file in manifest.files.items():
        size = regular_size(folder / name)
        if size != file.size:
            raise MirrorRefusedError(
                f"{name} has {size:,} bytes, not {file.size:,}: it is truncated or replaced"
            )


def require_hashes(folder: Path, manifest: Manifest) -> None:
    """Refuse files whose content is not what the manifest says; reads them whole."""
    for name, file in manifest.files.items():
        try:
            found = describe_file(folder / name)
        except OSError as error:
            raise MirrorRefusedError(f"{name} cannot be read: {error.strerror}") from error
        if found != file:
            raise MirrorRefusedError(f"{name} is not the file that was exported: its sha256 differs")


def _numbers(value: Any) -> dict[str, int]:
    return {_name(name): min(_count(number), MAX_PARAMETER) for name, number in dict(value).items()}


def _count(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= MAX_COUNT:
        raise ValueError("no count")
    return value


def _name(value: Any) -> str:
    if not isinstance(value, str) or len(value) > MAX_NAME or not value.isprintable():
        raise ValueError("no name")
    return value


def _hash(value: Any) -> str:
    if not isinstance(value, str) or not SHA256.fullmatch(value):
        raise ValueError("no hash")
    return value


def _file(value: Any) -> MirrorFile:
    return MirrorFile(_count(value["size"]), _hash(value["sha256"]))
