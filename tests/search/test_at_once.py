"""Two things at the same time: both results, the first error, and the context of the caller in both threads."""

from __future__ import annotations

import os
import signal
import time
from contextvars import ContextVar
from threading import current_thread, get_ident
from typing import NoReturn

import pytest

from ragduck.search.at_once import at_once

CALL: ContextVar[str] = ContextVar("call")


def fail(message: str) -> NoReturn:
    raise ValueError(message)


def test_both_results_come_back_from_two_threads() -> None:
    first, second = at_once(get_ident, get_ident)

    assert first == get_ident() != second


def test_what_is_known_of_the_call_is_known_in_both_threads() -> None:
    CALL.set("search 7")

    assert at_once(CALL.get, CALL.get) == ("search 7", "search 7")


def test_the_error_of_the_first_comes_before_that_of_the_second() -> None:
    with pytest.raises(ValueError, match="one"):
        at_once(lambda: fail("one"), lambda: fail("two"))


def test_an_error_of_the_second_is_raised() -> None:
    with pytest.raises(ValueError, match="two"):
        at_once(lambda: 1, lambda: fail("two"))


def test_threads_are_kept_for_the_next_two() -> None:
    threads = {at_once(get_ident, current_thread)[1] for _ in range(100)}

    assert {thread.name[:14] for thread in threads} == {"ragduck-search"}
    assert len(threads) < 50  # some may still be about to wait when the next work comes


def test_the_error_of_the_first_waits_for_the_second() -> None:
    done: list[int] = []

    def slow() -> None:
        time.sleep(0.1)
        done.append(1)

    with pytest.raises(ValueError, match="one"):
        at_once(lambda: fail("one"), slow)

    assert done == [1]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_forked_process_has_threads_of_its_own() -> None:
    at_once(get_ident, get_ident)
    child = os.fork()
    if child == 0:
        os._exit(0 if at_once(lambda: 1, lambda: 2) == (1, 2) else 1)

    ends = time.monotonic() + 20
    while not (ended := os.waitpid(child, os.WNOHANG))[0] and time.monotonic() < ends:
        time.sleep(0.01)
    if not ended[0]:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    assert ended == (child, 0)
