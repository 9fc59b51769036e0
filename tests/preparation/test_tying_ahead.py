"""What another process finds out before it is asked is what it would find out then, or is not taken."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import ragduck
from ragduck.facts.packing import Room, read_facts
from ragduck.graph.build import Stored, stored_among
from ragduck.model import Snapshot, SourceFile
from ragduck.parse import ChunkSettings
from ragduck.preparation import found_ahead, tying, tying_ahead, workers
from ragduck.preparation.found_ahead import Told
from ragduck.preparation.known_facts import KnownFacts
from ragduck.preparation.remembered_uses import AskedElsewhereError
from ragduck.preparation.tying_ahead import Ahead, OtherProcess
from ragduck.preparation.workers import ParseTask, parse_batch
from ragduck.sources import walk_files
from ragduck.store.connection import open_database

CONTEXT = """namespace Shop;
public class ShopContext : DbContext { public DbSet<Order> Orders { get; set; } }
"""
ORDER = "namespace Shop;\npublic class Order { public int Id { get; set; } }\n"
SERVICE = """namespace Shop;
public class Service {
    ShopContext db;
    public Order Get(int id) { return db.Orders.Find(id); }
    public void Take(Order order) { }
}
"""
TABLE = "create table dbo.Orders (Id int);\n"
FILES = {"Context.cs": CONTEXT, "Order.cs": ORDER, "Service.cs": SERVICE, "Tables.sql": TABLE}
EDITS: dict[str, tuple[str, str | None]] = {
    "body": ("Service.cs", SERVICE.replace("{ }\n}", "{ db.Orders.Add(order); }\n}")),
    "member": (
        "Service.cs",
        SERVICE.replace("    public void", "    public int One() => 1;\n    public void"),
    ),
    "script": ("Tables.sql", TABLE.replace("Orders", "Order")),
    "new": ("Other.cs", SERVICE.replace("class Service", "class Other")),
    "gone": ("Service.cs", None),
    "nothing": ("Order.cs", ORDER),
}
EARLIER = 100  # seconds: what changed just now is not remembered


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RAGDUCK_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(tying, "SHARED_BYTES", 0)
    for name, text in FILES.items():
        put(tmp_path / "source" / name, text)
    return tmp_path / "source"


@pytest.fixture
def store(source: Path, tmp_path: Path) -> Path:
    prepared(source, tmp_path / "store.duckdb")
    return tmp_path / "store.duckdb"


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[OtherProcess]:
    """What the other process was asked."""
    found: list[OtherProcess] = []
    ask = OtherProcess.ask

    def noted(self: OtherProcess) -> Future[Told]:
        if self not in found:
            found.append(self)
        return ask(self)

    monkeypatch.setattr(OtherProcess, "ask", noted)
    return found


def put(file: Path, text: str | None) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    if text is None:
        file.unlink()
        return
    file.write_text(text, encoding="utf-8")
    at = time.time() - EARLIER
    os.utime(file, (at, at))


def prepared(source: Path, store: Path) -> Path:
    ragduck.prepare(source, store, repo="r", branch="b", embed_model=None, processes=2)
    return store


def edges_of(store: Path) -> list[tuple[Any, ...]]:
    with open_database(store) as database:
        rows = database.rows("select from_key, to_key, relation, source_file, line, rule, detail from edges")
    return sorted(tuple(row.values()) for row in rows)


def task_of(source: Path, *, database: str = "") -> ParseTask:
    settings = ChunkSettings(database=database)
    return ParseTask(Snapshot("r", "b", None, source), settings, source.parent / "cache/parsed_files.sqlite3")


def files_of(source: Path) -> list[SourceFile]:
    return [file for file in walk_files(source) if isinstance(file, SourceFile)]


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let this process do what another one would."""

    def begun(_: int, call: Callable[..., Any], *arguments: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(call(*arguments))
        except Exception as error:
            future.set_exception(error)
        return future

    monkeypatch.setattr(tying_ahead, "begun", begun)
    monkeypatch.setattr(tying_ahead, "begun_aside", partial(begun, 1))
    yield
    tying_ahead._seen.clear()
    tying_ahead._found.clear()


def known(task: ParseTask, files: list[SourceFile]) -> KnownFacts:
    assert task.cache is not None
    return KnownFacts(task.cache, task.snapshot, list(parse_batch(files, task).facts.values()))


def stored_by(ahead: Ahead, facts: KnownFacts) -> Stored:
    other = ahead.beside(facts)
    assert other is not None
    other.ask()
    return other.stored()


def found_anew(facts: KnownFacts) -> Stored:
    return stored_among(read_facts(facts.packed.values(), Room()))


def contents(stored: Stored) -> list[Any]:
    graphs = stored.objects, stored.outside, stored.migrations, stored.access
    return [(list(graph.nodes), sorted(map(repr, graph.edges))) for graph in graphs]


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS.keys())
def test_a_store_is_the_same_as_one_made_anew(
    store: Path,
    source: Path,
    tmp_path: Path,
    asked: list[OtherProcess],
    edit: tuple[str, str | None],
) -> None:
    put(source / edit[0], edit[1])
    put(source / "Note.md", "# Another file, so that something changed\n")

    prepared(source, store)

    monkey = shutil.copytree(source, tmp_path / "copy/source")
    assert edges_of(store) == edges_of(prepared(monkey, tmp_path / "fresh.duckdb"))
    assert asked


