"""Tie code to the database objects that its strings name: inline SQL and calls of stored procedures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial

from ragduck.facts import Choice, Expression, FileFacts, Joined, Member, Name, ObjectName, Text
from ragduck.graph.database.graph import DatabaseCatalog
from ragduck.graph.database.prefixes import TablePrefixes
from ragduck.graph.entities.graph import entity_tables
from ragduck.graph.entities.hibernate_xml import tables_of_classes
from ragduck.graph.file_rows import VALUES, FileRows, FileRule, Reach, ReadAnew, ReadOff, edges_of, rows_of
from ragduck.graph.inline_sql.fragments import statement_around
from ragduck.graph.inline_sql.given_names import GivenNames
from ragduck.graph.inline_sql.heirs import Heirs, is_concrete
from ragduck.graph.inline_sql.joins import join_edges
from ragduck.graph.inline_sql.kept_names import KeptNames
from ragduck.graph.inline_sql.mapped_functions import mapped_functions
from ragduck.graph.inline_sql.procedures import (
    bare_name,
    calls_by_name,
    has_schema,
    is_procedure,
    omits_exec,
    procedure_behind_prefix,
)
from ragduck.graph.inline_sql.query_files import query_file_edges
from ragduck.graph.inline_sql.resource_scripts import resource_script_edges
from ragduck.graph.inline_sql.resources import ResourceTexts
from ragduck.graph.inline_sql.sql_constants import SqlConstants
from ragduck.graph.inline_sql.sql_parameters import SqlParameters
from ragduck.graph.inline_sql.strings import Evaluated, StringEvaluator
from ragduck.graph.migrations.graph import is_migration
from ragduck.graph.migrations.history import Migration
from ragduck.graph.migrations.methods import DOWN
from ragduck.graph.types.catalog import Catalog, TypeInfo
from ragduck.model import Edge, Graph
from ragduck.sqlreader.destinations import NAMING, Destination
from ragduck.sqlreader.recognition import (
    Certainty,
    begins_like_sql,
    defines_module,
    has_unknown_piece,
    readable_text,
    recognize,
)
from ragduck.sqlreader.references import Reference, read_references
from ragduck.sqlreader.sites import RUNNING, Site, sites_of

RELATIONS = frozenset({"ReadsFrom", "WritesTo", "Executes", "Calls", "Uses"})
SCHEMA_CHANGE = "SchemaChange"  # by code that creates its own tables; migrations are read elsewhere
INLINE, CONSTANT, PROCEDURE, INTERPOLATED, BULK_COPY, TABLE_TYPE = (
    "inline sql",
    "constant",
    "stored procedure",
    "interpolated name",
    "bulk copy",
    "table type",
)
_OBJECTS = "objects"  # what rows lean on that were read off what databases hold
_OF_USE = 2  # values of a row that tells which field a member uses
MAX_BARE = 2_000  # characters of a procedure's name and its arguments
PUT_TOGETHER = 0.9
WITH_UNKNOWN_PIECES = 0.7
BY_NAME_ALONE = 0.6  # `Execute("Refresh")` of who knows what, where a procedure is called so

_ANEW = ReadAnew()


def inline_sql_graph(
    catalog: Catalog,
    database: DatabaseCatalog,
    *,
    migrations: Iterable[Migration] = (),
    rows: FileRows = _ANEW,
) -> Graph:
    """Return the edges from members, or from the classes that inherit them, to what their strings or marks name."""
    reader = _Reader(catalog, database, migrations, rows)
    scripts = (*catalog.once(query_file_edges), *catalog.once(resource_script_edges))
    return Graph(edges=(*reader.edges(), *mapped_functions(catalog, database), *scripts))


class _Reader:
    """Read the strings of a snapshot; statements in constants wait until it is known who uses them."""

    def __init__(
        self, catalog: Catalog, database: DatabaseCatalog, migrations: Iterable[Migration], rows: FileRows
    ) -> None:
        self._rows = rows
        self._texts = {migration.key: migration.texts for migration in migrations}
        self._catalog = catalog
        self._database = database
        self._tables = _Tables(catalog, database)
        self._strings = StringEvaluator(catalog, tables=self._tables)
        self._heirs = Heirs(catalog)
        self._kept_names = KeptNames(catalog, strings=self._strings, heirs=self._heirs)
        self._constants = SqlConstants(catalog, self._strings)
        self._parameters = SqlParameters(catalog, rows)
        self._given_names = GivenNames(catalog, self._parameters, self._strings)
        self._prefixes = TablePrefixes(database.table_names())
        self._tables_of_classes = tables_of_classes(catalog)
        self._fragments: list[tuple[Site, str, str]] = []  # with whose they are and statements around them

    def edges(self) -> Iterator[Edge]:
        """Yield one edge per place that names an object; pieces of statements count where no whole one is known."""
        found: set[tuple[str, str, str]] = set()
        for edge in self._edges_of_statements():
            found.add((edge.from_key, edge.to_key, edge.relation))
            yield edge
        self._strings.forget()
        for edge in self._edges_of_callers():
            if (edge.from_key, edge.to_key, edge.relation) not in found:
                yield edge
        for site, from_key, statement in self._fragments:
            for edge in self._fragment_edges(site, statement, from_key=from_key):
                if (edge.from_key, edge.to_key, edge.relation) not in found:
                    yield edge

    def _edges_of_statements(self) -> Iterator[Edge]:
        objects = (_OBJECTS, self._database.told)
        of_files = FileRule("statements of files", Reach.VALUES, self._told(), (objects,))
        with_code = (file for file in self._catalog.files.values() if file.language != "sql")
        for file, rows in self._rows.read(of_files, with_code, self._read):
            for key, source in (row for row in rows if len(row) == _OF_USE):
                self._constants.note_use(str(key), str(source))
            yield from edges_of(file, (row for row in rows if len(row) != _OF_USE))
        self._strings.forget()
        for file, member, text in ResourceTexts(self._catalog).members():
            self._constants.keep(Site(file, member.key, member.value, member.line, member.end_line), text)
        for site, text in self._constants.uses(self._rows):
            rule = INLINE if site.is_own else CONSTANT
            yield from self._statement_edges(site, text, from_key=site.source, rule=rule)
        yield from join_edges(self._catalog, self._database, self._strings)

    def _told(self) -> object:
        """All that edges of a file depend on beside what files declare, and what databases hold."""
        texts = sorted((key, sorted(each)) for key, each in self._texts.items() if each)
        classes = sorted(self._tables_of_classes.items())
        return self._parameters.told, self._strings.told, texts, classes

    def _read(self, file: FileFacts) -> ReadOff:
        """Read the strings of a file, which is done again each time if that is needed for more than its edges."""
        if not self._may_have_sites(file):
            return ReadOff(())
        self._strings.forget()
        self._constants.fresh_uses.clear()
        before, values, objects = self._noted(), self._strings.looked, self._objects_asked()
        edges = rows_of(self._edges_in(file))
        is_lasting = self._noted() == before
        leans = [VALUES] if self._strings.looked > values else []
        leans += [_OBJECTS] if self._objects_asked() > objects else []
        return ReadOff([*edges, *self._constants.fresh_uses], is_lasting, leans)

    def _objects_asked(self) -> int:
        """Count what was asked that databases tell."""
        return self._database.asked + self._prefixes.asked

    def _noted(self) -> Sequence[int]:
        """Count what was noted for others, and looked at that is told of no file."""
        noted = self._given_names.noted, self._constants.kept, self._kept_names.places, len(self._fragments)
        return *noted, self._heirs.looked_elsewhere, self._tables.asked

    def _edges_in(self, file: FileFacts) -> Iterator[Edge]:
        for site in self._sites_of(file):
            if not self._is_in_migration(site):
                self._given_names.note(site)
                yield from self._edges_of(site)

    def _may_have_sites(self, file: FileFacts) -> bool:
        return self._catalog.mentions_of(file).has_strings or self._parameters.may_take(file)

    def _sites_of(self, file: FileFacts) -> Iterator[Site]:
        return sites_of(
            file,
            taken_by=partial(self._parameters.taken_by, file=file),
            calls=self._parameters.calls_taking(file),
            named=self._catalog.mentions_of(file),
        )

    def _edges_of_callers(self) -> Iterator[Edge]:
        """Yield what statements name because of what the callers of their methods give."""
        for site, without in self._given_names.sites():
            of_method = {
                (edge.to_key, edge.relation)
                for edge in self._statement_edges(site, without, from_key=site.source, rule=INLINE)
            }
            for from_key, evaluated in self._readings(site):
                for text in evaluated.texts:
                    for edge in self._statement_edges(site, text, from_key=from_key, rule=INLINE):
                        if (edge.to_key, edge.relation) not in of_method:
                            yield replace(edge, confidence=min(edge.confidence, PUT_TOGETHER))

    def _is_in_migration(self, site: Site) -> bool:
        """Say whether a string is one that is read as what a migration does, or that its Down undoes it with."""
        owner = self._catalog.owner_of(site.source)
        if owner is None or not is_migration(owner, catalog=self._catalog):
            return False
        texts = self._texts.get(f"{owner.key.rpartition('|')[0]}|MIGRATION", frozenset())
        is_undone = site.source.rpartition("|")[0].rpartition(".")[2] in DOWN
        return is_undone or not texts.isdisjoint(self._evaluate(site, None).texts)

    def _edges_of(self, site: Site) -> Iterator[Edge]:
        if site.destination is Destination.REFUSES:
            return
        if isinstance(site.value, Text) and not _is_candidate(site.value.value, site):
            self._keep_fragment(site, site.value.value, from_key=site.source)
            return
        for from_key, evaluated in self._readings(site):
            if calls_by_name(site.destination):
                yield from self._kept_elsewhere(site, evaluated)
            rule = _rule(site, evaluated)
            for text in evaluated.texts:
                if _is_candidate(text, site):
                    yield from self._text_edges(site, text, from_key=from_key, rule=rule)
                else:
                    self._keep_fragment(site, text, from_key=from_key)

    def _kept_elsewhere(self, site: Site, own: Evaluated) -> Iterator[Edge]:
        """Yield the procedures that classes name whose objects a place is given, where they are known."""
        for from_key, evaluated in self._kept_names.of(site, own):
            for text in evaluated.texts:
                name = bare_name(text)
                key = self._database.find(name, kind="PROC") if name is not None else None
                if key is not None and key.endswith("|PROC"):
                    yield self._edge(site, from_key, key, "Executes", rule=INTERPOLATED)

    def _keep_fragment(self, site: Site, text: str, *, from_key: str) -> None:
        statement = statement_around(text, site)
        if statement is not None:
            self._fragments.append((site, from_key, statement))

    def _fragment_edges(self, site: Site, statement: str, *, from_key: str) -> Iterator[Edge]:
        """Yield what a piece of a statement reads, where something here defines it."""
        for reference in read_references(self._prefixes.put_before(statement)):
            key = self._database.find(reference.name, kind=reference.kind)
            if key is not None and reference.relation == "ReadsFrom":
                sure = min(WITH_UNKNOWN_PIECES, self._database.confidence_of(reference))
                line = _line(site, reference.line)
                yield self._edge(
                    site, from_key, key, reference.relation, rule=INLINE, confidence=sure, line=line
                )

    def _readings(self, site: Site) -> Iterator[tuple[str, Evaluated]]:
        """Yield who runs a string and what it then is: its member, and each concrete class it differs for."""
        own = self._evaluate(site, None)
        owner = self._catalog.owner_of(site.source)
        heirs = self._heirs.of(owner, source=site.source, line=site.line) if own.is_bound and owner else ()
        differing = [(heir, self._evaluate(site, heir)) for heir in heirs]
        is_own = owner is None or not heirs or is_concrete(owner)
        if is_own or any(evaluated.texts == own.texts for _, evaluated in differing):
            yield site.source, own
        texts = {heir.key: evaluated.texts for heir, evaluated in differing}
        for heir, evaluated in differing:
            inherited = (
                texts.get(ref.info.key) for ref in self._catalog.ancestors(heir) if ref.info is not None
            )
            if evaluated.texts not in (own.texts, *inherited):
                yield heir.key, evaluated

    def _evaluate(self, site: Site, binding: TypeInfo | None) -> Evaluated:
        return self._strings.evaluate(site.value, file=site.file, source=site.source, binding=binding)

    def _text_edges(self, site: Site, text: str, *, from_key: str, rule: str) -> Iterator[Edge]:
        name = bare_name(text)
        if site.destination in NAMING and not begins_like_sql(text):
            if name is not None:
                yield from self._named(site, name, from_key=from_key)
            return
        if name is not None:
            if is_procedure(text, name, destination=site.destination, database=self._database):
                key = self._database.target_of(Reference(name, "Executes", 1, "PROC"))
                if key is not None:
                    procedure_rule = PROCEDURE if rule == INLINE else rule
                    is_unsure = site.destination is Destination.MAY_EXECUTE and not has_schema(text, name)
                    sure = BY_NAME_ALONE if is_unsure else None
                    yield self._edge(site, from_key, key, "Executes", rule=procedure_rule, confidence=sure)
            return
        if calls_by_name(site.destination):
            called = procedure_behind_prefix(text, self._database)
            if called is not None:
                sure = WITH_UNKNOWN_PIECES
                yield self._edge(site, from_key, called, "Executes", rule=PROCEDURE, confidence=sure)
                return
        if site.is_constant and self._constants.keep(site, text):
            return
        if not site.is_own:
            self._constants.take_use(site)
        yield from self._statement_edges(site, text, from_key=from_key, rule=rule)

    def _named(self, site: Site, name: ObjectName, *, from_key: str) -> Iterator[Edge]:
        """Yield the table that rows are copied into, or the type of a parameter, where there is one of that name."""
        if site.destination is Destination.FILLS_TABLE:
            yield self._edge(site, from_key, self._database.key_for(name), "WritesTo", rule=BULK_COPY)
        elif (key := self._database.find(name, kind="TYPE")) is not None and key.endswith("|TYPE"):
            yield self._edge(site, from_key, key, "Uses", rule=TABLE_TYPE)

    def _statement_edges(self, site: Site, text: str, *, from_key: str, rule: str) -> Iterator[Edge]:
        if site.destination in RUNNING and omits_exec(text) and not begins_like_sql(text):
            text = f"EXEC {text.lstrip()}"
        certainty = recognize(text)
        is_sure = certainty is Certainty.SURE or (certainty and site.destination in RUNNING)
        if not certainty or defines_module(text):
            return
        confidence = 1.0 if site.destination is Destination.RUNS_WITH_PARAMETERS else _confidence(site, text)
        for reference in read_references(self._prefixes.put_before(readable_text(text))):
            key = self._target(reference, is_sure=bool(is_sure))
            if key is not None:
                sure = min(confidence, self._database.confidence_of(reference))
                line = _line(site, reference.line)
                of_reference = reference.rule if reference.relation == SCHEMA_CHANGE else rule
                yield self._edge(
                    site,
                    from_key,
                    key,
                    reference.relation,
                    rule=of_reference,
                    confidence=sure,
                    line=line,
                    detail=reference.detail,
                )

    def _target(self, reference: Reference, *, is_sure: bool) -> str | None:
        name = reference.name
        if reference.relation not in RELATIONS | {SCHEMA_CHANGE} or name.name.endswith("$"):
            return None
        in_full = ".".join(filter(None, reversed(name)))
        of_class = self._tables_of_classes.get(in_full)
        if of_class is not None and self._database.find(name, kind=reference.kind) is None:
            reference = reference._replace(name=of_class)  # a query of NHibernate names a class
        elif name.database and f"csharp:{in_full}|TYPE" in self._catalog.types:
            return None
        if is_sure:
            return self._database.target_of(reference)
        return self._database.find(reference.name, kind=reference.kind)

    def _edge(
        self,
        site: Site,
        from_key: str,
        to_key: str,
        relation: str,
        *,
        rule: str,
        confidence: float | None = None,
        line: int | None = None,
        detail: str = "",
    ) -> Edge:
        if confidence is None:
            confidence = 1.0 if _is_one_piece(site.value) else PUT_TOGETHER
        if rule == INTERPOLATED:
            confidence = min(confidence, PUT_TOGETHER)
        return Edge(from_key, to_key, relation, site.file.path, line or site.line, rule, confidence, detail)


class _Tables:
    """The tables of entities, and how often they were asked for."""

    def __init__(self, catalog: Catalog, database: DatabaseCatalog) -> None:
        self._tables = cache(lambda: entity_tables(catalog, database=database))
        self.asked = 0

    def __call__(self) -> Mapping[str, ObjectName]:
        self.asked += 1
        return self._tables()


def _is_candidate(text: str, site: Site) -> bool:
    """Tell at small cost whether a text may name a database object where it stands."""
    if begins_like_sql(text):
        return True
    runs = site.destination in RUNNING or site.destination in NAMING
    return runs and len(text) < MAX_BARE and text.strip() != ""


def _rule(site: Site, evaluated: Evaluated) -> str:
    if evaluated.is_bound:
        return INTERPOLATED
    return CONSTANT if isinstance(site.value, (Name, Member)) else INLINE


def _confidence(site: Site, text: str) -> float:
    if has_unknown_piece(text):
        return WITH_UNKNOWN_PIECES
    return 1.0 if _is_one_piece(site.value) else PUT_TOGETHER


def _is_one_piece(value: Expression) -> bool:
    """Tell a literal or a constant from a text that is put together from others."""
    if isinstance(value, Joined):
        return all(isinstance(part, Text) for part in value.parts)
    if isinstance(value, Choice):
        return all(_is_one_piece(option) for option in value.options)
    return isinstance(value, (Text, Name, Member))


def _line(site: Site, line: int) -> int:
    """Return the line of the file for a line of a string that stands there, whose pieces are on their lines."""
    return min(site.line + line - 1, site.end_line) if site.is_own else site.line
