"""Put the graph of a snapshot together from the facts of its files."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple, TypeVar

from ragduck.edge_table import EdgeTable, gathered, merged, together
from ragduck.facts import FileFacts, ObjectFact
from ragduck.garbage import without_collection
from ragduck.graph.code.asked_members import AskedMembers
from ragduck.graph.code.file_uses import FileUses, UsesOfFiles
from ragduck.graph.code.graph import CodeParts, code_parts
from ragduck.graph.code.handled_events import handled_event_graph
from ragduck.graph.code.implementations import Implementations
from ragduck.graph.code.own_objects import without_idle_uses
from ragduck.graph.code.roles import renamed_keys
from ragduck.graph.code.template_events import template_event_graph
from ragduck.graph.code.uses import Users
from ragduck.graph.code.views import view_graph
from ragduck.graph.code.web_forms import web_form_graph
from ragduck.graph.code.xaml import xaml_graph
from ragduck.graph.database.external import external_graph
from ragduck.graph.database.graph import DatabaseCatalog, database_graph
from ragduck.graph.database.renames import ScriptRuns
from ragduck.graph.database.spellings import spelled_otherwise
from ragduck.graph.entities.graph import entity_graph
from ragduck.graph.file_rows import FileRows, ReadAnew
from ragduck.graph.inline_sql.graph import inline_sql_graph
from ragduck.graph.migrations.graph import created_objects, migration_graph
from ragduck.graph.migrations.history import Migration
from ragduck.graph.migrations.reading import read_migrations
from ragduck.graph.migrations.scripts import script_runs
from ragduck.graph.rule_memory import NO_NODES, RuleMemory, RulesOfFiles, Terms
from ragduck.graph.types.catalog import Catalog
from ragduck.model import Graph, Node, ParseProblem
from ragduck.node_table import first_of_each

_ANEW = ReadAnew()
GRAPH = "(graph)"  # stands for a path in problems that no single file has
CODE_PREFIXES = (
    "csharp:",
    "python:",
    "typescript:",
    "javascript:",
    "java:",
    "go:",
    "razor:",
    "webforms:",
    "file:",
)


class Ruled(NamedTuple):
    """What a kind of rule found, and what it could make no sense of."""

    graph: Graph
    problems: tuple[ParseProblem, ...] = ()


class Parts(NamedTuple):
    """What kinds of rules found, and what they could make no sense of."""

    nodes: Sequence[Sequence[Node]]
    used: Sequence[EdgeTable]  # which are not gathered yet
    told: EdgeTable
    problems: tuple[ParseProblem, ...]


class Stored(NamedTuple):
    """What databases hold and what is outside of them, what migrations do, and what code does to all that."""

    objects: Graph = Graph()
    outside: Graph = Graph()
    migrations: Graph = Graph()
    access: Graph = Graph()
    problems: tuple[ParseProblem, ...] = ()


def build_graph(
    files: Iterable[FileFacts],
    *,
    uses: UsesOfFiles | None = None,
    stored: Callable[[], Stored] | None = None,
    rows: FileRows = _ANEW,
    rules: RulesOfFiles | None = None,
) -> Ruled:
    """Return the nodes and edges of a snapshot, and what no rule could make sense of.

    Each kind of rule works on its own: one that fails costs its edges and is reported. ``uses`` gives what the
    statements of all files use, where other processes look for it meanwhile or an earlier run did; ``stored``
    likewise what `stored_among` finds, which else takes over ``rows`` that are known. ``rules`` keeps what the rules
    for code find for the next run.
    """
    with without_collection():
        return _built(tuple(files), uses, stored, rules, rows)


def stored_among(files: Iterable[FileFacts], rows: FileRows = _ANEW) -> Stored:
    """Return what databases hold, and what code does to it: half of the time of all rules.

    The others need to know nothing of databases and of migrations. ``rows`` know what was read off files before.
    """
    with without_collection():
        return _stored_among(tuple(files), rows)


def uses_among(files: Iterable[FileFacts], places: slice) -> FileUses:
    """Return what the statements of some of the files call and use."""
    with without_collection():
        return _uses_among(tuple(files), places)


def parts_among(files: Iterable[FileFacts], stored: Stored) -> Parts:
    """Return what all kinds of rules find, those for databases what is ``stored``."""
    with without_collection():
        return _parts(tuple(files), None, lambda: stored, RuleMemory(), _ANEW)


def _stored_among(files: Sequence[FileFacts], rows: FileRows) -> Stored:
    return stored_in(Catalog(files), files, rows)


def stored_in(catalog: Catalog, files: Sequence[FileFacts], rows: FileRows) -> Stored:
    """Return the same of files of which the catalog is known."""
    problems: list[ParseProblem] = []
    nothing: tuple[Migration, ...] = ()
    migrations = _attempt(lambda: tuple(read_migrations(catalog, rows)), nothing, problems=problems)
    database = _database(files, catalog, migrations, problems=problems)
    rules: tuple[Callable[[], Graph], ...] = (
        lambda: database_graph(database),
        lambda: external_graph(catalog, database),
        lambda: migration_graph(catalog, migrations, database),
        lambda: inline_sql_graph(catalog, database, migrations=migrations, rows=rows),
        lambda: entity_graph(catalog, database, rows=rows),
    )
    found = [_attempt(rule, Graph(), problems=problems) for rule in rules]
    objects, outside, changes, inline, entities = (Graph(one.nodes, EdgeTable.of(one.edges)) for one in found)
    edges = together([EdgeTable.of(one.edges) for one in (inline, entities)])
    access = Graph((*inline.nodes, *entities.nodes), edges)
    return Stored(objects, outside, changes, access, tuple(problems))


def _uses_among(files: Sequence[FileFacts], places: slice) -> FileUses:
    return users_in(Catalog(files)).read(files[places])


def users_in(catalog: Catalog) -> Users:
    """Return what reads the statements of files of a catalog, where nothing is known of them."""
    return Users(catalog, implementations=Implementations(catalog), renamed=renamed_keys(catalog))


def _built(
    files: Sequence[FileFacts],
    uses: UsesOfFiles | None,
    stored: Callable[[], Stored] | None,
    rules: RulesOfFiles | None,
    rows: FileRows,
) -> Ruled:
    memory = rules.begun(files) if rules is not None else RuleMemory()
    parts = _parts(memory.watched(files), uses, stored, memory, rows)
    if rules is not None:
        rules.keep(memory, files)
    del files, memory
    return put_together(parts)


def put_together(parts: Parts) -> Ruled:
    """Return the graph that the parts make: each node once, edges that say the same as one, no end without a node."""
    nodes = first_of_each(parts.nodes)
    known = nodes.columns["node_key"]
    found = together([gathered(parts.used), parts.told])
    undefined = found.ends_beside(known)
    names = spelled_otherwise(found, undefined, known=known, code=CODE_PREFIXES)
    edges = merged([found.renamed(names) if names else found])
    outside = external_nodes(undefined - names.keys())
    return Ruled(Graph(nodes.followed_by(outside), edges), parts.problems)


def _parts(
    files: Sequence[FileFacts],
    uses: UsesOfFiles | None,
    stored: Callable[[], Stored] | None,
    memory: RuleMemory,
    rows: FileRows,
) -> Parts:
    """Return what each kind of rule finds, that of code first."""
    problems: list[ParseProblem] = []
    catalog = Catalog(files, memory.watch)
    of_data = stored or _known(stored_in(catalog, files, rows))
    shown = [_attempt(rule, Graph(), problems=problems) for rule in _of_views(catalog, memory)]
    code = _attempt(lambda: code_parts(catalog, uses, memory), CodeParts(NO_NODES, ()), problems=problems)
    data = of_data()
    others = [data.objects, data.outside, *shown, data.migrations, data.access]
    told = together([EdgeTable.of(part.edges) for part in others])
    used = without_idle_uses(code.edges, told, catalog)
    return Parts([code.nodes, *(part.nodes for part in others)], used, told, (*data.problems, *problems))


def _of_views(catalog: Catalog, memory: RuleMemory) -> Iterator[Callable[[], Graph]]:
    """Yield the rules for what shows something, which make no nodes."""
    rules: Mapping[str, Callable[[Catalog], Graph]] = {
        "views": view_graph,
        "web forms": web_form_graph,
        "handled events": handled_event_graph,
        "template events": template_event_graph,
        "xaml": xaml_graph,
    }
    for name, rule in rules.items():
        terms = Terms(regards=AskedMembers(catalog).has_beside_tests) if rule is view_graph else Terms()
        yield partial(_edges_of, name, partial(rule, catalog), memory, terms)


def _edges_of(name: str, rule: Callable[[], Graph], memory: RuleMemory, terms: Terms) -> Graph:
    return Graph(edges=memory.edges(name, lambda: EdgeTable.of(rule().edges), terms))


def _known(found: Stored) -> Callable[[], Stored]:
    return lambda: found


def _database(
    files: Sequence[FileFacts],
    catalog: Catalog,
    migrations: Sequence[Migration],
    *,
    problems: list[ParseProblem],
) -> DatabaseCatalog:
    """Know what SQL files and migrations in code define."""
    nothing: tuple[ObjectFact, ...] = ()
    created = _attempt(lambda: created_objects(catalog, migrations), nothing, problems=problems)
    runs = _attempt(lambda: script_runs(catalog, migrations), ScriptRuns(), problems=problems)
    return DatabaseCatalog(files, created=created, runs=runs)


Found = TypeVar("Found")


def _attempt(rule: Callable[[], Found], otherwise: Found, *, problems: list[ParseProblem]) -> Found:
    """Apply a kind of rule; a bug in it must not cost the user the store."""
    try:
        return rule()
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        message = f"{type(error).__name__} in {place.name}: {error}"
        problems.append(ParseProblem(GRAPH, place.lineno or 1, message))
        return otherwise


def external_nodes(undefined: Iterable[str]) -> tuple[Node, ...]:
    """Make nodes of what edges name and nothing defines."""
    return tuple(_external_node(key) for key in sorted(undefined))


def _external_node(key: str) -> Node:
    name, _, kind = key.rpartition("|")
    if name.startswith(CODE_PREFIXES):
        return Node(key, kind, name.rpartition(".")[2], "regular_code", is_external=True)
    schema, _, simple = name.rpartition(".")
    return Node(key, kind, simple, "db_code", schema=schema.rpartition(".")[2] or None, is_external=True)