@pytest.mark.parametrize("name", ["body", "member", "script", "nothing"])
def test_what_was_found_ahead_is_taken(
    store: Path, source: Path, asked: list[OtherProcess], name: str
) -> None:
    put(source / EDITS[name][0], EDITS[name][1])
    put(source / "Note.md", "# Another file, so that something changed\n")

    prepared(source, store)

    (other,) = asked
    assert other.stored()


@pytest.mark.usefixtures("store", "alone")
def test_it_finds_what_is_found_anew(source: Path) -> None:
    ahead = Ahead(2)
    ahead.read(task_of(source))
    put(source / "Service.cs", EDITS["body"][1])
    task, files = task_of(source, database="r"), files_of(source)

    ahead.tie(files)

    facts = known(task, files)
    assert contents(stored_by(ahead, facts)) == contents(found_anew(facts))


@pytest.mark.usefixtures("store", "alone")
def test_it_finds_nothing_among_other_facts(source: Path) -> None:
    ahead, task = Ahead(2), task_of(source, database="r")
    ahead.read(task_of(source))
    ahead.tie(files_of(source))
    put(source / "Service.cs", EDITS["body"][1])

    with pytest.raises(AskedElsewhereError):
        stored_by(ahead, known(task, files_of(source)))


@pytest.mark.usefixtures("store", "alone")
@pytest.mark.parametrize("database", ["r", "other"])
def test_it_finds_nothing_where_files_are_parsed_otherwise(source: Path, database: str) -> None:
    ahead, task, files = Ahead(2), task_of(source, database="r"), files_of(source)
    ahead.read(task_of(source, database=database))
    ahead.tie(files)

    facts = known(task, files)
    if database == "r":
        assert contents(stored_by(ahead, facts)) == contents(found_anew(facts))
        return
    with pytest.raises(AskedElsewhereError):
        stored_by(ahead, facts)


@pytest.mark.usefixtures("store", "alone")
def test_a_file_that_another_project_takes_is_looked_up_again(source: Path) -> None:
    tying_ahead._read_as_seen(task_of(source))
    put(source / "Shop.csproj", "<Project />")
    files, task = files_of(source), task_of(source, database="r")
    facts = known(task, files)

    found = tying_ahead._packed_now(files, tying_ahead._seen[0])

    assert {file.project for file in files} == {"Shop"}
    assert found == facts.packed


