"""The name of a call tells what becomes of the string that it is given."""

from __future__ import annotations

import pytest

from ragduck.facts import Argument, Call, Expression, Joined, Member, Name, New, Text, Typed
from ragduck.sqlreader.destinations import Destination, destination_of, sql_arguments
from ragduck.sqlreader.sites import RUNNING

SQL = Text("SELECT 1")
STORED_PROCEDURE = Member(Name("CommandType"), "StoredProcedure")


def call_of(function: str, *values: Expression, **named: Expression) -> Call:
    arguments = [Argument(value) for value in values or (SQL,)]
    arguments += [Argument(value, name) for name, value in named.items()]
    return Call(Member(Typed("IDbConnection"), function), tuple(arguments))


@pytest.mark.parametrize(
    "function",
    [
        "Query",
        "QueryAsync",
        "QueryFirstOrDefault",
        "ExecuteScalarAsync",
        "QueryMultiple",
        "FromSqlRaw",
        "ExecuteSqlRawAsync",
        "ExecuteSqlCommand",
        "Sql",
        "execute",
        "executemany",
        "prepareStatement",
        "$queryRaw",
    ],
)
def test_these_run_what_they_are_given(function: str) -> None:
    assert destination_of(call_of(function)) in RUNNING - {Destination.CALLS_PROCEDURE}


@pytest.mark.parametrize(
    "function", ["FromSqlInterpolated", "FromSql", "ExecuteSqlInterpolatedAsync", "SqlQuery"]
)
def test_these_make_parameters_of_holes(function: str) -> None:
    assert destination_of(call_of(function)) is Destination.RUNS_WITH_PARAMETERS


@pytest.mark.parametrize(
    "function", ["LogInformation", "WriteLine", "Equal", "Contains", "createQuery", "AddModelError"]
)
def test_these_do_not_run_what_they_are_given(function: str) -> None:
    assert destination_of(call_of(function)) is Destination.REFUSES


@pytest.mark.parametrize("function", ["Process", "CallMe", "Handle", "Add"])
def test_of_others_nothing_is_known(function: str) -> None:
    assert destination_of(call_of(function)) is Destination.UNKNOWN


def test_a_stored_procedure_is_called_by_any_name() -> None:
    assert destination_of(call_of("Load", commandType=STORED_PROCEDURE)) is Destination.CALLS_PROCEDURE


@pytest.mark.parametrize("function", ["QueryProc", "ExecuteProcAsync", "LoadStoredProc", "callproc"])
def test_some_names_tell_of_procedures(function: str) -> None:
    assert destination_of(call_of(function)) is Destination.CALLS_PROCEDURE


@pytest.mark.parametrize("function", ["RunProcess", "LoadProcessor", "CallProceed"])
def test_others_only_begin_so(function: str) -> None:
    assert destination_of(call_of(function)) is Destination.UNKNOWN


@pytest.mark.parametrize(
    "function", ["Execute", "QueryAsync", "exec", "ExecuteCommand", "ExecuteList", "ExecuteData"]
)
def test_some_names_are_those_of_other_things_too(function: str) -> None:
    assert destination_of(call_of(function)) is Destination.MAY_EXECUTE


@pytest.mark.parametrize(
    "function", ["ExecuteReaderAsync", "ExecNonQuery", "ExecuteDataTable", "QuerySingle"]
)
def test_some_names_only_databases_have(function: str) -> None:
    assert destination_of(call_of(function)) is Destination.EXECUTES


@pytest.mark.parametrize("type_name", ["SqlCommand", "Microsoft.Data.Sqlite.SqliteCommand", "SqlDataAdapter"])
def test_commands_run_their_text(type_name: str) -> None:
    assert destination_of(Call(New(type_name), (Argument(SQL),))) is Destination.RUNS


@pytest.mark.parametrize("type_name", ["ArgumentException", "ManagementObjectSearcher", "QueryDefinition"])
def test_exceptions_and_other_query_languages_do_not(type_name: str) -> None:
    assert destination_of(Call(New(type_name), (Argument(SQL),))) is Destination.REFUSES


def test_the_text_of_a_command_is_run() -> None:
    assert destination_of(None, assigned_to="CommandText") is Destination.RUNS
    assert destination_of(None, assigned_to="Caption") is Destination.UNKNOWN


def test_the_first_string_is_the_sql() -> None:
    call = call_of("Query", Typed("SqlConnection", "db"), SQL, Text("Id"))

    assert next(sql_arguments(call)) == SQL


def test_a_named_argument_is_the_sql() -> None:
    call = call_of("Query", Text("Id"), sql=SQL)

    assert list(sql_arguments(call)) == [SQL]


def test_the_sql_follows_the_command_type() -> None:
    call = call_of("ExecuteReader", Text("Server=."), STORED_PROCEDURE, Text("dbo.Orders_Read"))

    assert next(sql_arguments(call)) == Text("dbo.Orders_Read")


def test_the_command_type_may_follow_the_sql() -> None:
    call = call_of("ExecuteReader", Text("dbo.Orders_Read"), STORED_PROCEDURE, Text("@id"))

    assert list(sql_arguments(call)) == [Text("dbo.Orders_Read")]


def test_a_connection_string_is_no_sql() -> None:
    call = call_of("ExecuteScalar", Typed("string", "connectionString"), Name("_connection"), SQL)

    assert list(sql_arguments(call)) == [SQL]


@pytest.mark.parametrize(
    "connection", [Text("MyDatabase"), Joined((Text("Server="), Name("s"), Text(";Database=x")))]
)
def test_a_text_before_the_command_type_and_the_sql_names_the_connection(connection: Expression) -> None:
    call = call_of("ExecuteReader", connection, STORED_PROCEDURE, Text("Orders_Read"))

    assert next(iter(sql_arguments(call))) == Text("Orders_Read")


@pytest.mark.parametrize("name", ["Add", "TryAdd", "Register", "Drop", "DropIfThere", "Contains", "Insert"])
def test_what_keeps_things_by_their_kind_runs_none(name: str) -> None:
    kind = Member(Name("DbObjectType"), "StoredProcedure")

    assert destination_of(call_of(name, Text("Orders_Read"), kind)) is not Destination.EXECUTES
    assert destination_of(call_of("GetFirst", Text("Orders_Read"), kind)) is Destination.EXECUTES
