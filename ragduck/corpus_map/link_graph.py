"""Resolve the links of all Markdown files of a store, down to the points of a map."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ragduck.corpus_map.links import Link, links_of
from ragduck.corpus_map.points import Point
from ragduck.corpus_map.settings import MapSettings
from ragduck.corpus_map.targets import Files, Target, slug
from ragduck.progress import NO_PROGRESS, Progress
from ragduck.resources import sql_text
from ragduck.store import Database

HIGHEST = 2**62  # above the number of any point


@dataclass(frozen=True, slots=True)
class ResolvedLink:
    """A row of `map_links`."""

    doc_id: str
    repo: str
    branch: str
    source_file: str
    line: int
    link_text: str
    target: str
    status: str
    target_doc_id: str | None
    target_file: str | None
    anchor: str | None
    target_line: int | None
    source_point_no: int | None
    target_point_no: int | None


def read_links(
    database: Database, points: Sequence[Point], settings: MapSettings, *, progress: Progress = NO_PROGRESS
) -> list[ResolvedLink]:
    """Return the links of the Markdown files of the wanted branches, in order of file and line."""
    filters = {"repos": list(settings.repos), "branches": list(settings.branches)}
    files = database.rows(sql_text("map/files.sql"), filters)
    resolver = _Resolver(files, database.rows(sql_text("map/headings.sql")), points)
    sources = database.rows(sql_text("map/markdown.sql"), filters)
    found: list[ResolvedLink] = []
    with progress.stage("links", total=len(sources)) as stage:
        for source in sources:
            found += resolver.resolved(source)
            stage.advance(1)
    return found


class _Resolver:
    """The files of each branch, the headings of each file, and the points that show their lines."""

    def __init__(
        self, files: Sequence[dict[str, Any]], headings: Sequence[dict[str, Any]], points: Sequence[Point]
    ) -> None:
        self._doc_ids = {(file["repo"], file["branch"], file["file_path"]): file["doc_id"] for file in files}
        paths: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
        for repo, branch, path in self._doc_ids:
            paths[repo, branch].append(path)
        self._files = {branch: Files(held) for branch, held in paths.items()}
        self._headings: defaultdict[str, dict[str, int]] = defaultdict(dict)
        for row in headings:
            self._headings[row["doc_id"]].setdefault(slug(row["title"]), row["start_line"])
        self._points: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        for number, point in enumerate(points):
            self._points[point.doc_id].append((point.start_line, number))
        for lines in self._points.values():
            lines.sort()

    def resolved(self, source: dict[str, Any]) -> Iterator[ResolvedLink]:
        """Yield the links of one file that stay in its repository."""
        files = self._files[source["repo"], source["branch"]]
        for link in links_of(source["text"]):
            if target := files.target(link.target, source=source["file_path"]):
                yield self._row(source, link, target)

    def _row(self, source: dict[str, Any], link: Link, target: Target) -> ResolvedLink:
        doc_id = self._doc_ids.get((source["repo"], source["branch"], target.path))
        line = self._headings.get(doc_id, {}).get(target.anchor.lower(), 1) if doc_id else None
        return ResolvedLink(
            doc_id=source["doc_id"],
            repo=source["repo"],
            branch=source["branch"],
            source_file=source["file_path"],
            line=link.line,
            link_text=link.text,
            target=link.target,
            status=target.status,
            target_doc_id=doc_id,
            target_file=target.path,
            anchor=target.anchor or None,
            target_line=line,
            source_point_no=self._point_at(source["doc_id"], link.line),
            target_point_no=self._point_at(doc_id, line) if doc_id and line else None,
        )

    def _point_at(self, doc_id: str, line: int) -> int | None:
        """Return the point that shows a line: the last one that begins at or above it, else the file's first."""
        lines = self._points.get(doc_id)
        if not lines:
            return None
        return lines[max(0, bisect_right(lines, (line, HIGHEST)) - 1)][1]
