"""Draw what was measured: bars for three kinds of search, with the recall of each."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from document import TITLES, Circumstances, number
from results import Measured
from roster import UNIT

OWN, OTHER = "#d95f02", "#4c72b0"
SHOWN = ("hybrid", "vector", "narrow")


def draw(run: Circumstances, measured: Sequence[Measured], path: Path) -> None:
    """Write a PNG file with one panel for each kind of search that a peer served."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    done = [entry for entry in measured if entry.problem is None]
    unit = next((entry for entry in done if entry.name == UNIT), None) if run.busy else None
    kinds = [kind for kind in SHOWN if any(kind in entry.searches for entry in done)]
    figure, panels = plt.subplots(
        1, max(len(kinds), 1), figsize=(20, 5.5), layout="constrained", squeeze=False
    )
    for axes, kind in zip(panels[0], kinds, strict=False):
        _bars(axes, [entry for entry in done if kind in entry.searches], kind, unit)
    figure.suptitle(f"{run.chunks:,} chunks, {run.top_k} results, {run.date}")
    figure.savefig(path, dpi=90)
    plt.close(figure)


def _bars(axes: Any, entries: Sequence[Measured], kind: str, unit: Measured | None) -> None:
    """Draw the slowest at the bottom; in brackets what share of the exact answer came back, where not all did."""
    shown = sorted(entries, key=lambda entry: -_time(entry, kind, unit))
    names = [entry.name.replace("`", "") for entry in shown]
    colours = [OWN if entry.name.startswith("ragduck") else OTHER for entry in shown]
    bars = axes.barh(names, [_time(entry, kind, unit) for entry in shown], color=colours)
    axes.bar_label(bars, labels=[_label(entry, kind, unit) for entry in shown], padding=3)
    axes.set_xscale("log")
    axes.margins(x=0.3)
    axes.set_xlim(right=4 * axes.get_xlim()[1])  # room for the longest label
    told = "processor time, in multiples of ragduck's Store.search" if unit else "median, milliseconds"
    axes.set(title=TITLES[kind], xlabel=told)


def _time(entry: Measured, kind: str, unit: Measured | None) -> float:
    own = entry.searches[kind]
    return own.cpu_median / unit.searches[kind].cpu_median if unit else own.median


def _label(entry: Measured, kind: str, unit: Measured | None) -> str:
    recall = entry.searches[kind].recall
    missed = f" (recall {recall:.2f})" if recall is not None and recall < 0.995 else ""
    return f"{number(_time(entry, kind, unit))}{missed}"
