"""Keep a store up to date while its folders change."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path
from threading import Event
from time import perf_counter
from typing import TYPE_CHECKING

from ragduck.errors import RagduckError, UsageError
from ragduck.imports.recognition import foreign_sources
from ragduck.model import SourceFile
from ragduck.preparation.gathering import FileRules
from ragduck.preparation.options import PrepareOptions, rules_of
from ragduck.preparation.prepare import prepare
from ragduck.preparation.reports import PrepareReport
from ragduck.sources import source_of, walk_files
from ragduck.sources.checkout import find_checkout, read_head

if TYPE_CHECKING:
    from watchfiles import Change

    from ragduck.embed import Embedder

QUIET_MS = 300  # a burst of changes is over when so long nothing happened
BURST_MS = 2_000  # and is not waited for longer than this
LOOK_MS = 500  # how soon a stop is noticed

GIT = ".git"
OF_COMMITS = ("HEAD", "packed-refs", "refs")  # what git changes there when a branch or its commit does

Listing = dict[
    tuple[str, str], tuple[object, ...]
]  # how each file looks, and the branch and commit of each root


@dataclass(frozen=True, slots=True)
class Refresh:
    """One run of `prepare`: what it reported or why it failed, and which files had changed, as `shop/orders.py`."""

    report: PrepareReport | None
    error: Exception | None
    added: tuple[str, ...]
    changed: tuple[str, ...]
    deleted: tuple[str, ...]
    seconds: float


def watch(
    sources: Sequence[str | Path],
    store: str | Path,
    *,
    embed_model: str | Embedder | None = "default",
    overwrite: bool = False,
    options: PrepareOptions | None = None,
    stop: Event | None = None,
    on_start: Callable[[], None] = lambda: None,
) -> Iterator[Refresh]:
    """Prepare folders, then again each time that files change which `prepare` would take, until ``stop`` is set.

    The first run raises what `prepare` raises. A later one that fails is told as a `Refresh` with its error, leaves
    the store as it was, and is tried again with the next change. Raises UsageError for revisions read from git.
    """
    options = options or PrepareOptions()
    roots = [Path(source).resolve() for source in sources]
    events = _changes(roots, Path(store).absolute(), stop)
    _require_folders_on_disk(roots, options)
    next(events, None)  # from now on it notes what changes, even while prepare runs
    seen = _listing(roots, rules_of(options))
    began = perf_counter()
    report = prepare(roots, store, embed_model=embed_model, overwrite=overwrite, options=options)
    yield Refresh(report, None, (), (), (), perf_counter() - began)
    patient = replace(options, wait=max(options.wait, inf))
    on_start()
    for _ in filter(bool, events):
        now = _listing(roots, rules_of(options))
        if now == seen:
            continue
        refresh = _refreshed(roots, store, embed_model, patient, before=seen, after=now)
        seen = seen if refresh.error else now
        yield refresh


def _changes(roots: Sequence[Path], store: Path, stop: Event | None) -> Iterator[bool]:
    """Yield whether files changed, every `LOOK_MS` and after each burst.

    A folder that was replaced, by a new clone perhaps, is no longer the one that the system tells of: it is watched
    anew, and counts as changed.
    """
    from watchfiles import Change
    from watchfiles import watch as changes_below

    is_replaced = False
    while stop is None or not stop.is_set():
        watched = _identities(roots)
        events = changes_below(
            *watched,
            watch_filter=_filter(store),
            debounce=BURST_MS,
            step=QUIET_MS,
            stop_event=stop,
            rust_timeout=LOOK_MS,
            yield_on_timeout=True,
        )
        try:
            for changes in events:
                yield bool(changes) or is_replaced
                now = _identities(roots)
                # a folder that comes back at once may have the number of the one that went
                went = any(kind == Change.deleted and Path(path) in watched for kind, path in changes)
                is_replaced = went or not now.items() <= watched.items()
                if is_replaced:
                    break
                watched = now  # one that is gone is another when it comes back, whatever its number
        except FileNotFoundError:  # one went before it was watched
            is_replaced = True


def _identities(roots: Sequence[Path]) -> dict[Path, tuple[int, int]]:
    """Return which folder stands at each root, by device and number; nothing for those that are gone."""
    found = {}
    for root in roots:
        try:
            status = root.stat()
        except OSError:
            continue
        found[root] = (status.st_dev, status.st_ino)
    return found


def _refreshed(
    roots: Sequence[Path],
    store: str | Path,
    embed_model: str | Embedder | None,
    options: PrepareOptions,
    *,
    before: Listing,
    after: Listing,
) -> Refresh:
    began = perf_counter()
    report, error = None, None
    try:
        report = prepare(roots, store, embed_model=embed_model, options=options)
    except Exception as problem:  # a file half written, a full disk: the next change may mend it
        if str(problem) == "Query interrupted":  # what DuckDB makes of Ctrl-C
            raise KeyboardInterrupt from problem
        error = problem
    return Refresh(
        report,
        error,
        added=_names(set(after) - set(before)),
        changed=_names({key for key in set(before) & set(after) if before[key] != after[key]}),
        deleted=_names(set(before) - set(after)),
        seconds=perf_counter() - began,
    )


def _names(keys: set[tuple[str, str]]) -> tuple[str, ...]:
    return tuple(f"{Path(root).name}/{path}" for root, path in sorted(keys) if path != GIT)


def _listing(roots: Sequence[Path], rules: FileRules) -> Listing:
    """Return what `prepare` would take, and what is checked out: a change of anything else is none."""
    listing: Listing = {}
    for root in roots:
        try:
            found = list(
                walk_files(root, include=rules.include, exclude=rules.exclude, max_bytes=rules.max_bytes)
            )
        except RagduckError:  # the folder is gone, for a moment or for good
            continue
        checkout = find_checkout(root)
        if checkout is not None:
            head = read_head(checkout)
            listing[str(root), GIT] = (head.branch, head.commit_sha)
        for file in found:
            if isinstance(file, SourceFile):
                found_as = (file.size, file.mtime_ns, file.ctime_ns, file.project, file.root_namespace)
                listing[str(root), file.path] = found_as
    return listing


def _require_folders_on_disk(roots: Sequence[Path], options: PrepareOptions) -> None:
    for root in roots:
        if foreign := foreign_sources(root, repo=options.repo, branch=options.branch):
            raise UsageError(
                f"{root} is a {foreign[0].kind}, which is not watched",
                hint="leave out --watch, and prepare it again when there is a new one",
            )
        source = source_of(root, repo=options.repo, branch=options.branch, revision=options.revision)
        if source.revision:
            raise UsageError(
                f"{source.revision.name} is read from git, where it does not change by itself",
                hint="leave out --watch, or --revision and --branch to watch what is checked out",
            )


def _filter(store: Path) -> Callable[[Change, str], bool]:
    """Keep out the store's own files, which every refresh changes, and what git does but for commits."""
    own, of_commits = str(store.resolve()), [(name,) for name in OF_COMMITS]

    def is_of_interest(_: Change, path: str) -> bool:
        is_own = path == own or path.startswith(f"{own}.")
        within = Path(path).parts
        is_of_commits = GIT not in within or within[within.index(GIT) + 1 :][:1] in of_commits
        return not is_own and is_of_commits and not path.endswith(".lock")

    return is_of_interest
