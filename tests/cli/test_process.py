"""What a process does: streams, signals, terminals, start-up."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ragduck.cli.termination import TRACKER, quiet_cleaning
from ragduck.store.work_file import work_file_of

pty = pytest.importorskip("pty")

HEAVY = (
    "duckdb",
    "numpy",
    "pyarrow",
    "rich",
    "llama_index",
    "onnxruntime",
    "tree_sitter",
    "sqlglot",
    "pathspec",
)
LOADED = (
    "import sys, click; from ragduck.cli.commands import ragduck\n{run}\nprint(*sys.modules, file=sys.stderr)"
)

TOLD = """
import atexit, os, sys
def tell():
    import pyarrow
    print(pyarrow.default_memory_pool().backend_name, os.environ["NUMPY_MADVISE_HUGEPAGE"],
          *(name for name in os.environ if name.startswith("OPENBLAS")))
atexit.register(tell)
sys.argv = ["ragduck", *{arguments!r}]
from ragduck.cli import main
main()
"""


def loaded_by(arguments: list[str], environment: dict[str, str]) -> set[str]:
    run = f"ragduck.main({arguments!r}, standalone_mode=False)"
    result = subprocess.run(
        [sys.executable, "-c", LOADED.format(run=run)],
        capture_output=True, text=True, check=True, env=environment,
    )  # fmt: skip
    return {name.split(".")[0] for name in result.stderr.split()}


def on_terminal(command: list[str], environment: dict[str, str], *, stream: str) -> str:
    """Run a command with one of its streams on a terminal; return what the terminal got."""
    ours, theirs = pty.openpty()
    streams = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, stream: theirs}
    process = subprocess.Popen(command, env=environment | {"TERM": "xterm"}, **streams)
    os.close(theirs)
    received = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:  # how Linux says that the other side is closed
            break
        if not piece:
            break
        received += piece
    os.close(ours)
    process.wait(timeout=60)
    return received.decode()


@pytest.mark.parametrize(
    "arguments", [["--help"], ["search", "--help"], ["prepare", "--help"], ["--version"]]
)
def test_help_loads_nothing_heavy(ragduck_environment: dict[str, str], arguments: list[str]) -> None:
    loaded = loaded_by(arguments, ragduck_environment)

    assert loaded.isdisjoint(HEAVY)


def test_keyword_search_loads_no_model_and_no_arrays(
    ragduck_environment: dict[str, str], shop_store: Path
) -> None:
    loaded = loaded_by(["search", str(shop_store), "orders", "--mode", "bm25"], ragduck_environment)

    assert "duckdb" in loaded
    assert loaded.isdisjoint(set(HEAVY) - {"duckdb"})


@pytest.mark.parametrize(("given", "told"), [({}, "system 0"), ({"NUMPY_MADVISE_HUGEPAGE": "1"}, "system 1")])
def test_libraries_take_memory_in_small_pages_unless_the_user_says_otherwise(
    ragduck_environment: dict[str, str], tmp_path: Path, given: dict[str, str], told: str
) -> None:
    (tmp_path / "a.md").write_text("# Orders")
    arguments = ["prepare", str(tmp_path), "-o", str(tmp_path / "a.duckdb"), "--quiet"]
    result = subprocess.run(
        [sys.executable, "-c", TOLD.format(arguments=arguments)],
        capture_output=True, text=True, check=True, env=ragduck_environment | given,
    )  # fmt: skip

    assert result.stdout == f"{told}\n"


def test_data_goes_to_stdout_and_talk_to_stderr(run_ragduck: Any, shop_store: Path) -> None:
    result = run_ragduck("search", shop_store, "orders", "--json", "-k", "2")

    assert len(json.loads(result.stdout)["results"]) == 2
    assert result.stderr == ""


def test_reader_that_leaves_early_is_no_error(
    ragduck_command: list[str], ragduck_environment: dict[str, str], shop_store: Path
) -> None:
    statement = "select text from documents, range(20)"
    process = subprocess.Popen(
        [*ragduck_command, "sql", shop_store, statement, "--json"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ragduck_environment,
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.read(10)
    process.stdout.close()

    said = process.stderr.read()

    assert process.wait(timeout=60) == 141
    assert said == b""


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-"])
def test_a_closed_stream_is_no_error(
    ragduck_command: list[str], ragduck_environment: dict[str, str], shop_store: Path, closed: str
) -> None:
    command = shlex.join([*ragduck_command, "search", str(shop_store), "stock", "--mode", "bm25"])

    result = subprocess.run(
        ["sh", "-c", f"{command} {closed}"], capture_output=True, text=True, env=ragduck_environment
    )

    assert result.returncode == 0
    assert "error" not in result.stderr


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
@pytest.mark.parametrize("output", ["text", "json", "citations"])
def test_terminal_without_the_letters_is_no_error(
    run_ragduck: Any, hostile_store: Path, encoding: str, output: str
) -> None:
    result = run_ragduck(
        "search", hostile_store, "opłaty", "--format", output,
        env={"PYTHONIOENCODING": encoding}, encoding=encoding,
    )  # fmt: skip

    assert result.returncode == 0
    assert "Op\\u0142aty" in result.stdout


def test_json_is_valid_where_stdout_has_few_letters(run_ragduck: Any, hostile_store: Path) -> None:
    result = run_ragduck("search", hostile_store, "opłaty", "--json", env={"PYTHONIOENCODING": "ascii"})

    assert json.loads(result.stdout)["results"][0]["element_name"] == "Opłaty"


def test_polish_question_finds_a_file_with_spaces(run_ragduck: Any, hostile_store: Path) -> None:
    result = run_ragduck("search", hostile_store, "faktura za usługę")

    assert "opłaty ünïts.md:1-3" in result.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ["search", "opłaty"],
        ["search", "opłaty", "--format", "citations"],
        ["search", "opłaty", "--json"],
        ["show", "opłaty ünïts.md"],
        ["sql", "select text from documents"],
        ["sql", "select text from documents", "--format", "csv"],
    ],
)
def test_text_cannot_command_the_terminal(
    ragduck_command: list[str], ragduck_environment: dict[str, str], hostile_store: Path, arguments: list[str]
) -> None:
    command = [*ragduck_command, arguments[0], str(hostile_store), *arguments[1:]]

    shown = on_terminal(command, ragduck_environment | {"NO_COLOR": "1"}, stream="stdout")

    assert "Faktura" in shown
    assert not set(shown) & {"\x1b", "\x07", "\x9b"}


def test_words_of_the_question_are_bold_on_a_terminal(
    ragduck_command: list[str], ragduck_environment: dict[str, str], hostile_store: Path
) -> None:
    command = [*ragduck_command, "search", str(hostile_store), "faktura"]

    shown = on_terminal(command, ragduck_environment, stream="stdout")

    assert "\x1b[33m\x1b[1mFaktura\x1b[0m" in shown


def test_piped_text_has_no_styles(run_ragduck: Any, shop_store: Path) -> None:
    result = run_ragduck("search", shop_store, "orders")

    assert "\x1b" not in result.stdout


def test_progress_is_drawn_on_a_terminal(
    ragduck_command: list[str], ragduck_environment: dict[str, str], notes: Path, tmp_path: Path
) -> None:
    command = [
        *ragduck_command,
        "prepare",
        str(notes),
        "-o",
        str(tmp_path / "new.duckdb"),
        "--embed-model",
        "hashing",
    ]

    shown = on_terminal(command, ragduck_environment, stream="stderr")

    assert all(
        stage in shown for stage in ("reading notes", "1/1", "embedding with hashing", "writing the store")
    )


def test_quiet_prepare_says_nothing_on_a_terminal(
    ragduck_command: list[str], ragduck_environment: dict[str, str], notes: Path, tmp_path: Path
) -> None:
    command = [
        *ragduck_command,
        "prepare",
        str(notes),
        "-o",
        str(tmp_path / "new.duckdb"),
        "--embed-model",
        "none",
    ]

    shown = on_terminal([*command, "--quiet"], ragduck_environment, stream="stderr")

    assert shown == ""


def interrupted(
    command: list[str],
    environment: dict[str, str],
    *,
    wait_for: Path | None = None,
    end: Callable[[int], None] = lambda process: os.killpg(process, signal.SIGINT),
) -> tuple[int, str]:
    """Press Ctrl-C once the work is under way; return the exit code and stderr.

    A terminal interrupts all processes of the command, which is what ``end`` does unless told otherwise.
    """
    process = subprocess.Popen(
        command,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a background job ignores it
    )
    deadline = time.monotonic() + 60
    while wait_for is not None and not wait_for.exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    time.sleep(1.5)
    end(process.pid)
    _, said = process.communicate(timeout=60)
    return process.returncode, said


@pytest.fixture
def large_folder(tmp_path: Path) -> Path:
    """Sources that keep two processes busy for a while."""
    folder = tmp_path / "large"
    folder.mkdir()
    for number in range(300):
        methods = "\n".join(f"    public int M{n}(int a) {{ return a * {n}; }}" for n in range(600))
        (folder / f"C{number}.cs").write_text(f"class C{number}\n{{\n{methods}\n}}\n")
    return folder


def test_interrupted_prepare_leaves_the_store_as_it_was(
    ragduck_command: list[str], ragduck_environment: dict[str, str], large_folder: Path, notes_store: Path
) -> None:
    before = notes_store.read_bytes()
    building = work_file_of(notes_store, model_key="none")
    command = [*ragduck_command, "prepare", str(large_folder), "-o", str(notes_store)]

    code, said = interrupted(command, ragduck_environment, wait_for=building)

    assert code == 130
    assert said.splitlines()[0] == "interrupted"
    assert said.splitlines()[1].startswith("hint: ")
    assert len(said.splitlines()) == 2
    assert notes_store.read_bytes() == before


def told_once(process: int) -> None:
    os.kill(process, signal.SIGTERM)


def told_twice(process: int) -> None:
    """Do as `timeout` does: it tells the command, and then all processes of its group."""
    os.kill(process, signal.SIGTERM)
    time.sleep(0.05)
    os.killpg(process, signal.SIGTERM)


@pytest.mark.skipif(os.name == "nt", reason="sends SIGTERM")
@pytest.mark.parametrize("end", [told_once, told_twice])
def test_prepare_that_is_told_to_end_tidies_up(
    ragduck_command: list[str],
    ragduck_environment: dict[str, str],
    large_folder: Path,
    notes_store: Path,
    end: Callable[[int], None],
) -> None:
    before = {path: path.read_bytes() for path in notes_store.parent.glob("*.duckdb*")}
    building = work_file_of(notes_store, model_key="none")
    command = [*ragduck_command, "prepare", str(large_folder), "-o", str(notes_store)]

    code, said = interrupted(command, ragduck_environment, wait_for=building, end=end)

    assert code == 143
    assert said.splitlines()[0] == "interrupted"
    assert len(said.splitlines()) == 2
    assert not building.exists()
    assert {path: path.read_bytes() for path in before} == before


def test_interrupted_statement_ends_at_once(
    ragduck_command: list[str], ragduck_environment: dict[str, str], notes_store: Path
) -> None:
    endless = "select count(*) from range(200000) a(x), range(200000) b(y) where a.x * b.y % 7 = 3"
    began = time.monotonic()

    code, said = interrupted([*ragduck_command, "sql", str(notes_store), endless], ragduck_environment)

    assert code == 130
    assert said.splitlines()[0] == "interrupted"
    assert time.monotonic() - began < 30


def test_the_helper_that_cleans_up_says_nothing_beside_what_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONWARNINGS", "default::DeprecationWarning")
    for _ in range(2):
        quiet_cleaning()
    warned = "import warnings; warnings.warn('resource_' 'tracker: /a: gone'); warnings.warn('another')"

    said = subprocess.run([sys.executable, "-c", warned], capture_output=True, text=True, check=True).stderr

    assert os.environ["PYTHONWARNINGS"] == f"default::DeprecationWarning,{TRACKER}"
    assert "another" in said
    assert "resource_tracker: /a" not in said
