"""Follow `extends` from a pipeline to its root parent."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ragduck.errors import PipelineError
from ragduck.pipeline.checking.findings import InvalidPipelineError, refusal, shown
from ragduck.pipeline.loading.catalog import PipelineFile, find_pipeline
from ragduck.pipeline.loading.level import Level, read_level
from ragduck.pipeline.loading.yaml_document import Value

MAX_LEVELS = 20


def levels_of(file: PipelineFile) -> list[Level]:
    """Return the pipeline and its parents, root parent first. Raises PipelineError for what cannot be read."""
    levels = [read_level(file)]
    chain = [_identity(levels[0])]
    while (extended := levels[-1].parent) is not None:
        child = levels[-1]
        parent = read_level(_parent_of(child, extended))
        levels.append(parent)
        if _identity(parent) in chain:
            raise _refused(child, f"extends itself: {_written(levels)}", "let one of them extend nothing")
        if len(levels) > MAX_LEVELS:
            raise _refused(child, f"has more than {MAX_LEVELS} levels: {_written(levels)}", "extend fewer")
        chain.append(_identity(parent))
    return levels[::-1]


def _parent_of(child: Level, extended: Value) -> PipelineFile:
    """Return what a pipeline extends: one of its own file, one beside it, or one that ships."""
    reference = str(extended.content)
    path = child.file.path
    wanted = reference.removeprefix("#")
    if wanted != child.name and wanted in child.siblings:
        return PipelineFile(path, wanted)
    try:
        return find_pipeline(reference, folder=path.parent, child=path)
    except PipelineError as error:
        raise refusal(extended.place, f"extends: {error.message}", hint=error.hint) from error


def _identity(level: Level) -> tuple[Path, str]:
    return level.file.path.resolve(), level.name


def _written(levels: Sequence[Level]) -> str:
    return " → ".join(f"{level.file.path.name}#{level.name}" for level in levels)


def _refused(level: Level, message: str, hint: str) -> InvalidPipelineError:
    place = level.parent.place if level.parent is not None else level.place
    return refusal(place, f"pipeline {shown(level.name)} {message}", hint=hint)
