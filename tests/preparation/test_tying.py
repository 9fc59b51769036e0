"""A large system is tied together in a process of its own, with the same result; its end is told."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import ragduck
from ragduck.errors import RagduckError
from ragduck.facts.packing import packed_facts
from ragduck.model import Document, Snapshot
from ragduck.parse import ChunkSettings, parse_document
from ragduck.preparation import tying
from ragduck.preparation.processes import begun, in_own_process

SNAPSHOT = Snapshot("r", "b", None, Path("r"))
TEXTS = {
    "a.py": "import b\n\n\ndef first():\n    return b.second()\n",
    "b.py": "def second():\n    return 'select 1 from dbo.Invoice'\n",
}


def facts() -> list[bytes]:
    documents = [Document(path, text, "python", "py", "source", len(text), 0) for path, text in TEXTS.items()]
    return [packed_facts(parse_document(each, settings=ChunkSettings()).facts) for each in documents]


def test_a_graph_is_the_same_from_processes_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = tying.tie(SNAPSHOT, facts(), folder=tmp_path / "spill")
    monkeypatch.setattr(tying, "OWN_PROCESS_BYTES", 0)

    given = facts()
    there = tying.tie(SNAPSHOT, given, folder=tmp_path / "spill")

    assert given == []
    assert there.rows.nodes.to_pylist() == here.rows.nodes.to_pylist()
    assert there.rows.edges.to_pylist() == here.rows.edges.to_pylist()
    assert ("python:a.first|METHOD", "python:b.second|METHOD", "Calls") in {
        (row["from_key"], row["to_key"], row["relation"]) for row in here.rows.edges.to_pylist()
    }
    assert there.problems == here.problems == ()
    assert not any((tmp_path / "spill").iterdir())


def calls_of(tied: tying.TiedGraph) -> set[tuple[str, str]]:
    rows = tied.rows.edges.to_pylist()
    return {(row["from_key"], row["to_key"]) for row in rows if row["relation"] == "Calls"}


@pytest.mark.parametrize("processes", [2, 3])
def test_a_graph_is_the_same_when_it_is_shared_out(
    processes: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = tying.tie(SNAPSHOT, facts(), folder=tmp_path)
    monkeypatch.setattr(tying, "SHARED_BYTES", 0)
    monkeypatch.setattr(
        "ragduck.graph.code.graph.Users.read", None
    )  # this process must not read anything itself

    shared = tying.tie(SNAPSHOT, facts(), folder=tmp_path, processes=processes)

    assert shared.rows.nodes.equals(here.rows.nodes)
    assert shared.rows.edges.equals(here.rows.edges)
    assert ("python:a.first|METHOD", "python:b.second|METHOD") in calls_of(shared)
    assert shared.problems == here.problems == ()


def test_what_other_processes_found_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = tying.tie(SNAPSHOT, facts(), folder=tmp_path)
    monkeypatch.setattr(tying, "SHARED_BYTES", 0)
    tying.tie(SNAPSHOT, facts(), folder=tmp_path, processes=2, cache=tmp_path / "cache.sqlite3")
    monkeypatch.setattr(tying, "_uses_among", None)  # nobody is asked again

    kept = tying.tie(SNAPSHOT, facts(), folder=tmp_path, processes=2, cache=tmp_path / "cache.sqlite3")

    assert kept.rows.edges.equals(here.rows.edges)
    assert ("python:a.first|METHOD", "python:b.second|METHOD") in calls_of(kept)


SHOP = (
    "public class Order { public int Id { get; set; } }\n"
    "public class Shop : DbContext { public DbSet<Order> Orders { get; set; } }\n"
    "public class Clerk\n{\n    Shop _shop;\n    public void Look() { _shop.Orders.Find(1); }\n}\n"
)


def shop_facts() -> list[bytes]:
    document = Document("Shop.cs", SHOP, "csharp", "cs", "source", len(SHOP), 0)
    return [packed_facts(parse_document(document, settings=ChunkSettings()).facts)]


def test_entities_are_looked_for_elsewhere_when_uses_are_remembered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = tying.tie(SNAPSHOT, shop_facts(), folder=tmp_path)
    monkeypatch.setattr(tying, "SHARED_BYTES", 0)
    tying.tie(SNAPSHOT, shop_facts(), folder=tmp_path, processes=2, cache=tmp_path / "cache.sqlite3")
    monkeypatch.setattr("ragduck.graph.build.entity_graph", None)  # this process must not do it itself

    shared = tying.tie(SNAPSHOT, shop_facts(), folder=tmp_path, processes=2, cache=tmp_path / "cache.sqlite3")

    assert shared.problems == ()
    assert shared.rows.edges.equals(here.rows.edges)
    assert shared.rows.nodes.equals(here.rows.nodes)
    assert "ReadsFrom" in {row["relation"] for row in shared.rows.edges.to_pylist()}


def test_entities_whose_process_ended_are_looked_for_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = tying.tie(SNAPSHOT, shop_facts(), folder=tmp_path)
    monkeypatch.setattr(tying, "SHARED_BYTES", 0)
    tying.tie(SNAPSHOT, shop_facts(), folder=tmp_path, processes=2, cache=tmp_path / "cache.sqlite3")
    monkeypatch.setattr(tying, "begun", lambda count, call, *_: begun(count, os._exit, 9))

    shared = tying.tie(SNAPSHOT, shop_facts(), folder=tmp_path, processes=2, cache=tmp_path / "cache.sqlite3")

    assert shared.rows.edges.equals(here.rows.edges)


def test_a_part_whose_process_ended_is_done_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = tying.tie(SNAPSHOT, facts(), folder=tmp_path)
    monkeypatch.setattr(tying, "SHARED_BYTES", 0)
    monkeypatch.setattr(tying, "begun", lambda count, call, *_: begun(count, os._exit, 9))

    shared = tying.tie(SNAPSHOT, facts(), folder=tmp_path, processes=2)

    assert shared.rows.edges.equals(here.rows.edges)


def test_one_process_does_all_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tying, "SHARED_BYTES", 0)
    monkeypatch.setattr(tying, "begun", None)

    assert calls_of(tying.tie(SNAPSHOT, facts(), folder=tmp_path, processes=1))


def test_a_process_gives_its_memory_back() -> None:
    assert in_own_process(os.getpid) != os.getpid()
    assert in_own_process(os.getpid) != in_own_process(os.getpid)


def test_the_end_of_the_process_is_told() -> None:
    with pytest.raises(RagduckError, match="was ended") as caught:
        in_own_process(os._exit, 9)

    assert "free memory" in str(caught.value.hint)


@pytest.mark.skipif(os.name == "nt", reason="sends SIGINT")
def test_an_interrupt_does_not_wait_for_the_process() -> None:
    code = (
        "import signal, time; from ragduck.preparation.processes import begun, in_own_process; "
        "signal.signal(signal.SIGINT, signal.default_int_handler); "  # where a parent ignores it
        "print('up', flush=True); in_own_process(time.sleep, 300)"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as it:
        assert it.stdout is not None
        it.stdout.readline()
        time.sleep(2)
        it.send_signal(signal.SIGINT)
        try:
            assert it.wait(timeout=60) != 0
        finally:
            it.kill()


def test_a_store_is_the_same_whose_graph_was_made_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stored_rows: Callable[[Path], dict[str, list[Any]]]
) -> None:
    root = tmp_path / "shop"
    root.mkdir()
    script = (
        "create table dbo.Orders (Id int);\ngo\ncreate procedure dbo.Pay as update dbo.Orders set Id = 1;\n"
    )
    for name, text in {**TEXTS, "Shop.cs": SHOP, "orders.sql": script}.items():
        (root / name).write_text(text)
    here, apart = tmp_path / "here.duckdb", tmp_path / "apart.duckdb"
    ragduck.prepare(root, here, repo="shop", branch="main", embed_model=None)
    monkeypatch.setattr(tying, "OWN_PROCESS_BYTES", 0)

    ragduck.prepare(root, apart, repo="shop", branch="main", embed_model=None)

    assert stored_rows(apart) == stored_rows(here)
    assert len(stored_rows(here)["edges"]) > 5
