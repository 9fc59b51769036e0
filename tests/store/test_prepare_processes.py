"""Several processes and one store: a second writer waits or is refused, readers go on, a killed run is taken up."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

import ragduck
from ragduck.embed.batches import BATCH_SIZE
from ragduck.embed.hashing import HashingEmbedder
from ragduck.store import open_database
from ragduck.store.builder import StoreBuilder
from ragduck.store.checks import run_checks

pytestmark = pytest.mark.slow

SEED = 20
PREPARE = """
import os, sys, time
import ragduck
from ragduck.embed.batches import BATCH_SIZE
from ragduck.embed.hashing import HashingEmbedder

source, store, log, pause, wait = sys.argv[1:6]

class Slow(HashingEmbedder):
    def embed_texts(self, texts):
        time.sleep(float(pause))
        with open(log, "a", encoding="utf-8") as stream:
            stream.write(f"{len(texts)}\\n")
        return super().embed_texts(texts)

print("ready", flush=True)
try:
    report = ragduck.prepare(source, store, repo="r", branch="b", embed_model=Slow(), processes=1, wait=float(wait))
    print("unchanged" if report.unchanged else "written", flush=True)
except ragduck.RagduckError as error:
    print(error.message, "|", error.hint, flush=True)
"""

Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start a prepare of a folder in a process of its own."""
    started: list[subprocess.Popen[str]] = []

    def run(source: Path, store: Path, *, pause: float = 0.0, wait: float = 0.0) -> subprocess.Popen[str]:
        arguments = [str(source), str(store), str(tmp_path / "embedded.log"), str(pause), str(wait)]
        root = str(Path(ragduck.__file__).parents[1])
        process = subprocess.Popen(
            [sys.executable, "-c", PREPARE, *arguments],
            stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": root},
        )  # fmt: skip
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        started.append(process)
        return process

    yield run
    for process in started:
        process.kill()
        process.wait()


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """Enough distinct contents for several batches of vectors."""
    folder = tmp_path / "source"
    folder.mkdir()
    body = "\n\n\n".join(
        f"def compute_total_{n}(order):\n    price = order.price * {n}\n    tax = price * 0.23\n"
        f"    discount = price / {n + 1}\n    return price + tax - discount"
        for n in range(1000)
    )
    (folder / "totals.py").write_text(body + "\n", encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def small_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("small")
    (folder / "old").mkdir()
    (folder / "old" / "a.md").write_text("# Old\n\nwords\n", encoding="utf-8")
    ragduck.prepare(folder / "old", folder / "s.duckdb", repo="old", branch="b", embed_model="hashing")
    return folder / "s.duckdb"


@pytest.fixture
def store(small_store: Path, tmp_path: Path) -> Path:
    copy = tmp_path / "s.duckdb"
    copy.write_bytes(small_store.read_bytes())
    return copy


def documents(store: Path) -> list[Any]:
    with duckdb.connect(str(store), read_only=True) as connection:
        return connection.execute("select * from documents order by chunk_no").fetchall()


def failed_checks(store: Path) -> list[str]:
    with open_database(store) as database:
        return [result.name for result in run_checks(database) if not result.passed]


def embedded(log: Path) -> int:
    return sum(map(int, log.read_text(encoding="utf-8").split())) if log.exists() else 0


def test_a_second_writer_is_refused_and_told_what_to_do(start: Start, source: Path, store: Path) -> None:
    with StoreBuilder(store, model=HashingEmbedder().model):
        said = start(source, store).communicate(timeout=60)[0]

    assert said == f"another prepare is writing {store} | wait until it is done with --wait, or end it\n"


def test_a_second_writer_that_waits_goes_on_when_the_first_is_done(
    start: Start, source: Path, store: Path
) -> None:
    with StoreBuilder(store, model=HashingEmbedder().model):
        second = start(source, store, wait=60)
        time.sleep(1.0)
        waits = second.poll() is None

    assert waits
    assert second.communicate(timeout=60)[0] == "written\n"
    assert failed_checks(store) == []


def test_two_writers_of_the_same_folder_write_it_once(start: Start, source: Path, store: Path) -> None:
    both = [start(source, store, pause=0.1, wait=120) for _ in range(2)]

    said = sorted(process.communicate(timeout=120)[0] for process in both)

    assert said == ["unchanged\n", "written\n"]
    assert failed_checks(store) == []


def test_readers_go_on_while_another_process_prepares(start: Start, source: Path, store: Path) -> None:
    writer = start(source, store, pause=0.05)
    before, seen = len(documents(store)), set()
    while writer.poll() is None:
        with ragduck.open(store) as opened:
            assert opened.search("words", mode="bm25").results
        seen.add(len(documents(store)))

    assert before in seen
    assert len(documents(store)) > before
    assert seen <= {before, len(documents(store))}


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL")
def test_a_run_killed_at_any_moment_is_taken_up_by_the_next(
    start: Start, source: Path, store: Path, tmp_path: Path
) -> None:
    print(f"seed {SEED}")
    chance = random.Random(SEED)
    whole, log = tmp_path / "whole.duckdb", tmp_path / "embedded.log"
    whole.write_bytes(store.read_bytes())
    old = documents(store)
    start(source, whole).communicate(timeout=120)
    needed = embedded(log)
    log.unlink()
    for number in range(3):
        killed = start(source, store, pause=0.15)
        while number == 0 and embedded(log) < 2 * BATCH_SIZE and killed.poll() is None:
            time.sleep(0.01)  # at least once it dies while it embeds
        time.sleep(chance.uniform(0.0, 0.1 if number == 0 else 2.5))
        killed.kill()
        was_written = killed.communicate()[0] == "written\n"
        assert was_written or documents(store) in (old, documents(whole))
        assert failed_checks(store) == []

    start(source, store).communicate(timeout=120)

    assert documents(store) == documents(whole)
    assert embedded(log) <= needed + 3 * BATCH_SIZE  # what was under way when a run died is all that is lost
    assert {path.name for path in tmp_path.iterdir() if path.name.startswith("s.duckdb")} == {"s.duckdb"}
