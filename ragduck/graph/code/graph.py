"""Make the code part of the graph: what files, types and members there are and how they use each other."""

from __future__ import annotations

from ragduck.graph.code.data_portals import add_data_portal_calls
from ragduck.graph.code.edges import EdgeCollector
from ragduck.graph.code.endpoints import endpoint_keys
from ragduck.graph.code.enqueued_jobs import enqueued_keys
from ragduck.graph.code.file_uses import UsesOfFiles
from ragduck.graph.code.grpc import add_grpc_calls
from ragduck.graph.code.hierarchy import add_hierarchy
from ragduck.graph.code.http_handlers import roles_of_handlers
from ragduck.graph.code.hubs import add_hub_calls
from ragduck.graph.code.implementations import Implementations
from ragduck.graph.code.injection import add_injections
from ragduck.graph.code.jobs import job_keys
from ragduck.graph.code.messages import MessageHandlers
from ragduck.graph.code.nodes import add_containment, nodes_of
from ragduck.graph.code.programs import program_keys
from ragduck.graph.code.raised_events import add_raised
from ragduck.graph.code.requests import add_requests
from ragduck.graph.code.roles import renamed_keys, roles_of
from ragduck.graph.code.service_proxies import add_proxied
from ragduck.graph.code.uses import Users
from ragduck.graph.code.web_forms import roles_in_forms
from ragduck.graph.code.web_services import add_web_service_calls
from ragduck.graph.types.catalog import Catalog
from ragduck.model import Graph


def code_graph(catalog: Catalog, uses: UsesOfFiles | None = None) -> Graph:
    """Return the nodes of all files, types and members, and what relates them.

    ``uses`` gives what the statements of all files call and use, where not all of them are to be read here.
    """
    renamed = renamed_keys(catalog)
    endpoints = dict.fromkeys(endpoint_keys(catalog), "ACTION")
    forms = {**roles_of_handlers(catalog), **roles_in_forms(catalog)}
    implementations = Implementations(catalog)
    jobs = dict.fromkeys((*job_keys(catalog), *enqueued_keys(catalog, implementations)), "JOB")
    programs = dict.fromkeys(program_keys(catalog), "PROGRAM")
    roles = {**programs, **jobs, **roles_of(catalog), **forms, **endpoints}
    edges = EdgeCollector(renamed)
    add_containment(catalog, edges)
    add_hierarchy(catalog, edges)
    MessageHandlers(catalog).add_edges(edges)
    add_requests(catalog, edges)
    add_proxied(catalog, edges)
    add_grpc_calls(catalog, edges)
    add_hub_calls(catalog, edges)
    add_data_portal_calls(catalog, edges)
    add_web_service_calls(catalog, edges, implementations=implementations)
    add_injections(catalog, edges, implementations=implementations, roles=roles)
    users = Users(catalog, implementations=implementations, renamed=renamed)
    found = uses(users) if uses is not None else users.read(catalog.files.values())
    edges.take(found.edges)
    edges.take(users.settled(found))
    add_raised(catalog, found.edges, edges)
    table = edges.edges()
    del users, edges, found  # they are as large as the nodes
    return Graph(tuple(nodes_of(catalog, renamed=renamed, roles=roles)), table)
