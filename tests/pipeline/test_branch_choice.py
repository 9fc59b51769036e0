"""A store of several branches: which one answers when none is named."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import pytest

from ragduck.errors import UsageError
from ragduck.pipeline.retrieval.branch_choice import BranchChoice, chosen_branch, require_known


@dataclass(frozen=True)
class Prepared:
    repo: str
    branch: str
    day: int

    @property
    def prepared_at(self) -> datetime:
        return datetime(2026, 1, self.day)


MAIN, DEVELOP = Prepared("shop", "main", 1), Prepared("shop", "develop", 2)


def test_the_branch_that_was_prepared_last_answers() -> None:
    choice = chosen_branch({}, [DEVELOP, MAIN])

    assert choice.branch == "develop"
    assert choice.note is not None
    assert "develop, main" in choice.note


@pytest.mark.parametrize("settings", [{"branch": "main"}, {"filters": {"branch": ["main", "develop"]}}])
def test_a_branch_that_is_named_stands(settings: dict[str, object]) -> None:
    assert chosen_branch(settings, [DEVELOP, MAIN]) == BranchChoice()


def test_a_store_of_one_branch_of_each_repository_needs_no_choice() -> None:
    assert chosen_branch({}, [MAIN, Prepared("docs", "trunk", 9)]) == BranchChoice()


def test_only_branches_of_the_asked_repository_count() -> None:
    choice = chosen_branch({"repository": "shop"}, [MAIN, DEVELOP, Prepared("docs", "trunk", 9)])

    assert choice.branch == "develop"


def test_a_comparison_begins_with_the_newest_other_branch() -> None:
    assert chosen_branch({"branch_b": "develop"}, [MAIN, DEVELOP]).branch == "main"


def test_where_repositories_have_different_newest_branches_mixing_is_said() -> None:
    choice = chosen_branch({}, [MAIN, DEVELOP, Prepared("docs", "main", 3)])

    assert choice.branch is None
    assert choice.note is not None
    assert "mixed" in choice.note


def test_a_store_without_any_branch_needs_no_choice() -> None:
    assert chosen_branch({}, []) == BranchChoice()


@pytest.mark.parametrize(
    "settings",
    [{"branch": "mian"}, {"branch_b": "mian"}, {"repository": "mian"}, {"filters": {"branch": "mian"}}],
)
def test_a_branch_or_repository_that_the_store_does_not_hold_is_refused(settings: dict[str, object]) -> None:
    with pytest.raises(UsageError, match="'mian'"):
        require_known(settings, [MAIN, DEVELOP])


def test_branches_and_repositories_that_the_store_holds_are_accepted() -> None:
    require_known({"repository": "shop", "branch": "main", "branch_b": "develop"}, [MAIN, DEVELOP])
