"""Find the SQL and pipelines that ship with ragduck: beside the package in a checkout, inside it in a wheel."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path

SIGN_WORD = 128  # bits of the widest integer of DuckDB
REPEATED = f"-- per {SIGN_WORD} dimensions"
PART = "-- part: "
PLANNED_ONCE = "-- planned once: reads no table, and names each value once, as a text\n"
PACKAGE = Path(__file__).resolve().parent


def resource_folder(name: str) -> Path:
    """Return the folder `sql` or `pipelines`, wherever ragduck is installed."""
    inside = PACKAGE / name
    return inside if inside.is_dir() else PACKAGE.parent / name


@cache
def sql_text(path: str) -> str:
    """Return one SQL file by its path below `sql`, such as `search/hybrid.sql`."""
    return (resource_folder("sql") / path).read_text(encoding="utf-8")


def sql_files(folder: str) -> Iterator[Path]:
    """Yield the SQL files of a folder below `sql` in order of their numbers."""
    yield from sorted((resource_folder("sql") / folder).glob("*.sql"))


@cache
def code_hash(names: tuple[str, ...], *, sql: tuple[str, ...]) -> str:
    """Hash modules and folders of this package, and folders of SQL; the same wherever the same code is installed."""
    digest = hashlib.blake2b(digest_size=16)
    places = [PACKAGE / name for name in names]
    modules = [
        file for place in places for file in ((place,) if place.is_file() else sorted(place.rglob("*.py")))
    ]
    for file in (*modules, *(file for folder in sql for file in sql_files(folder))):
        content = file.read_bytes()
        digest.update(repr((file.name, len(content))).encode() + content)
    return digest.hexdigest()


def with_parts(sql: str) -> str:
    """Put the files that lines such as `-- part: search/ranked.sql` name in their place."""
    lines = sql.split("\n")
    return "\n".join(
        sql_text(line.strip().removeprefix(PART)) if line.strip().startswith(PART) else line for line in lines
    )


@lru_cache(64)
def for_dimension(sql: str, dimension: int) -> str:
    """Fit SQL that is written for 64 dimensions to a model: `float[64]`, and lines marked to be repeated."""
    lines: list[str] = []
    for line in sql.replace("float[64]", f"float[{dimension}]").split("\n"):
        lines += _repeated(line, dimension) if line.endswith(REPEATED) else [line]
    return "\n".join(lines)


def sign_words(dimension: int) -> int:
    """Return how many 128-bit words hold one bit per dimension."""
    return -(-dimension // SIGN_WORD)


def _repeated(line: str, dimension: int) -> list[str]:
    words = range(sign_words(dimension))
    return [line.replace("sign_0", f"sign_{word}").replace("128 * 0", f"128 * {word}") for word in words]
