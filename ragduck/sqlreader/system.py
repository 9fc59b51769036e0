"""Tell the objects that come with a database from those of its owner."""

from __future__ import annotations

from ragduck.facts import ObjectName
from ragduck.sqlreader.definitions import words
from ragduck.sqlreader.system_procedures import PROCEDURES, PROCEDURES_OF_MSDB

_SCHEMAS = words("sys information_schema pg_catalog pg_temp performance_schema sysibm syscat")
_DATABASES = words("master tempdb model mysql")
_OF_REPLICATION = "sp_MS"  # and of tools; who writes `sp_ms…` has procedures of his own
_TABLE_PREFIXES = ("pg_stat", "pg_catalog")
_TABLES = words(
    "sysobjects syscolumns sysindexes sysusers sysdatabases syslogins sysprocesses systypes syscomments"
    " sysforeignkeys sysreferences sysconstraints sysfiles sysindexkeys sysdepends sysmembers spt_values"
    " sysarticles syspublications syssubscriptions sysmergearticles sysmergepublications sysmergesubscriptions"
    " sqlite_master sqlite_schema sqlite_sequence sqlite_temp_master dual inserted deleted"
    " pg_class pg_namespace pg_tables pg_indexes pg_constraint pg_attribute pg_type pg_proc pg_trigger"
)


def is_system_object(name: ObjectName, *, kind: str = "") -> bool:
    """Tell whether a name means something that every server has; procedures of msdb are no part of that.

    A procedure called `sp_…` is the server's own if the server has one of that name, and no schema says otherwise,
    nor another database than the one that has it.
    """
    schema, database, simple = name.schema.casefold(), name.database.casefold(), name.name.casefold()
    if schema in _SCHEMAS or database in _DATABASES:
        return True
    if database == "msdb":
        return kind != "PROC"
    if kind == "PROC":
        is_elsewhere = database and simple in PROCEDURES_OF_MSDB
        is_own = (simple in PROCEDURES and not is_elsewhere) or name.name.startswith(_OF_REPLICATION)
        return schema in ("", "dbo") and (is_own or (not database and simple.startswith("xp_")))
    return schema in ("", "dbo") and (simple in _TABLES or simple.startswith(_TABLE_PREFIXES))


_TYPES = words(
    "bigint int integer smallint tinyint bit decimal dec numeric money smallmoney float real double precision char"
    " character nchar varchar nvarchar text ntext binary varbinary image date time datetime datetime2 smalldatetime"
    " datetimeoffset timestamp rowversion uniqueidentifier xml json sql_variant sysname hierarchyid geography"
    " geometry table cursor varchar2 nvarchar2 mediumint tinytext mediumtext longtext tinyblob mediumblob longblob"
    " blob clob bytea timestamptz timetz serial bigserial smallserial inet cidr macaddr tsvector jsonb citext oid"
    " regclass refcursor national varying unsigned signed void setof trigger"
    " null not default as constraint primary references"
)  # what another database has as `name` or `bool` may be declared; where it is not, it leads nowhere


def is_built_in_type(name: ObjectName) -> bool:
    """Tell whether a type comes with the database; keywords that stand where a type is left out count as such."""
    return name.schema.casefold() in _SCHEMAS or (not name.schema and name.name.casefold() in _TYPES)