@pytest.mark.usefixtures("store", "alone")
def test_a_file_that_is_as_it_was_once_is_not_parsed(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tying_ahead._read_as_seen(task_of(source))
    put(source / "Service.cs", EDITS["body"][1])
    files, task = files_of(source), task_of(source, database="r")
    facts = known(task, files)
    monkeypatch.setattr(
        workers, "parse_document", None
    )  # packed elsewhere, the same facts may be other bytes

    found = tying_ahead._packed_now(files, tying_ahead._seen[0])

    assert found == facts.packed


@pytest.mark.usefixtures("store", "alone")
def test_what_is_parsed_ahead_still_counts_as_parsed(source: Path) -> None:
    tying_ahead._read_as_seen(task_of(source))
    put(source / "Service.cs", EDITS["body"][1])
    files, task = files_of(source), task_of(source, database="r")

    tying_ahead._packed_now(files, tying_ahead._seen[0])

    assert parse_batch(files, task).parsed == 1


@pytest.mark.usefixtures("store", "alone")
def test_what_goes_wrong_is_left_to_who_asks(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(found_ahead, "stored_in", None)
    ahead, task, files = Ahead(2), task_of(source, database="r"), files_of(source)
    ahead.read(task_of(source))
    ahead.tie(files)

    with pytest.raises(AskedElsewhereError):
        stored_by(ahead, known(task, files))


def test_another_process_is_asked_anew(
    store: Path, source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(KnownFacts, "name", b"other")
    put(source / "Service.cs", EDITS["body"][1])

    prepared(source, store)

    assert edges_of(store) == edges_of(
        prepared(Path(shutil.copytree(source, tmp_path / "copy/source")), tmp_path / "fresh.duckdb")
    )


@pytest.mark.usefixtures("alone")
def test_one_process_reads_nothing_ahead(store: Path, source: Path) -> None:
    ahead, task, files = Ahead(1), task_of(source, database="r"), files_of(source)
    ahead.read(task_of(source))
    ahead.tie(files)

    assert store.exists()
    assert ahead.beside(known(task, files)) is None


@pytest.mark.usefixtures("store", "alone")
def test_more_than_a_batch_is_left_to_several_processes(
    source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tying_ahead, "BATCH_BYTES", len(SERVICE))
    tying_ahead._read_as_seen(task_of(source))
    put(source / "Service.cs", EDITS["body"][1])

    assert tying_ahead._packed_now(files_of(source), tying_ahead._seen[0]) is None


HANGS = """
import os, sys, time
from pathlib import Path
import ragduck
from ragduck.preparation import processes, tying_ahead, workers
from ragduck.store.writer_lock import StoreBusyError, WriterLock

source, store, is_busy = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3] == "busy"


def hang_ahead():
    tying_ahead.parse_batch = lambda *_, **__: time.sleep(300)


def prepared():
    return ragduck.prepare(source, store, repo="r", branch="b", embed_model=None, processes=2)


if __name__ == "__main__":
    import cloudpickle

    cloudpickle.register_pickle_by_value(sys.modules["__main__"])
    processes.begun(1, hang_ahead).result()
    workers.BATCH_FILES = 1  # so that more processes are wanted than there are
    lock = WriterLock(store)
    if is_busy:
        lock.acquire(wait=0)
    try:
        print(prepared().sources[0].parsed, flush=True)
    except StoreBusyError:
        print("busy", flush=True)
"""


@pytest.mark.parametrize(("how", "told"), [("busy", "busy"), ("free", "2")])
def test_a_parser_that_hangs_ahead_is_ended(store: Path, source: Path, how: str, told: str) -> None:
    for name in ("Order.cs", "Service.cs"):
        put(source / name, (source / name).read_text(encoding="utf-8") + "// other\n")

    done = subprocess.run(
        [sys.executable, "-c", HANGS, str(source), str(store), how],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )

    assert (done.stdout, done.stderr) == (f"{told}\n", "")
