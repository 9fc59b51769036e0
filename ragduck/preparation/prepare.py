"""Prepare sources into one store: walk, parse or import, embed, write."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ragduck.errors import EmbeddingError, SourceError, UsageError
from ragduck.garbage import without_collection
from ragduck.imports.contract import ForeignSource
from ragduck.imports.recognition import foreign_sources
from ragduck.model import EmbeddingModel, Snapshot
from ragduck.preparation.branch_record import BranchRecord, BranchRecords, Records
from ragduck.preparation.collecting import add_files, add_graph, add_import, begun_ahead, usable_cache
from ragduck.preparation.embedding_stage import VectorModel, chosen_model, embed_missing
from ragduck.preparation.gathering import (
    Gathered,
    GatheredImport,
    gather,
    gather_import,
    made_by,
    unpacked,
)
from ragduck.preparation.options import PrepareOptions, ignored_by, options_of, rules_of
from ragduck.preparation.previous import (
    Previous,
    held_as_head,
    held_otherwise,
    held_reports,
    previous_of,
    replaced,
    require_same_origin,
    require_same_roots,
    totals_of,
)
from ragduck.preparation.reports import Clock, PrepareReport, SnapshotReport
from ragduck.preparation.tying_ahead import Ahead
from ragduck.progress import NO_PROGRESS, Progress
from ragduck.resources import sql_text
from ragduck.sources import Source, source_of
from ragduck.store import open_database
from ragduck.store.builder import StoreBuilder
from ragduck.store.in_place import recover
from ragduck.store.roots import Root, remember_roots, roots_of
from ragduck.store.seal import seal_of
from ragduck.store.work_file import remove_left

if TYPE_CHECKING:
    from llama_index.core.base.embeddings.base import BaseEmbedding

    from ragduck.embed import Embedder

MANY_UNDEFINED = 20  # database objects; tests and samples name a few that are nowhere


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
    """Put sources into a store, replacing what it held of the same repository and branch.

    A source is a folder, a checkout, or what another system wrote: a RoslynIndexer bundle, a unified index, a
    sqlrooms-rag file. ``branch`` may name any branch, tag or commit: what is not checked out is read from git.
    ``revision`` is read from git in any case, without changes that are not committed.
    ``embed_model`` defaults to the model of a store that is added to, then to that of vectors which a source brings,
    then to `static`; None leaves vectors out.
    ``settings`` are the fields of PrepareOptions, such as ``repo="shop"``. ``overwrite`` forgets what the store
    held but its conversations and traces, which cannot be made again; those are kept where the file can be read.
    The live file changes in one step at the end; a run that is interrupted is resumed by the next one. ``wait`` is
    how many seconds another writer is waited for; ``cache=False`` parses all files anew.

    Raises SourceError, StoreError, EmbeddingError or UsageError with a hint.
    """
    options = options_of(options, settings)
    target = _target(store, wait=options.wait)
    roots = _existing([sources] if isinstance(sources, (str, Path)) else sources)
    previous = previous_of(target, overwrite=overwrite)
    found = [source for root in roots for source in _sources_at(root, options)]
    _require_distinct([source.snapshot for source in found])
    chosen = chosen_model(
        embed_model,
        recorded=previous.model if previous else None,
        adds_to_store=previous is not None,
        brought=[each.model for each in found if not isinstance(each, Source) and each.model],
    )
    ahead = begun_ahead(found, options) if previous and seal_of(target) else Ahead()
    with ahead.left_on_error():
        return _prepared(found, _Run(target, chosen, options, progress, ahead), previous, overwrite=overwrite)


def _prepared(
    found: Sequence[Source | ForeignSource], run: _Run, previous: Previous | None, *, overwrite: bool
) -> PrepareReport:
    clock = Clock()
    gathered = _gathered(found, run, previous)
    clock.lap("walk")
    if previous and run.finds_nothing_new(gathered, previous):
        return _unchanged(run, gathered, previous)
    run.ahead.tie([file for each in gathered if isinstance(each, Gathered) for file in each.files])
    model = run.chosen.model if run.chosen else None
    with StoreBuilder(run.target, model=model, overwrite=overwrite, wait=run.options.wait) as builder:
        if previous is None or not previous.is_of(run.target):  # from here on nobody else can change it
            previous = previous_of(run.target, overwrite=overwrite)
        if builder.has_waited:
            run.ahead.leave()  # that looks at files as they were
            gathered = _gathered(found, run, previous)
            clock.lap("wait")
            if previous and run.finds_nothing_new(gathered, previous):
                return _unchanged(run, gathered, previous)
        counts, embedded = _built(builder, gathered, run, clock, adds_to=previous)
    remember_roots(run.target, _roots(gathered), anew=previous is None)
    reports = _with_undefined(run.target, [each.report for each in gathered])
    return PrepareReport(run.target, reports, counts, embedded, run.model_name, clock.laps)


@dataclass(frozen=True, slots=True)
class _Run:
    """What all stages of one prepare need."""

    target: Path
    chosen: VectorModel | None
    options: PrepareOptions
    progress: Progress
    ahead: Ahead

    def finds_nothing_new(self, given: Sequence[Gathered | GatheredImport], previous: Previous) -> bool:
        return self.options.cache and previous.holds(given, model_key=self.model_key)

    @property
    def model_key(self) -> str:
        return self.chosen.model.key if self.chosen else "none"

    @property
    def model_name(self) -> str:
        return self.chosen.model.name if self.chosen else "none"


def _sources_at(root: Path, options: PrepareOptions) -> Sequence[Source | ForeignSource]:
    """Return what another system wrote there, else the folder or checkout itself."""
    foreign = foreign_sources(root, repo=options.repo, branch=options.branch)
    if foreign and options.revision:
        raise UsageError(
            f"{root} is a {foreign[0].kind}, which has no revisions", hint="leave out --revision"
        )
    return foreign or [source_of(root, repo=options.repo, branch=options.branch, revision=options.revision)]


def _gathered(
    found: Sequence[Source | ForeignSource], run: _Run, previous: Previous | None
) -> list[Gathered | GatheredImport]:
    options = run.options
    if previous and options.repo is None:
        require_same_roots([source.snapshot for source in found if isinstance(source, Source)], previous)
    settings = (options.chunk_size, options.header_weight, options.database)
    gathered = [
        gather(source, rules=rules_of(options), settings=settings)
        if isinstance(source, Source)
        else gather_import(source, settings=settings)
        for source in found
    ]
    known = roots_of(run.target) if previous else {}
    for each in gathered:
        if isinstance(each, GatheredImport):
            each.report.otherwise.extend(ignored_by(each.source, options))
            each.report.notes.extend(replaced(each.snapshot, previous))
        elif previous:
            require_same_origin(each.source, known, store=run.target, is_named=options.repo is not None)
            notes = held_otherwise(each.snapshot, previous, store=run.target, known=known)
            each.report.notes.extend(notes)
            if options.repo is not None:
                each.report.notes.extend(replaced(each.snapshot, previous))
            if each.source.is_of_no_branch:
                each.report.notes.extend(held_as_head(each.snapshot, previous, store=run.target))
    return gathered


def _with_undefined(target: Path, reports: Sequence[SnapshotReport]) -> tuple[SnapshotReport, ...]:
    """Note in reports that most of a database that is named is defined nowhere: its scripts may be on a server."""
    if all(report.undefined_objects < MANY_UNDEFINED for report in reports):
        return tuple(reports)
    with open_database(target) as database:
        found = {
            (row["repo"], row["branch"]): row for row in database.rows(sql_text("info/undefined_objects.sql"))
        }
    for report in reports:
        told = found.get((report.snapshot.repo, report.snapshot.branch))
        if told and told["undefined"] >= MANY_UNDEFINED and told["undefined"] > told["defined"]:
            report.notes.append(
                f"{told['undefined']:,} tables, procedures and so on that it names, such as {told['example']}, are "
                "defined nowhere in the store; prepare the scripts of that database, too: README, A database without "
                "scripts"
            )
    return tuple(reports)


def _unchanged(run: _Run, gathered: Sequence[Gathered | GatheredImport], previous: Previous) -> PrepareReport:
    run.ahead.leave()
    remove_left(run.target, model_key=run.model_key)
    remember_roots(run.target, _roots(gathered))
    reports = held_reports(run.target, [each.report for each in gathered])
    model = previous.model.name if previous.model else "none"
    return PrepareReport(run.target, reports, totals_of(run.target), 0, model, {}, unchanged=True)


def _built(
    builder: StoreBuilder,
    gathered: Sequence[Gathered | GatheredImport],
    run: _Run,
    clock: Clock,
    *,
    adds_to: Previous | None,
) -> tuple[dict[str, int], int]:
    """Collect all sources and write the store; return its rows per table, and how many contents were embedded."""
    made_of = BranchRecords(run.target, cache=usable_cache(run.options), made_by=made_by())
    known = None
    if adds_to:
        known = _kept(builder, gathered, made_of)
        clock.lap("keep")
    records = [Records(known) for _ in gathered]
    spared = without_collection() if builder.amends else nullcontext()  # of what lives on until it is kept
    with spared, ThreadPoolExecutor(1) as keeping:  # while the engine is at work
        embedded = _collect(builder, gathered, run, clock, records, keeping)
        with run.progress.stage("writing the store", total=None):
            counts = builder.write(settings=_recorded(run.options))
    for each, one in zip(gathered, records, strict=True):
        made_of.keep(each.snapshot, one.found)
    made_of.seal(builder.looked)
    clock.lap("write")
    return counts, embedded


def _kept(
    builder: StoreBuilder, gathered: Sequence[Gathered | GatheredImport], made_of: BranchRecords
) -> BranchRecord | None:
    """Keep what is not replaced; return what the branch was made of that is brought up to date where it is.

    An import brings vectors that a store which is amended would not get.
    """
    known = made_of.find(gathered[0].snapshot)
    may_amend = known is not None and all(isinstance(each, Gathered) for each in gathered)
    builder.keep_others([each.snapshot for each in gathered], may_amend=may_amend)
    return known if builder.amends else None


def _collect(
    builder: StoreBuilder,
    gathered: Sequence[Gathered | GatheredImport],
    run: _Run,
    clock: Clock,
    records: Sequence[Records],
    keeping: Executor,
) -> int:
    """Read, parse, tie together and embed all sources; return how many contents were embedded."""
    for each, made_of in zip(gathered, records, strict=True):
        if isinstance(each, GatheredImport):
            with run.progress.stage(f"importing {each.snapshot.repo}", total=None):
                model = run.chosen.model if run.chosen else None
                add_import(builder, each, run.options, model=model)
            clock.lap("import")
            continue
        last: list[Callable[[], None]] = []  # once nothing waits for this process any more
        with unpacked(each) as readable:
            facts = add_files(
                builder, readable, run.options, run.progress, records=made_of, later=last.append
            )
        clock.lap("parse")
        add_graph(
            builder,
            each,
            facts,
            run.options,
            run.progress,
            records=made_of,
            ahead=run.ahead,
            later=last.append,
        )
        while last:  # `last` lives on, and what is kept holds all files
            keeping.submit(last.pop(0))
        clock.lap("graph")
    _require_something([each.report for each in gathered])
    embedded = _embed(builder, gathered, run)
    clock.lap("embed")
    return embedded


def _embed(builder: StoreBuilder, gathered: Sequence[Gathered | GatheredImport], run: _Run) -> int:
    """Embed what has no vector; what was imported may stay without where its model cannot be had."""
    if run.chosen is None:
        return 0
    try:
        return embed_missing(builder, run.chosen, run.progress)
    except EmbeddingError as error:
        if not all(_brought(each, run.chosen.model) for each in gathered):
            raise
        missing = builder.missing_vectors()
        for each in gathered:
            each.report.notes.append(f"{missing:,} contents have no vector: {error.message}")
        return 0


def _brought(gathered: Gathered | GatheredImport, model: EmbeddingModel) -> bool:
    """Whether a source came with vectors of the model."""
    if isinstance(gathered, Gathered):
        return False
    return gathered.source.model is not None and gathered.source.model.key == model.key


def _existing(sources: Sequence[str | Path]) -> list[Path]:
    if not sources:
        raise UsageError("no source folder given", hint="ragduck prepare FOLDER -o STORE")
    if not all(str(source).strip() for source in sources):
        raise UsageError("a source folder has no name", hint="ragduck prepare FOLDER -o STORE")
    roots = [Path(source).resolve() for source in sources]
    for source, root in zip(sources, roots, strict=True):
        if not root.exists():
            raise SourceError(f"there is no folder {source}", hint="check the path")
    return roots


def _target(store: str | Path, *, wait: float) -> Path:
    """Return where the store is: through a link, so that the link stays. One that stepped aside has its name back."""
    if not str(store).strip():
        raise UsageError("the store has no name", hint="ragduck prepare FOLDER -o STORE")
    path = Path(store)
    target = path.resolve() if path.is_symlink() else path
    recover(target, wait=wait)
    return target


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
        if report.chunks == 0 and report.imported:
            raise SourceError(
                f"{report.snapshot.root} is a {report.imported.kind} with a graph, but without any text",
                hint="make it again with its code and bodies",
            )
        if report.chunks == 0:
            reasons = Counter(file.reason for file in report.skipped).most_common(3)
            left_out = ", ".join(f"{count} {reason}" for reason, count in reasons) or "the folder is empty"
            raise SourceError(
                f"nothing to index in {report.snapshot.root}: {left_out}",
                hint="check the folder, --include and --exclude",
            )


def _roots(gathered: Sequence[Gathered | GatheredImport]) -> list[Root]:
    """Say where branches came from, for `info` to look there again; what was imported cannot be compared."""
    return [
        Root(
            repo=each.snapshot.repo,
            branch=each.snapshot.branch,
            folder=str(each.snapshot.root),
            revision=each.source.revision.name if each.source.revision else "",
            head=each.source.head or "",
            include=each.rules.include,
            exclude=each.rules.exclude,
            max_bytes=each.rules.max_bytes,
            code_page=each.rules.code_page,
        )
        for each in gathered
        if isinstance(each, Gathered)
    ]


def _recorded(options: PrepareOptions) -> dict[str, str]:
    return {"chunk_size": str(options.chunk_size), "header_weight": str(options.header_weight)}
