"""Write names in an answer: short, and as Markdown's code."""

from __future__ import annotations

from ragduck.visible_text import visible, visible_line


def short_name(key: str) -> str:
    """Return the last two parts of a key's name, of a file its path."""
    name = key.partition("|")[0]
    if name.startswith("file:"):
        return visible_line(name.removeprefix("file:"))
    return visible_line(".".join(name.rpartition(":")[2].rsplit(".", 2)[-2:]))


def code(name: str) -> str:
    """Return a name as Markdown's code, whatever characters it has."""
    line = visible(" ".join(name.split()))
    return f"`{line}`" if "`" not in line else f"`` {line} ``"


def plain(text: str) -> str:
    """Return a text on one line without marks of Markdown."""
    return visible(" ".join(text.split())).replace("*", "").replace("`", "")
