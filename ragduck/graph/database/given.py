"""Tie what callers give to procedures that run it to the callers: texts of SQL, and names of procedures."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator

from ragduck.facts import FileFacts, ReferenceFact
from ragduck.graph.database.catalog import DatabaseCatalog
from ragduck.graph.database.sources import source_of
from ragduck.sqlreader.given import EITHER, GIVES, HANDS_ON, NAME, RUNS, TEXT, read_gives

_RULE = "dynamic sql"
_ALL = frozenset({TEXT, NAME})
_Parameter = tuple[str, str]  # key of the procedure, name or place


def given_references(database: DatabaseCatalog) -> Iterator[tuple[FileFacts, ReferenceFact]]:
    """Yield, with the file, what the texts name that are run because they are given to a procedure that does so."""
    ran = _ran(database)
    if not ran:
        return
    for file in database.files:
        for reference in file.references:
            if reference.relation != GIVES:
                continue
            _, own_schema = source_of(reference, file, database)
            receiver, kind = read_gives(reference.detail)
            procedure = database.find(receiver.procedure, kind="PROC", own_schema=own_schema)
            kinds = ran.get((procedure or "", receiver.parameter), set())
            if kinds & (_ALL if kind == EITHER else {kind}):
                yield file, reference._replace(relation=reference.rule, rule=_RULE, detail="")


def _ran(database: DatabaseCatalog) -> dict[_Parameter, set[str]]:
    """Return as what parameters are run, also by procedures that they are handed on to."""
    ran: defaultdict[_Parameter, set[str]] = defaultdict(set)
    givers: defaultdict[_Parameter, list[tuple[_Parameter, _Parameter, str]]] = defaultdict(list)
    found: list[tuple[_Parameter, str]] = []
    for file in database.files:
        for reference in file.references:
            if reference.relation not in (RUNS, HANDS_ON):
                continue
            own, own_schema = source_of(reference, file, database)
            if own is None:
                continue
            if reference.relation == RUNS:
                found += [((own, name), reference.kind) for name in (reference.name.name, reference.detail)]
                continue
            parameter, name, place = json.loads(reference.detail)
            procedure = database.find(reference.name, kind="PROC", own_schema=own_schema)
            if procedure:
                givers[procedure, parameter].append(((own, name), (own, place), reference.kind))
    while found:
        one, kind = found.pop()
        if kind in ran[one]:
            continue
        ran[one].add(kind)
        for by_name, by_place, handed in givers.get(one, ()):
            own_kind = kind if handed == EITHER else handed
            if kind == TEXT or handed == EITHER:
                found += [(by_name, own_kind), (by_place, own_kind)]
    return ran
