"""What a store records of a model, and when a query with another one is refused."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragduck.embed import check_same_model
from ragduck.errors import EmbeddingError
from ragduck.model import EmbeddingModel

MODEL = EmbeddingModel(
    name="org/model", revision="abc", dimension=8, query_prefix="ask: ", provider="huggingface"
)


@settings(deadline=None)
@given(
    st.builds(
        EmbeddingModel,
        name=st.text(min_size=1).filter(lambda name: name != "none"),
        dimension=st.integers(1, 9999),
    )
)
def test_a_model_survives_the_metadata_table(model: EmbeddingModel) -> None:
    assert EmbeddingModel.from_dict(model.to_dict()) == model


@pytest.mark.parametrize("metadata", [{}, {"embedding_model": "none"}, {"embedding_model": ""}])
def test_a_store_without_vectors_has_no_model(metadata: dict[str, str]) -> None:
    assert EmbeddingModel.from_dict(metadata) is None


@pytest.mark.parametrize("dimension", ["", "0", "-3", "many", "²", "1e3"])
def test_a_damaged_dimension_is_refused(dimension: str) -> None:
    with pytest.raises(EmbeddingError, match="embedding_dimensions"):
        EmbeddingModel.from_dict({"embedding_model": "minilm", "embedding_dimensions": dimension})


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"name": "org/other"}, "name 'org/other' instead of 'org/model'"),
        ({"revision": "def"}, "revision 'def' instead of 'abc'"),
        ({"dimension": 9}, "dimension 9 instead of 8"),
        ({"query_prefix": ""}, "query prefix '' instead of 'ask: '"),
    ],
)
def test_a_model_that_differs_is_refused_with_the_difference(change: dict[str, object], named: str) -> None:
    with pytest.raises(EmbeddingError, match=named) as caught:
        check_same_model(MODEL, replace(MODEL, **change))

    assert "bm25" in (caught.value.hint or "")


def test_another_release_of_a_model_is_replaced_by_embedding_again() -> None:
    recorded = replace(MODEL, name="static", revision="sha256:" + "a" * 64)

    with pytest.raises(
        EmbeddingError, match="'sha256:bbbbbbbbbbbb' instead of 'sha256:aaaaaaaaaaaa'"
    ) as caught:
        check_same_model(recorded, replace(recorded, revision="sha256:" + "b" * 64))

    assert "ragduck embed STORE --model static" in (caught.value.hint or "")


def test_an_unknown_revision_is_not_compared() -> None:
    check_same_model(MODEL, replace(MODEL, revision=""))


def test_the_same_weights_are_the_same_model_under_another_name() -> None:
    recorded = replace(MODEL, name="/models/one", revision="sha256:11")

    check_same_model(recorded, replace(recorded, name="/elsewhere/one"))
