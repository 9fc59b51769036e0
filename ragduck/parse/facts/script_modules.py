"""Make dotted module names of what TypeScript and JavaScript import."""

from __future__ import annotations

import posixpath
import re

from ragduck.parse.outliner import qualify_path

ROOTS = ("src",)
INDEX = "index"

_EXTENSION = re.compile(r"\.(?:d\.ts|[cm]?[jt]sx?|vue|json)$")
_FROM_ROOT = ("@/", "~/")  # what bundlers are told to look up in the folder of sources


def module_of(specifier: str, *, path: str) -> str:
    """Return the module that a file imports, named as its own symbols are; packages stay as they are."""
    folder = path.rpartition("/")[0]
    if specifier.startswith(_FROM_ROOT):
        target = posixpath.join(_source_root(folder), specifier[2:])
    elif specifier.startswith("."):
        target = posixpath.join(folder, specifier)
    else:
        return specifier
    target = posixpath.normpath(_EXTENSION.sub("", target))
    inside = "/".join(part for part in target.split("/") if part not in ("..", "."))
    return qualify_path(f"{inside}.ts", roots=ROOTS, index=INDEX) if inside else ""


def _source_root(folder: str) -> str:
    """Return the nearest folder of sources around a folder."""
    parts = folder.split("/")
    found = [number for number, part in enumerate(parts) if part in ROOTS]
    return "/".join(parts[: found[-1] + 1]) if found else ""
