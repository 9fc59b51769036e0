"""`ragduck export` writes mirrors and the historic index, and says what it did."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from ragduck.cli.export import export
from ragduck.errors import ForeignFileError, UsageError


@pytest.fixture
def store(shop_store: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(shop_store, tmp_path / "shop.duckdb"))


def test_faiss_writes_a_mirror_beside_the_store(store: Path) -> None:
    done = CliRunner().invoke(export, ["faiss", str(store), "--json"])

    report = json.loads(done.stdout)
    assert done.exit_code == 0
    assert report["folder"] == f"{store}.faiss"
    assert report["kind"] == "flat"
    assert "recall@10 1.000" in done.stderr


def test_faiss_takes_kind_parameters_and_folder(store: Path, tmp_path: Path) -> None:
    arguments = [
        "faiss",
        str(store),
        str(tmp_path / "mine"),
        "--index",
        "hnsw",
        "--set",
        "m=8",
        "--json",
        "-q",
    ]

    done = CliRunner().invoke(export, arguments)

    report = json.loads(done.stdout)
    assert (report["folder"], report["parameters"]["m"]) == (str(tmp_path / "mine"), 8)
    assert done.stderr == ""


def test_a_parameter_without_a_number_is_refused(store: Path) -> None:
    done = CliRunner().invoke(export, ["faiss", str(store), "--set", "m=many"])

    assert isinstance(done.exception, UsageError)
    assert done.exception.message == "parameter 'm=many' is not name=number"


def test_a_folder_with_other_files_is_not_replaced(store: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("dear")

    done = CliRunner().invoke(export, ["faiss", str(store), str(tmp_path / "mine")])

    assert isinstance(done.exception, ForeignFileError)


def test_unified_writes_the_historic_layout(store: Path, tmp_path: Path) -> None:
    done = CliRunner().invoke(export, ["unified", str(store), str(tmp_path / "old"), "--json"])

    report = json.loads(done.stdout)
    assert report["dimension"] == 64
    assert (tmp_path / "old" / "unified_index.faiss").is_file()
    assert "chunks" in done.stderr
