"""Sample bundles: into a store, out again, and in and out once more."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import ragduck
from ragduck.exports.roslyn import export_roslyn


@pytest.fixture(scope="module")
def written(
    tmp_path_factory: pytest.TempPathFactory, shop_and_fake: tuple[Any, Any]
) -> dict[str, list[Path]]:
    """Each sample as it comes out of a store, and as that comes out of another."""
    folder = tmp_path_factory.mktemp("samples")
    shop, fake = shop_and_fake
    given = [shop.zipped(folder / "0/develop.zip"), fake.zipped(folder / "0/Fake_4.60.zip", top="Fake_4.60/")]
    found: dict[str, list[Path]] = {"shop": [], "Fake": []}
    for turn in ("1", "2"):
        store = folder / f"{turn}.duckdb"
        ragduck.prepare(given, store, embed_model=None)
        (folder / turn).mkdir()
        given = [folder / turn / path.name for path in given]
        for repo, path in zip(found, given, strict=True):
            export_roslyn(store, path, repo=repo)
            found[repo].append(path)
    return found


def row_of(key: str, **more: str) -> dict[str, str]:
    stem, _, kind = key.rpartition("|")
    schema, _, name = stem.partition(".")
    row = {"key": key, "kind": kind, "name": name, "schema": schema, "file": "", "batch": "", "domain": ""}
    return {**row, "body_path": "", **more}


def test_bundle_comes_back_up_to_the_repairs(
    written: dict[str, list[Path]], shop_and_fake: tuple[Any, Any], equal: Callable[..., None], repairs: Any
) -> None:
    place = "dbo.Order_Place|PROC"
    audit = "csharp:Shop.Data.AddAudit|MIGRATION"
    equal(
        written["shop"][0],
        shop_and_fake[0],
        repairs=repairs(
            classes={12: "IOrderService"},
            keys={
                "dbo.Order|TABLE_OR_VIEW": "dbo.Order|TABLE",
                "dbo.Customer|TABLE_OR_VIEW": "dbo.Customer|TABLE",
                "dbo.Audit|TABLE": "sales.Audit|TABLE",
            },
            dropped=frozenset(
                {
                    ("dbo.Customer|TABLE", "dbo.Customer|TABLE", "ForeignKey"),
                    (place, "dbo.Order|TABLE", "ReadsFrom"),
                }
            ),
            nodes=(
                row_of("sales.Order|TABLE", domain="db", file="src/Shop.Services/AddAudit.cs"),
            ),  # changed as only the summary of a migration tells
            added=(
                {
                    "from": audit,
                    "to": "sales.Order|TABLE",
                    "relation": "SchemaChange",
                    "to_kind": "TABLE",
                    "file": "src/Shop.Services/AddAudit.cs",
                    "batch": "",
                },
            ),
        ),
    )


def test_fake_bundle_comes_back_up_to_the_repairs(
    written: dict[str, list[Path]], shop_and_fake: tuple[Any, Any], equal: Callable[..., None], repairs: Any
) -> None:
    equal(written["Fake"][0], shop_and_fake[1], repairs=repairs())


@pytest.mark.parametrize("repo", ["shop", "Fake"])
def test_second_round_trip_changes_no_byte(written: dict[str, list[Path]], repo: str) -> None:
    first, second = written[repo]

    assert second.read_bytes() == first.read_bytes()
