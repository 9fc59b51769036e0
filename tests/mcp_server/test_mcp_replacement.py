import shutil
import threading

import pytest
from anyio import create_task_group, sleep

import ragduck
from ragduck.errors import StoreError
from ragduck.mcp_server import live_store
from ragduck.mcp_server.live_store import LiveStore
from ragduck.mcp_server.settings import ServerSettings
from ragduck.store.in_place import put_in_place

SLOW = "select count(*) from range(1000000) a, range(1000000) b where a.range * b.range % 7 = 3"


@pytest.fixture(scope="module")
def other(tmp_path_factory):
    """Another store, of one file."""
    folder = tmp_path_factory.mktemp("other")
    source = folder / "source"
    source.mkdir()
    (source / "price.py").write_text("def new_price():\n    return 1\n")
    ragduck.prepare(source, folder / "new.duckdb", repo="new", branch="main", embed_model="none")
    return folder / "new.duckdb"


@pytest.fixture
def live(shop_store, tmp_path):
    return shutil.copy(shop_store, tmp_path / "live.duckdb")


def replace(live, other):
    shutil.copy(other, live.with_name("next.duckdb"))
    put_in_place(live.with_name("next.duckdb"), live)


def test_a_store_that_was_prepared_again_is_opened_anew(serve, live, other):
    with serve(live) as connection:
        before = connection.data("sql", statement="select repo from snapshots")["rows"]
        replace(live, other)
        after = connection.data("sql", statement="select repo from snapshots")["rows"]
        found = connection.data("search", query="new_price", mode="bm25")["results"]

    assert (before, after) == ([["shop"]], [["new"]])
    assert found[0]["name"] == "new_price"


def test_a_prepare_while_the_server_runs_is_served(serve, live, other):
    with serve(live) as connection:
        connection.data("info")
        ragduck.prepare(other.parent / "source", live, repo="new", branch="main", embed_model="hashing")
        rows = connection.data("sql", statement="select repo from snapshots order by repo")["rows"]

    assert rows == [["new"], ["shop"]]


def test_a_call_that_runs_meanwhile_finishes_first(serve, live, other):
    async def replaced_meanwhile(client):
        async with create_task_group() as group:
            group.start_soon(client.call_tool, "sql", {"statement": SLOW})
            await sleep(0.2)
            replace(live, other)
            return await client.call_tool("sql", {"statement": "select repo from snapshots"})

    with serve(live, time_limit=1.0) as connection:
        answer = connection.portal.call(replaced_meanwhile, connection.client)

    assert answer.structured_content["rows"] == [["new"]]


def test_a_call_on_the_earlier_file_that_does_not_end_is_told(live, other, monkeypatch):
    monkeypatch.setattr(live_store, "DRAIN_SECONDS", 0.1)
    store = LiveStore(ServerSettings(store=live))
    with store.opened():
        replace(live, other)
        with pytest.raises(StoreError, match="a call still reads the earlier file"), store.opened():
            pass
    with store.opened() as opened:
        repos = opened.store.sql("select repo from snapshots")
    store.close()

    assert repos == [{"repo": "new"}]


def test_a_store_that_is_gone_is_an_error_until_there_is_one_again(serve, live, other):
    with serve(live) as connection:
        connection.data("info")
        live.unlink()
        error = connection.error("info")
        shutil.copy(other, live)
        data = connection.data("info")

    assert "there is no store at" in error
    assert data["branches"][0]["repo"] == "new"


def test_a_foreign_file_in_its_place_is_an_error(serve, live):
    with serve(live) as connection:
        connection.data("info")
        live.write_text("no database")
        error = connection.error("search", query="price")

    assert "is not a DuckDB file" in error


def test_threads_share_one_store(live):
    store = LiveStore(ServerSettings(store=live))
    seen = []

    def borrow():
        for _ in range(20):
            with store.opened() as opened:
                seen.append(id(opened))

    threads = [threading.Thread(target=borrow) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    store.close()

    assert len(seen) == 80
    assert len(set(seen)) == 1
