"""How sources become chunks: the options of `prepare`."""

from __future__ import annotations

import codecs
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ragduck.errors import UsageError
from ragduck.preparation.gathering import FileRules
from ragduck.sources import MAX_FILE_BYTES, WINDOWS_1252

if TYPE_CHECKING:
    from ragduck.imports.contract import ForeignSource

PLAIN = bytes(range(0x20, 0x7F)) + rb" \u0041 +AGE- "  # which some take for other letters
CHARS_PER_TOKEN = 3  # of code, as wordpiece models cut it
DEFAULT_CHUNK_SIZE = 512  # tokens


@dataclass(frozen=True, slots=True)
class PrepareOptions:
    """How sources become chunks; see `ragduck prepare --help` for each."""

    repo: str | None = None
    branch: str | None = None
    revision: str | None = None
    include: Sequence[str] = ()
    exclude: Sequence[str] = ()
    max_file_bytes: int = MAX_FILE_BYTES
    code_page: str = WINDOWS_1252
    chunk_size: int = DEFAULT_CHUNK_SIZE
    header_weight: int = 3
    database: str | None = None
    processes: int | None = None
    cache: bool = True
    wait: float = 0.0

    @property
    def max_chars(self) -> int:
        """Most characters of a chunk."""
        return self.chunk_size * CHARS_PER_TOKEN


def options_of(options: PrepareOptions | None, settings: dict[str, Any]) -> PrepareOptions:
    """Return the options that single settings mean; raise UsageError for those that make no sense."""
    if options is not None and settings:
        raise UsageError("give either options or single settings", hint="options=PrepareOptions(…)")
    for name in ("include", "exclude"):
        if isinstance(settings.get(name), str):
            settings[name] = [settings[name]]
    try:
        options = options or PrepareOptions(**settings)
    except TypeError as error:
        known = ", ".join(PrepareOptions.__slots__)
        raise UsageError(f"unknown setting: {error}", hint=f"settings: {known}") from error
    if options.processes is not None and options.processes < 1:
        raise UsageError(f"processes is {options.processes}", hint="give 1 or more")
    if not options.wait >= 0:
        raise UsageError(f"wait is {options.wait} seconds", hint="give 0 or more")
    if options.chunk_size < 32:
        raise UsageError(f"chunk_size is {options.chunk_size} tokens", hint="give 32 or more")
    return options


def ignored_by(source: ForeignSource, options: PrepareOptions) -> Iterator[str]:
    """Tell which options do not reach an import."""
    database = None if source.takes_database else options.database
    code_page = None if options.code_page == WINDOWS_1252 else options.code_page
    given = {
        "--include": options.include,
        "--exclude": options.exclude,
        "--database": database,
        "--code-page": code_page,
    }
    if ignored := [name for name, value in given.items() if value]:
        yield f"{', '.join(ignored)} do not apply to what another system wrote"


def rules_of(options: PrepareOptions) -> FileRules:
    """Return which files of a source are taken."""
    code_page = code_page_named(options.code_page)
    return FileRules(tuple(options.include), tuple(options.exclude), options.max_file_bytes, code_page)


def code_page_named(name: str) -> str:
    """Return the name by which Python knows a code page; raise UsageError for what is none, or none of sources."""
    hint = "name one that Python knows: cp1250, cp1251, gbk, shift_jis"
    try:
        known = codecs.lookup(name).name
        read = PLAIN.decode(known)
        b"\xe9\xff".decode(known, errors="replace")
    except (LookupError, ValueError) as error:
        raise UsageError(f"there is no code page {name!r}", hint=hint) from error
    if read != PLAIN.decode("ascii"):
        raise UsageError(f"{name} has other letters than ASCII in their places", hint=hint)
    return known
