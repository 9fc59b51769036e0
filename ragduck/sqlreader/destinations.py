"""Tell by the name of a call what becomes of a string that it is given: run as SQL, or surely not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum
from functools import lru_cache

from ragduck.facts import Call, Choice, Expression, Joined, Member, Name, NameOf, New, Text, Typed
from ragduck.sqlreader.definitions import words


class Destination(Enum):
    """What a call does with the string it is given."""

    UNKNOWN = "unknown"
    REFUSES = "refuses"  # it logs, shows, compares or throws the text, or speaks another query language
    RUNS = "runs"
    MAY_EXECUTE = "may execute"  # as below, if a database is meant: `Execute("Refresh")` of who knows what
    EXECUTES = "executes"  # runs it, or calls the procedure of that name: `ExecuteReader("Orders_Read", id)`
    RUNS_WITH_PARAMETERS = "runs with parameters"  # the holes of its interpolated string are parameters
    CALLS_PROCEDURE = "calls procedure"
    FILLS_TABLE = "fills table"  # copies rows into the table of that name
    NAMES_TYPE = "names type"  # of a parameter that holds a table, if there is such a type


NAMING = frozenset({Destination.FILLS_TABLE, Destination.NAMES_TYPE})  # of which each takes a bare name only
_RUNS = re.compile(
    r"query\w*|execute\w*|exec_driver_sql|(?:from|to)sql\w*|(?:create)?sql\w*|create(?:native|sql)query|createcommand"
    r"|prepare\w*|fetch\w*|setcommand|addtemplate|raw|\$(?:query|execute)raw(?:unsafe)?|read_sql\w*|text|callproc"
    r"|batchupdate|update|statement|mogrify|addbatch",
    re.IGNORECASE,
)
_EXECUTES = re.compile(
    r"(?:exec(?:ute)?(?:reader|scalar|non_?query|data(?:set|table|reader|row|view)\w*|xml\w*|row\w*|sp|sql\w*)"
    r"|query(?:scalar|row\w*|first\w*|single\w*|multiple\w*|unbuffered\w*|sp|sql\w*))(?:async)?",
    re.IGNORECASE,
)
_MAY_EXECUTE = re.compile(  # not all that is executed or queried: `ExecuteJob`, `ExecuteWithRetry`, `QueryString`
    r"(?:exec(?:ute)?|query)(?:list|data\w*|xml\w*|first\w*|single\w*|multiple\w*|object\w*|command\w*|query\w*)?"
    r"(?:async)?",
    re.IGNORECASE,
)
_INTERPOLATES = re.compile(r"(?:fromsql|executesql|sqlquery)(?:interpolated)?(?:async)?", re.IGNORECASE)
_PROCEDURE = re.compile(
    r"\w*storedproc\w*|\w*sproc|(?:query|exec(?:ute)?|call|run|load)\w{0,30}proc(?!ess|eed)\w*|withprocedurename",
    re.IGNORECASE,
)
_REFUSES = re.compile(
    r"log\w*|trace\w*|debug\w*|info|information|warn\w*|error\w*|critical|fatal|verbose|write\w*|print\w*|console"
    r"|assert\w*|equals?|notequals?|same|contains|doesnotcontain|startswith|endswith|index_?of|replace|match\w*|ismatch"
    r"|should\w*|be|fail|describe|it|test|addmodelerror|getstring|throw\w*|createquery|createnamedquery"
    r"|createdocumentquery|getitemqueryiterator|format_exc|title|label|confirm|alert|prompt",
    re.IGNORECASE,
)
_RUNNING_TYPE = re.compile(r"(?:\w+\.)*\w*(?:Command|DataAdapter|CommandDefinition)")
_REFUSING_TYPE = re.compile(
    r"(?:\w+\.)*(?:\w*(?:Exception|Error|Message|Attribute)|ManagementObjectSearcher|\w*(?:ObjectQuery|EventQuery)"
    r"|SelectQuery|QueryDefinition|SqlQuerySpec|Regex|Uri|Label)"
)
_WHEN_SET = {
    "commandtext": Destination.RUNS,
    "destinationtablename": Destination.FILLS_TABLE,
    "typename": Destination.NAMES_TYPE,
}
_NAMES_TYPE = frozenset({"AsTableValuedParameter", "SetTypeName"})
_SQL_ARGUMENTS = words(
    "sql commandtext cmdtext query rawsql statement procedure procedurename procname storedprocedure"
    " storedprocedurename sprocname spname"
)
_MAX_POSITIONS = 3  # SqlMapper.Query(connection, "…"), ExecuteReader(connection, CommandType.…, "…")
STORED_PROCEDURE = "StoredProcedure"  # of CommandType, or of an enumeration of the system's own
_TOLD_MORE = frozenset({Destination.UNKNOWN, Destination.RUNS, Destination.MAY_EXECUTE})
_KEEPS = re.compile(
    r"(?:Try)?(?:Add|Append|Insert|Register|Remove|Delete|Drop|Create|Alter|Contains|Exists|Find|Has|Is|Push|Enqueue|Write|Log)"
    r"(?![a-z])"
)
_STRINGS = (Text, Joined, Choice, Name, NameOf, Member, Call, Typed)
_NOT_A_STRING = "connection"
_NO_SQL = re.compile(r"conn(?:ection)?(?:string)?$|^(?:conn|transaction|connection)", re.IGNORECASE)
_ENTITY_QUERIES = frozenset({"Query", "NamedQuery"})
_STRING_TYPES = frozenset({"string", "string?", "str", "String", "FormattableString", "RawSql", ""})


def destination_of(call: Call | None, *, assigned_to: str = "") -> Destination:
    """Say what becomes of the string that a call is given, or that is put into a member or local."""
    when_set = _WHEN_SET.get(assigned_to.lower(), Destination.UNKNOWN)
    if call is None or when_set in NAMING:
        return when_set
    if isinstance(call.function, New):
        return _destination_in(call.function.type, call)
    if not call.arguments:
        return Destination.UNKNOWN
    if is_stored_procedure(call):
        return Destination.CALLS_PROCEDURE
    by_name = (
        _destination_of(call.function.name)
        if isinstance(call.function, (Name, Member))
        else Destination.UNKNOWN
    )
    return Destination.EXECUTES if by_name in _TOLD_MORE and _tells_kind(call) else by_name


def may_run(name: str) -> bool:
    """Say whether a call may run what it is given by its name alone, which is "" where something else is called."""
    return not name or _destination_of(name) not in (Destination.UNKNOWN, Destination.REFUSES)


@lru_cache(maxsize=4096)
def _destination_of(name: str) -> Destination:
    if name in _NAMES_TYPE:
        return Destination.NAMES_TYPE
    if _PROCEDURE.fullmatch(name):
        return Destination.CALLS_PROCEDURE
    if _INTERPOLATES.fullmatch(name):
        return Destination.RUNS_WITH_PARAMETERS
    if _EXECUTES.fullmatch(name):
        return Destination.EXECUTES
    if _MAY_EXECUTE.fullmatch(name):
        return Destination.MAY_EXECUTE
    if _RUNS.fullmatch(name):
        return Destination.RUNS
    return Destination.REFUSES if _REFUSES.fullmatch(name) else Destination.UNKNOWN


def _destination_in(type_name: str, call: Call) -> Destination:
    written = type_name.partition("<")[0]
    if _RUNNING_TYPE.fullmatch(written):
        return Destination.CALLS_PROCEDURE if is_stored_procedure(call) else Destination.RUNS
    return Destination.REFUSES if _REFUSING_TYPE.fullmatch(written) else Destination.UNKNOWN


def names_entities(call: Call | None) -> bool:
    """Say whether a call is an annotation `@Query("…")` of Java, which speaks of entities rather than tables."""
    if call is None or not isinstance(call.function, Name) or call.function.name not in _ENTITY_QUERIES:
        return False
    return not any(argument.name == "nativeQuery" for argument in call.arguments)


def is_stored_procedure(call: Call) -> bool:
    """Say whether an argument is `CommandType.StoredProcedure`."""
    for argument in call.arguments:  # of every call there is: any() would take twice as long
        if isinstance(argument.value, (Member, Name)) and names_stored_procedure(argument.value):
            return True
    return False


def names_stored_procedure(expression: Expression) -> bool:
    """Say whether an expression is `CommandType.StoredProcedure`."""
    if not isinstance(expression, (Member, Name)) or expression.name != STORED_PROCEDURE:
        return False
    receiver = expression.receiver if isinstance(expression, Member) else None
    return receiver is None or (isinstance(receiver, (Member, Name)) and receiver.name == "CommandType")


def _tells_kind(call: Call) -> bool:
    """Say whether an argument is `Kind.StoredProcedure`: a data access of one's own says so in its own words.

    What keeps or drops things by their kind runs none.
    """
    if isinstance(call.function, (Name, Member)) and _KEEPS.match(call.function.name):
        return False
    for argument in call.arguments:
        if isinstance(argument.value, Member) and argument.value.name == STORED_PROCEDURE:
            receiver = argument.value.receiver
            return isinstance(receiver, (Member, Name)) and receiver.name[:1].isupper()
    return False


def sql_arguments(call: Call) -> Iterator[Expression]:
    """Yield the arguments that may hold the SQL or the procedure's name, likeliest first."""
    for argument in call.arguments:
        if argument.name.lower() in _SQL_ARGUMENTS:
            yield argument.value
            return
    values = [argument.value for argument in call.arguments if not argument.name][:_MAX_POSITIONS]
    if len(values) > 1 and _names_command_type(values[1]):  # ExecuteReader(connection, CommandType.…, "…")
        is_first = _is_name(values[0]) and not any(map(_is_statement, values[2:]))
        values = values[:1] if is_first else [*values[2:], values[0]]
    yield from (one for one in values if isinstance(one, _STRINGS) and _may_be_sql(one))


