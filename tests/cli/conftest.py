"""Folders with something wrong or strange in them, and their stores."""

from __future__ import annotations

from pathlib import Path

import pytest

import ragduck


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "billing.md").write_text("# Billing\n\nAn invoice is created when an order ships.\n")
    return folder


@pytest.fixture
def notes_store(notes: Path, tmp_path: Path) -> Path:
    store = tmp_path / "notes.duckdb"
    ragduck.prepare(notes, store, repo="notes", embed_model="none")
    return store


@pytest.fixture(scope="session")
def hostile_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of text that would take over a terminal, and of names in other alphabets."""
    folder = tmp_path_factory.mktemp("hostile") / "pliki źródłowe"
    folder.mkdir()
    (folder / "opłaty ünïts.md").write_text(
        "# Opłaty\n\nFaktura \x1b[31mred\x1b]0;owned\x07 \x9b2J za usługę.\n"
    )
    store = folder.with_name("hostile.duckdb")
    ragduck.prepare(folder, store, repo="hostile", embed_model="none")
    return store
