"""Measure what each ranking signal is worth: everything on, signals off, and each signal taken away alone.

Usage: ablation.py C#-REPOSITORY ... [--held REPOSITORY ...] [--unseen REPOSITORY ...] [--cosqa STORE:TSV]
                   [--leave-one-out] [--output FILE.md]

A REPOSITORY is NAME[@REVISION]=STORE:LABELS; LABELS is a file that `ragduck eval` reads. First come those that the
parameters were chosen on; figures of those after --held were seen meanwhile, those after --unseen were not. Each set
is pooled on its own. cosqa_store.py makes the files of --cosqa.

A search takes some 50 ms: with 260 questions in two modes, and the 500 of CoSQA in one, a row takes a minute.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ablation_document import Column, Fold, Row, Set, document
from leave_one_out import choices

import ragduck
from ragduck.evaluation import Evaluation, Query, evaluate, pool, read_queries
from ragduck.evaluation.significance import paired_difference

METRIC = "ndcg@10"
FULL = "everything on"
PLAIN = "signals off"
OFF: Mapping[str, Mapping[str, float]] = {
    "coverage": {"coverage": 0},
    "definition": {"definition": 0, "mixed_definition": 0},
    "spelled names": {"spelled_definition": 0},
    "type head": {"type_head": 0},
    "file name": {"file_name": 0},
    "folder name": {"folder_name": 0},
    "file evidence": {"file_evidence": 0},
    "centrality": {"centrality": 0},
    "penalties": {"test_penalty": 0, "migration_penalty": 0, "generated_penalty": 0},
    "saturation per file": {"same_file": 1},
    "first place": {"first_place": 0},
    "question classes": {
        "symbol_vector_weight": 0.5,
        "mixed_vector_weight": 0.5,
        "plain_vector_weight": 0.5,
    },
    "rrf_k 20": {"rrf_k": 60},
}
GRID: Mapping[str, Sequence[float]] = {
    "mixed_vector_weight": (0.25, 0.5),
    "plain_vector_weight": (0.5, 0.8),
    "file_evidence": (0.8, 1.2, 1.6),
    "centrality": (0, 0.07, 0.15),
    "file_name": (0.3, 0.6, 0.9),
    "same_file": (0.3, 0.4, 0.6),
}


@dataclass(frozen=True, slots=True)
class Repository:
    """An open store with the questions to it; ``title`` is its name, with the revision when that is known."""

    name: str
    title: str
    store: ragduck.Store
    queries: tuple[Query, ...]

    def evaluate(self, modes: Iterable[str], settings: Mapping[str, Any]) -> Evaluation:
        """Ask every question once in each mode."""
        return evaluate(self.store, self.queries, modes=modes, once=True, **settings)


def opened(argument: str, stack: ExitStack) -> Repository:
    """Open what NAME[@REVISION]=STORE:LABELS names."""
    title, equals, places = argument.partition("=")
    store, colon, labels = places.rpartition(":")
    if not (title and equals and store and colon):
        sys.exit(f"{argument!r} is not NAME=STORE:LABELS")
    name = title.partition("@")[0]
    return Repository(name, title, stack.enter_context(ragduck.open(store)), read_queries(labels))


def settings_by_row() -> dict[str, dict[str, Any]]:
    """Return the settings of a search for each row of the tables."""
    rows: dict[str, dict[str, Any]] = {FULL: {}, PLAIN: {"signals": False}}
    return rows | {f"without {name}": {"ranking": dict(ranking)} for name, ranking in OFF.items()}


def measured(repositories: Sequence[Repository], modes: Sequence[str]) -> dict[str, list[Evaluation]]:
    """Evaluate all repositories for each row."""
    found = {}
    for row, settings in settings_by_row().items():
        found[row] = [repository.evaluate(modes, settings) for repository in repositories]
        print(f"{row}: {mean_of(pool(found[row]), modes[0]):.3f}", file=sys.stderr)
    return found


def scores_of(evaluation: Evaluation, mode: str) -> list[float]:
    """Return NDCG@10 of each question in one mode."""
    return [result.scores[METRIC] for result in evaluation.only(mode).modes[0].results]


def mean_of(evaluation: Evaluation, mode: str) -> float:
    """Return NDCG@10 over all questions in one mode."""
    return evaluation.only(mode).modes[0].mean(METRIC)


def pooled_column(title: str, mode: str, found: Mapping[str, list[Evaluation]]) -> Column:
    """Return all questions of some repositories as a column: each row beside everything on."""
    scores = {row: scores_of(pool(parts), mode) for row, parts in found.items()}
    return Column(title, {row: paired_difference(scores[FULL], own) for row, own in scores.items()})


def measured_set(title: str, repositories: Sequence[Repository], modes: Sequence[str]) -> Set:
    """Measure every row on some repositories: pooled for each mode, and each repository by itself."""
    found = measured(repositories, modes)
    return Set(
        title=title,
        repositories=tuple(repository.title for repository in repositories),
        questions=sum(len(repository.queries) for repository in repositories),
        missing=tuple(
            f"{repository.name}: {label}"
            for repository, evaluation in zip(repositories, found[FULL], strict=True)
            for label in evaluation.labels.missing
        ),
        pooled={mode: pooled_column(title, mode, found) for mode in modes},
        means={
            mode: {
                repository.name: {row: mean_of(parts[place], mode) for row, parts in found.items()}
                for place, repository in enumerate(repositories)
            }
            for mode in modes
        },
    )


class Scores:
    """NDCG@10 of each question in mode hybrid, by repository and ranking; each is measured once."""

    def __init__(self, repositories: Iterable[Repository]) -> None:
        self._repositories = {repository.name: repository for repository in repositories}
        self._known: dict[tuple[str, frozenset[tuple[str, float]]], list[float]] = {}

    def __call__(self, name: str, ranking: Mapping[str, float]) -> list[float]:
        """Return the scores of one repository; ``ranking`` holds what differs from the defaults."""
        key = (name, frozenset(ranking.items()))
        if key not in self._known:
            evaluation = self._repositories[name].evaluate(["hybrid"], {"ranking": dict(ranking)})
            self._known[key] = scores_of(evaluation, "hybrid")
        return self._known[key]


def left_out(repositories: Sequence[Repository], scores: Scores) -> list[Fold]:
    """Choose parameters without each repository in turn, and measure them on it beside the defaults."""
    defaults = repositories[0].store.sql("select ranking() as weights")[0]["weights"]
    names = [repository.name for repository in repositories]
    folds = []
    before: list[float] = []
    after: list[float] = []
    for name, ranking in choices(names, scores, grid=GRID, defaults=defaults).items():
        own = scores(name, {}), scores(name, ranking)
        folds.append(Fold(name, ranking, paired_difference(*own)))
        before += own[0]
        after += own[1]
        print(f"without {name}: {ranking}", file=sys.stderr)
    return [*folds, Fold("all questions", None, paired_difference(before, after))]


def left_out_of(tuned: list[Repository], held: list[Repository]) -> dict[str, list[Fold]]:
    """Leave each repository out among the C# libraries, and among them and the held-out ones."""
    scores = Scores(tuned + held)
    groups = {"C#": tuned, "C# and held out": tuned + held if held else []}
    return {title: left_out(own, scores) for title, own in groups.items() if len(own) > 1}