def _may_be_sql(value: Expression) -> bool:
    """Say whether what is called so may be SQL: no connection, nor a kind of commands, unlike a parameter."""
    name = _name_of(value)
    is_kind = name == STORED_PROCEDURE and isinstance(value, (Name, Member))
    return not is_kind and not _NO_SQL.search(name)


def _is_name(value: Expression) -> bool:
    """Say whether an argument is a text, and no connection string."""
    parts = value.parts if isinstance(value, Joined) else (value,)
    texts = [part.value for part in parts if isinstance(part, Text)]
    return isinstance(value, (Joined, Text)) and not any("=" in text for text in texts)


def _is_statement(value: Expression) -> bool:
    """Say whether an argument is a text that is not the name of a parameter."""
    return isinstance(value, Joined) or (isinstance(value, Text) and not value.value.startswith("@"))


def _names_command_type(value: Expression) -> bool:
    return (
        isinstance(value, Member)
        and isinstance(value.receiver, (Member, Name))
        and (value.receiver.name == "CommandType" or value.name == STORED_PROCEDURE)
    )


def _name_of(value: Expression) -> str:
    if isinstance(value, Typed):
        return value.name if value.type in _STRING_TYPES else _NOT_A_STRING
    return value.name if isinstance(value, (Name, Member)) else ""
