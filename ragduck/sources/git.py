"""Call git on a repository that may be hostile: it runs no hook, filter or monitor and fetches nothing."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import IO

from ragduck.sources.checkout import Checkout

_TIMEOUT_SECONDS = 10
# A repository's own configuration may name programs to run: monitors, hooks, transports of a lazy fetch.
_HARMLESS_SETTINGS = {
    "core.fsmonitor": "false",
    "core.hooksPath": os.devnull,
    "core.sshCommand": "false",
    "safe.bareRepository": "explicit",
}
_OWN = ("GIT_CONFIG_GLOBAL",)  # where the user's own settings are
_ENVIRONMENT = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",  # a commit is what its hash says
    "LC_ALL": "C",
}


def has_git(checkout: Checkout) -> bool:
    """Tell whether there is a git to call, which must not come from the repository itself."""
    return _program(checkout) is not None


def ask_git(checkout: Checkout, *arguments: str, given: bytes = b"") -> bytes | None:
    """Return what git prints when it is ``given`` this on stdin, or None when it fails or is missing."""
    command = _command(checkout, arguments)
    return None if command is None else _printed(command, checkout, environment=_environment(), given=given)


def own_setting(checkout: Checkout, name: str) -> str | None:
    """Return a path that the user, not a repository, set for git; None where there is none."""
    program = _program(checkout)
    if program is None:
        return None
    environment = {
        key: value for key, value in os.environ.items() if key in _OWN or not key.startswith("GIT_")
    }
    command = [program, "config", "--global", "--type=path", "--get", name]
    printed = _printed(command, checkout, environment=environment)
    return None if printed is None else os.fsdecode(printed).removesuffix("\n")


def start_git(
    checkout: Checkout, *arguments: str, stdin: IO[bytes], stderr: IO[bytes]
) -> subprocess.Popen[bytes] | None:
    """Start git to read what it prints while it runs; None when it is missing."""
    command = _command(checkout, arguments)
    if command is None:
        return None
    return subprocess.Popen(  # noqa: S603 - the arguments are ours, the program is git from the PATH
        command,
        cwd=checkout.git_dir,
        env=_environment(),
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=stderr,
    )


def _printed(
    command: list[str], checkout: Checkout, *, environment: dict[str, str], given: bytes = b""
) -> bytes | None:
    try:
        finished = subprocess.run(  # noqa: S603 - the arguments are ours, the program is git from the PATH
            command,
            cwd=checkout.git_dir,
            env=environment,
            input=given,
            capture_output=True,
            timeout=_TIMEOUT_SECONDS,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return finished.stdout


def _program(checkout: Checkout) -> str | None:
    program = shutil.which("git")
    return None if program is None or Path(program).is_relative_to(checkout.top) else program


def _command(checkout: Checkout, arguments: tuple[str, ...]) -> list[str] | None:
    """Name the repository outright: git shall look for no other, nor care whose it is."""
    program = _program(checkout)
    if program is None:
        return None
    settings = [part for name, value in _HARMLESS_SETTINGS.items() for part in ("-c", f"{name}={value}")]
    return [program, "--no-pager", f"--git-dir={checkout.git_dir.resolve()}", *settings, *arguments]


def _environment() -> dict[str, str]:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return inherited | _ENVIRONMENT
