"""Prepare source folders into one store: walk, parse, embed, write."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from ragduck.embed import DEFAULT_MODEL, Embedder, embed_in_batches, load_embedder
from ragduck.errors import ForeignFileError, SourceError, StoreError, UsageError
from ragduck.facts import FileFacts
from ragduck.gathering import FileRules, Gathered, gather, unpacked
from ragduck.graph.build import build_graph
from ragduck.model import Snapshot, SourceFile
from ragduck.parse import ChunkSettings
from ragduck.parse_cache import read_facts, usable_cache_path
from ragduck.progress import NO_PROGRESS, Progress
from ragduck.reports import PrepareReport, SnapshotReport
from ragduck.resources import sql_text
from ragduck.sources import MAX_FILE_BYTES, Source, source_of
from ragduck.store import open_database
from ragduck.store.builder import StoreBuilder
from ragduck.store.roots import Root, remember_roots
from ragduck.workers import ParsedBatch, ParseTask, parse_files

if TYPE_CHECKING:
    from llama_index.core.base.embeddings.base import BaseEmbedding

CHARS_PER_TOKEN = 3  # of code, as wordpiece models cut it
DEFAULT_CHUNK_SIZE = 512  # tokens


@dataclass(frozen=True, slots=True)
class PrepareOptions:
    """How sources become chunks; see `ragduck prepare --help` for each."""

    repo: str | None = None
    branch: str | None = None
    revision: str | None = None
    include: Sequence[str] = ()
    exclude: Sequence[str] = ()
    max_file_bytes: int = MAX_FILE_BYTES
    chunk_size: int = DEFAULT_CHUNK_SIZE
    header_weight: int = 3
    database: str | None = None
    processes: int | None = None
    cache: bool = True
    wait: float = 0.0


def prepare(
    sources: str | Path | Sequence[str | Path],
    store: str | Path,
    *,
    embed_model: str | BaseEmbedding | Embedder | None = "default",
    overwrite: bool = False,
    options: PrepareOptions | None = None,
    progress: Progress = NO_PROGRESS,
    **settings: Any,
) -> PrepareReport:
    """Put folders into a store, replacing what it held of the same repository and branch.

    ``branch`` may name any branch, tag or commit: what is not checked out is read from git. ``revision`` is read
    from git in any case, without changes that are not committed.
    ``embed_model`` defaults to the model of a store that is added to, else `minilm`; None leaves vectors out.
    ``settings`` are the fields of PrepareOptions, such as ``repo="shop"``. ``overwrite`` forgets what the store
    held but its conversations and traces, which cannot be made again; those are kept where the file can be read.
    The live file changes in one step at the end; a run that is interrupted is resumed by the next one. ``wait`` is
    how many seconds another writer is waited for; ``cache=False`` parses all files anew.

    Raises SourceError, StoreError, EmbeddingError or UsageError with a hint.
    """
    options = options_of(options, settings)
    target = _target(store)
    roots = _source_folders([sources] if isinstance(sources, (str, Path)) else sources)
    previous = _previous(target, overwrite=overwrite)
    default_model = previous.model if previous else DEFAULT_MODEL
    embedder = load_embedder(default_model if embed_model == "default" else embed_model)
    found = [
        source_of(root, repo=options.repo, branch=options.branch, revision=options.revision) for root in roots
    ]
    _require_distinct([source.snapshot for source in found])
    run = _Run(target, embedder, options, progress)
    clock = _Clock()
    gathered = _gathered(found, options, previous)
    clock.lap("walk")
    if previous and previous.holds(gathered, model_key=run.model_key):
        return _unchanged(target, gathered, previous)
    with StoreBuilder(
        target, model=embedder.model if embedder else None, overwrite=overwrite, wait=options.wait
    ) as builder:
        previous = _previous(target, overwrite=overwrite)  # nobody else can change it from here on
        if builder.has_waited:
            gathered = _gathered(found, options, previous)
            clock.lap("wait")
            if previous and previous.holds(gathered, model_key=run.model_key):
                return _unchanged(target, gathered, previous)
        if previous:
            builder.keep_others([each.snapshot for each in gathered])
            clock.lap("keep")
        embedded = _collect(builder, gathered, run, clock)
        with progress.stage("writing the store", total=None):
            counts = builder.write(settings=_recorded(options))
        clock.lap("write")
    remember_roots(target, map(_root, gathered), anew=previous is None)
    reports = tuple(each.report for each in gathered)
    return PrepareReport(
        target, reports, counts, embedded, embedder.model.name if embedder else "none", clock.laps
    )


@dataclass(frozen=True, slots=True)
class _Run:
    """What all stages of one prepare need."""

    target: Path
    embedder: Embedder | None
    options: PrepareOptions
    progress: Progress

    @property
    def model_key(self) -> str:
        return self.embedder.model.key if self.embedder else "none"


def _gathered(found: Sequence[Source], options: PrepareOptions, previous: _Previous | None) -> list[Gathered]:
    if previous and options.repo is None:
        _require_same_roots([source.snapshot for source in found], previous)
    return [gather(source, rules=rules_of(options), settings=_settings(options)) for source in found]


def _unchanged(target: Path, gathered: Sequence[Gathered], previous: _Previous) -> PrepareReport:
    remember_roots(target, map(_root, gathered))
    reports = tuple(each.report for each in gathered)
    return PrepareReport(target, reports, previous.counts, 0, previous.model, {}, unchanged=True)


def _collect(builder: StoreBuilder, gathered: Sequence[Gathered], run: _Run, clock: _Clock) -> int:
    """Read, parse, tie together and embed all sources; return how many contents were embedded."""
    for each in gathered:
        with unpacked(each) as readable:
            facts = _add_files(builder, readable, run.options, run.progress)
        clock.lap("parse")
        _add_graph(builder, each, facts, run.progress)
        clock.lap("graph")
    _require_something([each.report for each in gathered])
    embedded = _embed(builder, run.embedder, run.progress) if run.embedder else 0
    clock.lap("embed")
    return embedded


class _Clock:
    def __init__(self) -> None:
        self.laps: dict[str, float] = {}
        self._last = perf_counter()

    def lap(self, stage: str) -> None:
        now = perf_counter()
        self.laps[stage] = self.laps.get(stage, 0.0) + now - self._last
        self._last = now


def options_of(options: PrepareOptions | None, settings: dict[str, Any]) -> PrepareOptions:
    """Return the options that single settings mean; raise UsageError for those that make no sense."""
    if options is not None and settings:
        raise UsageError("give either options or single settings", hint="options=PrepareOptions(…)")
    for name in ("include", "exclude"):
        if isinstance(settings.get(name), str):
            settings[name] = [settings[name]]
    try:
        options = options or PrepareOptions(**settings)
    except TypeError as error:
        known = ", ".join(PrepareOptions.__slots__)
        raise UsageError(f"unknown setting: {error}", hint=f"settings: {known}") from error
    if options.processes is not None and options.processes < 1:
        raise UsageError(f"processes is {options.processes}", hint="give 1 or more")
    if not options.wait >= 0:
        raise UsageError(f"wait is {options.wait} seconds", hint="give 0 or more")
    if options.chunk_size < 32:
        raise UsageError(f"chunk_size is {options.chunk_size} tokens", hint="give 32 or more")
    return options


def _source_folders(sources: Sequence[str | Path]) -> list[Path]:
    if not sources:
        raise UsageError("no source folder given", hint="ragduck prepare FOLDER -o STORE")
    if not all(str(source).strip() for source in sources):
        raise UsageError("a source folder has no name", hint="ragduck prepare FOLDER -o STORE")
    roots = [Path(source).resolve() for source in sources]
    for source, root in zip(sources, roots, strict=True):
        if not root.exists():
            raise SourceError(f"there is no folder {source}", hint="check the path")
        if not root.is_dir():
            raise SourceError(f"{source} is a file, not a folder", hint="name the folder that holds it")
    return roots


def _target(store: str | Path) -> Path:
    """Return where the store is: through a link, so that the link stays."""
    if not str(store).strip():
        raise UsageError("the store has no name", hint="ragduck prepare FOLDER -o STORE")
    path = Path(store)
    return path.resolve() if path.is_symlink() else path


@dataclass(frozen=True, slots=True)
class _Previous:
    """What a store that is added to holds: its model, and per repository and branch its root and files."""

    model: str
    model_key: str
    roots: dict[tuple[str, str], str]
    fingerprints: dict[tuple[str, str], str]
    counts: dict[str, int]

    def holds(self, gathered: Sequence[Gathered], *, model_key: str) -> bool:
        """Whether every folder was prepared before as it is now, with the same model."""
        return model_key == self.model_key and all(
            self.fingerprints.get((each.snapshot.repo, each.snapshot.branch)) == each.fingerprint
            for each in gathered
        )


def _previous(target: Path, *, overwrite: bool) -> _Previous | None:
    """Return what there is to add to; None for a new or empty file, or a store to be overwritten.

    Raises ForeignFileError for a file that is no store, even when it is to be overwritten.
    """
    if not target.exists() or (target.is_file() and target.stat().st_size == 0):
        return None
    try:
        with open_database(target) as database:
            snapshots = database.rows("select repo, branch, root, fingerprint from snapshots")
            counts = database.rows(sql_text("info/totals.sql"))[0]
            meta = database.meta
    except ForeignFileError:
        raise
    except StoreError:
        if overwrite:
            return None
        raise
    if overwrite:
        return None
    return _Previous(
        model=meta.get("embedding_model", DEFAULT_MODEL),
        model_key=meta.get("model_key", "none"),
        roots={(row["repo"], row["branch"]): row["root"] for row in snapshots},
        fingerprints={(row["repo"], row["branch"]): row["fingerprint"] for row in snapshots},
        counts=counts,
    )


def _require_same_roots(snapshots: Sequence[Snapshot], previous: _Previous) -> None:
    """Refuse to replace one folder of a checkout by another unless the repository is named on purpose."""
    for snapshot in snapshots:
        root = previous.roots.get((snapshot.repo, snapshot.branch), snapshot.root.name)
        if root != snapshot.root.name:
            raise UsageError(
                f"the store holds folder {root} as {snapshot.repo}, {snapshot.branch}; "
                f"folder {snapshot.root.name} would replace it",
                hint=f"keep both with --repo {snapshot.repo}-{snapshot.root.name}, "
                f"or replace it with --repo {snapshot.repo}",
            )


def _require_distinct(snapshots: Sequence[Snapshot]) -> None:
    counted = Counter((snapshot.repo, snapshot.branch) for snapshot in snapshots)
    for (repo, branch), count in counted.items():
        if count > 1:
            raise UsageError(
                f"{count} sources would both be repository {repo}, branch {branch}",
                hint="prepare them one after the other with --repo or --branch",
            )


def _require_something(reports: Sequence[SnapshotReport]) -> None:
    for report in reports:
        if report.chunks == 0:
            reasons = Counter(file.reason for file in report.skipped).most_common(3)
            left_out = ", ".join(f"{count} {reason}" for reason, count in reasons) or "the folder is empty"
            raise SourceError(
                f"nothing to index in {report.snapshot.root}: {left_out}",
                hint="check the folder, --include and --exclude",
            )


def _add_files(
    builder: StoreBuilder, gathered: Gathered, options: PrepareOptions, progress: Progress
) -> list[FileFacts]:
    """Add files and chunks; return what the files say about the graph."""
    facts: list[FileFacts] = []
    snapshot, files, report = gathered.snapshot, gathered.files, gathered.report
    chunking = ChunkSettings(
        max_chars=options.chunk_size * CHARS_PER_TOKEN,
        header_weight=options.header_weight,
        database=options.database or _only_database(files) or snapshot.repo,
    )
    with progress.stage(f"reading {snapshot.repo}", total=len(files)) as stage:
        task = ParseTask(snapshot, chunking, _cache(options, report))
        for batch in parse_files(files, task=task, processes=options.processes):
            builder.add_rows(batch.rows)
            _count(report, batch)
            facts += read_facts(batch.facts)
            stage.advance(batch.rows.sources.num_rows + len(batch.skipped))
    report.skipped.sort(key=lambda file: file.path)
    return facts


def _count(report: SnapshotReport, batch: ParsedBatch) -> None:
    report.files += batch.rows.sources.num_rows
    report.chunks += batch.rows.chunks.num_rows
    report.skipped += batch.skipped
    report.problems += batch.problems
    report.parsed += batch.parsed


def _cache(options: PrepareOptions, report: SnapshotReport) -> Path | None:
    """Return where parsed files are kept; the report tells why a wanted cache is not used."""
    path, refused = usable_cache_path() if options.cache else (None, "")
    if refused:
        report.notes.append(f"parsed files are not kept: {refused}")
    return path


def _add_graph(builder: StoreBuilder, gathered: Gathered, facts: list[FileFacts], progress: Progress) -> None:
    """Tie the facts of all files together, and close the snapshot."""
    report = gathered.report
    with progress.stage(f"tying {gathered.snapshot.repo} together", total=None):
        graph, problems = build_graph(facts)
        builder.add_graph(gathered.snapshot, graph)
    report.nodes, report.edges = len(graph.nodes), len(graph.edges)
    report.problems += problems
    builder.add_snapshot(
        gathered.snapshot,
        skipped=len(report.skipped),
        problems=len(report.problems),
        fingerprint=gathered.fingerprint,
    )


def rules_of(options: PrepareOptions) -> FileRules:
    """Return which files of a source are taken."""
    return FileRules(tuple(options.include), tuple(options.exclude), options.max_file_bytes)


def _settings(options: PrepareOptions) -> tuple[object, ...]:
    """Return what chunks depend on beside the files."""
    return (options.chunk_size, options.header_weight, options.database)


def _root(gathered: Gathered) -> Root:
    """Say where a branch came from, for `info` to look there again."""
    source, rules = gathered.source, gathered.rules
    return Root(
        repo=source.snapshot.repo,
        branch=source.snapshot.branch,
        folder=str(source.snapshot.root),
        revision=source.revision.name if source.revision else "",
        head=source.head or "",
        include=rules.include,
        exclude=rules.exclude,
        max_bytes=rules.max_bytes,
    )


def _only_database(files: Sequence[SourceFile]) -> str | None:
    """Return the name of the database project when there is just one."""
    projects = {Path(file.path).stem for file in files if file.path.endswith(".sqlproj")}
    return projects.pop() if len(projects) == 1 else None


def _embed(builder: StoreBuilder, embedder: Embedder, progress: Progress) -> int:
    """Embed each distinct content that has no vector; every batch is saved before the next."""
    done = 0
    with progress.stage(f"embedding with {embedder.model.name}", total=None) as stage:
        for hashes, vectors in _vectors(builder, embedder):
            if done == 0:
                stage.set_total(builder.missing_vectors())
            builder.add_vectors(hashes, vectors)
            done += len(hashes)
            stage.advance(len(hashes))
    return done


def _vectors(builder: StoreBuilder, embedder: Embedder) -> Iterator[tuple[list[str], Any]]:
    for hashes, texts in builder.texts_without_vectors():
        for positions, vectors in embed_in_batches(embedder, texts):
            yield [hashes[position] for position in positions], vectors


def _recorded(options: PrepareOptions) -> dict[str, str]:
    return {"chunk_size": str(options.chunk_size), "header_weight": str(options.header_weight)}
