"""Say what part types and methods play: entity, context, controller, service, test.

Facts about types decide where there are any, names elsewhere. Where several roles fit, the first of MIGRATION,
DBCONTEXT, ENTITY, CONTROLLER and ACTION, TEST, JOB, REPOSITORY, SERVICE counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet

from ragduck.facts import Member, MemberFact, TypeOf
from ragduck.graph.code.jobs import is_job
from ragduck.graph.entities.hibernate import read_mapped
from ragduck.graph.types import libraries
from ragduck.graph.types.catalog import Catalog, TypeInfo
from ragduck.graph.types.declarations import family_of, is_interface_name

MIGRATIONS = frozenset(
    (
        "Migration",
        "DbMigration",
        "AutoReversingMigration",
        "ForwardOnlyMigration",
        "MigrationBase",
        "IMigration",
    )
)
DATA_MIGRATIONS = frozenset(("DataMigrationImpl", "DataMigration"))
BUILDER = "SchemaBuilder"  # what a base for migrations has
CONTEXTS = ("DbContext", "DataConnection", "ObjectContext", "DataContext")
SETS = frozenset(("DbSet", "IDbSet", "ObjectSet", "IObjectSet"))
GENERIC = (">", ">?")  # how the types of sets and tables end
TABLES = frozenset(("ITable", "Table"))
CONFIGURATIONS = frozenset(("IEntityTypeConfiguration", "EntityTypeConfiguration"))
CONTROLLERS = frozenset(
    (
        *(
            "Controller",
            "ControllerBase",
            "ApiController",
            "AsyncController",
            "ODataController",
            "ViewComponent",
        ),
        "DnnApiController",  # of modules of DotNetNuke
    )
)
PAGES = frozenset(("PageModel",))
CONTROLLER_MARKS = frozenset(("ApiController", "Controller", "RestController"))
VERB_MARKS = frozenset(("HttpGet", "HttpPost", "HttpPut", "HttpDelete", "HttpPatch"))
ROUTE_MARKS = VERB_MARKS | {"Route", "RoutePrefix", "Authorize"}
WEB_NAMESPACES = ("Microsoft.AspNetCore", "System.Web.Mvc", "System.Web.Http")
TEST_MARKS = frozenset(
    (
        "Fact",
        "Theory",
        "Test",
        "TestCase",
        "TestCaseSource",
        "TestMethod",
        "DataTestMethod",
        "ParameterizedTest",
        "SkippableFact",
        "SkippableTheory",
        "UIFact",
    )
)
SERVICE_ENDINGS = ("Service", "Manager", "Handler")
LIFECYCLE = frozenset(  # what the framework calls by itself where a class overrides it
    (
        "OnConnectedAsync",
        "OnDisconnectedAsync",
        "OnActionExecuting",
        "OnActionExecuted",
        "OnActionExecutionAsync",
        "ToString",
        "Equals",
        "GetHashCode",
    )
)
DISPOSAL = frozenset(("Dispose", "DisposeAsync"))
PAGE_ACTIONS = ("OnGet", "OnPost", "OnPut", "OnDelete", "OnPatch", "OnHead")


def roles_of_types(
    catalog: Catalog, types: Iterable[TypeInfo], *, entities: AbstractSet[str]
) -> Mapping[str, str]:
    """Return the roles of types that have one, by their keys."""
    roles = {info.key: _role(catalog, info, entities=entities) for info in types}
    return {key: role for key, role in roles.items() if role}


def roles_of_members(
    catalog: Catalog, types: Iterable[TypeInfo], roles: Mapping[str, str]
) -> Mapping[str, str]:
    """Return the roles of the methods of types, given those of the types, by their keys."""
    found: dict[str, str] = {}
    for info in types:
        role = roles.get(info.key)
        if role == "CONTROLLER":
            found.update((action.key, "ACTION") for action in actions_of(catalog, info))
        if role == "TEST":
            found.update((test.key, "TEST") for test in tests_of(info))
    return found


def functions_of_tests(catalog: Catalog) -> Iterator[str]:
    """Yield the keys of the tests that are functions outside of types."""
    for file in catalog.files.values():
        if file.file_class == "test":
            yield from (one.key for one in file.members if not one.owner and _is_test_function(one))


def renamed_keys(catalog: Catalog) -> Mapping[str, str]:
    """Return the keys that declarations have in the graph where they are not those of the chunks.

    A DbSet property is a DBSET, a migration class a MIGRATION.
    """
    renamed: dict[str, str] = {}
    for key, info in catalog.types.items():
        if is_migration(catalog, info):
            renamed[key] = f"{key.rpartition('|')[0]}|MIGRATION"
        for members in info.members.values():
            for member in members:
                if member.kind == "PROPERTY" and entity_of_set(catalog, member) is not None:
                    renamed[member.key] = f"{member.key.rpartition('|')[0]}|DBSET"
    return renamed


def may_be_renamed(member: MemberFact) -> bool:
    """Say whether `renamed_keys` may depend on a member of a type."""
    return (member.kind == "PROPERTY" and may_make_entity(member)) or member.name == BUILDER


def may_make_entity(member: MemberFact) -> bool:
    """Say whether `entity_of_set` may tell an entity of a member of a type."""
    is_value = member.kind != "METHOD" and member.type.endswith(GENERIC)
    return is_value and any(name in member.type for name in SETS | TABLES)


def _role(catalog: Catalog, info: TypeInfo, *, entities: AbstractSet[str]) -> str:
    if family_of(info.language) == "csharp" and is_migration(catalog, info):
        return "MIGRATION"
    if is_context(catalog, info):
        return "DBCONTEXT"
    if info.key in entities:
        return "ENTITY"
    if is_controller(catalog, info):
        return "CONTROLLER"
    if info.is_test and any(True for _ in tests_of(info)):
        return "TEST"
    if info.declarations[0].element_type in ("enum", "delegate"):
        return ""
    if is_job(catalog, info):
        return "JOB"
    if is_repository(catalog, info):
        return "REPOSITORY"
    return "SERVICE" if is_service(catalog, info) else ""


def ancestor_names(catalog: Catalog, info: TypeInfo) -> set[str]:
    """Return the simple names of all bases, declared here or not."""
    return {ref.name for ref in catalog.ancestors(info)}


def marks_of(info: TypeInfo) -> set[str]:
    """Return the names of a type's attributes, without namespaces."""
    return {one.name.rpartition(".")[2] for declared in info.declarations for one in declared.attributes}


