"""A parser that hangs costs one file its structure: nothing waits for it, and the other files are parsed."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Generator, Iterator
from concurrent.futures import Future
from pathlib import Path

import cloudpickle
import pytest

from ragduck.model import Snapshot, SourceFile
from ragduck.parse import ChunkSettings
from ragduck.preparation import processes, workers
from ragduck.preparation.workers import ParsedBatch, ParseTask, parse_batch
from ragduck.sources import walk_files

MAIN = os.getpid()


@pytest.fixture
def _sent_by_value() -> Iterator[None]:
    """Let workers have the functions of this file, which they cannot import."""
    module = sys.modules[__name__]
    cloudpickle.register_pickle_by_value(module)
    yield
    cloudpickle.unregister_pickle_by_value(module)


def hanging_batch(files: list[SourceFile], task: ParseTask, main: int) -> ParsedBatch:
    if os.getpid() != main and any("hangs" in file.path for file in files):
        time.sleep(300)
    return parse_batch(files, task)


@pytest.mark.usefixtures("_sent_by_value")
def test_a_parser_that_hangs_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a", "b", "b_hangs", "c", "d", "e", "f", "g", "h"):
        (tmp_path / f"{name}.py").write_text(f"def {name}():\n    pass\n", encoding="utf-8")
    files = [file for file in walk_files(tmp_path) if isinstance(file, SourceFile)]
    monkeypatch.setattr(workers, "BATCH_FILES", 2)
    monkeypatch.setattr(workers, "BATCH_SECONDS", 6)
    monkeypatch.setattr(workers, "FILE_SECONDS", 6)
    monkeypatch.setattr(
        workers,
        "_submit",
        lambda batch, task, count: processes._pool(count).submit(hanging_batch, batch, task, MAIN),
    )
    begun = time.monotonic()

    task = ParseTask(Snapshot("r", "b", None, tmp_path), ChunkSettings())
    batches = list(workers.parse_files(files, task=task, processes=2))

    assert time.monotonic() - begun < 100
    assert [path for batch in batches for path in batch.rows.sources["file_path"].to_pylist()] == [
        file.path for file in files
    ]
    assert [(each.path, each.message) for batch in batches for each in batch.problems] == [
        ("b_hangs.py", "the parser took more than 6 s")
    ]


@pytest.mark.usefixtures("_sent_by_value")
def test_nothing_is_finished_that_nobody_waits_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a", "b_hangs"):
        (tmp_path / f"{name}.py").write_text(f"def {name}():\n    pass\n", encoding="utf-8")
    files = [file for file in walk_files(tmp_path) if isinstance(file, SourceFile)]
    submitted: list[Future[ParsedBatch]] = []

    def submit(batch: list[SourceFile], task: ParseTask, count: int) -> Future[ParsedBatch]:
        submitted.append(processes.begun(count, hanging_batch, batch, task, MAIN))
        return submitted[-1]

    monkeypatch.setattr(workers, "BATCH_FILES", 1)
    monkeypatch.setattr(workers, "_submit", submit)

    task = ParseTask(Snapshot("r", "b", None, tmp_path), ChunkSettings())
    batches = workers.parse_files(files, task=task, processes=2)
    next(iter(batches))
    assert isinstance(batches, Generator)
    batches.close()  # as Ctrl-C does

    with pytest.raises(processes.ended()):
        submitted[1].result(timeout=20)


STARTS_WORKERS = """
import os
from ragduck.preparation import processes, workers
if __name__ == "__main__":
    processes.IDLE_SECONDS = 120
    print(processes.begun(1, os.getpid).result(), flush=True)
    input()
"""


def test_workers_end_with_a_process_that_is_killed() -> None:
    main = subprocess.Popen(
        [sys.executable, "-c", STARTS_WORKERS], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert main.stdout is not None
    assert int(main.stdout.readline()) != main.pid

    main.kill()

    # A worker holds the end of the output that is written to, until it ends: long before it would for want of work.
    main.communicate(timeout=60)


IS_INTERRUPTED = """
import os, signal
from ragduck.preparation import processes, workers
if __name__ == "__main__":
    signal.signal(signal.SIGINT, lambda *_: None)
    begun = processes.begun(1, os.getpid)
    os.killpg(os.getpgrp(), signal.SIGINT)
    print(begun.result() != os.getpid(), processes.in_own_process(os.getppid) == os.getpid())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there Ctrl-C is another thing")
def test_an_interrupt_does_not_reach_workers_that_begin() -> None:
    done = subprocess.run(
        [sys.executable, "-c", IS_INTERRUPTED],
        capture_output=True,
        text=True,
        start_new_session=True,
        check=False,
    )

    assert (done.stdout, done.stderr) == ("True True\n", "")
