"""Read sources into a store that is being built: files parsed and tied together, or what others wrote."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from itertools import islice
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from ragduck.imports.contract import ForeignSource
from ragduck.model import (
    TOO_LARGE,
    UNREADABLE,
    EmbeddingModel,
    ParsedDocument,
    SkippedFile,
    Snapshot,
    SourceFile,
)
from ragduck.parse import ChunkSettings
from ragduck.parse_cache import usable_cache_path
from ragduck.preparation.branch_record import Records
from ragduck.preparation.gathering import FileRules, Gathered, GatheredImport
from ragduck.preparation.known_facts import Later
from ragduck.preparation.options import PrepareOptions, rules_of
from ragduck.preparation.processes import wake
from ragduck.preparation.reading import Reading
from ragduck.preparation.reports import ImportReport, SnapshotReport
from ragduck.preparation.tying import is_tied_apart, tie
from ragduck.preparation.tying_ahead import Ahead, databases, only_database
from ragduck.preparation.workers import ParseTask
from ragduck.progress import Progress
from ragduck.sources import WINDOWS_1252, Source, with_numbered_scripts
from ragduck.store.arrow import document_rows, graph_rows
from ragduck.store.builder import StoreBuilder

DOCUMENTS_AT_A_TIME = 200
OBJECT_KINDS = ("TABLE", "VIEW", "PROC", "FUNC")
FEW_PATHS = 3  # that are all named
SOURCES = (".cs", ".sql")  # of which it is told when they are left out for their size


def add_files(
    builder: StoreBuilder,
    gathered: Gathered,
    options: PrepareOptions,
    progress: Progress,
    *,
    records: Records,
    later: Later,
) -> list[bytes]:
    """Add files and chunks, but what stays where the store has it; return what all say about the graph, packed.

    ``later`` is given what keeps what was read for the next run.
    """
    snapshot, report = gathered.snapshot, gathered.report
    files = with_numbered_scripts(gathered.files, code_page=gathered.rules.code_page)
    database = options.database or only_database(file.path for file in files) or snapshot.repo
    task = _parse_task(snapshot, options, cache=_cache(options, report), database=database)
    with progress.stage(f"reading {snapshot.repo}", total=len(files)) as stage:
        reading = Reading(
            builder, report, task, stage, options.processes, later, records.known, records.found
        )
        reading.add(files, is_on_disk=gathered.source.revision is None)
    report.notes.extend(_in_code_page(sorted(reading.in_code_page), gathered.rules))
    report.notes.extend(_in_series(files))
    report.skipped.sort(key=lambda file: file.path)
    report.notes.extend(_too_large(report.skipped))
    report.problems.sort(key=lambda problem: (problem.path, problem.line))
    return [reading.facts[file.path] for file in files if file.path in reading.facts]


def begun_ahead(found: Sequence[Source | ForeignSource], options: PrepareOptions) -> Ahead:
    """Wake another process, as few files will be read; of one folder it looks at what is known of all."""
    source, cache = found[0], usable_cache(options)
    if len(found) > 1 or not isinstance(source, Source) or source.revision or cache is None:
        wake(options.processes)
        return Ahead()
    ahead = Ahead(options.processes)
    ahead.read(_parse_task(source.snapshot, options, cache=cache, database=options.database or ""))
    return ahead


def _parse_task(
    snapshot: Snapshot, options: PrepareOptions, *, cache: Path | None, database: str
) -> ParseTask:
    """Return what files are parsed by; without a ``database`` it is not told which they belong to."""
    chunking = ChunkSettings(
        max_chars=options.max_chars, header_weight=options.header_weight, database=database
    )
    return ParseTask(snapshot, chunking, cache, rules_of(options).code_page)


def add_import(
    builder: StoreBuilder, gathered: GatheredImport, options: PrepareOptions, *, model: EmbeddingModel | None
) -> None:
    """Add what another system knew, with its vectors if they are of ``model``, and close the snapshot."""
    snapshot, source, report = gathered.snapshot, gathered.source, gathered.report
    imported = source.read(max_chars=options.max_chars, database=options.database)
    for documents in _by_count(imported.documents, DOCUMENTS_AT_A_TIME):
        rows = document_rows(snapshot, documents)
        builder.add_rows(rows)
        report.files += rows.sources.num_rows
        report.chunks += rows.chunks.num_rows
        report.problems += [problem for document in documents for problem in document.problems]
    if source.model and model and source.model.key == model.key:
        for batch in imported.vectors:
            builder.take_vectors(batch.content_hashes, batch.vectors)
    builder.add_graph(graph_rows(snapshot, imported.graph))
    report.nodes, report.edges = len(imported.graph.nodes), len(imported.graph.edges)
    report.notes += imported.notes
    report.imported = ImportReport(source.kind, dict(imported.taken), imported.findings)
    builder.add_snapshot(snapshot, skipped=0, problems=len(report.problems), fingerprint=gathered.fingerprint)


def _by_count(documents: Iterable[ParsedDocument], count: int) -> Iterator[list[ParsedDocument]]:
    remaining = iter(documents)
    while batch := list(islice(remaining, count)):
        yield batch


def _cache(options: PrepareOptions, report: SnapshotReport) -> Path | None:
    """Return where parsed files are kept; the report tells why a wanted cache is not used."""
    path, refused = usable_cache_path() if options.cache else (None, "")
    if refused:
        report.notes.append(f"parsed files are not kept: {refused}")
    return path


def usable_cache(options: PrepareOptions) -> Path | None:
    """Return where parsed files are kept, if anywhere."""
    return usable_cache_path()[0] if options.cache else None


def add_graph(
    builder: StoreBuilder,
    gathered: Gathered,
    facts: list[bytes],
    options: PrepareOptions,
    progress: Progress,
    *,
    records: Records,
    ahead: Ahead,
    later: Later,
) -> None:
    """Tie the packed facts of all files together, and close the snapshot.

    ``ahead`` knows what another process has found out by now, ``later`` is given what keeps what was found for the
    next run.
    """
    report = gathered.report
    cache = usable_cache(options)
    with progress.stage(f"tying {gathered.snapshot.repo} together", total=None):
        with builder.spilled() if is_tied_apart(facts) else nullcontext():
            tied = tie(
                gathered.snapshot,
                facts,
                folder=builder.spill_folder,
                processes=options.processes,
                cache=cache,
                ahead=ahead,
                later=later,
            )
        records.found.edges.update(builder.edge_hashes(tied.rows))
        builder.add_graph(tied.rows, known_edges=records.known_edges())
    report.nodes, report.edges = tied.rows.nodes.num_rows, tied.rows.edges.num_rows
    report.problems += tied.problems
    report.undefined_objects = _undefined_objects(tied.rows.nodes)
    report.notes.extend(_defined_twice(gathered.files, tied.rows.edges))
    builder.add_snapshot(
        gathered.snapshot,
        skipped=report.left_out.total(),
        problems=len(report.problems),
        fingerprint=fingerprint_to_keep(gathered),
    )


def fingerprint_to_keep(gathered: Gathered) -> str:
    """Return none where a file could not be read, so that it is tried again."""
    failed = {file.path for file in gathered.report.skipped if file.reason == UNREADABLE}
    is_whole = failed.isdisjoint(file.path for file in gathered.files)
    return gathered.fingerprint if is_whole else ""


def _in_code_page(paths: Sequence[str], rules: FileRules) -> Iterator[str]:
    """Tell of files whose encoding was guessed: in another code page their letters would be wrong, even in keys."""
    if not paths or rules.code_page != WINDOWS_1252:
        return
    yield f"{_files_are(paths)} read as Windows-1252; if letters look wrong there, name its --code-page"


def _in_series(files: Sequence[SourceFile]) -> Iterator[str]:
    """Tell of scripts that are history for what stands beside them, as their tables are no longer all there."""
    paths = [file.path for file in files if file.is_in_series]
    if paths:
        yield (
            f"{_files_are(paths)} read as migrations in the order of their numbers: "
            "later ones change what earlier ones create, or a tool runs them one after the other"
        )


def _too_large(skipped: Sequence[SkippedFile]) -> Iterator[str]:
    """Tell of sources and scripts that are left out for their size: all data access may be in one."""
    large = [each.path for each in skipped if each.reason == TOO_LARGE]
    paths = [path for ending in SOURCES for path in large if path.lower().endswith(ending)]
    if paths:
        yield f"{_files_are(paths)} left out as too large; to read more, name a larger --max-file-size"


def _files_are(paths: Sequence[str]) -> str:
    if len(paths) == 1:
        return f"1 file, {paths[0]}, is"
    if len(paths) <= FEW_PATHS:
        return f"{len(paths)} files, {', '.join(paths[:-1])} and {paths[-1]}, are"
    return f"{len(paths):,} files, such as {paths[0]}, are"


def _undefined_objects(nodes: pa.Table) -> int:
    """Count the database objects that are named but not defined; another repository may define them."""
    is_object = pc.and_(
        pc.equal(nodes["data_type"], "db_code"), pc.is_in(nodes["kind"], value_set=pa.array(OBJECT_KINDS))
    )
    return int(pc.sum(pc.and_(is_object, nodes["is_external"])).as_py() or 0)


def _defined_twice(files: Sequence[SourceFile], edges: pa.Table) -> Iterator[str]:
    """Tell of objects that two database projects define: the graph has one node for them, as for branches of one."""
    projects = databases(file.path for file in files)
    if len(projects) < 2:
        return
    project_of = {file.path: file.project for file in files if file.project in projects}
    owners: dict[str, set[str]] = {}
    defined = edges.filter(pc.equal(edges["rule"], "definition"))
    for key, path in zip(defined["to_key"].to_pylist(), defined["source_file"].to_pylist(), strict=True):
        if path in project_of and not key.endswith("|SCHEMA"):  # these are shared by nature
            owners.setdefault(key, set()).add(project_of[path] or "")
    shared = sorted(key for key, projects in owners.items() if len(projects) > 1)
    if not shared:
        return
    names = ", ".join(sorted(set().union(*(owners[key] for key in shared))))
    objects = "object is" if len(shared) == 1 else "objects are"
    yield (
        f"{len(shared):,} {objects} defined by several database projects ({names}) and one node each in the graph, "
        f"such as {shared[0].partition('|')[0]}; to keep the databases apart, prepare each with a --repo of its own"
    )
