"""Have libraries take memory in small pages, in processes that are ours.

The system clears a page before it hands it out. Large ones, of 2 MB, are cleared whole however little of them is
used, and on machines that give free memory back to a host, as most virtual ones do, each is fetched anew.
"""

from __future__ import annotations

import os

# Read by Arrow and NumPy as they are imported; what the user has set holds
SMALL_PAGES = {"ARROW_DEFAULT_MEMORY_POOL": "system", "NUMPY_MADVISE_HUGEPAGE": "0"}


def take_small_pages() -> None:
    """Tell libraries that are not imported yet, in this process and those that it begins."""
    for name, value in SMALL_PAGES.items():
        os.environ.setdefault(name, value)
