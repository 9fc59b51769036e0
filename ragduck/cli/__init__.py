"""The command line: each command parses, calls one library function and prints."""

from __future__ import annotations

import atexit
import gc
from typing import NoReturn

from ragduck.garbage import collected_seldom
from ragduck.own_process import take_small_pages


def main() -> NoReturn:
    """Run the `ragduck` command with the arguments of the process, then end the process."""
    collected_seldom()
    take_small_pages()
    atexit.register(gc.freeze)  # which spares the end a last look for circles: 0.1 s of any command
    try:
        from ragduck.cli.commands import ragduck
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    ragduck.main(prog_name="ragduck")
    raise AssertionError("click ends the process")
