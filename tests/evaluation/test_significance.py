"""A difference is told from chance as the randomisation test defines it."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragduck.evaluation.significance import paired_difference

SCORES = st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=10)


def test_same_scores_have_no_difference() -> None:
    found = paired_difference([0.5, 1.0], [0.5, 1.0])

    assert (found.difference, found.low, found.high, found.p) == (0, 0, 0, 1)
    assert (found.wins, found.ties, found.losses) == (0, 2, 0)


def test_few_queries_are_tried_in_every_pattern() -> None:
    found = paired_difference([0, 0, 0, 0, 0.5], [1, 1, 1, 1, 0.5])

    assert found.p == 2 / 2**4
    assert found.exact


def test_wins_ties_and_losses_are_of_the_second() -> None:
    found = paired_difference([0.1, 0.5, 0.9, 0.2], [0.2, 0.5, 0.1, 0.9])

    assert (found.wins, found.ties, found.losses) == (2, 1, 1)


def test_many_consistent_wins_are_no_chance() -> None:
    found = paired_difference([0.5] * 60, [0.6 + number / 1000 for number in range(60)])

    assert found.p < 0.001
    assert not found.exact
    assert 0 < found.low < found.difference < found.high


def test_random_test_is_close_to_the_exact_one() -> None:
    change = [0.3, -0.1, 0.2, 0.4, -0.2, 0.1, 0.3, -0.3, 0.2, 0.1, 0.2, -0.1, 0.1, 0.2]
    exact = sum(
        abs(sum(sign * one for sign, one in zip(signs, change, strict=True))) >= abs(sum(change)) - 1e-9
        for signs in product((1, -1), repeat=len(change))
    ) / 2 ** len(change)

    found = paired_difference([0.5] * len(change), [0.5 + one for one in change])

    assert not found.exact
    assert found.p == pytest.approx(exact, abs=0.015)


def test_same_scores_give_the_same_answer_again() -> None:
    before, after = [number % 7 / 7 for number in range(40)], [number % 5 / 5 for number in range(40)]

    assert paired_difference(before, after) == paired_difference(before, after)


@settings(deadline=None)
@given(pairs=SCORES)
def test_swapping_the_sides_turns_the_sign_alone(pairs: list[tuple[float, float]]) -> None:
    first, second = [pair[0] for pair in pairs], [pair[1] for pair in pairs]

    there, back = paired_difference(first, second), paired_difference(second, first)

    assert there.difference == pytest.approx(-back.difference)
    assert there.p == pytest.approx(back.p)
    assert (there.wins, there.losses) == (back.losses, back.wins)


@settings(deadline=None)
@given(pairs=SCORES)
def test_probability_and_interval_are_possible(pairs: list[tuple[float, float]]) -> None:
    found = paired_difference([pair[0] for pair in pairs], [pair[1] for pair in pairs])

    assert 0 < found.p <= 1
    assert -1 <= found.low <= found.high <= 1
