"""Write values as they are typed in a command line, for hints that name the next command."""

from __future__ import annotations

import os
import re
import shlex

IS_WINDOWS = os.name == "nt"
_PLAIN = re.compile(r"[\w%+=:./\\-]+", re.ASCII)


def quote(text: str) -> str:
    """Return a value that the user's shell reads as one word: `cmd` and PowerShell know double quotes alike."""
    if not IS_WINDOWS:
        return shlex.quote(text)
    if _PLAIN.fullmatch(text):
        return text
    ending = "\\" * (len(text) - len(text.rstrip("\\")))  # a single one would take the quote behind it in
    return '"' + text.replace('"', '""') + ending + '"'


def extra_command(extra: str) -> str:
    """Return how to install an extra: from the folder of the sources, as no package index has ragduck."""
    return f'in the folder of ragduck: pip install -e ".[{extra}]"'


def folder_command(folder: object) -> str:
    """Return the command that makes a folder with those above it."""
    return f"mkdir {'' if IS_WINDOWS else '-p '}{quote(str(folder))}"


def removal_command(file: object) -> str:
    """Return the command that removes a file."""
    return f"{'del' if IS_WINDOWS else 'rm'} {quote(str(file))}"
