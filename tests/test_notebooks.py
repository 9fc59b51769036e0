"""Every notebook runs from the first cell to the last."""

from __future__ import annotations

import ast
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


def imported(path: Path) -> Iterator[str]:
    """Yield the packages that the cells of a notebook import, but those of Python itself."""
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type != "code":
            continue
        for node in ast.walk(ast.parse(cell.source)):
            names = [each.name for each in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            yield from {name.partition(".")[0] for name in names} - sys.stdlib_module_names


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_what_a_notebook_imports_is_in_the_extra_that_it_names(path: Path) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extra = {each.partition(">")[0] for each in project["optional-dependencies"].get("notebooks", ())}

    needed = set(imported(path)) - {"ragduck"}

    assert needed <= extra
    assert not needed or "[notebooks]" in nbformat.read(path, as_version=4).cells[0].source


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_runs(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(path.parent)}}
    )

    ran = client.execute()

    printed = [output for cell in ran.cells if cell.cell_type == "code" for output in cell.outputs]
    assert printed
    assert not [output for output in printed if output.output_type == "error"]
