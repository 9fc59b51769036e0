"""What migrations repeat of an object does not take the room of other texts."""

from __future__ import annotations

from ragduck.pipeline.prompting.tokens import estimated_tokens
from ragduck.pipeline.retrieval.node_texts import Stretch, Wanted, pack, without_copies

PROC, TABLE = "dbo.Order_Insert|PROC", "dbo.Order|TABLE"


def stretch(key: str, file: str, *, file_class: str = "source", text: str = "") -> Stretch:
    return Stretch(key, "shop", "main", file, 1, 9, text or f"text of {file}", "sql", file_class)


def files(found: list[Stretch]) -> list[str]:
    return [one.source_file for one in found]


def test_a_procedure_is_shown_as_the_project_defines_it_not_as_migrations_did() -> None:
    found = [stretch(PROC, "migrations/1.sql", file_class="migration"), stretch(PROC, "procs/o.sql")]

    assert files(without_copies(found)) == ["procs/o.sql"]


def test_of_a_procedure_that_only_migrations_define_the_newest_is_shown() -> None:
    found = [stretch(PROC, f"migrations/{year}.sql", file_class="migration") for year in (2019, 2024)]

    assert files(without_copies(found)) == ["migrations/2024.sql"]


def test_what_migrations_change_of_a_table_comes_after_its_definition() -> None:
    found = [stretch(TABLE, "migrations/1.sql", file_class="migration"), stretch(TABLE, "tables/o.sql")]

    assert files(without_copies(found)) == ["tables/o.sql", "migrations/1.sql"]


def test_what_migrations_change_of_a_table_comes_after_all_other_texts() -> None:
    wanted = [Wanted(TABLE, ""), Wanted(PROC, "")]
    texts = {
        TABLE: [stretch(TABLE, "tables/o.sql"), stretch(TABLE, "migrations/1.sql", file_class="migration")],
        PROC: [stretch(PROC, "procs/o.sql")],
    }

    packed = pack(wanted, texts, hits=(), count=estimated_tokens, budget=999, top_n=9)

    assert [block.location for block in packed.blocks] == [
        "tables/o.sql:1-9",
        "procs/o.sql:1-9",
        "migrations/1.sql:1-9",
    ]


def test_a_table_of_which_only_changes_lack_room_is_not_called_left_out() -> None:
    texts = {
        TABLE: [
            stretch(TABLE, "tables/o.sql"),
            stretch(TABLE, "migrations/1.sql", file_class="migration", text="x" * 9_000),
        ]
    }

    packed = pack([Wanted(TABLE, "")], texts, hits=(), count=estimated_tokens, budget=300, top_n=9)

    assert packed.skipped == []
