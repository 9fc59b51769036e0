"""Say how many edges there are that a question asks for, also when there is none: 12 callers, no writer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ragduck.pipeline.answering.names import code, short_name
from ragduck.pipeline.question.asked_relations import DEPENDING, IMPACT
from ragduck.pipeline.retrieval.asked_edges import AskedEdges, ids_of, lines_asked_for
from ragduck.pipeline.retrieval.graph_lines import DATABASE_KINDS, GraphLine, lines_of_edges
from ragduck.search.neighbourhood import Neighbourhood
from ragduck.shell import quote

MAX_NODES_OF_COMMAND = 120  # that `ragduck graph` shows by itself
MAX_NAMES = 3
CALLS = frozenset(("Calls", "Executes"))
USES = frozenset((*CALLS, "Uses", "Injects", "ReadsFrom", "WritesTo"))
HANDLED = frozenset(("Handles",))
STANDING_ON = frozenset(("On",))
USED_OTHERWISE = frozenset((*USES, "Handles"))
OF_MEMBERS = frozenset(
    (*CALLS, "ReadsFrom", "WritesTo")
)  # what members do and have done to them, not their types
WITH_MEMBERS = ("TYPE", "MIGRATION")  # files are entered by their members
ONLY_USED = ("PROPERTY", "FIELD", "DBSET")  # whatever people call it: who reads a property uses it

NOT_READ_OF_CALLS = "calls by reflection, from containers and from packages are not read"
NOT_READ_OF_STATEMENTS = "statements that are only put together at run time and other systems are not read"
NOT_READ_OF_TYPES = "packages are not read"
NOT_READ_OF_KEYS = "only keys that scripts and models declare are read"
NOT_READ_OF_SCRIPTS = "only what scripts create is read"
KIND_NOUNS: Mapping[str, tuple[str, str]] = {
    "PROC": ("a procedure", "procedures"),
    "FUNC": ("a function", "functions"),
    "TRIGGER": ("a trigger", "triggers"),
    "VIEW": ("a view", "views"),
    "TABLE": ("a table", "tables"),
    "INDEX": ("an index", "indexes"),
    "METHOD": ("a method", "methods"),
    "MIGRATION": ("a migration", "migrations"),
}


@dataclass(frozen=True, slots=True)
class Noun:
    """What edges are called: a caller, callers of something; ``not_read`` is why none may be known."""

    one: str
    many: str
    link: str
    not_read: str


OTHER_NOUN = Noun("relation asked for", "relations asked for", "of", NOT_READ_OF_CALLS)
NOUNS = {
    ("in", CALLS): Noun("caller", "callers", "of", NOT_READ_OF_CALLS),
    ("out", CALLS): Noun("call", "calls", "by", NOT_READ_OF_CALLS),
    ("in", USES): Noun("use", "uses", "of", NOT_READ_OF_CALLS),
    ("out", USES): Noun("thing used", "things used", "by", NOT_READ_OF_CALLS),
    ("in", frozenset(("ReadsFrom",))): Noun("reader", "readers", "of", NOT_READ_OF_STATEMENTS),
    ("out", frozenset(("ReadsFrom",))): Noun("object read", "objects read", "by", NOT_READ_OF_STATEMENTS),
    ("in", frozenset(("WritesTo",))): Noun("writer", "writers", "of", NOT_READ_OF_STATEMENTS),
    ("out", frozenset(("WritesTo",))): Noun("object written", "objects written", "by", NOT_READ_OF_STATEMENTS),
    ("in", frozenset(("ReadsFrom", "WritesTo"))): Noun(
        "read or write", "reads and writes", "of", NOT_READ_OF_STATEMENTS
    ),
    ("out", frozenset(("ReadsFrom", "WritesTo"))): Noun(
        "read or write", "reads and writes", "by", NOT_READ_OF_STATEMENTS
    ),
    ("in", frozenset(("Implements",))): Noun("implementation", "implementations", "of", NOT_READ_OF_TYPES),
    ("out", frozenset(("Implements",))): Noun("interface", "interfaces", "of", NOT_READ_OF_TYPES),
    ("in", frozenset(("Inherits",))): Noun("derived type", "derived types", "of", NOT_READ_OF_TYPES),
    ("out", frozenset(("Inherits",))): Noun("base type", "base types", "of", NOT_READ_OF_TYPES),
    ("in", frozenset(("Injects",))): Noun("injection", "injections", "of", NOT_READ_OF_TYPES),
    ("out", frozenset(("Injects",))): Noun("injection", "injections", "into", NOT_READ_OF_TYPES),
    ("in", frozenset(("ForeignKey",))): Noun(
        "foreign key", "foreign keys", "to", NOT_READ_OF_KEYS
    ),
    ("out", frozenset(("ForeignKey",))): Noun(
        "foreign key", "foreign keys", "of", NOT_READ_OF_KEYS
    ),
    ("in", IMPACT): Noun("direct dependent", "direct dependents", "of", NOT_READ_OF_CALLS),
    ("out", DEPENDING): Noun("thing needed", "things needed", "by", NOT_READ_OF_CALLS),
    ("in", DEPENDING): Noun("direct dependent", "direct dependents", "of", NOT_READ_OF_CALLS),
    ("in", frozenset(("Handles",))): Noun("thing handled", "things handled", "by", NOT_READ_OF_CALLS),
    ("out", frozenset(("Handles",))): Noun("handler", "handlers", "of", NOT_READ_OF_CALLS),
    ("in", frozenset(("Uses",))): Noun("use", "uses", "of", NOT_READ_OF_CALLS),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class AskedAnswer:
    """The lines that are asked for, and what is said of their number before them.

    ``same`` are further lines about what these tell: of a dependent that is tied in several ways.
    """

    lines: tuple[GraphLine, ...]
    told: tuple[str, ...]
    same: tuple[GraphLine, ...] = ()


def asked_answer(
    neighbourhood: Neighbourhood, wanted: AskedEdges, *, total: int | None, most: int
) -> AskedAnswer:
    """Return the lines that a question asks for of what it names, and their true number; without it they are counted.

    Where none is known, what is tied to it as a user of another kind is shown instead: pages, and users of a type.
    """
    asked = wanted.asked
    if asked.is_own:
        lines = lines_asked_for(neighbourhood, wanted)
        return AskedAnswer(tuple(lines), _told_of_own(wanted, lines, total, most))
    if not wanted.is_counted:
        return AskedAnswer(
            tuple(lines_asked_for(neighbourhood, wanted)), _told_of_both(neighbourhood, wanted, total, most)
        )
    kinds = {node.kind for node in neighbourhood.nodes if node.node_id in ids_of(neighbourhood, wanted)}
    if asked.direction == "in" and _are_uses(asked.relations, kinds):
        wanted, total = replace(wanted, asked=replace(asked, relations=USES)), None
    lines = lines_asked_for(neighbourhood, wanted)
    number = max(total or 0, len(lines))
    if number:
        told = _some(wanted, kinds, number, shown=min(len(lines), most))
        return AskedAnswer(tuple(lines), (told,), _same(neighbourhood, wanted))
    others = _used_otherwise(neighbourhood, wanted)
    none = _none(wanted, kinds)
    return AskedAnswer(tuple(others), (f"{none} It is used otherwise:" if others else none,))


def _same(neighbourhood: Neighbourhood, wanted: AskedEdges) -> tuple[GraphLine, ...]:
    if not wanted.asked.is_impact:
        return ()
    ids = ids_of(neighbourhood, wanted)
    between = (edge for edge in neighbourhood.edges if edge.to_id in ids and edge.relation in IMPACT)
    return tuple(lines_of_edges(neighbourhood, between))


def _are_uses(relations: frozenset[str], kinds: set[str]) -> bool:
    """Whether it is uses that are meant: who reads a property, which classes reference a type."""
    if relations == frozenset(("ForeignKey",)):
        return kinds.isdisjoint(DATABASE_KINDS)
    return (relations < USES or relations == HANDLED) and bool(kinds) and kinds.issubset(ONLY_USED)


def noun_of(wanted: AskedEdges) -> Noun:
    """Return what the edges are called that a question asks for."""
    asked = wanted.asked
    if asked.relations == STANDING_ON:
        return Noun(*_one_and_many(asked.kinds), "on", NOT_READ_OF_SCRIPTS)
    return NOUNS.get((asked.direction, asked.relations), OTHER_NOUN)


def _one_and_many(kinds: frozenset[str]) -> tuple[str, str]:
    """Return what nodes of kinds are called: trigger and triggers."""
    nouns = [KIND_NOUNS[kind] for kind in sorted(kinds)]
    return " or ".join(one.partition(" ")[2] for one, _ in nouns), " and ".join(many for _, many in nouns)


def _of_kind(wanted: AskedEdges, *, is_one: bool) -> str:
    """Return what is said of the kind that is asked for: that are procedures."""
    if not wanted.asked.kinds or wanted.asked.relations == STANDING_ON:
        return ""
    nouns = [KIND_NOUNS[kind] for kind in sorted(wanted.asked.kinds)]
    if is_one:
        return f" that is {' or '.join(one for one, _ in nouns)}"
    return f" that are {' or '.join(many for _, many in nouns)}"


def _told_of_own(
    wanted: AskedEdges, lines: Sequence[GraphLine], total: int | None, most: int
) -> tuple[str, ...]:
    """Say how much a thing is tied to itself; of nothing nothing is said, as it was not asked for."""
    number, shown = max(total or 0, len(lines)), min(len(lines), most)
    what = f"direct tie{'' if number == 1 else 's'} of {_named(wanted, set())}"
    if not lines:
        return ()
    if shown >= number:
        return (f"{number} {what}, its own doing first:",)
    return (
        f"{shown} of {number} {what}, its own doing first; all: {graph_command(wanted.keys, '', number=number)}",
    )


def _told_of_both(
    neighbourhood: Neighbourhood, wanted: AskedEdges, total: int | None, most: int
) -> tuple[str, ...]:
    shown = min(len(lines_asked_for(neighbourhood, wanted)), most)
    return (
        (f"{shown} of {total} relations; all: {_command(wanted, total)}",) if total and shown < total else ()
    )


def _used_otherwise(neighbourhood: Neighbourhood, wanted: AskedEdges) -> list[GraphLine]:
    if wanted.asked.direction != "in" or not wanted.asked.relations <= USES:
        return []
    relations = wanted.asked.relations if wanted.asked.kinds else USED_OTHERWISE
    widened = replace(wanted, asked=replace(wanted.asked, relations=relations, kinds=frozenset()))
    ids = ids_of(neighbourhood, wanted)
    others = (
        edge for edge in neighbourhood.edges if widened.includes(edge, ids, {}) and edge.from_id not in ids
    )
    return lines_of_edges(neighbourhood, others)


def _some(wanted: AskedEdges, kinds: set[str], number: int, *, shown: int) -> str:
    noun = noun_of(wanted)
    of_kind = _of_kind(wanted, is_one=number == 1)
    what = f"{noun.one if number == 1 else noun.many} {noun.link} {_named(wanted, kinds)}{of_kind}"
    if shown >= number:
        return f"{number} {what}:"
    if wanted.names_file and wanted.asked.relations != CALLS:
        return f"{shown} of {number} {what}:"
    return f"{shown} of {number} {what}; all: {_command(wanted, number)}"


def _none(wanted: AskedEdges, kinds: set[str]) -> str:
    noun = noun_of(wanted)
    none = f"No {noun.one} {noun.link} {_named(wanted, kinds)}{_of_kind(wanted, is_one=True)} is known"
    if not _lies_in_members(wanted, kinds):
        by_statements = kinds.issubset(DATABASE_KINDS) and noun.not_read != NOT_READ_OF_SCRIPTS
        not_read = NOT_READ_OF_STATEMENTS if by_statements else noun.not_read
        return f"{none}: {not_read}."
    if wanted.asked.relations == CALLS:
        return f"{none}; with its members: {_command(wanted, 0)}."
    return f"{none}; ask of one of its members."


def _lies_in_members(wanted: AskedEdges, kinds: set[str]) -> bool:
    """Whether it is members of what is named that have the edges rather than that itself."""
    is_type = not wanted.names_file and not kinds.isdisjoint(WITH_MEMBERS)
    return is_type and wanted.asked.relations <= OF_MEMBERS


def _named(wanted: AskedEdges, kinds: set[str]) -> str:
    short = list(dict.fromkeys(map(short_name, wanted.keys)))
    beside = {f"{name}{ending}" for name in short for ending in (".cs", ".vb")}  # the code of a page
    names = [code(name) for name in short if name not in beside]
    more = [f"{len(names) - MAX_NAMES} more"] if len(names) > MAX_NAMES else []
    itself = " itself" if _lies_in_members(wanted, kinds) else ""
    return ", ".join([*names[:MAX_NAMES], *more]) + itself


def _command(wanted: AskedEdges, number: int) -> str:
    """Return the command that shows all that is asked for."""
    relations, way = wanted.asked.relations, wanted.asked.direction
    if wanted.asked.is_impact:
        asked = "--impact"
    elif relations == CALLS and way != "both":
        asked = "--callers" if way == "in" else "--callees"
    else:
        asked = " ".join([*(f"-r {name}" for name in sorted(relations)), f"--direction {way}"])
    return graph_command(wanted.keys, asked, number=number)


def graph_command(keys: Sequence[str], asked: str, *, number: int) -> str:
    """Return the command that shows so many neighbours of nodes, as code."""
    named = " ".join(map(quote, keys))
    nodes = f" --max-nodes {number + len(keys)}" if number >= MAX_NODES_OF_COMMAND else ""
    return code(" ".join(f"ragduck graph STORE {named} {asked} --depth 1{nodes}".split()))
