"""Folders of partitions are safe everywhere and give the names back."""

from __future__ import annotations

from urllib.parse import unquote

import pyarrow as pa
import pyarrow.dataset as ds
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragduck.errors import UsageError
from ragduck.exports.partitions import guessed_names, partitions

NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)
HIVE = ds.partitioning(pa.schema([("repo", pa.string()), ("branch", pa.string())]), flavor="hive")


def folders(*branches: str) -> dict[str, str]:
    found = partitions([("shop", branch) for branch in branches])
    return {branch: place.folder for (_, branch), place in found.items()}


@given(st.sets(NAMES, min_size=1, max_size=6))
def test_names_are_read_back_from_folders(names: set[str]) -> None:
    for name, folder in folders(*names).items():
        repo, branch = folder.split("/")

        assert repo == "repo=shop"
        assert unquote(branch.removeprefix("branch=")) == name


@given(st.sets(NAMES, min_size=1, max_size=6))
def test_folders_differ_where_case_is_not_told(names: set[str]) -> None:
    found = folders(*names).values()

    assert len({folder.lower() for folder in found}) == len(names)


@given(NAMES)
def test_folders_hold_nothing_that_a_file_system_minds(name: str) -> None:
    level = folders(name)[name].split("/")[1]

    assert level.isascii()
    assert set('<>:"/\\|?* \0').isdisjoint(level)
    assert not level.endswith(".")


@given(NAMES)
def test_pyarrow_reads_the_same_name(name: str) -> None:
    expression = HIVE.parse(f"/{folders(name)[name]}/part-0.parquet")

    repo, branch = pa.scalar("shop"), pa.scalar(name)
    assert expression.equals((ds.field("repo") == repo) & (ds.field("branch") == branch))


@pytest.mark.parametrize(
    ("branch", "folder"),
    [
        ("feature/x=1", "feature%2Fx%3D1"),
        ("..", "%2E%2E"),
        ("żółw", "%C5%BC%C3%B3%C5%82w"),
        ("2024", "%32024"),
        ("main", "main"),
    ],
)
def test_a_folder_looks_like_its_name(branch: str, folder: str) -> None:
    assert folders(branch)[branch] == f"repo=shop/branch={folder}"


def test_capitals_are_escaped_only_where_they_matter() -> None:
    assert folders("Main", "main", "Dev") == {
        "Dev": "repo=shop/branch=Dev",
        "Main": "repo=shop/branch=%4Dain",
        "main": "repo=shop/branch=main",
    }


@pytest.mark.parametrize("name", ["", "__HIVE_DEFAULT_PARTITION__"])
def test_a_name_that_readers_take_for_missing_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match="cannot be the name of a partition"):
        folders(name)


def test_a_name_too_long_for_a_folder_is_refused() -> None:
    with pytest.raises(UsageError, match="has 307 letters as a folder; 255 is the most"):
        folders("ż" * 50)


def test_names_that_look_like_numbers_and_dates_are_told() -> None:
    names = ("main", "2024", "1.10", "2024-01-01", "true", "v1", "release 2")

    found = partitions([("shop", name) for name in names])

    assert guessed_names(list(found.values())) == ["1.10", "2024", "2024-01-01", "true"]
