from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import ragduck
from ragduck.conversation import Turn
from ragduck.store.history import StoreHistory
from ragduck.store.in_place import StoreInUseError, put_in_place, recover

Refuse = Callable[[str], None]


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    new, target = tmp_path / "s.duckdb.ragduck-new", tmp_path / "s.duckdb"
    new.write_text("new")
    target.write_text("live")
    return new, target


def refused(path: Path, *_: Path) -> Path:
    """Fail as renaming, replacing and removing do on Windows where others have a file open."""
    raise PermissionError(13, "Access is denied", str(path))


@pytest.fixture
def refuse(monkeypatch: pytest.MonkeyPatch) -> Refuse:
    """Return what makes an operation on files fail."""
    return lambda name: monkeypatch.setattr(Path, name, refused)


def names_beside(target: Path) -> list[str]:
    return sorted(path.name for path in target.parent.iterdir())


def test_a_store_takes_the_place_of_another(files: tuple[Path, Path]) -> None:
    new, target = files

    put_in_place(new, target)

    assert target.read_text() == "new"
    assert names_beside(target) == ["s.duckdb"]


def test_a_store_that_cannot_be_replaced_steps_aside(files: tuple[Path, Path], refuse: Refuse) -> None:
    new, target = files
    refuse("replace")

    put_in_place(new, target)

    assert target.read_text() == "new"
    assert names_beside(target) == ["s.duckdb"]


def test_what_stepped_aside_stays_while_it_is_read(
    files: tuple[Path, Path], refuse: Refuse, monkeypatch: pytest.MonkeyPatch
) -> None:
    new, target = files
    refuse("replace")
    with monkeypatch.context() as read:
        read.setattr(Path, "unlink", refused)
        put_in_place(new, target)
        new.write_text("newer")
        put_in_place(new, target)
    assert names_beside(target) == ["s.duckdb", "s.duckdb.1.ragduck-old", "s.duckdb.2.ragduck-old"]

    new.write_text("newest")
    put_in_place(new, target)

    assert target.read_text() == "newest"
    assert names_beside(target) == ["s.duckdb"]


def test_a_store_that_can_neither_be_replaced_nor_renamed_is_told(
    files: tuple[Path, Path], refuse: Refuse
) -> None:
    new, target = files
    refuse("replace")
    refuse("rename")

    with pytest.raises(StoreInUseError, match="Access is denied") as told:
        put_in_place(new, target)

    assert "close what reads it" in (told.value.hint or "")
    assert (new.read_text(), target.read_text()) == ("new", "live")


def test_the_live_store_comes_back_when_the_new_one_cannot_come(
    files: tuple[Path, Path], refuse: Refuse, monkeypatch: pytest.MonkeyPatch
) -> None:
    new, target = files
    refuse("replace")
    rename = Path.rename

    def without_new(path: Path, to: Path) -> Path:
        if path == new:
            raise OSError(28, "No space left on device")
        return rename(path, to)

    monkeypatch.setattr(Path, "rename", without_new)

    with pytest.raises(OSError, match="No space"):
        put_in_place(new, target)

    assert target.read_text() == "live"
    assert names_beside(target) == ["s.duckdb", "s.duckdb.ragduck-new"]


def test_without_rights_nothing_steps_aside(files: tuple[Path, Path], refuse: Refuse) -> None:
    new, target = files
    target.unlink()
    refuse("replace")

    with pytest.raises(PermissionError):
        put_in_place(new, target)

    assert names_beside(target) == ["s.duckdb.ragduck-new"]


@pytest.fixture
def aside(files: tuple[Path, Path]) -> tuple[Path, Path]:
    """A writer was killed after the live store had stepped aside."""
    _, target = files
    old = target.with_name("s.duckdb.1.ragduck-old")
    target.rename(old)
    return old, target


def test_a_store_whose_writer_was_killed_in_between_gets_its_name_back(aside: tuple[Path, Path]) -> None:
    _, target = aside

    recover(target, wait=0)

    assert target.read_text() == "live"
    assert names_beside(target) == ["s.duckdb", "s.duckdb.ragduck-new"]


def test_a_store_that_stepped_aside_and_was_deleted_since_does_not_come_back(
    aside: tuple[Path, Path],
) -> None:
    old, target = aside
    target.with_name("s.duckdb.ragduck-new").unlink()

    recover(target, wait=0)

    assert not target.exists()
    assert old.exists()


def test_a_store_that_is_there_stays(files: tuple[Path, Path]) -> None:
    _, target = files
    target.with_name("s.duckdb.1.ragduck-old").write_text("older")

    recover(target, wait=0)

    assert target.read_text() == "live"


def test_what_other_stores_put_aside_is_left_alone(files: tuple[Path, Path]) -> None:
    new, target = files
    other = target.with_name("s.duckdb.bak.1.ragduck-old")
    other.write_text("backup")

    put_in_place(new, target)

    assert other.read_text() == "backup"


def test_prepare_keeps_what_a_store_that_stepped_aside_held(
    small_store: Path, make_turn: Callable[..., Turn]
) -> None:
    history = StoreHistory(small_store)
    history.save_turn(make_turn(1))
    history.fold()
    small_store.rename(small_store.with_name(f"{small_store.name}.1.ragduck-old"))
    small_store.with_name(f"{small_store.name}.ragduck-new").write_text("half of one")
    source = small_store.parent / "changed"
    source.mkdir()
    (source / "b.py").write_text("def cancel_order():\n    pass\n", encoding="utf-8")

    ragduck.prepare(source, small_store, repo="changed", branch="main")

    assert [turn.turn_id for turn in history.load("s").turns] == ["turn1"]
    with ragduck.open(small_store) as store:
        assert len(store.sql("select repo from snapshots")) == 2
