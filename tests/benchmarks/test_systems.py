"""The questions to whole systems: readable, distinct, and of the categories that their README names."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragduck.evaluation import read_queries

FILES = sorted(Path(__file__).with_name("systems").glob("*.json"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_each_file_asks_forty_different_questions(file: Path) -> None:
    queries = read_queries(file)

    assert len(queries) == len({query.text for query in queries}) == 40
    assert {query.category for query in queries} == {"plain", "mixed", "symbol", "sql", "trace"}


def test_the_readme_names_every_file() -> None:
    readme = Path(__file__).with_name("systems").joinpath("README.md").read_text(encoding="utf-8")

    assert FILES
    assert all(f"| `{file.name}` |" in readme for file in FILES)
