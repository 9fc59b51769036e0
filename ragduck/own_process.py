"""Have libraries do with less in processes that are ours, by variables that they read as they are imported.

The system clears a page of memory before it hands it out. Large ones, of 2 MB, are cleared whole however little of
them is used, and on machines that give free memory back to a host, as most virtual ones do, each is fetched anew.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

SMALL_PAGES = {"ARROW_DEFAULT_MEMORY_POOL": "system", "NUMPY_MADVISE_HUGEPAGE": "0"}
# Threads for products of matrices spin as they begin, and after each product
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1"}


def take_small_pages() -> None:
    """Tell libraries that are not imported yet, in this process and in those that it begins.

    What the user has set holds.
    """
    for name, value in SMALL_PAGES.items():
        os.environ.setdefault(name, value)


@contextmanager
def importing_for_one_thread() -> Iterator[None]:
    """Let NumPy, if it is imported within, have no threads of its own; what is imported later may have them."""
    added = [name for name in ONE_THREAD if name not in os.environ]
    os.environ.update({name: ONE_THREAD[name] for name in added})
    try:
        yield
    finally:
        for name in added:
            del os.environ[name]