def command(arguments: Sequence[str]) -> str:
    """Return the command that was given, places reduced to the names of their files."""
    words = (
        "=".join(
            ":".join(Path(place).name for place in part.rsplit(":", 1)) for part in argument.split("=", 1)
        )
        for argument in arguments
    )
    return " ".join(["python tests/benchmarks/ablation.py", *words])


def main() -> None:
    """Measure, and write the document to a file or to stdout."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("tuned", nargs="+", metavar="NAME=STORE:LABELS")
    parser.add_argument("--held", nargs="+", default=[], metavar="NAME=STORE:LABELS")
    parser.add_argument("--unseen", nargs="+", default=[], metavar="NAME=STORE:LABELS")
    parser.add_argument("--cosqa", metavar="STORE:TSV")
    parser.add_argument("--leave-one-out", action="store_true")
    parser.add_argument("--output", type=Path)
    arguments = parser.parse_args()
    with ExitStack() as stack:
        groups = {"C#": arguments.tuned, "held out": arguments.held, "unseen": arguments.unseen}
        known = {title: [opened(item, stack) for item in items] for title, items in groups.items() if items}
        sets = [measured_set(title, own, ("hybrid", "bm25")) for title, own in known.items()]
        if arguments.cosqa:
            sets.append(measured_set("CoSQA", [opened(f"CoSQA={arguments.cosqa}", stack)], ("hybrid",)))
        folds = left_out_of(known["C#"], known.get("held out", [])) if arguments.leave_one_out else {}
        model = known["C#"][0].store.model
    rows = [Row(name, settings) for name, settings in settings_by_row().items()]
    text = document(
        rows, sets, folds, grid=GRID, model=model.name if model else "none", command=command(sys.argv[1:])
    )
    if arguments.output is None:
        sys.stdout.write(text)
    else:
        arguments.output.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
