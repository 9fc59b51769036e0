"""Read what git ignores beside its `.gitignore` files: what someone set for one checkout, or for all of theirs."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from ragduck.sources.checkout import Checkout
from ragduck.sources.git import own_setting
from ragduck.sources.gitignore import IgnoreFile, IgnoreStack, read_ignore_file


def ignored_without_gitignore(checkout: Checkout) -> IgnoreStack:
    """Return the rules of `info/exclude`, then those of `core.excludesFile`; paths count from the checkout's top.

    The repository's own configuration is not asked for the latter, as it may be hostile.
    """
    texts = (read_ignore_file(path) for path in _files(checkout))
    return IgnoreStack(tuple(("", IgnoreFile(text)) for text in texts if text))


def _files(checkout: Checkout) -> Iterator[str]:
    yield str(checkout.common_dir / "info" / "exclude")
    named = own_setting(checkout, "core.excludesFile")
    if named is not None:
        if named:
            yield named
        return
    shared = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")  # noqa: PTH111 - which never fails
    yield str(Path(shared) / "git" / "ignore")