def is_migration(catalog: Catalog, info: TypeInfo) -> bool:
    """Say whether a class changes a schema: it derives from a framework's base for that, or is marked as one.

    A base that is declared here is the system's own, which may mean something else by the word.
    """
    if info.is_interface or info.language != "csharp":
        return False
    if "abstract" in info.declarations[0].modifiers:
        return False
    if "Migration" in marks_of(info) or is_data_migration(catalog, info):
        return True
    return any(ref.info is None and ref.name in MIGRATIONS for ref in catalog.ancestors(info))


def is_data_migration(catalog: Catalog, info: TypeInfo) -> bool:
    """Say whether a class is a migration of Orchard or Orchard Core: what it derives from has a schema builder."""
    for ref in catalog.ancestors(info):
        if ref.name in DATA_MIGRATIONS:
            declared = ref.info.members if ref.info is not None else {}
            return BUILDER in declared or any(catalog.opens(file, libraries.ORCHARD) for file in info.files)
    return False


def is_context(catalog: Catalog, info: TypeInfo) -> bool:
    """Say whether a class derives from DbContext, IdentityDbContext, linq2db's DataConnection or the like."""
    return not info.is_interface and any(
        ref.info is None and ref.name.endswith(CONTEXTS) and not is_interface_name(ref.name)
        for ref in catalog.ancestors(info)
    )


def entity_of_set(catalog: Catalog, member: MemberFact) -> TypeInfo | None:
    """Return the entity of a `DbSet<T>` property, or of an `ITable<T>` property of a context."""
    if not member.type.endswith(GENERIC):
        return None
    owner = catalog.types.get(member.owner)
    ref = catalog.resolve(member.type, file=catalog.home_of(member), owner=owner)
    if ref.info is not None or len(ref.arguments) != 1:
        return None
    if ref.name in SETS or (ref.name in TABLES and owner is not None and is_context(catalog, owner)):
        return ref.arguments[0].info
    return None


def entity_keys(catalog: Catalog) -> frozenset[str]:
    """Return the types that a DbSet, a `[Table]`, a configuration or mapping, or `Entity<T>()` makes entities."""
    return frozenset(info.key for info in _entities(catalog))


def _entities(catalog: Catalog) -> Iterator[TypeInfo]:
    for info in catalog.types.values():
        if "Table" in marks_of(info):
            yield info
        for ref in catalog.bases(info):
            if ref.name in CONFIGURATIONS and ref.arguments and ref.arguments[0].info is not None:
                yield ref.arguments[0].info
        for members in info.members.values():
            for member in members:
                entity = entity_of_set(catalog, member) if member.kind != "METHOD" else None
                if entity is not None:
                    yield entity
    yield from _modelled(catalog)
    yield from (one.entity for one in read_mapped(catalog))


