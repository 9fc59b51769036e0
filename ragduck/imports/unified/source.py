"""A unified index as sources of `prepare`: one per repository and branch."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from ragduck.errors import SourceError, UsageError
from ragduck.imports.contract import Imported
from ragduck.imports.paths import relative_paths
from ragduck.imports.unified.bundles import IndexedBundle, bundles_beside
from ragduck.imports.unified.documents import PlacedRecord, document_of, hash_of
from ragduck.imports.unified.graph import graph_of
from ragduck.imports.unified.headers import header_of
from ragduck.imports.unified.manifest import bundles_of, model_of
from ragduck.imports.unified.rows import METADATA, Record, record_of, text_of
from ragduck.imports.unified.vectors import IndexVectors, vector_slices
from ragduck.imports.vectors import UNIT_LENGTH, is_usable
from ragduck.mirror.manifest import describe_file
from ragduck.mirror.unified_files import INDEX
from ragduck.mirror.unified_reading import Unified, read_unified
from ragduck.model import EmbeddingModel, Finding, ParsedDocument, Snapshot

KIND = "unified index"
MOST_NAMED = 3

Place = tuple[str, str]


def unified_sources(
    path: Path, *, repo: str | None = None, branch: str | None = None
) -> tuple[UnifiedSource | IndexedBundle, ...]:
    """Return one source per repository and branch of a folder; nothing for one that holds no unified index.

    An index without texts, as the historic system made them, is read from its bundles where they lie beside it.
    ``repo`` and ``branch`` choose among those that there are, or rename the only one.
    Raises SourceError for an index that cannot be read, UsageError when a new name would fit several.
    """
    is_index = (path / INDEX).is_file() and (path / METADATA).is_file()
    if not is_index or (path / ".git").exists():  # a checkout that holds one is a source of its own
        return ()
    unified = read_unified(path)
    if not any(map(text_of, unified.rows)):
        bundles = bundles_beside(path.resolve(), unified.manifest, repo=repo, branch=branch)
        if bundles:
            return bundles
    places = _places(unified, path)
    content = describe_file(path / METADATA).sha256 + describe_file(path / INDEX).sha256
    found = [
        UnifiedSource(Snapshot(*each, None, path), unified, tuple(rows), _fingerprint(content, each))
        for each, rows in places.items()
    ]
    return tuple(_named(_named(found, "repo", repo), "branch", branch))


def _places(unified: Unified, path: Path) -> dict[Place, list[int]]:
    """Group rows by repository and branch; what names none, or holds no text at all, goes with the most."""
    default = path.name or "repository"
    repo = _most_common(unified.rows, "repo") or _name(unified.manifest.get("repo_name")) or default
    branch = _most_common(unified.rows, "branch") or "main"
    places: dict[Place, list[int]] = {}
    for number, row in enumerate(unified.rows):
        place = (_name(row.get("repo")) or repo, _name(row.get("branch")) or branch)
        places.setdefault(place, []).append(number)
    textless = [
        place for place, rows in places.items() if not any(text_of(unified.rows[row]) for row in rows)
    ]
    if len(textless) < len(places):
        largest = max(places.keys() - set(textless), key=lambda place: len(places[place]))
        places[largest] = sorted(places[largest] + [row for place in textless for row in places.pop(place)])
    return places


def _most_common(rows: Sequence[Mapping[str, Any]], field: str) -> str | None:
    counted = Counter(name for row in rows if (name := _name(row.get(field))))
    return counted.most_common(1)[0][0] if counted else None


def _name(value: object) -> str | None:
    return value.strip()[:200] or None if isinstance(value, str) and value.isprintable() else None


def _fingerprint(content: str, place: Place) -> str:
    return hashlib.blake2b(json.dumps([content, place]).encode(), digest_size=16).hexdigest()


def _named(found: list[UnifiedSource], what: str, name: str | None) -> list[UnifiedSource]:
    """Choose the sources of that repository or branch, or give the name to the only one that there is."""
    if name is None:
        return found
    names = sorted({str(getattr(each.snapshot, what)) for each in found})
    if name in names:
        return [each for each in found if getattr(each.snapshot, what) == name]
    if len(names) > 1:
        raise UsageError(
            f"the index holds {', '.join(names[:10])}, but no {what} {name}",
            hint=f"leave --{what} out to take all",
        )
    return [replace(each, snapshot=_renamed(each.snapshot, what, name)) for each in found]


def _renamed(snapshot: Snapshot, what: str, name: str) -> Snapshot:
    return replace(snapshot, repo=name) if what == "repo" else replace(snapshot, branch=name)


@dataclass(frozen=True, slots=True)
class UnifiedSource:
    """The rows of one repository and branch; ``places`` are their numbers, from 0."""

    snapshot: Snapshot
    unified: Unified
    places: tuple[int, ...]
    fingerprint: str
    kind: str = KIND
    takes_database: bool = False

    @property
    def model(self) -> EmbeddingModel | None:
        """The model that the manifest names; None for historic indexes, whose manifests name none."""
        return model_of(self.unified.manifest, self.unified.vectors.shape[1])

    def read(self, *, max_chars: int, database: str | None = None) -> Imported:  # noqa: ARG002 - chunks stay
        """Put files together from their chunks, which stay as they were cut, since their vectors are of the whole.

        Raises SourceError when no row has a text, as in indexes made before ragduck.
        """
        findings: list[Finding] = []
        records, headers = self._records(findings)
        if not records:
            raise SourceError(f"no row of {self.snapshot.root / METADATA} has a text", hint=self._hint())
        documents, placed = self._documents(records, findings)
        hashes = {record.place: hash_of(record) for record in records}
        findings += self._bad_vectors(hashes)
        graph = graph_of(documents, placed, headers)
        taken = {"rows": len(records), "files": len(documents), "edges": len(graph.edges)}
        return Imported(
            documents=documents,
            graph=graph,
            taken=taken,
            findings=tuple(findings),
            vectors=IndexVectors(self.unified, hashes),
            notes=tuple(self._notes()),
        )

    def _records(
        self, findings: list[Finding]
    ) -> tuple[list[Record], dict[int, Mapping[str, tuple[str, ...]]]]:
        """Return the rows that have a text, and what their headers tell by place."""
        records: list[Record] = []
        headers: dict[int, Mapping[str, tuple[str, ...]]] = {}
        empty: list[int] = []
        for place in self.places:
            row = self.unified.rows[place]
            text = text_of(row)
            if text is None:
                empty.append(place)
                continue
            record = record_of(row, text.strip("\n"), place=place, findings=findings)
            header = header_of(record.text) if record.lines is None and record.is_of_database else None
            if header is not None:
                headers[place] = header.keys
                record = replace(record, text=header.body.strip("\n"))
            records.append(record)
        if empty:
            findings.append(
                Finding("left out", "no text", METADATA, empty[0] + 1, "text", f"{len(empty):,} rows")
            )
        return records, headers

    def _documents(
        self, records: Sequence[Record], findings: list[Finding]
    ) -> tuple[tuple[ParsedDocument, ...], list[PlacedRecord]]:
        by_path: dict[str, list[Record]] = {}
        for record in records:
            by_path.setdefault(record.path, []).append(record)
        names = relative_paths(by_path)
        mtime_ns = (self.snapshot.root / METADATA).stat().st_mtime_ns
        documents: list[ParsedDocument] = []
        placed: list[PlacedRecord] = []
        for path, of_file in by_path.items():
            same_path = [replace(record, path=names[path]) for record in of_file]
            document, places = document_of(names[path], same_path, mtime_ns=mtime_ns, findings=findings)
            documents.append(document)
            placed += places
        return tuple(documents), placed

    def _bad_vectors(self, hashes: Mapping[int, str]) -> Iterator[Finding]:
        if self.model is None:
            return
        scaled = 0
        for places, _, lengths in vector_slices(self.unified, list(hashes)):
            usable = is_usable(lengths)
            scaled += int((np.abs(lengths[usable] - 1) > UNIT_LENGTH).sum())
            for place in np.flatnonzero(~usable).tolist():
                yield Finding(
                    "left out", "bad vector", INDEX, places[place] + 1, "", "it is zero or not finite"
                )
        if scaled:
            yield Finding(
                "repaired", "vector length", INDEX, 0, "", f"{scaled:,} vectors were scaled to length one"
            )

    def _notes(self) -> Iterator[str]:
        if self.model is None:
            yield (
                "its vectors were left: manifest.json does not name their model; a line such as "
                '"embedding_model": "intfloat/e5-base-v2" in it does'
            )

    def _hint(self) -> str:
        bundles = bundles_of(self.unified.manifest)
        named = ", ".join(bundles[:MOST_NAMED])
        return f"put the bundles it was made from beside it, or prepare them{': ' + named if named else ''}"
