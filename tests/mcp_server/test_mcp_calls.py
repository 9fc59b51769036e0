import threading
import time

import anyio
import pytest

from ragduck.mcp_server.interruption import Call, CallEndedError, InterruptibleDatabase, current_call
from ragduck.mcp_server.running import TimeLimitError, run_call
from ragduck.store import open_database

SLOW = "select count(*) as n from range(1000000) a, range(1000000) b where a.range * b.range % 7 = 3"


@pytest.fixture(scope="module")
def database(shop_store):
    with open_database(shop_store) as opened:
        yield InterruptibleDatabase(opened)


def test_a_call_returns_what_its_work_returns(database):
    call = Call()
    rows = call.run(lambda: database.rows("select $x as x", {"x": 1}))

    assert rows == [{"x": 1}]
    assert call.finished.is_set()


def test_statements_outside_of_any_call_run(database):
    assert database.rows("select 1 as x") == [{"x": 1}]
    assert not current_call().ended.is_set()


def test_an_ended_call_begins_no_further_statement(database):
    def work():
        current_call().end()
        return database.rows("select 1 as x")

    with pytest.raises(CallEndedError):
        Call().run(work)


def test_a_call_that_ended_before_it_began_does_no_work():
    call, done = Call(), []
    call.end()

    with pytest.raises(CallEndedError):
        call.run(lambda: done.append(1))
    assert not done


def test_ending_a_call_interrupts_its_statement_and_no_other(database):
    ending, other = Call(), Call()
    failures, rows = [], []

    def slow():
        try:
            ending.run(lambda: database.rows(SLOW))
        except Exception as error:
            failures.append(type(error).__name__)

    threads = [
        threading.Thread(target=slow),
        threading.Thread(target=lambda: rows.extend(other.run(lambda: database.rows("select 42 as n")))),
    ]
    for thread in threads:
        thread.start()
    while not ending.finished.is_set():
        ending.end()
        time.sleep(0.01)
    for thread in threads:
        thread.join()

    assert failures[0] in ("InterruptException", "CallEndedError")
    assert rows == [{"n": 42}]


def test_what_a_connection_sets_ends_with_it(database):
    with database.lent() as own:
        own.execute("set variable x = 1")
    with database.lent() as own:
        left = own.execute("select getvariable('x')").fetchone()

    assert left == (None,)


def test_work_that_takes_too_long_is_told(database):
    async def limited():
        await run_call(lambda: database.rows(SLOW), seconds=0.1)

    with pytest.raises(TimeLimitError, match=r"ended after 0\.1 seconds"):
        anyio.run(limited)


def test_an_error_of_the_work_is_the_error_of_the_call():
    async def failing():
        await run_call(lambda: 1 / 0, seconds=5)

    with pytest.raises(ZeroDivisionError):
        anyio.run(failing)


def test_work_without_a_limit_is_waited_for():
    async def unlimited():
        return await run_call(lambda: "done", seconds=None)

    assert anyio.run(unlimited) == "done"
