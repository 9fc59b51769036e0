"""Which paths hold bundles, and under which repository and branch they are put."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ragduck.errors import SourceError
from ragduck.imports.roslyn import roslyn_sources


def names(path: Path, **more: Any) -> list[tuple[str, str]]:
    return [(each.snapshot.repo, each.snapshot.branch) for each in roslyn_sources(path, **more)]


def test_folder_of_sources_is_no_bundle(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src/Order.cs").write_text("class Order { }")
    (tmp_path / "graph").mkdir()
    (tmp_path / "graph/nodes.csv").write_text("a,b\n1,2\n")

    assert roslyn_sources(tmp_path) == ()


def test_folder_that_may_not_be_entered_is_no_bundle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "closed").mkdir()
    (tmp_path / "a.cs").write_text("class Order { }")
    is_file = Path.is_file

    def refused(path: Path) -> bool:
        if path.parent.name == "closed":
            raise PermissionError(13, "Permission denied", str(path))
        return is_file(path)

    monkeypatch.setattr(Path, "is_file", refused)

    assert roslyn_sources(tmp_path) == ()


def test_zip_of_sources_is_no_bundle(tmp_path: Path) -> None:
    path = tmp_path / "sources.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("src/chunks.json", "[]")

    assert roslyn_sources(path) == ()


def test_file_that_is_no_zip_is_no_bundle(tmp_path: Path) -> None:
    path = tmp_path / "develop.zip"
    path.write_text("no zip at all")

    assert roslyn_sources(path) == ()


def test_branch_is_the_stem_of_the_zip_and_not_what_the_file_says(tmp_path: Path, fake_bundle: Any) -> None:
    path = fake_bundle.zipped(tmp_path / "Release_FAKE_4.60.zip", top="Release_FAKE_4.60/")

    (source,) = roslyn_sources(path)

    assert (source.snapshot.repo, source.snapshot.branch) == ("Fake", "Release_FAKE_4.60")
    assert source.snapshot.commit_sha == "efghf411"


@pytest.mark.parametrize("stem", ["develop_20260102_030405", "develop_20260102_030405_2", "develop"])
def test_timestamp_of_a_second_bundle_is_no_part_of_the_branch(
    tmp_path: Path, shop_bundle: Any, stem: str
) -> None:
    path = shop_bundle.zipped(tmp_path / f"{stem}.zip")

    assert names(path) == [("shop", "develop")]


def test_timestamp_stays_where_the_rest_is_another_branch(tmp_path: Path, shop_bundle: Any) -> None:
    path = shop_bundle.zipped(tmp_path / "other_20260102_030405.zip")

    assert names(path) == [("shop", "other_20260102_030405")]


def test_branch_has_its_slash_back_where_the_file_tells_it(tmp_path: Path, shop_bundle: Any) -> None:
    shop_bundle.meta["Branch"] = "feature/tax"
    path = shop_bundle.zipped(tmp_path / "feature_tax.zip")

    assert names(path) == [("shop", "feature/tax")]


def test_unpacked_bundle_is_named_after_its_folder(tmp_path: Path, shop_bundle: Any) -> None:
    folder = shop_bundle.unpacked(tmp_path / "Release_4.60")

    assert names(folder) == [("shop", "Release_4.60")]


def test_bundle_below_one_top_folder_is_found(tmp_path: Path, fake_bundle: Any) -> None:
    fake_bundle.unpacked(tmp_path / "unpacked/Release_1")

    assert names(tmp_path / "unpacked") == [("Fake", "Release_1")]


def test_folder_of_zips_gives_a_source_each(tmp_path: Path, shop_bundle: Any) -> None:
    shop_bundle.zipped(tmp_path / "develop.zip")
    shop_bundle.zipped(tmp_path / "master.zip")
    (tmp_path / "README.md").write_text("two branches")

    assert names(tmp_path) == [("shop", "develop"), ("shop", "master")]


def test_folder_of_sources_with_a_bundle_beside_is_a_folder_of_sources(
    tmp_path: Path, shop_bundle: Any
) -> None:
    shop_bundle.zipped(tmp_path / "develop.zip")
    (tmp_path / "src").mkdir()
    (tmp_path / "src/Order.cs").write_text("class Order { }")

    assert roslyn_sources(tmp_path) == ()


def test_damaged_zip_in_a_folder_without_bundles_is_no_concern(tmp_path: Path, shop_bundle: Any) -> None:
    data = bytearray(shop_bundle.zipped(tmp_path / "photos.zip").read_bytes())
    at = data.rindex(b"PK\x05\x06") + 12
    data[at : at + 4] = b"\0\0\0\x40"
    (tmp_path / "photos.zip").write_bytes(data)

    assert roslyn_sources(tmp_path) == ()


def test_damaged_zip_among_bundles_is_told(tmp_path: Path, shop_bundle: Any) -> None:
    data = bytearray(shop_bundle.zipped(tmp_path / "develop.zip").read_bytes())
    at = data.rindex(b"PK\x05\x06") + 12
    data[at : at + 4] = b"\0\0\0\x40"
    (tmp_path / "main.zip").write_bytes(data)

    with pytest.raises(SourceError, match=r"main\.zip cannot be read"):
        roslyn_sources(tmp_path)


def test_repositories_with_branches_are_found(tmp_path: Path, shop_bundle: Any) -> None:
    del shop_bundle.meta["RepositoryRoot"]
    shop_bundle.zipped(tmp_path / "repositories/web/branches/develop/develop.zip")
    shop_bundle.unpacked(tmp_path / "repositories/api/branches/main")

    assert names(tmp_path) == [("api", "main"), ("web", "develop")]


def test_zip_of_branches_gives_a_source_each(tmp_path: Path, shop_bundle: Any) -> None:
    del shop_bundle.meta["RepositoryRoot"]
    path = tmp_path / "all.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for branch in ("develop", "main"):
            for name, data in shop_bundle.files().items():
                archive.writestr(f"repositories/web/branches/{branch}/{name}", data)

    assert names(path) == [("web", "develop"), ("web", "main")]


def test_zips_within_a_zip_are_found_and_read(tmp_path: Path, shop_bundle: Any) -> None:
    inner = shop_bundle.zipped(tmp_path / "develop.zip")
    path = tmp_path / "all.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.write(inner, "bundles/develop.zip")
        archive.write(inner, "bundles/main.zip")

    sources = roslyn_sources(path)

    assert [each.snapshot.branch for each in sources] == ["develop", "main"]
    assert sources[1].read(max_chars=1536).taken["members"] == 6


@pytest.mark.parametrize("field", ["RepoName", "Repo", "Repository", "RepositoryName", "repo", "repository"])
def test_repository_is_what_any_of_its_fields_says(tmp_path: Path, shop_bundle: Any, field: str) -> None:
    shop_bundle.meta[field] = "warehouse"

    assert names(shop_bundle.zipped(tmp_path / "develop.zip")) == [("warehouse", "develop")]


def test_bundle_without_metadata_is_named_after_itself(tmp_path: Path, shop_bundle: Any) -> None:
    shop_bundle.meta.clear()

    assert names(shop_bundle.zipped(tmp_path / "develop.zip")) == [("develop", "develop")]


def test_names_that_are_given_count(tmp_path: Path, shop_bundle: Any) -> None:
    path = shop_bundle.zipped(tmp_path / "develop.zip")

    assert names(path, repo="web", branch="next") == [("web", "next")]


def test_fingerprint_follows_the_content_and_not_the_time(
    tmp_path: Path, make_member: Callable[..., dict[str, Any]], shop_bundle: Any
) -> None:
    first = roslyn_sources(shop_bundle.unpacked(tmp_path / "a/develop"))[0].fingerprint
    again = roslyn_sources(shop_bundle.unpacked(tmp_path / "b/develop"))[0].fingerprint
    shop_bundle.chunks.append(make_member(99, "Shop", "Tax", "Add", "void Add() { }"))
    changed = roslyn_sources(shop_bundle.unpacked(tmp_path / "c/develop"))[0].fingerprint

    assert first == again != changed


@pytest.mark.parametrize("folder", ["sql_code_bundle/", "sql_bundle/", ""])
def test_database_is_found_in_each_layout(tmp_path: Path, shop_bundle: Any, folder: str) -> None:
    shop_bundle.sql_folder = folder
    (source,) = roslyn_sources(shop_bundle.zipped(tmp_path / "develop.zip"))

    assert source.read(max_chars=1536).taken["database objects"] == 3


def test_code_is_found_in_the_short_layout(tmp_path: Path, shop_bundle: Any) -> None:
    shop_bundle.code_folder = "code/"
    (source,) = roslyn_sources(shop_bundle.zipped(tmp_path / "develop.zip"))

    assert source.read(max_chars=1536).taken["members"] == 6


def test_metadata_with_a_byte_order_mark_is_read(tmp_path: Path, shop_bundle: Any) -> None:
    shop_bundle.extra["repo_meta.json"] = "\ufeff" + json.dumps({"RepoName": "web", "Branch": "develop"})

    assert names(shop_bundle.zipped(tmp_path / "develop.zip")) == [("web", "develop")]


@pytest.mark.parametrize("place", ["", "branches/", "repositories/shop/branches/"])
@pytest.mark.parametrize("beside", ["src", ".git"])
def test_sources_beside_bundles_stay_sources(
    tmp_path: Path, shop_bundle: Any, place: str, beside: str
) -> None:
    (tmp_path / beside).mkdir()
    (tmp_path / place).mkdir(parents=True, exist_ok=True)
    shop_bundle.zipped(tmp_path / place / "develop.zip")
    shop_bundle.unpacked(tmp_path)

    assert roslyn_sources(tmp_path) == ()


def test_parts_of_a_bundle_may_lie_beside_each_other(tmp_path: Path, shop_bundle: Any) -> None:
    shop_bundle.unpacked(tmp_path / "develop")
    (tmp_path / "develop" / "configuration_bundle").mkdir()

    assert names(tmp_path / "develop") == [("shop", "develop")]
