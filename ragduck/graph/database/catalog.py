"""Know the database objects of a snapshot by name, as SQL Server would look them up."""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

from ragduck.facts import FileFacts, ObjectFact, ObjectName, ReferenceFact
from ragduck.graph.database.renames import ScriptRuns
from ragduck.graph.database.versions import read_versions
from ragduck.sqlreader.names import HOLE, is_partly_unknown
from ragduck.sqlreader.references import Reference
from ragduck.sqlreader.system import is_system_object

TABLES = ("TABLE", "VIEW", "SYNONYM")
_FITTING = {  # what a name may turn out to be where a kind is asked for, likeliest first
    "": TABLES,
    "TABLE": TABLES,
    "VIEW": ("VIEW", "TABLE", "SYNONYM"),
    "PROC": ("PROC", "SYNONYM", "FUNC"),
    "FUNC": ("FUNC", "SYNONYM", "PROC"),
    "SEQUENCE": ("SEQUENCE", "SYNONYM"),
}
_BY_KIND = frozenset({"PROC", "FUNC"})  # one of another schema is likelier than the other kind in this one
_CONFIGURATION = frozenset({"json", "xml", "ini"})
_OF_STAGE = re.compile(
    r"(?:[-_. ]?(?:test(?:s|ing)?+|dev(?:elopment)?+|local|debug|stag(?:e|ing)|qa|uat|prod(?:uction)?+"
    r"|integration|\d++))*+"
)
_DATABASE_ENDINGS = (".database", ".db", ".sql", "database")
_OWN_DATABASE = "$(databasename)"  # SQLCMD's name for the database that a project is deployed to
_OF_SERVER = frozenset({"master", "msdb"})  # scripts that say nothing may be run there
_UNIQUE_ONLY = 0.6  # no schema is written, and the only object of that name is in another one
_DYNAMIC = 0.7
_IN_SERVER = 0.7
_PROCEDURE = "|PROC"
_TABLES = ("|TABLE", "|VIEW")
_NO_RUNS = ScriptRuns()
_AMBIGUOUS = 2  # objects of one name and kind