def _modelled(catalog: Catalog) -> Iterator[TypeInfo]:
    """Yield the type arguments of `modelBuilder.Entity<T>()` in contexts."""
    for file in catalog.files_calling(("Entity",)):
        for fact in file.calls:
            function = fact.call.function
            if not isinstance(function, Member) or function.name != "Entity":
                continue
            owner = catalog.owner_of(fact.source)
            if owner is None or not is_context(catalog, owner):
                continue
            written = [*fact.call.type_arguments]
            written += [one.value.type for one in fact.call.arguments if isinstance(one.value, TypeOf)]
            entity = catalog.resolve(written[0], file=file, owner=owner).info if written else None
            if entity is not None:
                yield entity


def is_page(catalog: Catalog, info: TypeInfo) -> bool:
    """Say whether a class is the model of a Razor page."""
    return not PAGES.isdisjoint(ancestor_names(catalog, info))


def is_controller(catalog: Catalog, info: TypeInfo) -> bool:
    """Say whether requests are routed to a class: by its base, by its marks, or by name where the web is in use.

    What packages derive from a controller is told by the verbs of its methods: `[HttpPost] Task HandleAsync(…)`.
    """
    if info.declarations[0].element_type not in ("class", "record"):
        return False
    names = ancestor_names(catalog, info)
    if not (CONTROLLERS | PAGES).isdisjoint(names) or not CONTROLLER_MARKS.isdisjoint(marks_of(info)):
        return True
    if family_of(info.language) != "csharp":
        return False
    return _has_mark(info, VERB_MARKS) or (info.name.endswith("Controller") and _is_of_web(catalog, info))


def _has_mark(info: TypeInfo, names: frozenset[str]) -> bool:
    methods = (one for members in info.members.values() for one in members)
    return any(mark.name in names for one in methods for mark in one.attributes)


def _is_of_web(catalog: Catalog, info: TypeInfo) -> bool:
    if not ROUTE_MARKS.isdisjoint(marks_of(info)) or _has_mark(info, ROUTE_MARKS):
        return True
    return any(catalog.imports(file, WEB_NAMESPACES) for file in info.files)


def actions_of(catalog: Catalog, info: TypeInfo) -> Iterator[MemberFact]:
    """Yield the methods of a controller or hub that requests reach; of a page, the ones that are named for it."""
    page = is_page(catalog, info)
    for name, members in info.members.items():
        for member in members:
            marks = {mark.name for mark in member.attributes}
            if member.element_type != "method" or member.visibility != "public" or "NonAction" in marks:
                continue
            if _is_of_lifecycle(member):
                continue
            if not member.modifiers & {"static", "abstract"} and (not page or name.startswith(PAGE_ACTIONS)):
                yield member


def _is_of_lifecycle(member: MemberFact) -> bool:
    if member.name in DISPOSAL:
        return not member.parameters
    return member.name in LIFECYCLE and "override" in member.modifiers


def tests_of(info: TypeInfo) -> Iterator[MemberFact]:
    """Yield the test methods of a type."""
    for members in info.members.values():
        yield from (one for one in members if _is_test(one, info))


def _is_test(member: MemberFact, info: TypeInfo) -> bool:
    if any(mark.name.rpartition(".")[2] in TEST_MARKS for mark in member.attributes):
        return True
    return info.language == "python" and member.kind == "METHOD" and member.name.startswith("test")


def _is_test_function(member: MemberFact) -> bool:
    """Say whether a function outside of types is a test by the name that its language wants."""
    start = {"python": "test_", "go": "Test"}.get(member.key.partition(":")[0])
    return start is not None and member.kind == "METHOD" and member.name.startswith(start)


def is_repository(catalog: Catalog, info: TypeInfo) -> bool:
    """Say whether a type is called a repository, or implements an interface that is."""
    return info.name.endswith("Repository") or any(
        is_interface_name(name) and name.endswith("Repository") for name in ancestor_names(catalog, info)
    )


def is_service(catalog: Catalog, info: TypeInfo) -> bool:
    """Say whether a type is called a service, manager or handler, or implements an interface called a service."""
    names = ancestor_names(catalog, info)
    if info.name.endswith(SERVICE_ENDINGS) or "BackgroundService" in names:
        return True
    names.discard("IHostedService")
    return any(is_interface_name(name) and name.endswith("Service") for name in names)
