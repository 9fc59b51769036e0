"""What the graph tells of exactly what a question asks, line by line, for a prompt beside the relations around it."""

from __future__ import annotations

from collections.abc import Iterator

from ragduck.pipeline.answering.column_lines import lines_naming, told_of_column
from ragduck.pipeline.answering.reaching_lines import told_of_endings, told_of_reached
from ragduck.pipeline.answering.way_lines import told_of_way
from ragduck.pipeline.state import State
from ragduck.search.neighbourhood import Neighbourhood


def told_of_asked(state: State, neighbourhood: Neighbourhood) -> Iterator[str]:
    """Yield what names an asked column, what reaches a thing, the way between two, where a change is noticed."""
    if state.column is not None:
        yield from told_of_column(state.column)
        yield from (line.text for line in lines_naming(neighbourhood, state.column))
    for told in (
        told_of_reached(state),
        told_of_way(state.way) if state.way else (),
        told_of_endings(state.endings) if state.endings else (),
    ):
        for part in told:
            yield from part.splitlines()