class DatabaseCatalog:
    """The objects that the SQL of a snapshot and its migrations in code define.

    ``created`` is what migrations in code create: found by name, but without a place in a SQL file.
    ``runs`` tells which of them run scripts. ``definitions`` holds the definitions that count, by node key;
    ``renames`` what migration scripts call differently on the way there; ``projects`` those of files, by path.
    """

    def __init__(
        self, files: Sequence[FileFacts], *, created: Sequence[ObjectFact] = (), runs: ScriptRuns = _NO_RUNS
    ) -> None:
        self.files = tuple(file for file in files if file.language == "sql")
        self.definitions, self.renames = read_versions(self.files, created=created, runs=runs)
        self._keys = {key.casefold(): key for key in self.definitions}
        self._qualified: dict[tuple[str, str], dict[str, str]] = defaultdict(dict)  # schema, name: kind, key
        self._anywhere: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        self._spans: dict[tuple[str, str], list[tuple[int, int]]] = defaultdict(list)  # key, path: lines
        for key, definitions in self.definitions.items():
            self._add(key, definitions[0].fact)
            for fact, file in definitions:
                self._spans[key, file.path if file else fact.path].append((fact.line, fact.end_line))
        self._placed = {
            (
                fact.name.database.casefold(),
                (fact.name.schema or fact.default_schema).casefold(),
                fact.name.name.casefold(),
            )
            for definitions in self.definitions.values()
            for fact, _ in definitions
            if fact.name.database
        }
        self.asked = 0  # how often it was asked what a name means
        self._endings: dict[str, list[str]] | None = None
        self._schemas = {"dbo", *(schema for schema, _ in self._qualified)}
        self._databases = _own_databases(self.files, configuration=files)
        self.projects = {file.path: file.project for file in files if file.project}
        counting = (definitions[0] for definitions in self.definitions.values())
        schemas = Counter(one.fact.default_schema for one in counting if one.file)
        self._default = min(schemas, key=lambda schema: (-schemas[schema], schema), default="dbo")

    @property
    def told(self) -> object:
        """All that answers about names depend on, in words."""
        keys = [
            (key, len(each), any(one.file and not one.fact.name.database for one in each))
            for key, each in self.definitions.items()
        ]
        named = [(*name, sorted(each.items())) for name, each in self._qualified.items()]
        anywhere = [
            (name, sorted((kind, sorted(found)) for kind, found in each.items()))
            for name, each in self._anywhere.items()
        ]
        placed, databases = sorted(self._placed), sorted(self._databases)
        return sorted(keys), sorted(named), sorted(anywhere), placed, databases, self._default

    def find(self, name: ObjectName, *, kind: str = "", own_schema: str = "") -> str | None:
        """Return the node key of the object that a name means, if something here defines it.

        A name without a schema is looked for in ``own_schema``, in the default one, and then anywhere if only
        one object has it, and so is one whose schema nobody knows. TABLE, VIEW and SYNONYM are all fit where a
        table is asked for.
        """
        self.asked += 1
        if is_partly_unknown(name):
            return self._only_one_called(name, kind)
        if self.is_local(name) or self._is_placed(name):
            found = self._lookup(name, kind, own_schema)
            return found[0] if found else None
        return self._kept_in_server(name, kind)

    def key_for(self, name: ObjectName, *, kind: str = "", own_schema: str = "") -> str:
        """Return the node key of what a name means, else the key of an object that is not here."""
        found = self.find(name, kind=kind, own_schema=own_schema)
        if found:
            return found
        database = "" if self.is_local(name) else name.database
        parts = (name.server, database, name.schema or own_schema or self._default, name.name)
        return f"{'.'.join(part for part in parts if part)}|{kind or 'TABLE'}"

    def target_of(self, reference: Reference | ReferenceFact, *, own_schema: str = "") -> str | None:
        """Return the key that a reference of SQL leads to; None where it leads to nothing of interest.

        System objects are of none, nor are calls in expressions that look like a function's but may be a
        method's, unless something here defines the function.
        """
        name, kind = reference.name, reference.kind
        found = self.find(name, kind=kind, own_schema=own_schema)
        if found:
            return found
        if is_partly_unknown(name) or is_system_object(name, kind=kind):
            return None
        if kind in ("FUNC", "TYPE") and name.schema.casefold() not in self._schemas:
            return None
        return self.key_for(name, kind=kind, own_schema=own_schema)

    def confidence_of(self, reference: Reference | ReferenceFact, *, own_schema: str = "") -> float:
        """Return how sure it is that a reference leads where ``target_of`` says."""
        self.asked += 1
        if is_partly_unknown(reference.name):
            return _UNIQUE_ONLY if reference.is_dynamic else _DYNAMIC
        found = self._lookup(reference.name, reference.kind, own_schema)
        sure = 1.0 if found is None else found[1]
        if found and reference.name.database.casefold() in _OF_SERVER and not self._is_placed(reference.name):
            sure = min(sure, _IN_SERVER)
        return min(sure, _DYNAMIC) if reference.is_dynamic else sure

    def procedure_called(self, name: str, *, is_end: bool = False) -> str | None:
        """Return the key of the only procedure of a name in any schema.

        ``is_end`` asks also for those that it is the end of, behind a prefix: `Shop_` before `Orders_Read`.
        """
        self.asked += 1
        if self._endings is None:
            self._endings = _by_endings(key for key in self.definitions if key.endswith(_PROCEDURE))
        found = self._endings.get(name.casefold(), ())
        key = found[0] if len(found) == 1 else None
        is_whole = key is not None and _simple_name(key) == name.casefold()
        return key if is_end or is_whole else None

    def table_names(self) -> Iterator[str]:
        """Yield the names of tables and views, without their schemas."""
        return (_simple_name(key) for key in self.definitions if key.endswith(_TABLES))

    def key_of(self, key: str) -> str | None:
        """Return a node key as its definition spells it; None when nothing here defines it."""
        return self._keys.get(key.casefold())

    def defines(self, key: str, *, path: str, line: int) -> bool:
        """Tell whether a line is part of a definition that counts."""
        spans = self._spans.get((key, path), [])
        position = bisect_right(spans, (line, math.inf)) - 1
        return position >= 0 and line <= spans[position][1]

    def is_local(self, name: ObjectName) -> bool:
        """Tell whether a name is one of this system's own databases, or names none.

        What sqlcmd puts a value in for, `$(Sales)`, is the database of the project of that name.
        """
        database = name.database.casefold()
        if name.server or database in self._databases:
            return not name.server
        variable = database[2:-1] if database.startswith("$(") else ""
        return bool(variable) and variable in self._databases

    def _is_placed(self, name: ObjectName) -> bool:
        """Tell whether a script here creates an object of that name in the database that is written before it."""
        schema = (name.schema or self._default).casefold()
        return not name.server and (name.database.casefold(), schema, name.name.casefold()) in self._placed

    def _kept_in_server(self, name: ObjectName, kind: str) -> str | None:
        """Return the object that a script defines without saying where, if a database of the server is written."""
        if name.server or name.database.casefold() not in _OF_SERVER:
            return None
        found = self._lookup(name._replace(schema=name.schema or "dbo"), kind, "")
        is_anywhere = found is not None and any(
            one.file and not one.fact.name.database for one in self.definitions[found[0]]
        )
        return found[0] if found and is_anywhere else None

    def _lookup(self, name: ObjectName, kind: str, own_schema: str) -> tuple[str, float] | None:
        fitting, simple = _FITTING.get(kind, (kind,)), name.name.casefold()
        known = [
            self._qualified.get((schema.casefold(), simple), {})
            for schema in ([name.schema] if name.schema else [own_schema, self._default])
        ]
        for fits in [(fit,) for fit in fitting] if kind in _BY_KIND else [fitting]:
            for of_schema in known:
                for fit in fits:
                    if fit in of_schema:
                        return of_schema[fit], 1.0
        anywhere = {} if name.schema else self._anywhere.get(simple, {})
        elsewhere = [key for fit in fitting for key in anywhere.get(fit, ())]
        return (elsewhere[0], _UNIQUE_ONLY) if len(elsewhere) == 1 else None

    def _only_one_called(self, name: ObjectName, kind: str) -> str | None:
        """Return the only object whose schema, or database, may be what nobody knows of a name.

        Where the schema is known, several scripts that define the object may do so in several databases.
        """
        fitting, simple = _FITTING.get(kind, (kind,)), name.name.casefold()
        if name.database != HOLE and not self.is_local(name):
            return None
        if name.schema == HOLE:
            of_name = self._anywhere.get(simple, {})
            found = [key for fit in fitting for key in of_name.get(fit, ())]
        else:
            of_schema = self._qualified.get(((name.schema or self._default).casefold(), simple), {})
            known = [of_schema[fit] for fit in fitting if fit in of_schema]
            found = [key for key in known if len(self.definitions[key]) == 1]
        return found[0] if len(found) == 1 else None

    def _add(self, key: str, fact: ObjectFact) -> None:
        schema, simple = (fact.name.schema or fact.default_schema).casefold(), fact.name.name.casefold()
        self._qualified[schema, simple].setdefault(fact.kind, key)
        if len(self._anywhere[simple][fact.kind]) < _AMBIGUOUS:
            self._anywhere[simple][fact.kind].append(key)


