"""What SQL defines, changes and names."""

from __future__ import annotations

from typing import NamedTuple


class ObjectName(NamedTuple):
    """A database object as written, quotes removed."""

    name: str
    schema: str = ""
    database: str = ""
    server: str = ""


class ObjectFact(NamedTuple):
    """A database object that a script defines (``action`` create) or changes (alter, drop).

    A module that the same file defines anew further down is one that it changes.

    ``key`` is as chunks have it: `dbo.Invoice|TABLE`. ``columns`` are those of a table or view where they are
    written. ``default_schema`` is what its dialect takes for a missing schema.
    """

    key: str
    kind: str
    name: ObjectName
    line: int
    end_line: int
    action: str = "create"
    columns: tuple[str, ...] = ()
    default_schema: str = "dbo"
    path: str = ""  # of the file, for what migrations in code create; elsewhere the file that holds the fact
    table: str = ""  # node key of the table that an index or a foreign key is part of
    is_schema_put_in: bool = False  # by sqlcmd, for `$(Schema)`: the default one stands for it


INCLUDES = "Includes"  # of a script, the path of another one that runs in its place: no object is named
DRILLTHROUGH = "drillthrough"  # rule of what a report includes: a report that its reader may go on to


class ReferenceFact(NamedTuple):
    """A database object that a statement names.

    ``relation`` is ReadsFrom, WritesTo, Executes, Calls (functions), ForeignKey, On, SynonymFor, Uses (types,
    sequences), SchemaChange (of a migration script) or INCLUDES; ``kind`` is what the target must be, empty for table
    or view, CLR for a method or type of an assembly. ``rule`` says which construct names it: `from`, `join`,
    `insert`, `update`, `merge`, `exec`, `foreign key` …. ``detail`` names the foreign key or the columns.
    ``is_dynamic`` holds for what is read off a text that statements put together and run.
    """

    source: str
    name: ObjectName
    relation: str
    line: int
    kind: str = ""
    rule: str = ""
    detail: str = ""
    is_dynamic: bool = False
