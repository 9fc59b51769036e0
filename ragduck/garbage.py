"""Keep the garbage collector still while millions of objects are alive."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

SELDOM = 250_000


@contextmanager
def without_collection() -> Iterator[None]:
    """Let nobody look for circles among objects that are made: it would go through all of them again and again.

    What was made has to be let go within, unless it lives on: the collector looks through it as soon as it may.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def collected_seldom() -> None:
    """Let many objects be made before the collector looks for circles among them, in a process that is ours.

    With 700 it looks through all that is imported again and again, and with 100,000 once: 40 ms in each process.
    """
    gc.set_threshold(SELDOM)
