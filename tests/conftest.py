"""What tests of several packages share: the sample shop as a store, and the installed command."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, settings
from openai_server import OpenAIServer, serving

import ragduck
from ragduck.cli.commands import ragduck as command
from ragduck.resources import sql_text
from ragduck.search.filters import filtered
from ragduck.store import Database, open_database

SHOP = Path(__file__).parent / "data" / "shop"
ROOT = Path(__file__).resolve().parents[1]

MEMORY = Path("/dev/shm")
ROOM = 4_000_000_000  # bytes; far more than a run needs at a time

# A busy machine is no reason to fail: nothing here is about time.
settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")

Run = Callable[..., subprocess.CompletedProcess[str]]
Git = Callable[..., str]
Invoke = Callable[..., Result]


def pytest_configure() -> None:
    """Write stores to memory where there is plenty: DuckDB waits for a disk several times in each."""
    if "TMPDIR" not in os.environ and MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > ROOM:
        tempfile.tempdir = os.environ["TMPDIR"] = str(MEMORY)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the README's tour: a long test that comes last keeps one process waiting for the other."""
    items.sort(key=lambda item: item.path.name != "test_readme.py")


@pytest.fixture(scope="session", autouse=True)
def _no_remembered_questions() -> Iterator[None]:
    """Keep vectors of earlier questions out of the tests, and those of the tests out of the user's cache."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAGDUCK_CACHE_DIR", "")
        yield


@pytest.fixture(scope="session", autouse=True)
def _own_state(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep what the tests prepared out of the user's state folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAGDUCK_STATE_DIR", str(tmp_path_factory.mktemp("state")))
        yield


@pytest.fixture(scope="session")
def git() -> Git:
    """Run git in a folder and return what it prints; bytes for its stdin are given as `given`."""
    program = shutil.which("git")
    if program is None:
        pytest.skip("needs git")
    identity = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "protocol.file.allow=always")
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}

    def run(folder: Path, *arguments: str, given: bytes = b"") -> str:
        finished = subprocess.run(
            [program, *identity, *arguments],
            cwd=folder,
            env=environment,
            input=given,
            check=True,
            capture_output=True,
        )
        return finished.stdout.decode().strip()

    return run


@pytest.fixture(scope="session")
def shop_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample shop, prepared once with the deterministic embedder; not to be changed."""
    store = tmp_path_factory.mktemp("shop") / "shop.duckdb"
    ragduck.prepare(SHOP, store, repo="shop", branch="main", embed_model="hashing")
    return store


@pytest.fixture(scope="session")
def stored_rows() -> Callable[[Path], dict[str, list[Any]]]:
    """All rows of all tables of a store as they lie in the file, but for what tells when they were made."""

    def rows_of(store: Path) -> dict[str, list[Any]]:
        with duckdb.connect(str(store), read_only=True) as connection:
            columns = connection.execute(
                "select table_name, string_agg(format('\"{}\"', column_name), ', ' order by column_index) "
                "from duckdb_columns() where database_name = current_database() "
                "and table_name in (select table_name from duckdb_tables()) "
                "and column_name not in ('created_at', 'prepared_at') group by all order by all"
            ).fetchall()
            found = {
                table: connection.execute(f"select {names} from {table} order by rowid").fetchall()
                for table, names in columns
            }
        return {table: [row for row in rows if row[0] != "created_at"] for table, rows in found.items()}

    return rows_of


@pytest.fixture
def openai_server(monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenAIServer]:
    """An OpenAI-compatible server on the loopback address; `--model` takes its `model`."""
    pytest.importorskip("llama_index.llms.openai_like")
    monkeypatch.setenv("NO_PROXY", "*")
    with serving(OpenAIServer()) as server:
        yield server


@pytest.fixture(scope="session")
def invoke() -> Invoke:
    """Run the command in this process; quick, but without a process of its own."""

    def run(*arguments: object, stdin: str | bytes | None = None) -> Result:
        return CliRunner().invoke(command, [str(argument) for argument in arguments], input=stdin)

    return run


@pytest.fixture(scope="session")
def ragduck_command() -> list[str]:
    """The installed command, else the module that it runs."""
    installed = Path(sysconfig.get_path("scripts")) / ("ragduck.exe" if os.name == "nt" else "ragduck")
    return [str(installed)] if installed.exists() else [sys.executable, "-m", "ragduck"]


@pytest.fixture(scope="session")
def ragduck_environment() -> dict[str, str]:
    """The environment of the command: this checkout, and nothing that changes how it prints."""
    changing = ("NO_COLOR", "RAGDUCK_DEBUG", "PYTHONUNBUFFERED")
    return {name: value for name, value in os.environ.items() if name not in changing} | {
        "PYTHONPATH": str(ROOT),
        "PYTHONIOENCODING": "utf-8",
    }


@pytest.fixture(scope="session")
def run_ragduck(ragduck_command: list[str], ragduck_environment: dict[str, str]) -> Run:
    """Run the command to its end; environment variables are given as `env`."""

    def run(*arguments: object, env: dict[str, str] | None = None, **settings: Any) -> Any:
        settings = {"capture_output": True, "text": True, "encoding": "utf-8", "timeout": 300, **settings}
        command = [*ragduck_command, *map(str, arguments)]
        return subprocess.run(command, env=ragduck_environment | (env or {}), check=False, **settings)

    return run


@pytest.fixture(scope="session")
def term_keys(shop_store: Path) -> list[int]:
    """Return terms of the sample shop of all kinds: such as many chunks have, and such as few."""
    with open_database(shop_store) as database:
        rows = database.rows("select term_key from fts_terms order by idf, term_key")
    keys = [row["term_key"] for row in rows]
    return [*keys[:20], *keys[100:120], *keys[-20:], 7]


@pytest.fixture(scope="session")
def hits_of_statement() -> Callable[..., list[tuple[Any, ...]]]:
    """Return what finds chunks by keyword with a statement: number, score and terms, best first."""

    def hits(
        database: Database, term_keys: list[int], condition: str, **values: object
    ) -> list[tuple[Any, ...]]:
        first = "chunk_no in (select unnest($preferred::integer[])) desc, score desc"
        sql = filtered(sql_text("search/keyword_hits.sql"), condition).replace("score desc", first, 1)
        asked = {"term_keys": term_keys, **values}
        return [
            tuple(row.values()) for row in database.rows(f"from ({sql}) order by score desc, chunk_no", asked)
        ]

    return hits
