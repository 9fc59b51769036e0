"""The name of an object counts for the chunk where it begins, not for what changes it or goes on with it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import ragduck

STATEMENTS = "\n".join(
    f"    update dbo.Parcel set Weight = {number} where Id = {number} and Note = 'a note on parcel {number}';"
    for number in range(120)
)
MEMBERS = "".join(
    f"        /// <summary>What the scales told when they were asked the last time, {number}.</summary>\n"
    f"        public int Weight{number};\n"
    for number in range(120)
)
FILES = {
    "migrations/1.diff.sql": "alter table dbo.Parcel set (lock_escalation = auto)\ngo\n",
    "migrations/2.diff.sql": "create procedure dbo.Parcel_Weigh as select 1 as old\ngo\n",
    "Tables/Parcel.sql": "create table dbo.Parcel (Id int not null, Weight int, Note nvarchar(100))\ngo\n"
    "alter table dbo.Parcel add constraint CK_Weight check (Weight > 0)\ngo\n",
    "Procedures/Parcel_Weigh.sql": f"create procedure dbo.Parcel_Weigh as\nbegin\n{STATEMENTS}\nend\ngo\n",
    "Scales.cs": f"namespace Post\n{{\n    public class Scales\n    {{\n{MEMBERS}    }}\n}}\n",
}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ragduck.Store]:
    folder = tmp_path_factory.mktemp("parcels")
    for path, text in FILES.items():
        file = folder / "source" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    path: Path = folder / "parcels.duckdb"
    ragduck.prepare(folder / "source", path, repo="post", embed_model="none")
    with ragduck.open(path) as opened:
        yield opened


def named(store: ragduck.Store, key: str) -> list[tuple[str, int, bool]]:
    rows = store.sql(
        "select source_file, start_line, type_head from documents join chunk_signals using (chunk_no) "
        "where node_key = $key and name_key is not null and spelled_key is not null order by all",
        {"key": key},
    )
    return [(row["source_file"], row["start_line"], row["type_head"]) for row in rows]


def chunks(store: ragduck.Store, key: str) -> int:
    return len(store.sql("select id from documents where node_key = $key", {"key": key}))


def test_a_table_has_its_name_where_it_is_created(store: ragduck.Store) -> None:
    assert chunks(store, "dbo.Parcel|TABLE") == 3
    assert named(store, "dbo.Parcel|TABLE") == [("Tables/Parcel.sql", 1, True)]


def test_a_procedure_has_its_name_where_versions_of_it_begin_and_its_head_where_the_one_that_counts_does(
    store: ragduck.Store,
) -> None:
    assert chunks(store, "dbo.Parcel_Weigh|PROC") > 2
    assert named(store, "dbo.Parcel_Weigh|PROC") == [
        ("Procedures/Parcel_Weigh.sql", 1, True),
        ("migrations/2.diff.sql", 1, False),
    ]


def test_each_part_of_a_type_has_its_name_and_the_first_the_head(store: ragduck.Store) -> None:
    found = named(store, "csharp:Post.Scales|TYPE")

    assert len(found) == chunks(store, "csharp:Post.Scales|TYPE") > 1
    assert [is_head for _, _, is_head in found] == [True] + [False] * (len(found) - 1)


@pytest.mark.parametrize(
    ("asked", "place"),
    [
        ("dbo.Parcel", ("Tables/Parcel.sql", 1)),
        ("Parcel table", ("Tables/Parcel.sql", 1)),
        ("Parcel_Weigh", ("Procedures/Parcel_Weigh.sql", 1)),
    ],
)
def test_it_is_found_first_by_its_name(store: ragduck.Store, asked: str, place: tuple[str, int]) -> None:
    first = store.search(asked, mode="bm25").results[0]

    assert (first["source_file"], first["start_line"]) == place
