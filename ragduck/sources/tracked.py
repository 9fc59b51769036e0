"""Know the files that git tracks: what a ``.gitignore`` says of them does not count."""

from __future__ import annotations

from bisect import bisect_left
from functools import cached_property

from ragduck.sources.checkout import Checkout
from ragduck.sources.git import ask_git


class TrackedFiles:
    """What is in the index of a checkout, read when first asked for; nothing where there is no git to ask.

    Paths are those of a walk, in which the checkout's top lies ``at`` this one, empty or ending with a slash.
    """

    def __init__(self, checkout: Checkout | None = None, *, at: str = "") -> None:
        self._checkout = checkout
        self._at = at

    def has(self, path: str) -> bool:
        """Tell whether git tracks the file."""
        return self._first_from(path) == path

    def has_below(self, folder: str) -> bool:
        """Tell whether git tracks any file below a folder, whose path ends with a slash, or a submodule there."""
        return self._first_from(folder).startswith(folder) or self.has(folder[:-1])

    def _first_from(self, path: str) -> str:
        at = bisect_left(self._paths, path)
        return self._paths[at] if at < len(self._paths) else ""

    @cached_property
    def _paths(self) -> list[str]:
        if self._checkout is None:
            return []
        # The work tree is named outright, as that of a submodule is not where its git folder is.
        top = f"--work-tree={self._checkout.top}"
        listed = ask_git(self._checkout, top, "ls-files", "-z", "--full-name", ":/") or b""
        names = listed.decode("utf-8", errors="surrogateescape").split("\0")[:-1]
        return sorted(self._at + name for name in names)
