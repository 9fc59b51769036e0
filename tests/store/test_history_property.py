"""Any order of saving, folding, deleting, tearing and reading keeps every record exactly once."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import ragduck
from ragduck.conversation import Turn
from ragduck.store.history import StoreHistory

pytestmark = pytest.mark.slow

MakeTurn = Callable[..., Turn]
SESSIONS = ("a", "b")
acts = st.lists(
    st.one_of(
        st.tuples(st.just("save"), st.integers(0, 5), st.sampled_from(SESSIONS)),
        st.tuples(st.just("delete"), st.just(0), st.sampled_from(SESSIONS)),
        st.tuples(st.just("fold"), st.just(0), st.just("")),
        st.tuples(st.just("fold while reading"), st.just(0), st.just("")),
        st.tuples(st.just("fold again"), st.just(0), st.just("")),
        st.tuples(st.just("tear"), st.integers(1, 300), st.just("")),
    ),
    max_size=6,
)


@settings(
    max_examples=15,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(acts=acts)
def test_any_interleaving_keeps_every_turn_exactly_once(
    small_store: Path, make_turn: MakeTurn, acts: list[tuple[str, int, str]]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        history = StoreHistory(shutil.copy(small_store, Path(folder) / "s.duckdb"))
        expected: dict[str, Turn] = {}
        for name, number, session in acts:
            _act(history, name, number, session, make_turn)
            if name == "save":
                expected.setdefault(f"{session}{number}", _turn(number, session, make_turn))
            elif name == "delete":
                expected = {key: turn for key, turn in expected.items() if turn.session_id != session}

            _require(history, expected)
        assert history.fold()
        _require(history, expected)


def _turn(number: int, session: str, make_turn: MakeTurn) -> Turn:
    return make_turn(number, session, turn_id=f"{session}{number}")


def _act(history: StoreHistory, name: str, number: int, session: str, make_turn: MakeTurn) -> None:
    journal = history.path.with_name("s.duckdb.ragduck-journal")
    if name == "save":
        history.save_turn(_turn(number, session, make_turn))
    elif name == "delete":
        history.delete(session)
    elif name == "fold":
        assert history.fold()
    elif name == "fold while reading":
        with ragduck.open(history.path):
            history.fold()
    elif (
        name == "fold again" and journal.exists()
    ):  # killed after writing the store, before clearing the journal
        lines = journal.read_bytes()
        history.fold()
        journal.write_bytes(lines)
    elif name == "tear":  # killed while writing a line
        line = (
            b'{"ragduck_journal": 1, "kind": "turn", "data": {"turn_id": "torn", "session_id": "a"'
            + b"x" * 300
        )
        with journal.open("ab") as stream:
            stream.write(line[:number])


def _require(history: StoreHistory, expected: dict[str, Turn]) -> None:
    ordered = sorted(expected.values(), key=lambda turn: (turn.session_id, turn.created_at))
    kept = {each["session_id"]: each["turns"] for each in history.export()}

    assert [turn["turn_id"] for session in sorted(kept) for turn in kept[session]] == [
        turn.turn_id for turn in ordered
    ]
