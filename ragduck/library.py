"""The Python interface: open a store, ask it, fetch texts, or ask in one call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING, Any

from ragduck.branch_status import branch_statuses
from ragduck.errors import EmbeddingError, UsageError
from ragduck.model import EmbeddingModel
from ragduck.question_vectors import QuestionVectors
from ragduck.search import (
    BranchStatus,
    Filters,
    Mode,
    SearchAnswer,
    SearchRequest,
    VectorIndex,
    results_where,
    run_search,
)
from ragduck.search.filters import clause_of
from ragduck.search.given import require_settings, require_text, texts_among
from ragduck.search.neighbourhood import Neighbourhood
from ragduck.search.ranking import StoredRanking
from ragduck.search.relations import WalkDirection
from ragduck.search.request import NO_FILTERS, Vector
from ragduck.search.reranking import RERANK_POOL, reranked
from ragduck.search.texts import files_at, nothing_called, source_documents_of, texts_of
from ragduck.search.walk import PathRequest, Walker, WalkRequest
from ragduck.shell import quote
from ragduck.store import Database, open_database
from ragduck.store.checks import CheckResult, run_checks
from ragduck.store.facts import SnapshotFacts, StoreFacts, describe, snapshots_of
from ragduck.store.statements import Table, Values, own_columns, run_own, run_read_only

if TYPE_CHECKING:
    import pyarrow as pa

    from ragduck.freshness import Freshness
    from ragduck.mirror.searching import FaissMirror
    from ragduck.question_vectors import Model
    from ragduck.search.changes import BranchDiff
    from ragduck.search.reranking import Reranker


CALLS = ("Calls", "Executes")
NODE = "'dbo.Invoice'"  # as an example of a key
CHECKED_SECONDS = 5  # for which an answer trusts the last look at the checkouts


class Store:
    """A store opened for reading. Use it in a with statement, or close it."""

    def __init__(self, database: Database, *, embed_model: Model = None, faiss: str | Path = "auto") -> None:
        self._database = database
        self._embed_model = embed_model
        self._faiss = faiss
        self._question_vectors = QuestionVectors(embed_model, recorded=self.meta.get("embedding_model"))
        self._walker = Walker(self._rows)
        self._ranking = StoredRanking(partial(own_columns, database))
        self._branches: tuple[float, tuple[BranchStatus, ...]] | None = None

    @property
    def path(self) -> Path:
        """Where the file is."""
        return self._database.path

    @property
    def meta(self) -> Mapping[str, str]:
        """What the file says of itself: the rows of `ragduck_meta`."""
        return self._database.meta

    @property
    def model(self) -> EmbeddingModel | None:
        """The model of the vectors; None when there are none."""
        return EmbeddingModel.from_dict(self.meta)

    def search(
        self,
        query: str,
        *,
        mode: Mode = "hybrid",
        top_k: int = 10,
        filters: Filters = NO_FILTERS,
        where: str | None = None,
        include_source_docs: bool = False,
        reranker: Reranker | None = None,
        rerank_pool: int = RERANK_POOL,
        **settings: Any,
    ) -> SearchAnswer:
        """Answer a question with the best chunks; ``settings`` are the other fields of SearchRequest.

        ``reranker`` is a LlamaIndex BaseNodePostprocessor, or the name or folder of a cross-encoder. It is given the
        best ``rerank_pool`` chunks, and what it returns is the answer, cut to ``top_k``: `rerank_score` is its score,
        `rank_before` and `score_before` tell what the search alone said.
        """
        require_settings(settings, SearchRequest, besides=("text",))
        request = SearchRequest(text=query, mode=mode, top_k=top_k, filters=filters, where=where, **settings)
        vector, note = self._vector(request)
        search = partial(
            run_search,
            self._rows,
            vector=vector,
            index=VectorIndex.from_meta(self.meta),
            mirror=self._mirror_for(vector),
            note=note,
            stored=self._ranking,
        )
        if reranker is None:
            answer = search(request)
        else:
            answer = reranked(search, request, reranker=reranker, pool=rerank_pool)
        answer = answer.with_branches(self.branches(), is_replaced=self._database.is_replaced)
        return self._with_source_docs(answer) if include_source_docs else answer

    def chunks(self, filters: Filters) -> list[dict[str, Any]]:
        """Return every chunk that filters leave, in reading order, as results without a score."""
        return results_where(
            self._rows, clause_of(filters, by_name=True), index=VectorIndex.from_meta(self.meta)
        )

    def sql(self, statement: str, parameters: Values | None = None) -> list[dict[str, Any]]:
        """Run one statement that only reads; values are bound as `$name` from a mapping, as `?` from a sequence."""
        return self.table(statement, parameters).to_dicts()

    def table(
        self,
        statement: str,
        parameters: Values | None = None,
        *,
        variables: Mapping[str, str] | None = None,
    ) -> Table:
        """Run one read-only statement as `sql` does; the columns are told even when there are no rows.

        ``variables`` are what `getvariable('name')` returns, as the queries of the cookbook use it.
        """
        return run_read_only(self._database, statement, parameters, variables=variables)

    def arrow(self, table: str, **selection: str | Sequence[str]) -> pa.Table:
        """Return a table of the file as Arrow; `columns`, `repos` and `branches` say what of it."""
        return self.arrow_batches(table, **selection).read_all()

    def arrow_batches(self, table: str, **selection: str | Sequence[str]) -> pa.RecordBatchReader:
        """Return what `arrow` does as a stream, for tables larger than memory; read it before the store is closed."""
        from ragduck.exports.arrow import arrow_batches

        return arrow_batches(self._database, table, **selection)

    def info(self) -> StoreFacts:
        """Tell what the file is: size, versions, model, snapshots, counts, search parameters, and the map if any."""
        from ragduck.corpus_map.state import map_state

        facts, drawn = describe(self._database), map_state(self._database)
        return facts if drawn.status == "none" else replace(facts, made={**facts.made, "map": str(drawn)})

    def snapshots(self) -> tuple[SnapshotFacts, ...]:
        """Tell which repositories and branches the file holds."""
        return snapshots_of(self._database)

    def branches(self) -> tuple[BranchStatus, ...]:
        """Tell how old each branch is, as answers do: without a look at files, and anew every few seconds."""
        if self._branches is None or monotonic() - self._branches[0] > CHECKED_SECONDS:
            self._branches = (monotonic(), branch_statuses(self._database, self._snapshots))
        mirror: FaissMirror | None = vars(self).get("_mirror")  # unless none was asked for yet
        told = self._branches[1]
        if mirror is None or self.model is None:
            return told
        return tuple(replace(each, mirror=mirror.status) for each in told)

    def freshness(self, folders: Sequence[str | Path] = ()) -> tuple[Freshness, ...]:
        """Compare each branch with the files, or the git revision, that it was read from.

        This machine remembers where that was; ``folders`` are places to look at instead.
        """
        from ragduck.freshness import freshness_of

        return freshness_of(self._database, self._snapshots, folders=folders)

    def check(self) -> list[CheckResult]:
        """Look for what is wrong with the file, its map and its mirror: one result per query, one for the mirror."""
        from ragduck.corpus_map.state import check_map
        from ragduck.mirror.checking import check_mirror

        return [
            *run_checks(self._database),
            *check_map(self._database),
            *check_mirror(self.path, self.meta),
        ]

    def diff(
        self,
        from_branch: str,
        to_branch: str,
        *,
        repo: str | None = None,
        kinds: Sequence[str] = (),
        with_text: bool = False,
    ) -> BranchDiff:
        """List the objects that were added, removed, changed or moved between two branches of a repository.

        ``repo`` is needed when several have both; ``with_text`` adds a unified diff to the first 50 changed ones.
        """
        from ragduck.search.changes import branch_diff
        from ragduck.search.kinds import known_kinds

        wanted = known_kinds(self._rows, kinds)
        return branch_diff(self._rows, from_branch, to_branch, repo=repo, kinds=wanted, with_text=with_text)

    def text_of(self, key: str) -> list[dict[str, Any]]:
        """Return the text of a chunk id, node key, `path` or `path:start-end`, with its place.

        A file may be named as a shell completes it, `./docs\\a.md`, or by its name alone where only one has it.
        """
        require_text("the key", key, example=NODE)
        return texts_of(self._rows, key) or nothing_called(self._rows, key, store=self.path)

    def files_at(self, paths: Sequence[str]) -> list[dict[str, Any]]:
        """Return whole files by their exact paths, with source_file, repo, branch and text; those of all branches."""
        return files_at(self._rows, paths)

    def neighbourhood(
        self,
        keys: str | Sequence[str],
        *,
        depth: int = 2,
        max_nodes: int = 120,
        relations: str | Sequence[str] | None = None,
        direction: WalkDirection | Mapping[str, str] = "both",
        repo: str | None = None,
        branch: str | None = None,
        with_members: bool = False,
    ) -> Neighbourhood:
        """Walk the graph from nodes, breadth first, closest and best tied nodes first.

        Keys may be written as people do: `dbo.Invoice|TABLE`, `dbo.Invoice`, `OrderService.Place`. ``relations``
        takes aliases (`FK`, `cs_dep`); ``direction`` is `out`, `in` or `both`, or one for each relation.
        ``max_nodes`` counts the start nodes; ``with_members`` begins with all that a type contains as well.
        Raises UsageError for an unknown or ambiguous key.
        """
        return self._walker.walk(
            WalkRequest(
                texts_among("a node", keys, example=NODE),
                depth=depth,
                max_nodes=max_nodes,
                relations=relations,
                direction=direction,
                repo=repo,
                branch=branch,
                with_members=with_members,
            )
        )

    def callers(self, keys: str | Sequence[str], *, depth: int = 3, **settings: Any) -> Neighbourhood:
        """Walk to what calls or executes the nodes, or what a type contains; settings as of neighbourhood."""
        return self._walk(keys, settings, depth=depth, relations=self._calls(), direction="in")

    def callees(self, keys: str | Sequence[str], *, depth: int = 3, **settings: Any) -> Neighbourhood:
        """Walk to what the nodes, or what a type contains, call or execute; settings as of neighbourhood."""
        return self._walk(keys, settings, depth=depth, relations=self._calls(), direction="out")

    def impact(self, keys: str | Sequence[str], *, depth: int = 3, **settings: Any) -> Neighbourhood:
        """Walk to what may break when the nodes change: callers, readers, subclasses, child tables and so on."""
        return self._walk(keys, settings, depth=depth, direction="impact")

    def path_between(
        self,
        from_key: str,
        to_key: str,
        *,
        max_depth: int | None = None,
        relations: str | Sequence[str] | None = None,
        direction: WalkDirection | Mapping[str, str] | None = None,
        repo: str | None = None,
        branch: str | None = None,
    ) -> Neighbourhood:
        """Find a shortest way between two nodes; without nodes when there is none of at most ``max_depth`` steps.

        These are 12, unless told, along the edges or against them, 6 where both are allowed. Without a direction a
        way along the edges is looked for first, then one against them, then any. One that leads from what only
        mentions a type to a member of it comes last, and is noted.
        """
        for key in (from_key, to_key):
            require_text("a node", key, example=NODE)
        request = PathRequest(from_key, to_key, max_depth, relations, direction, repo, branch)
        return self._walker.path(request)

    def _calls(self) -> Sequence[str]:
        """Return the relations of calls that the store has: nobody misses procedures in a system without any."""
        there = {step.relation for step in self._walker.steps if step.edges}
        return [relation for relation in CALLS if relation in there] or CALLS

    def _walk(self, keys: str | Sequence[str], settings: Mapping[str, Any], **own: Any) -> Neighbourhood:
        """Walk one way; callers give settings besides what says which way it is."""
        require_settings(settings, WalkRequest, besides=("keys", "with_members", *own))
        named = texts_among("a node", keys, example=NODE)
        return self._walker.walk(WalkRequest(named, with_members=True, **own, **settings))

    def source_documents(self, chunk_ids: Sequence[str]) -> list[dict[str, Any]]:
        """Return the files that chunks, by node_id or id, were cut from, each once."""
        return source_documents_of(self._rows, list(chunk_ids))

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def rows(self, sql: str, parameters: Mapping[str, object]) -> list[dict[str, Any]]:
        """Run a statement that ragduck itself wrote; `sql` is for those of people and models."""
        return self._rows(sql, dict(parameters))

    def _mirror_for(self, vector: Vector | None) -> FaissMirror | None:
        """Return what answers a question; for one by keyword alone, to open it takes longer than it saves."""
        is_open = "_mirror" in vars(self)
        return self._mirror if vector is not None or is_open or self._ranking.is_warm else None

    @cached_property
    def _mirror(self) -> FaissMirror | None:
        from ragduck.mirror.state import asked_state

        state = asked_state(self.path, self.meta, faiss=self._faiss)
        if state is None:
            return None
        from ragduck.mirror.searching import FaissMirror

        return FaissMirror(state, self._database)

    @cached_property
    def _snapshots(self) -> tuple[SnapshotFacts, ...]:
        return self.snapshots()

    def _rows(self, sql: str, parameters: dict[str, object]) -> list[dict[str, Any]]:
        return run_own(self._database, sql, parameters)

    def _vector(self, request: SearchRequest) -> tuple[Vector | None, str | None]:
        """Embed the question; `hybrid` does without when the model is missing, and a note says why."""
        if request.mode == "bm25":
            return None, None
        model = self.model
        if model is None:
            if request.mode == "hybrid":
                return None, "the store has no vectors: answered by keyword only"
            raise UsageError(
                f"{self.path} was prepared without vectors, so mode {request.mode} cannot be served",
                hint=f"use --mode bm25, or give it some with: ragduck embed {quote(str(self.path))} --model static",
            )
        try:
            return self._question_vectors.of(request.text, model=model), None
        except EmbeddingError as error:
            if request.mode != "hybrid" or self._embed_model is not None:
                raise
            return None, f"{error.message}: answered by keyword only"

    def _with_source_docs(self, answer: SearchAnswer) -> SearchAnswer:
        files = {
            file["doc_id"]: file for file in self.source_documents([r["node_id"] for r in answer.results])
        }
        return answer.with_results(
            {**result, "source_doc": files.get(result["doc_id"])} for result in answer.results
        )


def open_store(path: str | Path, *, embed_model: Model = None, faiss: str | Path = "auto") -> Store:
    """Open a store for reading; ``embed_model`` replaces the embedder that the file names, if it is the same.

    ``faiss`` says which mirror of the vectors is searched when it fits the store: `auto` takes the one beside the
    store, made by `ragduck export faiss`, `off` none, a folder that one. Load no mirror from people you do not trust.

    Vectors of questions to the model that the file names are remembered in `~/.cache/ragduck`, for later processes
    too; see `ragduck.embed.query_cache` for where and how to turn that off. Those of a model given stay in memory.
    Raises StoreError when there is no store, or it is foreign, too new or locked.
    """
    return Store(open_database(path), embed_model=embed_model, faiss=faiss)
