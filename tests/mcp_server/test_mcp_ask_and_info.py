import shutil

import pytest
from anyio import create_task_group, sleep

from ragduck.store.history import StoreHistory


@pytest.fixture
def own_store(shop_store, tmp_path):
    return shutil.copy(shop_store, tmp_path / "own.duckdb")


def test_ask_answers_with_citations(shop):
    data = shop.data("ask", question="How are invoices created?")

    assert data["status"] == "answered"
    assert data["pipeline"] == "extractive"
    assert "## Entry points" in data["answer"]
    assert data["citations"][0].keys() == {"number", "key", "location", "repo", "branch"}


def test_ask_reports_its_steps_to_a_client_that_wants_to_know(shop):
    seen = []

    async def asked():
        async def note(progress, total, message):
            seen.append((progress, message))

        await shop.client.call_tool("ask", {"question": "How are invoices created?"}, progress_callback=note)

    shop.portal.call(asked)

    assert [number for number, _ in seen] == list(range(1, len(seen) + 1))
    assert len(seen) > 3
    assert all(message for _, message in seen)


def test_ask_names_tools_rather_than_commands(shop):
    assert "ragduck show" not in shop.text("ask", question="How are invoices created?")


def test_ask_keeps_nothing_unless_a_conversation_is_named(serve, own_store):
    with serve(own_store) as connection:
        data = connection.data("ask", question="How are invoices created?")

    assert "session" not in data
    assert StoreHistory(own_store).sessions() == ()


def test_ask_keeps_the_turns_of_a_conversation(serve, own_store):
    with serve(own_store) as connection:
        connection.data("ask", question="How are invoices created?", session="talk-1")
        data = connection.data("ask", question="And cancelled?", session="talk-1")

    assert data["session"] == "talk-1"
    assert [turn.question for turn in StoreHistory(own_store).load("talk-1").turns] == [
        "How are invoices created?",
        "And cancelled?",
    ]


def test_a_server_that_is_read_only_takes_no_session(serve, own_store):
    with serve(own_store, read_only=True) as connection:
        error = connection.error("ask", question="How are invoices created?", session="talk-1")

    assert "there is no argument 'session'" in error
    assert not own_store.with_name(f"{own_store.name}.ragduck-journal").exists()


def test_a_session_cannot_be_a_path(shop):
    assert "session" in shop.error("ask", question="How are invoices created?", session="../x")


def test_ask_runs_the_configured_model(serve, shop_store, tmp_path):
    script = tmp_path / "script.yaml"
    script.write_text("- answer: '[Answer:] dbo.Invoice_Create makes them [1].'\n")
    with serve(shop_store, model=f"scripted:{script}") as connection:
        data = connection.data("ask", question="How are invoices created?")

    assert data["pipeline"] == "base"
    assert data["model"].startswith("scripted")
    assert "dbo.Invoice_Create makes them" in data["answer"]


def test_other_calls_are_answered_while_a_model_thinks(serve, shop_store, tmp_path):
    script = tmp_path / "slow.yaml"
    script.write_text("- {answer: '[Answer:] late', delay_seconds: 3}\n")

    async def search_meanwhile(client):
        async with create_task_group() as group:
            group.start_soon(client.call_tool, "ask", {"question": "How are invoices created?"})
            await sleep(0.2)
            answer = await client.call_tool("search", {"query": "invoice", "mode": "bm25"})
            group.cancel_scope.cancel()
        return answer

    with serve(shop_store, model=f"scripted:{script}") as connection:
        answer = connection.portal.call(search_meanwhile, connection.client)

    assert answer.structured_content["results"]


def test_info_tells_branches_and_counts(shop):
    data = shop.data("info")

    assert data["branches"][0]["repo"] == "shop"
    assert data["branches"][0]["freshness"]
    assert data["totals"]["chunks"] > 100
    assert data["chunks_by"]["file_class"]["source"] > 10
    assert data["relations"]["Calls"] > 0


def test_info_tells_the_schema_that_sql_needs(shop):
    data = shop.data("info", about="schema")

    tables = {table["name"]: table for table in data["tables"]}
    assert "from_key VARCHAR" in tables["edges"]["columns"]
    assert tables["documents"]["comment"]
    assert any(macro["name"].startswith("neighbours(asked") for macro in data["macros"])


def test_every_table_of_the_schema_can_be_asked_for_its_columns(shop):
    for table in shop.data("info", about="schema")["tables"]:
        columns = shop.data("info", about="schema", name=table["name"])["tables"][0]["columns"]

        assert all(": " in column for column in columns) or table["comment"]


def test_info_tells_the_cookbook_and_a_query_of_it(shop):
    names = [query["name"] for query in shop.data("info", about="cookbook")["queries"]]
    sql = shop.data("info", about="cookbook", name=names[0])["sql"]

    assert "@who_writes_a_table" in names
    assert "select" in sql


def test_info_refuses_unknown_names(shop):
    assert "no table or view 'nope'" in shop.error("info", about="schema", name="nope")
    assert "no query 'nope'" in shop.error("info", about="cookbook", name="nope")
    assert "name goes with" in shop.error("info", name="nodes")
