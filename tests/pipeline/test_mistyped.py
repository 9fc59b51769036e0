"""A name that nothing bears, and a word with a typing error, are told with what is most like them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import ragduck
from ragduck.pipeline.retrieval.mistyped import unborne_names, words_meant

CODE = """\
namespace Post
{
    public class FormParcelDetails
    {
        private int parcelDetails;
        public void Open() { parcelDetails = 1; }
    }
    public class ParcelClerk
    {
        public void Show() { new FormParcelDetails().Open(); }
    }
}
"""


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ragduck.Store]:
    folder = tmp_path_factory.mktemp("post")
    (folder / "source").mkdir()
    (folder / "source" / "Form.cs").write_text(CODE)
    (folder / "source" / "post.sql").write_text("create table dbo.Parcel (weight int);")
    ragduck.prepare(folder / "source", folder / "post.duckdb", repo="post", embed_model="none")
    with ragduck.open(folder / "post.duckdb") as opened:
        yield opened


def test_a_name_that_nothing_bears_is_told_with_the_closest(asked: Any, store: ragduck.Store) -> None:
    question = "Who opens FormShowParcelDetails?"

    ran = asked(question, store=store)

    [gap] = [gap for gap in ran.state.gaps if "is called" in gap]
    assert gap.startswith(
        "Nothing in the store is called `FormShowParcelDetails`; closest: `Post.FormParcelDetails`"
    )


def test_a_word_with_a_typing_error_is_told(asked: Any, store: ragduck.Store) -> None:
    question = "where is a parcle"

    ran = asked(question, store=store)

    assert "By `parcle`, which the store does not have, perhaps `parcel` is meant." in ran.state.gaps


@pytest.mark.parametrize(
    ("names", "found"),
    [
        (["Post.ParcelClerk"], []),
        (["dbo.Parcel.weight"], []),
        (["dbo.Parcel.height_of_it"], []),
        (["parcelDetails"], []),
        (["Form.cs"], []),
        (["ParcelClerk.Open"], ["ParcelClerk.Open"]),
        (["ParcelClark.Show"], ["ParcelClark.Show"]),
        (["ParcelBox|TABLE"], ["ParcelBox"]),
        (["parcel"], []),
    ],
)
def test_which_names_nothing_bears(store: ragduck.Store, names: list[str], found: list[str]) -> None:
    assert unborne_names(store.rows, names) == found


@pytest.mark.parametrize(
    ("word", "meant"), [("clrek", "clerk"), ("detials", "details"), ("clk", None), ("warehouse", None)]
)
def test_a_word_is_meant_for_one_that_is_like_it(store: ragduck.Store, word: str, meant: str | None) -> None:
    assert words_meant(store.rows, [word]) == ({word: meant} if meant else {})
