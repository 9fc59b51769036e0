"""The pieces of a long line in a store: exact text by identity, checks that hold, bundles that have it once."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

import ragduck
from ragduck.exports.roslyn import export_roslyn
from ragduck.pipeline.retrieval.node_texts import Wanted, fetch
from ragduck.store import open_database
from ragduck.store.checks import run_checks

WORDS = ", ".join(f"colour {number} of the chair" for number in range(200))
NOTE = f'        var note = "{WORDS}";'
METHOD = f"    public void Paint()\n    {{\n{NOTE}\n        Save(note);\n    }}"
TEXT = f"namespace Shop;\n\npublic class Chairs\n{{\n{METHOD}\n}}\n"
KEY = "csharp:Shop.Chairs.Paint|METHOD"
LINE = 7


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("long")
    (folder / "source").mkdir()
    (folder / "source" / "Chairs.cs").write_text(TEXT, encoding="utf-8")
    ragduck.prepare(folder / "source", folder / "s.duckdb", embed_model=None, repo="shop", branch="main")
    return folder / "s.duckdb"


def failed(store: Path) -> list[str]:
    with open_database(store) as database:
        return [result.name for result in run_checks(database) if not result.passed]


def test_each_piece_is_a_chunk_of_its_line_with_an_id_of_its_own(store: Path) -> None:
    with ragduck.open(store) as opened:
        found = [row for row in opened.text_of(KEY) if row["start_line"] == LINE]

    assert "".join(row["text"] for row in found) == NOTE
    assert len({row["id"] for row in found}) == len({row["node_id"] for row in found}) == len(found) > 2
    assert {row["location"] for row in found} == {f"Chairs.cs:{LINE}-{LINE}"}


def test_nothing_is_wrong_with_pieces_of_a_line(store: Path) -> None:
    assert failed(store) == []


@pytest.mark.parametrize(
    ("damage", "name"),
    [
        ("update documents set text = replace(text, 'colour', 'color')", "line_ranges"),
        (
            "update documents set text = (select string_split(source.text, chr(10))[start_line] "
            "from source_documents as source where source.doc_id = documents.doc_id) where start_line = end_line",
            "overlapping_chunks",
        ),
    ],
)
def test_a_piece_that_its_line_does_not_have_is_found(
    store: Path, tmp_path: Path, damage: str, name: str
) -> None:
    copy = tmp_path / "copy.duckdb"
    copy.write_bytes(store.read_bytes())
    with duckdb.connect(str(copy)) as connection:
        connection.execute(damage)

    assert name in failed(copy)


def test_the_pieces_of_a_line_are_put_together_as_they_were(store: Path) -> None:
    with ragduck.open(store) as opened:
        found = fetch(opened.rows, [Wanted(KEY, "")], hits=(), repo=None, branch=None)

    assert [(one.text, one.location) for one in found[KEY]] == [(METHOD, "Chairs.cs:5-9")]


def test_a_line_of_which_a_piece_is_missing_is_not_put_together(tmp_path: Path) -> None:
    data = "aGVsbG8gd29ybGQxMjM0NTY3ODkw" * 300
    text = TEXT.replace(WORDS, f"{WORDS}{data} and {WORDS.replace('colour', 'paint')}")
    (tmp_path / "source").mkdir()
    (tmp_path / "source" / "Chairs.cs").write_text(text, encoding="utf-8")
    ragduck.prepare(tmp_path / "source", tmp_path / "s.duckdb", embed_model=None)

    with ragduck.open(tmp_path / "s.duckdb") as opened:
        found = fetch(opened.rows, [Wanted(KEY, "")], hits=(), repo=None, branch=None)

    assert len(found[KEY]) == 2
    assert all(one.text in text for one in found[KEY])


def test_a_bundle_has_long_sql_of_a_literal_once(tmp_path: Path) -> None:
    columns = ", ".join(f"c.Colour{number}" for number in range(400))
    sql = f'        Run("select {columns} from dbo.Chair as c where c.ChairId = @id");'
    (tmp_path / "source").mkdir()
    (tmp_path / "source" / "Chairs.cs").write_text(TEXT.replace(NOTE, sql), encoding="utf-8")
    ragduck.prepare(tmp_path / "source", tmp_path / "s.duckdb", embed_model=None)

    report = export_roslyn(tmp_path / "s.duckdb", tmp_path / "bundle")

    assert report.counts["bodies"] == 1
