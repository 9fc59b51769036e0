"""Note what the statements of a SQL file define and name, for the graph."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence

from ragduck.facts import FileFacts, Import, ObjectFact, ObjectName, ReferenceFact
from ragduck.model import Document, Symbol
from ragduck.parse.sql_endings import ENDING, Endings, leaves_sure
from ragduck.parse.sql_includes import included_scripts
from ragduck.parse.sql_surroundings import identity_of
from ragduck.sqlreader.created import Created
from ragduck.sqlreader.definitions import MODULES, Definition, read_name, word
from ragduck.sqlreader.dialect import Dialect, default_schema
from ragduck.sqlreader.drops import Drop, read_drops, read_rename
from ragduck.sqlreader.headers import object_name
from ragduck.sqlreader.policies import is_policy, read_policy
from ragduck.sqlreader.references import Reference, StatementReader
from ragduck.sqlreader.statements import Start
from ragduck.sqlreader.tokens import Token

_DEPLOYED = re.compile(
    r"^[ \t]*:setvar[ \t]+DatabaseName[ \t]+\"?([^\W\d][\w .-]{0,127}?)\"?[ \t\r]*$",
    re.IGNORECASE | re.MULTILINE,
)
_SYSTEM_DATABASES = frozenset({"master", "tempdb", "model", "msdb"})
_OF_SCRIPTS = frozenset(
    {"ReadsFrom", "WritesTo", "Executes"}
)  # a table does nothing: the script around it does
_OF_KINDS = {"On": ("|INDEX", "|TRIGGER"), "SynonymFor": ("|SYNONYM",)}


class FactCollector:
    """Collects the facts of a file, one top-level statement after the other."""

    def __init__(self, document: Document, tokens: Sequence[Token], *, dialect: Dialect) -> None:
        self._document = document
        self._tokens = tokens
        self._reader = StatementReader(tokens, dialect=dialect)
        self._dialect = dialect
        self._schema = default_schema(dialect)
        self._has_overloads = dialect == "postgresql"
        self._file_key = f"file:{document.path}|FILE"
        self._is_migration = document.file_class == "migration"
        self._objects: list[ObjectFact] = []
        self._references: list[ReferenceFact] = []
        self._modules: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)  # places among the objects
        self._endings = Endings()
        self._databases: dict[str, None] = dict.fromkeys(_DEPLOYED.findall(document.text))

    def add(
        self,
        starts: Sequence[Start],
        *,
        defined: Sequence[tuple[Start, Definition]],
        symbols: Sequence[Symbol],
        created: Mapping[int, Created],
    ) -> None:
        """Take in a top-level statement; ``symbols`` belong to its definitions, in order.

        ``created`` tells where texts are executed that create objects.
        """
        symbol_of = {start.at: symbol for (start, _), symbol in zip(defined, symbols, strict=False)}
        definition_of = {start.at: definition for start, definition in defined}
        script = self._file_key
        makes: dict[int, str] = {}  # what statements create that execute a text
        is_sure = True
        for start in starts:
            source = makes.get(start.at, script)
            if start.at in symbol_of:
                if self.replaces(start):
                    self._replace(symbol_of[start.at])
                source = self._define(symbol_of[start.at], definition_of[start.at])
                script = source if start.is_module else script
                if start.at in created:
                    makes[created[start.at].executed_at] = source
            if is_policy(self._tokens, start.at):
                self._protect(start)
                continue
            is_definition = start.at in symbol_of or start.at in makes
            for reference in self._reader.read(start, is_definition=is_definition):
                self._refer(reference, source=source, script=script)
            if script == self._file_key:
                self._note(start)
                if start.keyword in ENDING and not self._is_migration:
                    self._end(start, is_sure=is_sure)
            is_sure = is_sure and leaves_sure(self._tokens, start)

    def facts(self) -> FileFacts:
        """Return all that has been noted."""
        document = self._document
        return FileFacts(
            document.path,
            "sql",
            document.file_class,
            document.project,
            lines=document.last_line,
            imports=tuple(Import(database) for database in self._databases),
            objects=self._endings.left_objects(self._objects),
            references=(
                *self._endings.left_references(self._references, script=self._file_key, schema=self._schema),
                *included_scripts(document.text, source=self._file_key),
            ),
            module=self._schema,
        )

    def replaces(self, start: Start) -> bool:
        """Tell whether a definition counts before all of its name that the file has before it."""
        return start.is_module and not self._has_overloads and not self._reader.is_numbered(start)

    def _replace(self, symbol: Symbol) -> None:
        """Let what the file defined by that name before no longer count: a stub, say, that is altered below it."""
        for place in self._modules.pop(identity_of(symbol), ()):
            self._objects[place] = self._objects[place]._replace(action="alter")

    def _define(self, symbol: Symbol, definition: Definition) -> str:
        """Note an object and return its key."""
        kind = symbol.kind or ""
        key = f"{symbol.qualified_name}|{kind}"
        name = ObjectName(symbol.name, symbol.schema or "", symbol.database or "")
        action = "alter" if definition.element_type == "alter_table" else "create"
        table = f"{symbol.qualified_name.removesuffix(f'.{symbol.name}')}|TABLE" if kind == "INDEX" else ""
        if kind == "TRIGGER" and self._has_overloads and definition.table:
            table = self._key(object_name(definition.table), "TABLE")
        fact = ObjectFact(key, kind, name, symbol.start_line, symbol.end_line, action, definition.columns)
        if kind in MODULES:
            self._modules[identity_of(symbol)].append(len(self._objects))
        if action == "create":
            self._endings.create(key, len(self._objects))
        is_put_in = definition.name.is_schema_put_in
        self._objects.append(
            fact._replace(default_schema=self._schema, table=table, is_schema_put_in=is_put_in)
        )
        return key

    def _refer(self, reference: Reference, *, source: str, script: str) -> None:
        is_table = source.endswith("|TABLE")
        if reference.relation == "SchemaChange":
            source = script
            if script == self._file_key:
                if not self._is_migration:
                    return
                self._note_change(reference)
        elif reference.relation == "ForeignKey" and is_table:
            self._define_key(reference.detail, source, line=reference.line)
        elif reference.relation == "ForeignKey":
            reference = reference._replace(relation="Uses")  # of a procedure that alters tables
        elif is_table and reference.relation in _OF_SCRIPTS:
            source = script
        elif reference.relation == "On" and is_table:
            source = self._define_index(reference.detail, source, line=reference.line)
            reference = reference._replace(detail="")
        elif reference.relation in _OF_KINDS and not source.endswith(_OF_KINDS[reference.relation]):
            return  # made when the script runs
        self._references.append(ReferenceFact(source, *reference))

    def _protect(self, start: Start) -> None:
        """Note the functions that a security policy asks for the rows of tables, in the name of the tables."""
        for function, table, line in read_policy(self._tokens, start.at, start.end):
            source = self._key(table, "TABLE")
            self._references.append(ReferenceFact(source, function, "Calls", line, "FUNC", "security policy"))

    def _define_key(self, name: str, table: str, *, line: int, action: str = "create") -> None:
        """Note a foreign key; keys live in the schema of their table."""
        schema = table.rpartition("|")[0].rpartition(".")[0]
        key, kind = f"{schema}.{name}|FOREIGN_KEY", "FOREIGN_KEY"
        fact = ObjectFact(key, kind, ObjectName(name, schema), line, line, action, table=table)
        self._objects.append(fact._replace(default_schema=self._schema))

    def _define_index(self, name: str, table: str, *, line: int) -> str:
        """Note an index that is made with its table, and return its key."""
        home = table.rpartition("|")[0]
        fact = ObjectFact(
            f"{home}.{name}|INDEX",
            "INDEX",
            ObjectName(name, home.rpartition(".")[0]),
            line,
            line,
            table=table,
        )
        self._objects.append(fact._replace(default_schema=self._schema))
        return fact.key

    def _note_change(self, reference: Reference) -> None:
        if reference.rule == "drop foreign key":
            table = self._key(reference.name, "TABLE")
            self._define_key(reference.detail, table, line=reference.line, action="drop")

    def _note(self, start: Start) -> None:
        """Note what a statement drops, if it is history, and the database that it uses or creates."""
        if start.keyword == "DROP" and self._is_migration:
            self._objects += map(self._dropped, read_drops(self._tokens, start.at, start.end))
        elif start.keyword == "USE" or self._creates_database(start):
            used = read_name(self._tokens, start.at + (1 if start.keyword == "USE" else 2))[0]
            if used and "$(" not in used.name and used.name.casefold() not in _SYSTEM_DATABASES:
                self._databases[used.name] = None

    def _end(self, start: Start, *, is_sure: bool) -> None:
        """Note what a script takes away of what it created above; of overloads only the arguments tell which one."""
        if not is_sure:
            return
        if start.keyword == "DROP":
            for drop in read_drops(self._tokens, start.at, start.end):
                if not (self._has_overloads and drop.kind in MODULES):
                    self._endings.drop(self._key(drop.name, drop.kind), line=drop.line)
            return
        change = read_rename(self._tokens, start.at, start.end, dialect=self._dialect)
        if change is not None and change.rule == "rename table":
            new = change.name._replace(name=change.detail)
            self._endings.rename(self._key(change.name, "TABLE"), self._key(new, "TABLE"), line=change.line)

    def _creates_database(self, start: Start) -> bool:
        return start.keyword == "CREATE" and word(self._tokens, start.at + 1) == "DATABASE"

    def _dropped(self, drop: Drop) -> ObjectFact:
        key, name, table = self._key(drop.name, drop.kind), drop.name, ""
        if drop.table:
            table = self._key(drop.table, "TABLE")
        if drop.kind == "INDEX" and table:
            key = f"{table.removesuffix('|TABLE')}.{name.name}|INDEX"
        return ObjectFact(key, drop.kind, name, drop.line, drop.line, "drop", (), self._schema, table=table)

    def _key(self, name: ObjectName, kind: str) -> str:
        return f"{name.schema or self._schema}.{name.name}|{kind}"
