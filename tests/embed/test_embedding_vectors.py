"""Texts made safe for tokenizers and the wire, numbers made unit vectors."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as st_numpy

from ragduck.embed.vectors import clean_text, unit_rows
from ragduck.errors import EmbeddingError


@settings(deadline=None)
@given(st.text(alphabet=st.characters(exclude_categories=()), max_size=80), st.integers(1, 50))
def test_a_clean_text_fits_and_can_be_encoded(text: str, longest: int) -> None:
    cleaned = clean_text(text, longest=longest)

    assert len(cleaned) <= longest
    assert cleaned.encode("utf-8").decode("utf-8") == cleaned


def test_a_good_text_stays_as_it_is() -> None:
    assert clean_text(" zażółć\n", longest=100) == " zażółć\n"


@settings(deadline=None)
@given(
    st_numpy.arrays(
        np.float64, (3, 4), elements=st.floats(allow_nan=False, allow_infinity=False, allow_subnormal=True)
    )
)
def test_rows_of_any_size_become_unit_vectors(rows: np.ndarray) -> None:
    assert np.allclose(np.linalg.norm(unit_rows(rows), axis=1), 1, atol=1e-6)


def test_a_row_of_zeros_becomes_the_first_unit_vector() -> None:
    assert unit_rows([[0.0, 0.0], [0.0, 2.0]]).tolist() == [[1, 0], [0, 1]]


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_a_number_that_is_not_finite_is_refused(number: float) -> None:
    with pytest.raises(EmbeddingError, match="not finite"):
        unit_rows([[1.0, number]])
