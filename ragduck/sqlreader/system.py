"""Tell the objects that come with a database from those of its owner."""

from __future__ import annotations

from ragduck.facts import ObjectName
from ragduck.sqlreader.definitions import words

_SCHEMAS = words("sys information_schema pg_catalog pg_temp performance_schema sysibm syscat")
_DATABASES = words("master tempdb model mysql")
_PROCEDURE_PREFIXES = ("sp_", "xp_")
_TABLE_PREFIXES = ("pg_stat", "pg_catalog")
_PROCEDURES = words(
    "sp_executesql sp_addrolemember sp_droprolemember sp_addextendedproperty sp_updateextendedproperty sp_configure"
    " sp_dropextendedproperty sp_fulltext_database sp_rename sp_help sp_helptext sp_recompile sp_refreshview"
    " sp_adduser sp_refreshsqlmodule sp_settriggerorder sp_addmessage sp_dboption sp_changedbowner sp_grantdbaccess"
    " sp_spaceused sp_getapplock sp_releaseapplock sp_who sp_who2 sp_lock sp_depends sp_tableoption sp_addtype"
    " sp_droptype sp_updatestats sp_xml_preparedocument sp_xml_removedocument sp_bindefault sp_bindrule sp_dropuser"
)  # also where the database is written that they are called in
_TABLES = words(
    "sysobjects syscolumns sysindexes sysusers sysdatabases syslogins sysprocesses systypes syscomments"
    " sysforeignkeys sysreferences sysconstraints sysfiles sysindexkeys sysdepends sysmembers spt_values"
    " sqlite_master sqlite_schema sqlite_sequence sqlite_temp_master dual inserted deleted"
    " pg_class pg_namespace pg_tables pg_indexes pg_constraint pg_attribute pg_type pg_proc pg_trigger"
)


def is_system_object(name: ObjectName, *, kind: str = "") -> bool:
    """Tell whether a name means something that every server has; procedures of msdb are no part of that.

    A procedure called `sp_…` or `xp_…` is the server's own unless it is said to be in another database
    and none that every database has.
    """
    schema, database, simple = name.schema.casefold(), name.database.casefold(), name.name.casefold()
    if schema in _SCHEMAS or database in _DATABASES:
        return True
    if database == "msdb":
        return kind != "PROC"
    if kind == "PROC":
        return simple in _PROCEDURES or (not database and simple.startswith(_PROCEDURE_PREFIXES))
    return schema in ("", "dbo") and (simple in _TABLES or simple.startswith(_TABLE_PREFIXES))


_TYPES = words(
    "bigint int integer smallint tinyint mediumint bit boolean bool decimal dec numeric number money smallmoney"
    " float real double precision char character nchar varchar varchar2 nvarchar nvarchar2 text ntext tinytext"
    " mediumtext longtext clob blob tinyblob mediumblob longblob bytea binary varbinary image date time datetime"
    " datetime2 smalldatetime datetimeoffset timestamp timestamptz timetz interval year rowversion"
    " uniqueidentifier uuid xml json jsonb sql_variant sysname hierarchyid geography geometry table cursor"
    " serial bigserial smallserial inet cidr macaddr tsvector national varying enum set vector record refcursor"
    " array citext void trigger setof name oid regclass any unsigned signed null not default as constraint"
    " primary references"
)


def is_built_in_type(name: ObjectName) -> bool:
    """Tell whether a type comes with the database; keywords that stand where a type is left out count as such."""
    return name.schema.casefold() in _SCHEMAS or (not name.schema and name.name.casefold() in _TYPES)
