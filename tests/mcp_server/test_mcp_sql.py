import time

import pytest
from anyio import create_task_group, move_on_after, sleep

SLOW = "select count(*) from range(1000000) a, range(1000000) b where a.range * b.range % 7 = 3"


def test_rows_come_back_by_column(shop):
    data = shop.data("sql", statement="select repo, branch from snapshots")

    assert data == {
        "columns": ["repo", "branch"],
        "rows": [["shop", "main"]],
        "truncated": False,
        "notes": [],
    }


def test_values_become_json(shop):
    row = shop.data(
        "sql",
        statement="select 1.5::decimal(4, 2), date '2024-02-29', 'ab'::blob, 'nan'::double, [1, 2], {'a': null}, "
        "map {1: 'x'}, null, true, ['inf'::double], ['\\xFF'::blob]",
    )["rows"][0]

    assert row == [
        1.5, "2024-02-29", "6162", None, [1, 2], {"a": None}, {"1": "x"}, None, True, [None], ["_w=="],
    ]  # fmt: skip


def test_columns_of_the_same_name_all_come_back(shop):
    assert shop.data("sql", statement="select 1 as a, 2 as a")["rows"] == [[1, 2]]


def test_a_query_of_the_cookbook_is_run_by_name(shop):
    data = shop.data("sql", statement="@who_writes_a_table", variables={"object": "dbo.Invoice"})

    assert any("Invoice_Create" in row[0] for row in data["rows"])


def test_variables_of_one_call_are_not_seen_by_the_next(shop):
    shop.data("sql", statement="select getvariable('object')", variables={"object": "dbo.Invoice"})
    data = shop.data("sql", statement="select getvariable('object')")

    assert data["rows"] == [[None]]


def test_rows_beyond_the_limit_are_left_out_and_told(serve, shop_store):
    with serve(shop_store, row_limit=3) as connection:
        data = connection.data("sql", statement="select * from range(4)")
        exact = connection.data("sql", statement="select * from range(3)")

    assert len(data["rows"]) == 3
    assert data["truncated"]
    assert "more than 3 rows" in data["notes"][0]
    assert not exact["truncated"]


def test_a_huge_result_is_not_fetched(shop):
    began = time.monotonic()
    data = shop.data("sql", statement="select * from range(100000000000)")

    assert len(data["rows"]) == 200
    assert time.monotonic() - began < 5


def test_long_values_are_cut_and_told(shop):
    answer = shop.call("sql", statement="select repeat('x', 1000000) as long, 1 as short")

    assert len(answer.content[0].text) < 31_000
    assert answer.structured_content["truncated"]
    assert "values are cut" in answer.structured_content["notes"][0]


def test_an_answer_of_many_long_values_keeps_its_size(shop):
    columns = ", ".join(f"repeat('x', 1000) as c{number}" for number in range(200))
    answer = shop.call("sql", statement=f"select {columns} from range(100)")

    assert len(answer.content[0].text) < 45_000


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("drop table nodes", "DROP is not allowed"),
        ("insert into nodes select * from nodes", "INSERT is not allowed"),
        ("attach 'other.duckdb'", "ATTACH is not allowed"),
        ("copy nodes to 'nodes.csv'", "COPY is not allowed"),
        ("set threads = 1", "SET is not allowed"),
        ("select 1; select 2", "give one statement, not 2"),
        ("select * from read_csv('/etc/hostname')", "may not reach outside"),
        ("selec 1", "syntax error"),
        ("@no_such_query", "no query 'no_such_query'"),
    ],
)
def test_what_is_no_reading_statement_is_refused(shop, statement, told):
    assert told in shop.error("sql", statement=statement)


def test_a_statement_that_takes_too_long_is_ended(serve, shop_store):
    with serve(shop_store, time_limit=0.3) as connection:
        began = time.monotonic()
        error = connection.error("sql", statement=SLOW)

        assert "ended after 0.3 seconds" in error
        assert "--time-limit" in error
        assert time.monotonic() - began < 5


def test_the_time_limit_holds_for_searches_too(serve, shop_store):
    with serve(shop_store, time_limit=0.000001) as connection:
        error = connection.error("search", query="invoice")

    assert "ended after 1e-06 seconds" in error


def test_other_calls_are_answered_while_one_runs(shop):
    async def both():
        quick = 0.0
        async with create_task_group() as group:
            group.start_soon(shop.client.call_tool, "sql", {"statement": SLOW})
            await sleep(0.1)
            began = time.monotonic()
            answer = await shop.client.call_tool("sql", {"statement": "select 42"})
            quick = time.monotonic() - began
            group.cancel_scope.cancel()
        return answer.structured_content["rows"], quick

    rows, seconds = shop.portal.call(both)

    assert rows == [[42]]
    assert seconds < 5


def test_a_cancelled_call_stops_the_engine(shop):
    async def cancelled():
        with move_on_after(0.2):
            await shop.client.call_tool("sql", {"statement": SLOW})
        used = time.process_time()
        await sleep(0.5)
        return time.process_time() - used

    busy = shop.portal.call(cancelled)

    assert busy < 0.4  # seconds of processor time; the statement alone would take half a second on each core


def test_many_calls_at_once_are_all_answered(shop):
    async def many():
        answers = {}

        async def one(number):
            answer = await shop.client.call_tool(
                "sql", {"statement": f"select {number}, count(*) from nodes"}
            )
            answers[number] = answer.structured_content["rows"][0][0]

        async with create_task_group() as group:
            for number in range(30):
                group.start_soon(one, number)
        return answers

    assert shop.portal.call(many) == {number: number for number in range(30)}
