"""The parts of data flows that name tables and commands, in the versions of Integration Services since 2005.

Up to 2012 a package tells the class of a part by its identifier, later by its name. Parts that are written for .NET
have one class for all, and tell what they are by a property.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ragduck.parse.facts.handed_sql import HandedSql
from ragduck.parse.facts.package_variables import Variables

PROPERTIES = (
    "SqlCommand",
    "SqlCommandVariable",
    "OpenRowset",
    "OpenRowsetVariable",
    "AccessMode",
    "BulkInsertTableName",
    "ReferenceTableName",
    "RefTermTable",
    "TableName",
    "TableOrViewName",
    "UserComponentTypeName",
)


class _Part(NamedTuple):
    """What a part uses in which of its modes of access, if it has any."""

    table: str = ""  # the property that names it
    table_modes: tuple[str, ...] = ()
    command_modes: tuple[str, ...] = ()
    is_filled: bool = False
    table_variable_modes: tuple[str, ...] = ()
    command_variable_modes: tuple[str, ...] = ()


_COMMAND = _Part(command_modes=("",))
_OLE_DB_SOURCE = _Part(
    "OpenRowset", ("0",), ("2",), table_variable_modes=("1",), command_variable_modes=("3",)
)
_OLE_DB_DESTINATION = _Part("OpenRowset", ("0", "3"), ("2",), is_filled=True, table_variable_modes=("1", "4"))
_BULK_DESTINATION = _Part("BulkInsertTableName", is_filled=True)
_FUZZY_LOOKUP = _Part("ReferenceTableName")
_ODBC_SOURCE = _Part("TableName", ("0",), ("1",))
_ODBC_DESTINATION = _Part("TableName", is_filled=True)

_OF_NAME = {
    "OLEDBSource": _OLE_DB_SOURCE,
    "OLEDBDestination": _OLE_DB_DESTINATION,
    "OLEDBCommand": _COMMAND,
    "Lookup": _COMMAND,
    "SCD": _COMMAND,
    "FuzzyLookup": _FUZZY_LOOKUP,
    "TermLookup": _Part("RefTermTable"),
    "SQLServerDestination": _BULK_DESTINATION,
    "SSISODBCSrc": _ODBC_SOURCE,
    "SSISODBCDst": _ODBC_DESTINATION,
    "DataReaderSourceAdapter": _Part("TableOrViewName", ("0",), ("2",)),
    "ADONETDestination": _Part("TableOrViewName", is_filled=True),
}
_OF_IDENTIFIER = {  # of 2005, 2008 and 2012
    "{9F4EB4D4-AD71-496D-B70B-31ECE1139884}": _FUZZY_LOOKUP,
    **dict.fromkeys(
        (
            "{2C0A8BE5-1EDC-4353-A0EF-B778599C65A0}",
            "{BCEFE59B-6819-47F7-A125-63753B33ABB7}",
            "{165A526D-D5DE-47FF-96A6-F8274C19826B}",
        ),
        _OLE_DB_SOURCE,
    ),
    **dict.fromkeys(
        (
            "{E2568105-9550-4F71-A638-B7FE42E66922}",
            "{5A0B62E8-D91D-49F5-94A5-7BE58DE508F0}",
            "{4ADA7EAA-136C-4215-8098-D7A7C27FC0D1}",
        ),
        _OLE_DB_DESTINATION,
    ),
    **dict.fromkeys(
        (
            "{0FB4AABB-C027-4440-809A-1198049BF117}",  # look-ups
            "{27648839-180F-45E6-838D-AFF53DF682D2}",
            "{671046B0-AA63-4C9F-90E4-C06E0B710CE3}",
            "{C60ACAD1-9BE8-46B3-87DA-70E59EADEA46}",  # commands for each row
            "{8E61C8F6-C91D-43B6-97EB-3423C06571CC}",
            "{93FFEC66-CBC8-4C7F-9C6A-CB1C17A7567D}",
        ),
        _COMMAND,
    ),
    **dict.fromkeys(
        (
            "{5244B484-7C76-4026-9A01-00928EA81550}",
            "{E4B61516-847B-4BDF-9CC6-1968A2D43E73}",
            "{F452EAF3-5EF0-43F1-8067-09DDF0BC6316}",
        ),
        _BULK_DESTINATION,
    ),
}


def sql_of_part(
    class_: str, properties: Mapping[str, HandedSql], variables: Variables
) -> Iterator[HandedSql]:
    """Yield what a part of a data flow asks for; what its mode of access leaves unused may be long gone."""
    part = _part(class_, properties)
    if part is None:
        return
    mode = properties["AccessMode"].text.strip() if "AccessMode" in properties else ""
    command, table = properties.get("SqlCommand"), properties.get(part.table)
    if mode in part.command_variable_modes:
        name = properties.get("SqlCommandVariable")
        command = variables.held(name.text) if name else None
        yield from (command,) if command else ()
    elif command is not None and part.command_modes and (not mode or mode in part.command_modes):
        yield command
    if mode in part.table_variable_modes:
        name = properties.get("OpenRowsetVariable")
        table = variables.held_name(name.text) if name else None
        yield from (as_statement(table, is_filled=part.is_filled),) if table else ()
    elif table is not None and (not mode or not part.table_modes or mode in part.table_modes):
        yield as_statement(table, is_filled=part.is_filled)


def as_statement(table: HandedSql, *, is_filled: bool) -> HandedSql:
    """Return a statement that reads a table, or fills it."""
    return table.within("INSERT INTO ", " DEFAULT VALUES") if is_filled else table.within("SELECT * FROM ")


def _part(class_: str, properties: Mapping[str, HandedSql]) -> _Part | None:
    """Return what the class of a part tells, or its type if it is written for .NET."""
    if class_.startswith("{") and class_.upper() in _OF_IDENTIFIER:
        return _OF_IDENTIFIER[class_.upper()]
    type_ = properties.get("UserComponentTypeName")
    name = type_.text.partition(",")[0].strip() if type_ else class_
    return _OF_NAME.get(name.rpartition(".")[2])
