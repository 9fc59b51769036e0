"""`ragduck embed` in a process: what goes to stdout, what to stderr."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from ragduck.cli.embed import embed


@pytest.fixture(scope="module")
def store(shop_store: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Path(shutil.copy(shop_store, tmp_path_factory.mktemp("embed") / "shop.duckdb"))


def test_json_goes_to_stdout_and_talk_to_stderr(store: Path) -> None:
    result = CliRunner().invoke(embed, [str(store), "--model", "hashing", "--json"])

    assert json.loads(result.stdout)["unchanged"] is True
    assert "nothing to do: its model is hashing" in result.stderr


def test_quiet_says_nothing(store: Path) -> None:
    result = CliRunner().invoke(embed, [str(store), "--model", "hashing", "--quiet"])

    assert (result.stdout, result.stderr) == ("", "")


def test_a_model_must_be_named(store: Path) -> None:
    result = CliRunner().invoke(embed, [str(store)])

    assert result.exit_code == 2
    assert "--model" in result.output
