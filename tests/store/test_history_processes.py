"""Several processes at once: nothing that was saved is lost, whoever reads, folds, prepares or is killed."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import ragduck
from ragduck.conversation import Turn
from ragduck.store.history import StoreHistory

pytestmark = pytest.mark.slow

MakeTurn = Callable[..., Turn]
SAVING = """
import sys
import time
from datetime import UTC, datetime
from ragduck.conversation import Turn
from ragduck.store.history import StoreHistory

store, name, first, count, folds = sys.argv[1], sys.argv[2], *map(int, sys.argv[3:6])
history = StoreHistory(store)
print("ready", flush=True)
for number in range(first, first + count):
    at = datetime(2026, 1, 1, tzinfo=UTC)
    history.save_turn(Turn(f"{name}{number}", "s", at, "question", "question", "answer", "x" * 3000))
    print(f"{name}{number}", flush=True)
    if folds:
        history.fold()
        time.sleep(0.02)
"""
READING = """
import sys
import ragduck
with ragduck.open(sys.argv[1]):
    print("ready", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def start(ragduck_environment: dict[str, str]) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Start a script in a process of its own; what is left of it is ended with the test."""
    started: list[subprocess.Popen[str]] = []

    def start_script(script: str, *arguments: object) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-c", script, *map(str, arguments)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=ragduck_environment,
        )  # fmt: skip
        started.append(process)
        return process

    yield start_script
    for process in started:
        process.kill()
        process.communicate()


def ids(store: Path) -> list[str]:
    return [turn.turn_id for turn in StoreHistory(store).load("s").turns]


def wait_for(process: subprocess.Popen[str]) -> None:
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"


def test_turns_are_saved_while_another_process_reads(
    small_store: Path, make_turn: MakeTurn, start: Callable
) -> None:
    reader = start(READING, small_store)
    wait_for(reader)
    history = StoreHistory(small_store)
    history.save_turn(make_turn(1))

    assert not history.fold()
    assert ids(small_store) == ["turn1"]
    reader.communicate(timeout=60)
    assert history.fold()
    assert ids(small_store) == ["turn1"]


def test_two_processes_save_into_the_same_session(small_store: Path, start: Callable) -> None:
    savers = [start(SAVING, small_store, name, 0, 20, 0) for name in "ab"]
    for saver in savers:
        saver.communicate(timeout=120)

    expected = sorted(f"{name}{number}" for name in "ab" for number in range(20))
    assert ids(small_store) == expected
    assert StoreHistory(small_store).fold()
    assert ids(small_store) == expected


def test_two_processes_fold_at_the_same_time(small_store: Path, start: Callable) -> None:
    savers = [start(SAVING, small_store, name, 0, 5, 1) for name in "ab"]
    for saver in savers:
        saver.communicate(timeout=120)
    StoreHistory(small_store).fold()

    assert ids(small_store) == sorted(f"{name}{number}" for name in "ab" for number in range(5))
    with ragduck.open(small_store) as store:
        assert [result.name for result in store.check() if not result.passed] == []


def test_a_reader_sees_every_saved_turn_while_another_process_folds(
    small_store: Path, start: Callable
) -> None:
    saver = start(SAVING, small_store, "a", 0, 6, 1)
    wait_for(saver)
    assert saver.stdout is not None
    for number, line in enumerate(saver.stdout):
        seen = ids(small_store)

        assert line.strip() in seen
        assert len(seen) >= number + 1


@pytest.mark.parametrize("seed", range(2))
def test_kill_at_any_moment_loses_no_turn_that_was_saved(
    small_store: Path, start: Callable, seed: int
) -> None:
    chance = random.Random(seed)
    said: list[str] = []
    for start_no in range(3):
        saver = start(SAVING, small_store, "t", 1000 * start_no, 500, 1)
        wait_for(saver)
        time.sleep(chance.uniform(0.0, 1.0))
        saver.send_signal(signal.SIGKILL)
        said += saver.communicate()[0].split()

    assert set(said) <= set(ids(small_store))
    assert StoreHistory(small_store).fold()
    kept = ids(small_store)
    assert set(said) <= set(kept)
    assert len(kept) == len(set(kept))
    with ragduck.open(small_store) as store:
        assert [result.name for result in store.check() if not result.passed] == []


def test_turns_that_are_saved_during_a_prepare_survive_it(
    small_store: Path, start: Callable, make_turn: MakeTurn, tmp_path: Path
) -> None:
    StoreHistory(small_store).save_turn(make_turn(1))
    StoreHistory(small_store).fold()
    source = tmp_path / "source"
    source.mkdir()
    saver = start(SAVING, small_store, "t", 0, 200, 1)
    said: list[str] = []
    assert saver.stdout is not None
    reading = threading.Thread(target=lambda stream=saver.stdout: said.extend(stream.read().split()))
    reading.start()
    prepared = 0
    while saver.poll() is None and prepared < 3:
        (source / "a.py").write_text(f"def place_order_{prepared}():\n    pass\n", encoding="utf-8")
        ragduck.prepare(source, small_store, repo="other", branch="main", embed_model=None, processes=1)
        prepared += 1
    saver.kill()
    reading.join()

    assert prepared == 3
    assert len(said) > 1
    assert {"turn1", *said[1:]} <= set(ids(small_store))
    assert StoreHistory(small_store).fold()
    assert {"turn1", *said[1:]} <= set(ids(small_store))


def test_a_prepare_that_is_killed_loses_no_history(
    small_store: Path,
    ragduck_command: list[str],
    ragduck_environment: dict[str, str],
    make_turn: MakeTurn,
    tmp_path: Path,
) -> None:
    history = StoreHistory(small_store)
    history.save_turn(make_turn(1))
    history.fold()
    history.save_turn(make_turn(2))
    source = tmp_path / "source"
    source.mkdir()
    chance = random.Random(0)
    for number in range(4):
        (source / "a.py").write_text(f"def f{number}():\n    pass\n", encoding="utf-8")
        command = [*ragduck_command, "prepare", str(source), "-o", str(small_store), "--embed-model", "none"]
        process = subprocess.Popen(command, env=ragduck_environment, stderr=subprocess.DEVNULL)
        time.sleep(chance.uniform(0.8, 3.0))
        process.kill()
        process.wait()

        assert ids(small_store) == ["turn1", "turn2"]
