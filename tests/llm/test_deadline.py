"""Work that is given so many seconds."""

from __future__ import annotations

import time
from contextvars import ContextVar
from threading import Event, get_ident

import pytest

from ragduck.llm.deadline import run_within

COLOUR = ContextVar("COLOUR", default="grey")


def test_work_in_time_returns_its_result() -> None:
    assert run_within(5, lambda: "done") == "done"


def test_work_that_takes_too_long_is_left_to_itself() -> None:
    start, never = time.monotonic(), Event()

    with pytest.raises(TimeoutError):
        run_within(0.02, never.wait)

    never.set()
    assert time.monotonic() - start < 2


@pytest.mark.parametrize("seconds", [0, -1])
def test_no_time_at_all_begins_nothing(seconds: float) -> None:
    begun = Event()

    with pytest.raises(TimeoutError):
        run_within(seconds, begun.set)

    assert not begun.is_set()


@pytest.mark.parametrize("seconds", [None, 5, 1e300, float("inf")])
def test_an_error_of_the_work_is_raised(seconds: float | None) -> None:
    with pytest.raises(ZeroDivisionError):
        run_within(seconds, lambda: 1 // 0)


def test_work_without_a_limit_stays_in_its_thread() -> None:
    assert run_within(None, get_ident) == get_ident()


def test_work_sees_the_context_of_its_caller() -> None:
    token = COLOUR.set("green")
    seen = run_within(5, COLOUR.get)
    COLOUR.reset(token)

    assert seen == "green"
