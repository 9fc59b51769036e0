"""Build the wheel, install it into an empty environment, and use it away from the checkout."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def run(*command: str, cwd: Path) -> str:
    """Run a command and return what it prints; its errors go to the terminal."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(
        command, cwd=cwd, env=environment, check=True, stdout=subprocess.PIPE, text=True
    ).stdout


def main() -> int:
    """Return 0 when the installed wheel prepares and searches the sample system."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        run(sys.executable, "-m", "build", "--wheel", "--outdir", str(place), str(ROOT), cwd=place)
        (wheel,) = place.glob("*.whl")
        venv.create(place / "env", with_pip=True)
        python = str(next((place / "env").glob("[bS]*/python*")))
        run(python, "-m", "pip", "install", "--quiet", str(wheel), cwd=place)
        shop = str(ROOT / "tests" / "data" / "shop")
        prepare = ("prepare", shop, "--repo", "shop", "-o", "shop.duckdb", "--embed-model", "none")
        run(python, "-m", "ragduck", *prepare, cwd=place)
        found = run(python, "-m", "ragduck", "search", "shop.duckdb", "place order", "-k", "3", cwd=place)
        run(python, "-m", "ragduck", "check", "shop.duckdb", cwd=place)
    print(f"{wheel.name} works away from the checkout:\n{found}")
    return 0 if "1. " in found else 1


if __name__ == "__main__":
    sys.exit(main())