def _by_endings(keys: Iterable[str]) -> dict[str, list[str]]:
    """Map names, and what is left of them behind each underscore, to the keys of those objects, two at most."""
    endings: defaultdict[str, list[str]] = defaultdict(list)
    for key in keys:
        rest = _simple_name(key)
        while rest:
            if len(endings[rest]) < _AMBIGUOUS:
                endings[rest].append(key)
            rest = rest.partition("_")[2].lstrip("_")
    return endings


def _simple_name(key: str) -> str:
    return key.rpartition("|")[0].rpartition(".")[2].casefold()


def _own_databases(files: Sequence[FileFacts], *, configuration: Sequence[FileFacts]) -> frozenset[str]:
    names = (name.casefold() for file in files for name in _names_of(file))
    return frozenset({"", _OWN_DATABASE, *names, *_connected(configuration)})


def _connected(files: Iterable[FileFacts]) -> frozenset[str]:
    """Return the databases that configuration connects to, if they are the same on different servers.

    Where code connects to several, another one may hold tables of the same names.
    """
    names = {one.name.casefold() for file in files if file.language in _CONFIGURATION for one in file.imports}
    shortest = min(names, key=len, default="")
    copies = (_OF_STAGE.fullmatch(name.removeprefix(shortest)) for name in names)
    return frozenset(names) if all(copies) else frozenset()


def _names_of(file: FileFacts) -> Iterator[str]:
    """Yield the databases that a file says to be part of: what it uses, and what its project is called."""
    yield from (used.name for used in file.imports)
    project = (file.project or "").casefold()
    yield project
    for ending in _DATABASE_ENDINGS:
        if project.endswith(ending):
            yield project.removesuffix(ending)
