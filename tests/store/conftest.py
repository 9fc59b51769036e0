"""A small store for conversations, and turns to put into it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import ragduck
from ragduck.conversation import Turn

START = datetime(2026, 1, 1, tzinfo=UTC)
MakeTurn = Callable[..., Turn]


@pytest.fixture(scope="session")
def _small_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("small")
    source = folder / "source"
    source.mkdir()
    (source / "orders.py").write_text("def place_order():\n    pass\n", encoding="utf-8")
    ragduck.prepare(source, folder / "s.duckdb", embed_model=None)
    return folder / "s.duckdb"


@pytest.fixture
def small_store(_small_store: Path, tmp_path: Path) -> Path:
    """A store of one file, to be changed at will."""
    return Path(shutil.copy(_small_store, tmp_path / "s.duckdb"))


@pytest.fixture
def make_turn() -> MakeTurn:
    """Make the turn of a number, a minute after that of the number before."""

    def make(number: int, session_id: str = "s", **fields: object) -> Turn:
        given = {
            "turn_id": f"turn{number}",
            "session_id": session_id,
            "created_at": START + timedelta(minutes=number),
            "question": f"Pytanie {number}",
            "question_en": f"Question {number}",
            "answer_en": f"Answer {number}",
            "answer": f"Odpowiedź {number}",
        }
        return Turn(**{**given, **fields})

    return make
