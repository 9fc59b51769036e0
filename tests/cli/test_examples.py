"""The examples in the help texts work, typed as they stand there."""

from __future__ import annotations

import importlib.util
import re
import shlex
import shutil
from pathlib import Path
from typing import Any

import duckdb
import pytest

import ragduck as ragduck_package
from ragduck.cli.commands import ragduck
from ragduck.cli.search import MODES
from ragduck.search import MODES as LIBRARY_MODES
from ragduck.sources import MAX_FILE_BYTES

SHOP = Path(__file__).parents[1] / "data" / "shop"
EXAMPLE = re.compile(r"^ *(ragduck .*)$", re.MULTILINE)


def examples() -> list[str]:
    helps = [ragduck.help or "", *(command.help or "" for command in ragduck.commands.values())]
    lines = [line for text in helps for line in EXAMPLE.findall(text)]
    left_out = ["--model ollama:"]  # its server is not here
    if importlib.util.find_spec("umap") is None:
        left_out.append("ragduck map ")
    return [line for line in lines if not any(part in line for part in left_out)]


@pytest.fixture(scope="module")
def desk(shop_store: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("desk")
    shutil.copytree(SHOP, folder / "shop")
    shutil.copy(shop_store, folder / "shop.duckdb")
    ragduck_package.ask(folder / "shop.duckdb", "Who writes invoices?")  # a conversation to list
    shutil.copy(SHOP.with_name("shop_queries.tsv"), folder / "queries.tsv")
    shutil.copy(shop_store, folder / "branches.duckdb")  # its vectors spare those of the default model
    _prepare_branches(folder)
    with duckdb.connect(str(folder / "knowledge_base.duckdb")) as connection:  # as sqlrooms-rag leaves one
        connection.execute("create table documents as select 'node' as node_id, '# Orders' as text")
    return folder


def _prepare_branches(folder: Path) -> None:
    (folder / "notes").mkdir()
    for branch in ("main", "next", "old"):
        (folder / "notes" / f"{branch}.sql").write_text("create table dbo.Note (Id int);\n")
        ragduck_package.prepare(
            folder / "notes", folder / "teams.duckdb", repo="shop", branch=branch, embed_model=None
        )


def test_every_command_has_an_example() -> None:
    for name, command in ragduck.commands.items():
        assert f"ragduck {name} " in (command.help or "")


@pytest.mark.parametrize("line", examples())
def test_example_works(invoke: Any, desk: Path, monkeypatch: pytest.MonkeyPatch, line: str) -> None:
    monkeypatch.chdir(desk)

    result = invoke(*shlex.split(line)[1:])

    assert result.exit_code == 0, result.stderr
    only_talks = (
        "ragduck prepare",
        "ragduck check",
        "ragduck drop",
        "ragduck embed",
        "ragduck export",
        "ragduck map",
        "ragduck upgrade",
    )
    assert result.stdout or line.startswith(only_talks)


def test_help_lists_the_modes_of_the_library() -> None:
    assert MODES == LIBRARY_MODES


def test_help_tells_the_size_limit_of_the_library(invoke: Any) -> None:
    result = invoke("prepare", "--help")

    assert f"{MAX_FILE_BYTES // 1_000_000}MB by default" in result.stdout


def test_bare_command_shows_its_help(invoke: Any) -> None:
    result = invoke()

    assert result.exit_code == 0
    assert result.stdout.startswith("Usage: ragduck")


def test_version_is_that_of_the_package(invoke: Any) -> None:
    result = invoke("--version")

    assert re.fullmatch(r"ragduck, version \d+\.\d+\.\d+\n", result.stdout)
