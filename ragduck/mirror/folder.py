"""Write a folder beside its place and put it there in one step, replacing only what ragduck wrote before."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ragduck.errors import ForeignFileError, StoreError
from ragduck.shell import folder_command
from ragduck.untrusted_json import read_json

MANIFEST = "manifest.json"
MAX_MANIFEST = 64 * 1024 * 1024  # bytes; the historic layout names every branch in it


@contextmanager
def replaced_folder(target: Path, *, manifest_format: str) -> Iterator[Path]:
    """Give a new folder to write to; it takes the place of ``target`` when all went well.

    A folder is replaced if its manifest names ``manifest_format`` or it is empty. Raises ForeignFileError for any
    other, so that no one's files are lost.
    """
    _require_own(target, manifest_format)
    if not target.parent.is_dir():
        raise StoreError(
            f"there is no folder {target.parent}", hint=f"make it with: {folder_command(target.parent)}"
        )
    written = Path(tempfile.mkdtemp(prefix=f"{target.name}.new-", dir=target.parent))
    try:
        yield written
        written.chmod(0o755)
        _put_in_place(written, target, manifest_format)
    finally:
        shutil.rmtree(written, ignore_errors=True)


def _require_own(target: Path, manifest_format: str) -> None:
    if not target.exists() and not target.is_symlink():
        return
    if target.is_symlink() or not target.is_dir():
        raise ForeignFileError(f"{target} is no folder", hint="name a folder that is not there yet")
    if any(target.iterdir()) and _format_of(target / MANIFEST) != manifest_format:
        raise ForeignFileError(
            f"{target} holds other files, and they are not replaced",
            hint="name a folder that is not there yet, or remove it yourself",
        )


def _format_of(manifest: Path) -> object:
    """Return what a manifest says it is; None when there is none to read."""
    try:
        if manifest.is_symlink() or manifest.stat().st_size > MAX_MANIFEST:
            return None
        value = read_json(manifest.read_bytes())
    except (OSError, ValueError):
        return None
    return value.get("format") if isinstance(value, dict) else None


def _put_in_place(written: Path, target: Path, manifest_format: str) -> None:
    """Rename; a folder that is there must go first, so for a moment there is none, but never half of one."""
    _require_own(target, manifest_format)
    if not target.exists():
        written.rename(target)
        return
    old = Path(tempfile.mkdtemp(prefix=f"{target.name}.old-", dir=target.parent))
    target.rename(old / target.name)
    try:
        written.rename(target)
    except OSError:
        (old / target.name).rename(target)
        raise
    finally:
        shutil.rmtree(old, ignore_errors=True)
