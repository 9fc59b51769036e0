"""Fetch the packages of `packages.toml` with the registries' own clients, and unpack nothing."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

LIST = Path(__file__).with_name("packages.toml")
AT_ONCE = 6  # packages for one start of a client
CLIENTS_AT_ONCE = 4
DEBIAN_KEYS = "/usr/share/keyrings/debian-archive-keyring.gpg"
DEBIAN_SOURCE = f"deb-src [signed-by={DEBIAN_KEYS}] http://deb.debian.org/debian bookworm main\n"
CLIENTS = {
    "debian": ("apt-get", "source", "-qq", "--download-only"),
    "pypi": (sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary=:all:"),
    "npm": ("npm", "pack", "--silent"),
}


def download_all(folder: Path) -> None:
    """Fetch what is not there yet into a folder for each registry; name the packages that cannot be had."""
    names = tomllib.loads(LIST.read_text(encoding="utf-8"))
    apt = _apt_environment(folder / "apt")
    for registry, client in CLIENTS.items():
        target = folder / registry
        target.mkdir(parents=True, exist_ok=True)
        present = {package_of(registry, path.name) for path in target.iterdir()}
        wanted = [name for name in names[registry] if _plain(name) not in present]
        missing = _fetch(client, wanted, target, apt if registry == "debian" else None)
        print(
            f"{registry}: {len(names[registry]) - len(missing)} packages; not to be had: {missing or 'none'}"
        )


def package_of(registry: str, file_name: str) -> str:
    """Return the name of a package, spelt plainly, from the name of its archive."""
    if registry == "npm":
        stem = file_name.removesuffix(".tgz")
        return _plain(stem.rpartition("-")[0] if stem.count(".") else stem)
    return _plain(file_name.split("_" if registry == "debian" else "-")[0])


def _plain(name: str) -> str:
    return name.lower().lstrip("@").replace("/", "-").replace("_", "-")


def _fetch(
    client: Sequence[str], names: list[str], folder: Path, environment: dict[str, str] | None
) -> list[str]:
    """Return the packages that could not be fetched; one that is not there must not keep the others of its group."""

    def fetch(group: list[str]) -> list[str]:
        if _run([*client, *group], folder, environment):
            return []
        return [name for name in group if not _run([*client, name], folder, environment)]

    groups = [names[start : start + AT_ONCE] for start in range(0, len(names), AT_ONCE)]
    with ThreadPoolExecutor(CLIENTS_AT_ONCE) as executor:
        return [name for missing in executor.map(fetch, groups) for name in missing]


def _run(command: list[str], folder: Path, environment: dict[str, str] | None) -> bool:
    try:
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, timeout=900, check=False
        )
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def _apt_environment(folder: Path) -> dict[str, str]:
    """Keep a list of source packages beside the data, so that the machine's own settings stay as they are."""
    for part in ("state/lists/partial", "cache/archives/partial"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    (folder / "sources.list").write_text(DEBIAN_SOURCE, encoding="utf-8")
    settings = {
        "Dir::Etc::sourcelist": folder / "sources.list",
        "Dir::Etc::sourceparts": "-",
        "Dir::State::lists": folder / "state/lists",
        "Dir::Cache": folder / "cache",
    }
    lines = [f'{name} "{value}";\n' for name, value in settings.items()]
    (folder / "apt.conf").write_text("".join(lines), encoding="utf-8")
    environment = {**os.environ, "APT_CONFIG": str(folder / "apt.conf")}
    subprocess.run(["apt-get", "update", "-qq"], env=environment, check=True)
    return environment
