"""The file of vectors: exact, private, bounded, shared, and never in the way."""

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from ragduck.embed.vector_file import VectorFile

VECTOR = bytes(range(256)) * 6


@pytest.fixture
def file(tmp_path: Path) -> VectorFile:
    return VectorFile(tmp_path / "cache" / "vectors.sqlite3")


def changed(file: VectorFile, sql: str) -> None:
    connection = sqlite3.connect(file.path)
    connection.execute(sql)
    connection.commit()
    connection.close()


def test_a_vector_is_read_as_it_was_written(file: VectorFile) -> None:
    file.write(b"one", VECTOR)

    assert VectorFile(file.path).read(b"one") == VECTOR


def test_nothing_is_read_before_anything_was_written(file: VectorFile) -> None:
    assert file.read(b"one") is None
    assert not file.path.parent.exists()


def test_another_key_finds_nothing(file: VectorFile) -> None:
    file.write(b"one", VECTOR)

    assert file.read(b"two") is None


def test_a_vector_written_again_takes_the_place_of_the_first(file: VectorFile) -> None:
    file.write(b"one", VECTOR)
    file.write(b"one", VECTOR[::-1])

    assert file.read(b"one") == VECTOR[::-1]


@pytest.mark.skipif(os.name == "nt", reason="modes are those of POSIX")
def test_only_the_user_may_read_the_file(file: VectorFile) -> None:
    file.write(b"one", VECTOR)

    modes = [stat.S_IMODE(path.stat().st_mode) for path in (file.path, file.path.parent)]
    assert modes == [0o600, 0o700]


def test_the_vectors_unused_for_longest_go_first(tmp_path: Path) -> None:
    file = VectorFile(tmp_path / "v.sqlite3", limit=3)
    for key in (b"old", b"read", b"older"):
        file.write(key, VECTOR)
    changed(file, "update vectors set used = case key when x'6f6c646572' then 1 else 2 end")
    file.read(b"read")

    file.write(b"new", VECTOR)
    file.write(b"newer", VECTOR)

    assert [key for key in (b"older", b"old", b"read", b"new", b"newer") if file.read(key)] == [
        b"read",
        b"new",
        b"newer",
    ]


def test_a_large_file_stays_within_a_hundredth_of_its_limit(tmp_path: Path) -> None:
    file = VectorFile(tmp_path / "v.sqlite3", limit=200)

    for number in range(300):
        file.write(str(number).encode(), b"four")

    kept = [number for number in range(300) if file.read(str(number).encode())]
    assert kept[-1] == 299
    assert 200 <= len(kept) <= 202


@pytest.mark.parametrize("content", [b"no database at all", b"SQLite format 3\0" + b"\xff" * 4_096])
def test_a_file_that_is_no_database_is_left_alone(file: VectorFile, content: bytes) -> None:
    file.path.parent.mkdir()
    file.path.write_bytes(content)

    file.write(b"one", VECTOR)

    assert file.read(b"one") is None
    assert file.path.read_bytes() == content


def test_the_database_of_another_program_is_left_alone(file: VectorFile) -> None:
    file.path.parent.mkdir()
    changed(file, "create table vectors (key, vector, checksum, used)")
    before = file.path.read_bytes()

    file.write(b"one", VECTOR)

    assert file.read(b"one") is None
    assert file.path.read_bytes() == before


def test_a_vector_that_was_damaged_is_not_found(file: VectorFile) -> None:
    file.write(b"one", VECTOR)
    content = file.path.read_bytes()
    file.path.write_bytes(content.replace(VECTOR[:64], VECTOR[:63] + b"!"))

    assert file.read(b"one") is None


@pytest.mark.parametrize("damage", ["vector = 'text'", "used = 'text'", "checksum = 'text'", "vector = 7"])
def test_a_row_of_other_types_is_not_found(file: VectorFile, damage: str) -> None:
    file.write(b"one", VECTOR)
    changed(file, f"update vectors set {damage}")

    assert file.read(b"one") is None


def test_a_damaged_file_of_our_own_is_begun_anew(file: VectorFile) -> None:
    for number in range(50):
        file.write(str(number).encode(), VECTOR)
    content = file.path.read_bytes()
    file.path.write_bytes(content[:4_096] + b"\xff" * (len(content) - 4_096))

    first = file.read(b"7")
    file.write(b"7", VECTOR)

    assert first is None
    assert file.read(b"7") == VECTOR


def test_a_locked_file_is_not_waited_for(file: VectorFile) -> None:
    file.write(b"one", VECTOR)
    holder = sqlite3.connect(file.path)
    holder.execute("begin exclusive")

    found = file.read(b"one")
    file.write(b"two", VECTOR)
    holder.close()

    assert found is None
    assert file.read(b"one") == VECTOR
    assert file.read(b"two") is None


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_file_is_read(file: VectorFile) -> None:
    file.write(b"one", VECTOR)
    changed(file, "update vectors set used = 1")
    file.path.chmod(0o400)
    file.path.parent.chmod(0o500)

    found = file.read(b"one")
    file.write(b"two", VECTOR)
    file.path.parent.chmod(0o700)

    assert found == VECTOR
    assert file.read(b"two") is None


@pytest.mark.parametrize("place", ["a file/v.sqlite3", "folder", "x" * 300, "a\0b", "\ud800/v"])
def test_a_place_where_no_file_can_be_finds_nothing(tmp_path: Path, place: str) -> None:
    (tmp_path / "a file").write_text("")
    (tmp_path / "folder").mkdir()
    file = VectorFile(tmp_path / place)

    file.write(b"one", VECTOR)

    assert file.read(b"one") is None


def test_a_place_may_have_any_name(tmp_path: Path) -> None:
    file = VectorFile(tmp_path / "100% sure? #1 żółw" / "v.sqlite3")

    file.write(b"one", VECTOR)

    assert file.read(b"one") == VECTOR


def test_processes_share_a_file(file: VectorFile) -> None:
    program = (
        "import sys; from pathlib import Path; from ragduck.embed.vector_file import VectorFile\n"
        "file = VectorFile(Path(sys.argv[1]))\n"
        "for number in range(100): file.write(f'{sys.argv[2]} {number}'.encode(), b'four')"
    )
    writers = [
        subprocess.Popen([sys.executable, "-c", program, str(file.path), name]) for name in ("one", "two")
    ]

    codes = [writer.wait(timeout=60) for writer in writers]

    found = [file.read(f"{name} {number}".encode()) for name in ("one", "two") for number in range(100)]
    assert codes == [0, 0]
    assert set(found) <= {b"four", None}
    assert found.count(b"four") > 100
