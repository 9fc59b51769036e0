"""Archives that mean harm: what of them is read, and what is refused."""

from __future__ import annotations

import io
import os
import stat
import struct
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ragduck.errors import SourceError
from ragduck.imports.contract import Imported
from ragduck.imports.roslyn import archive, roslyn_sources
from ragduck.imports.roslyn.places import bundle_prefixes

BODIES = "sql_code_bundle/docs/sql_bodies.jsonl"


def read(path: Path) -> Imported:
    (source,) = roslyn_sources(path)
    return source.read(max_chars=1536)


def left_out(imported: Imported) -> set[tuple[str, str]]:
    return {(each.rule, each.field) for each in imported.findings if each.outcome == "left out"}


def with_entry(path: Path, info: zipfile.ZipInfo, data: bytes = b"harm") -> Path:
    with warnings.catch_warnings(), zipfile.ZipFile(path, "a") as zipped:
        warnings.simplefilter("ignore", UserWarning)  # of duplicate names
        zipped.writestr(info, data)
    return path


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("../../evil.txt", "path leaves the bundle"),
        ("docs/../../evil.txt", "path leaves the bundle"),
        ("/etc/passwd", "absolute path"),
        ("C:/Windows/evil.txt", "absolute path"),
        ("docs/a\x01b.txt", "unusable name"),
        ("docs/" + "x" * 2000, "unusable name"),
    ],
)
def test_entry_with_a_harmful_name_is_left_out(
    tmp_path: Path, shop_bundle: Any, name: str, reason: str
) -> None:
    path = with_entry(shop_bundle.zipped(tmp_path / "develop.zip"), zipfile.ZipInfo(name))
    imported = read(path)

    assert reason in {rule for rule, _ in left_out(imported)}
    assert imported.taken["members"] == 6
    assert sorted(each.name for each in tmp_path.iterdir()) == ["develop.zip"]


def test_symbolic_link_is_left_out(tmp_path: Path, shop_bundle: Any) -> None:
    bodies = shop_bundle.bodies
    shop_bundle.bodies = []
    link = zipfile.ZipInfo(BODIES)
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    imported = read(with_entry(shop_bundle.zipped(tmp_path / "develop.zip"), link, b"/etc/passwd"))

    assert bodies
    assert ("symbolic link", BODIES) in left_out(imported)
    assert imported.taken["database objects"] == 0


def test_first_of_entries_with_one_name_counts(tmp_path: Path, shop_bundle: Any) -> None:
    path = with_entry(shop_bundle.zipped(tmp_path / "develop.zip"), zipfile.ZipInfo(BODIES), b"{}")
    imported = read(path)

    assert ("duplicate entry", BODIES) in left_out(imported)
    assert imported.taken["database objects"] == 3


def test_encrypted_entry_is_left_out(tmp_path: Path, shop_bundle: Any) -> None:
    path = shop_bundle.zipped(tmp_path / "develop.zip")
    data = bytearray(path.read_bytes())
    name = BODIES.encode()
    at = data.rindex(name) - 46  # the entry of the central directory
    struct.pack_into("<H", data, at + 8, 1)
    path.write_bytes(data)

    assert ("encrypted entry", BODIES) in left_out(read(path))


def test_bomb_is_left_out(tmp_path: Path, shop_bundle: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "HARMLESS_BYTES", 1 << 16)
    shop_bundle.bodies = []
    shop_bundle.extra[BODIES] = b" " * (1 << 20)

    assert ("zip bomb", BODIES) in left_out(read(shop_bundle.zipped(tmp_path / "develop.zip")))


