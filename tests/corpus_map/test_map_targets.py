"""Which stored file a link leads to."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragduck.corpus_map.targets import Files, slug

PATHS = (
    "README.md", "docs/README.md", "docs/guide.md", "docs/adr/0001 first.md", "docs/Setup.md", "src/app.py",
    "src/a.md", "src/A.md",
)  # fmt: skip


@pytest.mark.parametrize(
    ("written", "path"),
    [
        ("guide.md", "docs/guide.md"),
        ("./guide.md", "docs/guide.md"),
        ("../README.md", "README.md"),
        ("/docs/guide.md", "docs/guide.md"),
        ("../src/app.py#L10", "src/app.py"),
        ("adr/0001%20first.md", "docs/adr/0001 first.md"),
        ("guide", "docs/guide.md"),
        ("guide.html", "docs/guide.md"),
        ("guide.md?plain=1", "docs/guide.md"),
        ("setup.md", "docs/Setup.md"),
        ("..", "README.md"),
        ("/docs", "docs/README.md"),
        (r"..\src\app.py", "src/app.py"),
    ],
)
def test_link_finds_its_file(written: str, path: str) -> None:
    source = "docs/README.md" if path != "docs/README.md" else "README.md"

    target = Files(PATHS).target(written, source=source)

    assert target is not None
    assert (target.status, target.path) == ("file", path)


@pytest.mark.parametrize(
    ("written", "status"),
    [
        ("missing.md", "absent"),
        ("adr", "folder"),
        ("../../other/README.md", "outside"),
        ("/../x.md", "outside"),
        ("../src/a.MD", "absent"),
    ],
)
def test_link_that_finds_no_file_says_why(written: str, status: str) -> None:
    target = Files(PATHS).target(written, source="docs/guide.md")

    assert target is not None
    assert target.status == status


@pytest.mark.parametrize(
    "written", ["https://example.org/a.md", "mailto:a@b.c", "//host/a.md", "#part", "", "guide.md#part", "?x"]
)
def test_other_sites_and_the_same_file_are_no_targets(written: str) -> None:
    target = Files(PATHS).target(written, source="docs/guide.md")

    assert target is None


def test_anchor_is_kept_without_its_escapes() -> None:
    target = Files(PATHS).target("guide.md#cz%C4%99%C5%9B%C4%87", source="docs/x.md")

    assert target is not None
    assert target.anchor == "część"


def test_slug_is_that_of_sites() -> None:
    found = slug("How to `prepare` a store?")

    assert found == "how-to-prepare-a-store"


@given(st.text(max_size=80))
def test_any_link_stays_in_the_repository(written: str) -> None:
    target = Files(PATHS).target(written, source="docs/guide.md")

    assert target is None or target.status == "outside" or ".." not in target.path.split("/")
