"""Say what names a column: those that touch its table and have it in their text, and how many there are."""

from __future__ import annotations

from collections.abc import Iterator

from ragduck.pipeline.answering.asked_numbers import graph_command
from ragduck.pipeline.answering.names import code, short_name
from ragduck.pipeline.retrieval.column_uses import TOUCHING
from ragduck.pipeline.retrieval.graph_lines import GraphLine, lines_of_edges
from ragduck.pipeline.state import ColumnUses
from ragduck.search.neighbourhood import Neighbourhood
from ragduck.shell import quote


def lines_naming(neighbourhood: Neighbourhood, uses: ColumnUses) -> list[GraphLine]:
    """Return the lines of what names the column, those that touch the table first."""
    touching = (
        edge
        for edge in neighbourhood.edges
        if edge.to_key == uses.table and edge.relation in TOUCHING and edge.from_key in uses.naming
    )
    using = (
        edge
        for edge in neighbourhood.edges
        if edge.to_key in uses.properties and edge.relation == "Uses" and edge.from_key in uses.using
    )
    return [*lines_of_edges(neighbourhood, touching), *lines_of_edges(neighbourhood, using)]


def told_of_column(uses: ColumnUses) -> Iterator[str]:
    """Yield how many of those that touch its table name the column, how to see all, and how many use its property."""
    table, column = code(short_name(uses.table)), code(uses.column)
    number = len(uses.naming)
    relations = " ".join(f"-r {name}" for name in TOUCHING)
    command = graph_command((uses.table,), f"{relations} --direction in", number=uses.touching)
    if uses.touching:
        names = f"{number} of {uses.touching} that touch {table} name{'s' if number == 1 else ''} {column}"
        yield f"Columns are no nodes of the graph: it is their texts that tell who names {column}."
        yield f"{names if number else f'None of {uses.touching} that touch {table} names {column}'}; all: {command}"
    if uses.using:
        properties = ", ".join(code(short_name(key)) for key in uses.properties)
        number = len(uses.using)
        yield f"{number} use{'s' if number == 1 else ''} {properties}."
    name = uses.table.partition("|")[0]
    further = (
        f"ragduck sql STORE @what_names_a_column --set {quote(f'object={name}')} --set column={uses.column}"
    )
    yield f"With what reads it through views, and members of other classes that are called so: {code(further)}"
