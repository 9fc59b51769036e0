"""The command line: each command parses, calls one library function and prints."""

from __future__ import annotations

import atexit
import gc
from typing import NoReturn

# New objects before the collector looks for circles among them: to import takes a tenth less than with 700, and a
# refresh of 7,000 files 0.15 s less of 5.5.
GARBAGE_AT = 100_000


def main() -> NoReturn:
    """Run the `ragduck` command with the arguments of the process, then end the process."""
    gc.set_threshold(GARBAGE_AT)
    atexit.register(gc.freeze)  # which spares the end a last look for circles: 0.1 s of any command
    try:
        from ragduck.cli.commands import ragduck
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    ragduck.main(prog_name="ragduck")
    raise AssertionError("click ends the process")
