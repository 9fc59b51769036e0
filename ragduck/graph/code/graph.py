"""Make the code part of the graph: what files, types and members there are and how they use each other."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from ragduck.edge_table import EdgeTable, gathered
from ragduck.facts import FileFacts
from ragduck.graph.code.asked_members import AskedMembers
from ragduck.graph.code.changed_types import OF_DECLARATIONS, types_for
from ragduck.graph.code.data_portals import add_data_portal_calls, is_operation
from ragduck.graph.code.edges import EdgeCollector
from ragduck.graph.code.file_uses import UsesOfFiles
from ragduck.graph.code.grpc import add_grpc_calls
from ragduck.graph.code.hierarchy import add_hierarchy, given_bases_in
from ragduck.graph.code.hubs import HUBS, add_hub_calls, hubs_of
from ragduck.graph.code.implementations import Implementations
from ragduck.graph.code.injection import add_injections
from ragduck.graph.code.message_handlers import may_handle
from ragduck.graph.code.messages import MessageHandlers
from ragduck.graph.code.nodes import add_containment, lines_in, nodes_of, remade
from ragduck.graph.code.raised_events import add_raised
from ragduck.graph.code.requests import Requests
from ragduck.graph.code.role_rules import OF_TYPES, RoleRules
from ragduck.graph.code.roles import may_be_renamed, renamed_keys
from ragduck.graph.code.service_proxies import add_proxied
from ragduck.graph.code.uses import NAMES, Users
from ragduck.graph.code.web_services import CLIENTS, add_web_service_calls, client_keys
from ragduck.graph.file_rows import Reach
from ragduck.graph.rule_memory import RuleMemory, Terms, is_nothing
from ragduck.graph.types.catalog import Catalog, TypeInfo
from ragduck.graph.types.looks import ChangedMembers
from ragduck.model import Graph
from ragduck.node_table import NodeTable

NAMED = Terms(after=(NAMES,))


class CodeParts(NamedTuple):
    """The nodes of all files, types and members, and what relates them as the rules found it, not yet gathered."""

    nodes: NodeTable
    edges: Sequence[EdgeTable]


def code_graph(catalog: Catalog) -> Graph:
    """Return the nodes of all files, types and members, and what relates them."""
    found = code_parts(catalog)
    return Graph(found.nodes, gathered(found.edges))


def code_parts(
    catalog: Catalog, uses: UsesOfFiles | None = None, memory: RuleMemory | None = None
) -> CodeParts:
    """Return the parts of that graph, which are gathered when the catalog is let go: that takes as much memory.

    ``uses`` gives what the statements of all files call and use, where not all of them are to be read here;
    ``memory`` has what other rules found in an earlier run.
    """
    memory = memory or RuleMemory()
    implementations = Implementations(catalog, memory)
    implementations.read()

    terms = Terms(after=implementations.RULES, regards=is_nothing, reach=Reach.OWN)
    with memory.sharing(lambda: implementations.told, terms):
        return _parts(catalog, uses, memory, implementations)


def _parts(
    catalog: Catalog, uses: UsesOfFiles | None, memory: RuleMemory, implementations: Implementations
) -> CodeParts:
    renamed = memory.words(
        NAMES, lambda: renamed_keys(catalog), Terms(regards=may_be_renamed, reach=Reach.OWN)
    )
    role_rules = RoleRules(catalog, memory, implementations)
    roles = role_rules.read()
    rules = _Rules(catalog, memory, renamed=renamed, implementations=implementations)
    edges = EdgeCollector(renamed)
    for table in (*rules.of_types(roles), *rules.of_statements()):
        edges.take(table)
    nodes = memory.nodes(
        "nodes",
        lambda: nodes_of(catalog, renamed=renamed, roles=roles),
        partial(lines_in, renamed=renamed),
        NAMED._replace(regards=is_nothing, reach=Reach.OWN, is_of_declarations=True),
        lambda known, paths: remade(
            known,
            paths,
            role_rules.differing | memory.other_types,
            catalog,
            renamed=renamed,
            roles=roles,
        ),
    )
    users = Users(catalog, memory, implementations=implementations, renamed=renamed)
    found = uses(users) if uses is not None else users.read(catalog.files.values())
    edges.take(found.edges)
    edges.take(users.settled(found))
    add_raised(catalog, found.edges, edges)
    parts = edges.parts()
    return CodeParts(nodes, parts)


class _Rules:
    """Find what the rules find that do not look at all statements, or find it again."""

    def __init__(
        self,
        catalog: Catalog,
        memory: RuleMemory,
        *,
        renamed: Mapping[str, str],
        implementations: Implementations,
    ) -> None:
        self._catalog = catalog
        self._memory = memory
        self._renamed = renamed
        self._implementations = implementations

    def of_types(self, roles: Mapping[str, str]) -> Iterator[EdgeTable]:
        """Yield the edges that stand where types are declared."""
        catalog = self._catalog

        def containment(edges: EdgeCollector, files: Collection[FileFacts] | None) -> None:
            add_containment(catalog, edges, catalog.files.values() if files is None else files)

        def hierarchy(edges: EdgeCollector, files: Collection[FileFacts] | None) -> None:
            given = given_bases_in(catalog, files or ())
            add_hierarchy(catalog, edges, dict.fromkeys((*self._types_in(files), *given)))

        def injections(edges: EdgeCollector, files: Collection[FileFacts] | None) -> None:
            types = self._types_in(files)
            add_injections(catalog, edges, types, implementations=self._implementations, roles=roles)

        by_names = NAMED._replace(reach=Reach.OWN, is_of_declarations=True)
        yield self._edges_in("containment", containment, by_names._replace(bear=self._declaring))
        yield self._edges_in("hierarchy", hierarchy, by_names._replace(bear=self._below_owners))
        by_roles = by_names._replace(after=(NAMES, *OF_TYPES), is_sharing=True, bear=self._of_owners)
        yield self._edges_in("injections", injections, by_roles)

    def of_statements(self) -> Iterator[EdgeTable]:
        """Yield the edges that stand where statements do, of those that some names tell apart from others."""
        catalog = self._catalog
        is_asked = AskedMembers(catalog).has_beside_tests
        requests = Requests(catalog, self._memory, is_asked=is_asked)
        answered = Terms(after=(NAMES, *requests.RULES), regards=is_asked, reach=Reach.OWN)

        def services(edges: EdgeCollector) -> None:
            add_web_service_calls(catalog, edges, implementations=self._implementations)

        handled = NAMED._replace(regards=partial(may_handle, catalog), reach=Reach.OWN)
        yield self._edges("messages", lambda edges: MessageHandlers(catalog).add_edges(edges), handled)
        yield self._edges("requests", requests.add_edges, answered)
        yield self._edges("proxied", lambda edges: add_proxied(catalog, edges), NAMED)
        yield self._edges("grpc", lambda edges: add_grpc_calls(catalog, edges), NAMED)
        hubs = self._memory.words(HUBS, lambda: {info.key: "" for info in hubs_of(catalog)}, OF_DECLARATIONS)
        found = [catalog.types[key] for key in hubs]
        yield self._edges("hubs", lambda edges: add_hub_calls(catalog, edges, found), NAMED)
        portals = NAMED._replace(regards=is_operation, reach=Reach.NAMES)
        yield self._edges("data portals", lambda edges: add_data_portal_calls(catalog, edges), portals)
        clients = self._memory.words(
            CLIENTS,
            lambda: dict.fromkeys(client_keys(catalog), ""),
            OF_DECLARATIONS,
        )
        serving = NAMED._replace(is_sharing=True, regards=lambda _: bool(clients))
        yield self._edges("web services", services, serving)

    def _edges(self, name: str, add: Callable[[EdgeCollector], None], terms: Terms) -> EdgeTable:
        def found() -> EdgeTable:
            edges = EdgeCollector(self._renamed)
            add(edges)
            return edges.apart()

        return self._memory.edges(name, found, terms)

    def _edges_in(
        self, name: str, add: Callable[[EdgeCollector, Collection[FileFacts] | None], None], terms: Terms
    ) -> EdgeTable:
        def found(files: Collection[FileFacts] | None) -> EdgeTable:
            edges = EdgeCollector(self._renamed)
            add(edges, files)
            return edges.apart()

        return self._memory.edges_in(name, found, terms)

    def _types_in(self, files: Collection[FileFacts] | None) -> Iterable[TypeInfo]:
        """Return the types of which a declaration, or that of a member, stands in one of some files, or all."""
        types = self._catalog.types
        return types.values() if files is None else [types[key] for key in _declared(files) if key in types]

    def _declaring(self, changes: ChangedMembers) -> Iterable[FileFacts]:
        """Return the files that declare members otherwise, or in which declarations may mean something else."""
        paths = changes.paths if changes.reached is None else changes.reached
        return [self._catalog.files[path] for path in paths]

    def _of_owners(self, changes: ChangedMembers) -> Iterable[FileFacts]:
        """Return the files of the types that declare members otherwise, with these members."""
        if changes.reached is not None:
            return self._below_owners(changes)
        types = self._catalog.types
        return self._of_types({types[one.owner] for one in changes.members if one.owner in types}, changes)

    def _below_owners(self, changes: ChangedMembers) -> Iterable[FileFacts]:
        """Return the files of these types, and of those that derive from them."""
        return self._of_types(types_for(changes, self._catalog), changes)

    def _of_types(self, types: Iterable[TypeInfo], changes: ChangedMembers) -> Iterable[FileFacts]:
        files = {file.path: file for file in self._declaring(changes)}
        for info in types:
            members = (member for each in info.members.values() for member in each)
            files.update((file.path, file) for file in (*info.files, *map(self._catalog.home_of, members)))
        return files.values()


def _declared(files: Iterable[FileFacts]) -> Iterable[str]:
    return dict.fromkeys(
        key
        for file in files
        for key in (*(one.key for one in file.types), *(one.owner for one in file.members))
    )
