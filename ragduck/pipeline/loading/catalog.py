"""Find pipelines: by path, by path and name, or by the name of one that ships with ragduck."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ragduck.errors import PipelineError
from ragduck.pipeline.checking.findings import shown, similar
from ragduck.resources import resource_folder

ENDINGS = (".yaml", ".yml")
MAX_REFERENCE = 1_000  # characters


@dataclass(frozen=True, slots=True)
class PipelineFile:
    """A file, and which of its pipelines is meant; None is the only one."""

    path: Path
    name: str | None = None

    def __str__(self) -> str:
        return f"{self.path}#{self.name}" if self.name else str(self.path)

    @property
    def identity(self) -> tuple[Path, str | None]:
        """Return the same for every way to write the same file."""
        return self.path.resolve(), self.name


def shipped_pipelines() -> tuple[Path, ...]:
    """Return the pipelines that ship with ragduck, `base` first, then by name."""
    found = (path for ending in ENDINGS for path in resource_folder("pipelines").glob(f"*{ending}"))
    return tuple(sorted(found, key=lambda path: (path.stem != "base", path.name)))


def find_pipeline(
    reference: str | Path, *, folder: Path | None = None, child: Path | None = None
) -> PipelineFile:
    """Return the file that a reference means: `file.yaml`, `file.yaml#name`, `./file`, or a name.

    Without ``folder`` a name means a shipped pipeline, so that a file which happens to lie in the working folder
    never takes its place; with it, as for `extends`, a file in that folder comes first, except the ``child`` itself.
    Raises PipelineError when there is none.
    """
    text = str(reference)
    if "://" in text or "\0" in text or len(text) > MAX_REFERENCE:
        raise PipelineError(f"{shown(text)} is no file", hint="pipelines are read from local files only")
    place, _, name = text.partition("#")
    beside = folder if folder is not None else Path()
    for candidate in _candidates(place, beside, is_local=folder is not None):
        if _is_file(candidate) and not (child is not None and not name and _is_same(candidate, child)):
            return PipelineFile(candidate, name or None)
    raise _unknown(text, place)


def _candidates(place: str, beside: Path, *, is_local: bool) -> list[Path]:
    if not place:
        return []
    endings = ("",) if place.endswith(ENDINGS) else ENDINGS
    local = [beside / f"{place}{ending}" for ending in endings]
    is_name = Path(place).name == place
    shipped = [path for path in shipped_pipelines() if is_name and place in {path.stem, path.name}]
    if is_local or place.endswith(ENDINGS):
        return [*local, *shipped]
    return [*shipped, *local]


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # a name that is too long, a folder that may not be entered
        return False


def _is_same(one: Path, other: Path) -> bool:
    return one.resolve() == other.resolve()


def _unknown(text: str, place: str) -> PipelineError:
    names = [path.stem for path in shipped_pipelines()]
    if place.rpartition(".")[2] in {"json", "toml", "txt", "py", "duckdb"}:
        return PipelineError(f"{shown(text)} is no pipeline", hint="pipelines end in .yaml or .yml")
    if place.endswith(ENDINGS):
        hint = (
            similar(Path(place).stem, names)
            or "name a file, or see which ship with ragduck: ragduck pipeline list"
        )
        return PipelineError(f"there is no such file: {shown(place)}", hint=hint)
    hint = similar(place, names) or "see which there are: ragduck pipeline list"
    return PipelineError(f"there is no pipeline {shown(text)}", hint=hint)
