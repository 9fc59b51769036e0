"""A parser that hangs is ended, not waited for."""

from __future__ import annotations

import time

import pytest

from ragduck import workers


def test_workers_that_hang_are_killed() -> None:
    hanging = workers._pool(1).submit(time.sleep, 300)
    while not hanging.running():
        time.sleep(0.05)

    workers._end_workers()

    with pytest.raises(Exception, match=r"terminated|shutdown|shut down"):
        hanging.result(timeout=60)
