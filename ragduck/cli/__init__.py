"""The command line: each command parses, calls one library function and prints."""

from __future__ import annotations

from typing import NoReturn


def main() -> NoReturn:
    """Run the `ragduck` command with the arguments of the process, then end the process."""
    try:
        from ragduck.cli.commands import ragduck
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    ragduck.main(prog_name="ragduck")
    raise AssertionError("click ends the process")
