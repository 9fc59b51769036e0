"""Processes that are ended end, whatever follows."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

REPLACED = """
import os, sys, time
from ragduck.preparation.processes import begun, end_processes

if __name__ == "__main__":
    hanging = begun(1, os.getpid).result()
    begun(1, time.sleep, 600)
    sys.setswitchinterval(5)  # so that the thread that kills does not come to it before another pool is wanted
    end_processes()
    begun(2, os.getpid)
    sys.setswitchinterval(0.005)
    for _ in range(100):
        try:
            os.kill(hanging, 0)
        except ProcessLookupError:
            print("ended", flush=True)
            break
        time.sleep(0.1)
    os._exit(0)
"""


@pytest.mark.skipif(os.name == "nt", reason="asks for a process by a signal")
def test_a_process_that_hangs_is_ended_where_others_take_its_place_at_once() -> None:
    done = subprocess.run(
        [sys.executable, "-c", REPLACED], capture_output=True, text=True, check=False, timeout=120
    )

    assert done.stdout == "ended\n"
