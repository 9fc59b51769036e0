"""Draw what was measured: how long a hybrid search takes, and what a vector search finds in its time."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from document import Circumstances
from results import Measured
from roster import UNIT

OWN, OTHER = "#d95f02", "#4c72b0"


def draw(run: Circumstances, measured: Sequence[Measured], path: Path) -> None:
    """Write a PNG file with two panels."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    done = [entry for entry in measured if entry.problem is None]
    unit = next((entry for entry in done if entry.name == UNIT), None) if run.busy else None
    figure, (left, right) = plt.subplots(1, 2, figsize=(13, 5.5), layout="constrained")
    _bars(left, done, unit)
    _recall(right, done, unit)
    figure.suptitle(f"{run.chunks:,} chunks, {run.date}")
    figure.savefig(path, dpi=110)
    plt.close(figure)


def _label(unit: Measured | None) -> str:
    return "processor time, in multiples of ragduck's Store.search" if unit else "median, milliseconds"


def _time(entry: Measured, kind: str, unit: Measured | None) -> float:
    own = entry.searches[kind]
    return own.cpu_median / unit.searches[kind].cpu_median if unit else own.median


def _colour(entry: Measured) -> str:
    return OWN if entry.name.startswith("ragduck") else OTHER


def _bars(axes: Any, done: Sequence[Measured], unit: Measured | None) -> None:
    shown = sorted(
        (entry for entry in done if "hybrid" in entry.searches),
        key=lambda entry: -_time(entry, "hybrid", unit),
    )
    values = [_time(entry, "hybrid", unit) for entry in shown]
    bars = axes.barh([_plain(entry) for entry in shown], values, color=[_colour(entry) for entry in shown])
    axes.bar_label(bars, labels=[f"{value:.3g}" for value in values], padding=3)
    axes.margins(x=0.12)
    axes.set(title="Hybrid search", xlabel=_label(unit))


def _recall(axes: Any, done: Sequence[Measured], unit: Measured | None) -> None:
    shown = [entry for entry in done if "vector" in entry.searches]
    for entry in shown:
        time, recall = _time(entry, "vector", unit), entry.searches["vector"].recall
        axes.scatter(time, recall, color=_colour(entry), zorder=3)
        axes.annotate(_plain(entry), (time, recall), xytext=(5, -9), textcoords="offset points", fontsize=8)
    axes.set_xscale("log")
    axes.grid(alpha=0.3)
    axes.set(title="Vector search", xlabel=_label(unit), ylabel="recall@10 against the exact answer")


def _plain(entry: Measured) -> str:
    return entry.name.replace("`", "")