def test_archive_that_unpacks_to_too_much_is_refused(
    tmp_path: Path, shop_bundle: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = shop_bundle.zipped(tmp_path / "develop.zip")
    monkeypatch.setattr(archive, "MAX_TOTAL_BYTES", 1000)

    with pytest.raises(SourceError, match="would unpack to"):
        roslyn_sources(path)


def test_archive_with_too_many_entries_is_refused(
    tmp_path: Path, shop_bundle: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = shop_bundle.zipped(tmp_path / "develop.zip")
    monkeypatch.setattr(archive, "MAX_ENTRIES", 3)

    with pytest.raises(SourceError, match="entries, more than 3"):
        roslyn_sources(path)


def test_zips_are_opened_one_within_another_but_no_deeper(tmp_path: Path, shop_bundle: Any) -> None:
    data = shop_bundle.zipped(tmp_path / "develop.zip").read_bytes()
    for depth in range(3):
        inner = io.BytesIO()
        with zipfile.ZipFile(inner, "w") as zipped:
            zipped.writestr(f"level{depth}.zip", data)
        data = inner.getvalue()
    path = tmp_path / "deep.zip"
    path.write_bytes(data)

    assert roslyn_sources(path) == ()


def test_damaged_archive_is_refused_with_a_hint(tmp_path: Path, shop_bundle: Any) -> None:
    path = shop_bundle.zipped(tmp_path / "develop.zip")
    data = bytearray(path.read_bytes())
    at = data.rindex(b"PK\x05\x06")
    struct.pack_into("<I", data, at + 12, 1 << 30)  # the size of the central directory
    path.write_bytes(data)

    with pytest.raises(SourceError, match="cannot be read as a zip") as caught:
        roslyn_sources(path)
    assert caught.value.hint


def test_damaged_entry_costs_only_itself(tmp_path: Path, shop_bundle: Any) -> None:
    path = shop_bundle.zipped(tmp_path / "develop.zip")
    data = bytearray(path.read_bytes())
    start = data.index(BODIES.encode()) + len(BODIES) + 40
    data[start : start + 30] = b"\xff" * 30
    path.write_bytes(data)
    imported = read(path)

    assert "damaged file" in {rule for rule, _ in left_out(imported)}
    assert imported.taken["members"] == 6


def test_bundle_of_which_nothing_can_be_read_is_refused(tmp_path: Path, shop_bundle: Any) -> None:
    shop_bundle.bodies, shop_bundle.nodes, shop_bundle.edges = [], [], []
    files = shop_bundle.files()
    path = tmp_path / "develop.zip"
    with zipfile.ZipFile(path, "w") as zipped:
        zipped.writestr("repo_meta.json", files["repo_meta.json"])
        zipped.writestr("regular_code_bundle/chunks.json", "no JSON")
    (source,) = roslyn_sources(path)

    with pytest.raises(SourceError, match=r"nothing could be read from develop\.zip"):
        source.read(max_chars=1536)


@pytest.mark.skipif(not hasattr(os, "symlink"), reason="needs links")
def test_links_in_a_folder_are_not_followed(tmp_path: Path, shop_bundle: Any) -> None:
    folder = shop_bundle.unpacked(tmp_path / "develop")
    outside = tmp_path / "outside.jsonl"
    (folder / BODIES).rename(outside)
    (folder / BODIES).symlink_to(outside)

    assert read(folder).taken["database objects"] == 0


def test_path_of_a_body_cannot_leave_the_bundle(tmp_path: Path, shop_bundle: Any) -> None:
    (tmp_path / "secret.sql").write_text("SECRET")
    shop_bundle.bodies[0].update(body="", bodyPath="docs/bodies/../../../../secret.sql")
    imported = read(shop_bundle.unpacked(tmp_path / "develop"))

    assert not any("SECRET" in each.document.text for each in imported.documents)
    assert imported.taken["database objects"] == 2


@pytest.mark.parametrize(
    ("written", "path"),
    [
        ("..\\..\\etc\\passwd", "etc/passwd"),
        ("/etc/passwd", "etc/passwd"),
        ("C:\\Users\\ada\\x.cs", "Users/ada/x.cs"),
        ("C:\\repos\\SHOP\\src\\x.cs", "src/x.cs"),
        ("./a//b/./c.cs", "a/b/c.cs"),
    ],
)
def test_paths_of_records_stay_below_the_root(
    imported: Callable[[Any], Imported], code_bundle: Callable[..., Any], make_member: Callable[..., Any],
    written: str, path: str,
) -> None:  # fmt: skip
    bundle = code_bundle(make_member(1, "Shop", "Tax", "Rate", "int Rate();", RepoRelativePath=written))
    bundle.meta["RepositoryRoot"] = "C:\\repos\\shop"

    assert [each.document.path for each in imported(bundle).documents] == [path]


def test_long_names_are_recognised_in_no_time() -> None:
    assert bundle_prefixes(["a/" * 200_000 + "chunks.json", "x" * 1_000_000]) == []
