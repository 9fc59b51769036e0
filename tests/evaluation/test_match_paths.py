"""Labels are matched with stored paths whole component by whole component."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from ragduck.evaluation.paths import match_paths

PATHS = st.lists(st.sampled_from("abc"), min_size=1, max_size=4).map("/".join)


def test_labels_match_as_they_stand() -> None:
    matched = match_paths(["src/a.cs", "src/missing.cs"], ["src/a.cs", "missing.cs"])

    assert matched.stored == {"src/a.cs": "src/a.cs"}
    assert matched.how == ()


def test_folder_above_the_prepared_one_is_left_off() -> None:
    matched = match_paths(["Dapper/SqlMapper.cs", "Dapper/Sub/A.cs"], ["SqlMapper.cs", "Sub/A.cs"])

    assert matched.stored == {"Dapper/SqlMapper.cs": "SqlMapper.cs", "Dapper/Sub/A.cs": "Sub/A.cs"}
    assert matched.how == ("the leading Dapper/ of 2 labels was left off",)


def test_labels_outside_of_the_prepared_folder_are_missing() -> None:
    matched = match_paths(["src/a.cs", "src/b.cs", "tests/deep/a.cs"], ["a.cs", "b.cs", "readme.md"])

    assert matched.stored == {"src/a.cs": "a.cs", "src/b.cs": "b.cs"}


def test_several_folders_may_have_been_prepared() -> None:
    matched = match_paths(["src/a.cs", "src/b.cs", "db/c.sql"], ["a.cs", "b.cs", "c.sql"])

    assert matched.stored == {"src/a.cs": "a.cs", "src/b.cs": "b.cs", "db/c.sql": "c.sql"}
    assert matched.how == (
        "the leading src/ of 2 labels was left off",
        "the leading db/ of 1 label was left off",
    )


def test_label_within_the_left_off_folder_is_missing_when_it_is_not_there() -> None:
    matched = match_paths(["src/a.cs", "src/b.cs", "src/sub/c.cs"], ["a.cs", "b.cs", "c.cs"])

    assert matched.stored == {"src/a.cs": "a.cs", "src/b.cs": "b.cs"}


def test_labels_may_be_ends_of_stored_paths() -> None:
    matched = match_paths(["SqlMapper.cs", "Sub/A.cs"], ["Dapper/SqlMapper.cs", "Dapper/Sub/A.cs"])

    assert matched.stored == {"SqlMapper.cs": "Dapper/SqlMapper.cs", "Sub/A.cs": "Dapper/Sub/A.cs"}
    assert matched.how == ("2 labels were taken for the one stored path that ends so",)


def test_end_of_several_stored_paths_is_missing() -> None:
    matched = match_paths(["A.cs", "B.cs"], ["one/A.cs", "two/A.cs", "two/B.cs"])

    assert matched.stored == {"B.cs": "two/B.cs"}


def test_part_of_a_name_does_not_match() -> None:
    assert match_paths(["Mapper.cs"], ["Dapper/SqlMapper.cs"]).stored == {}


def test_case_is_exact() -> None:
    assert match_paths(["src/a.cs"], ["src/A.cs"]).stored == {}


def test_backslashes_are_read_as_slashes() -> None:
    assert match_paths(["src\\a.cs"], ["src/a.cs"]).stored == {"src\\a.cs": "src/a.cs"}


def test_endless_label_is_no_path() -> None:
    assert match_paths(["a/" * 200_000], ["a"]).stored == {}


@settings(deadline=None)
@given(labels=st.lists(PATHS), stored=st.lists(PATHS, unique=True))
def test_matches_are_stored_and_one_ends_with_the_other(labels: list[str], stored: list[str]) -> None:
    matched = match_paths(labels, stored)

    for label, path in matched.stored.items():
        assert path in stored
        assert f"/{label}".endswith(f"/{path}") or f"/{path}".endswith(f"/{label}")


@settings(deadline=None)
@given(labels=st.lists(PATHS, unique=True, min_size=1), folder=PATHS)
def test_labels_of_a_higher_folder_find_all_files(labels: list[str], folder: str) -> None:
    matched = match_paths([f"above/{folder}/{label}" for label in labels], labels)

    assert matched.stored
