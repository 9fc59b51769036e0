"""What tests of several packages share: the sample shop as a store, and the installed command."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import ragduck

SHOP = Path(__file__).parent / "data" / "shop"
ROOT = Path(__file__).resolve().parents[1]

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session", autouse=True)
def _no_remembered_questions() -> Iterator[None]:
    """Keep vectors of earlier questions out of the tests, and those of the tests out of the user's cache."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAGDUCK_CACHE_DIR", "")
        yield


@pytest.fixture(scope="session")
def shop_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample shop, prepared once with the deterministic embedder; not to be changed."""
    store = tmp_path_factory.mktemp("shop") / "shop.duckdb"
    ragduck.prepare(SHOP, store, repo="shop", branch="main", embed_model="hashing")
    return store


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
