"""Only packages that ask for no more than to be named are trained on."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import ModuleType

import pytest

SCRIPTS = Path(__file__).parents[3] / "scripts" / "static_embedding"
WHEEL = "Metadata-Version: 2.4\nName: x\nClassifier: License :: OSI Approved :: BSD License\n\nLicense: GPL\n"
DEBIAN = "Format: 1.0\nLicense: MIT\n\nFiles: *\nCopyright: 2020 A\nLicense: LGPL-2.1+\n\nFiles: x/*\nLicense: MIT\n"


@pytest.fixture(scope="module")
def licences() -> ModuleType:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(SCRIPTS))
        import licences as module

        yield module
        sys.modules.pop("licences", None)


@pytest.mark.parametrize(
    "licence",
    [
        "MIT",
        "BSD-3-Clause AND 0BSD",
        "Apache License, Version 2.0",
        "Apache-2.0 OR GPL-2.0-or-later",
        "(MIT OR GPL-3.0)",
    ],
)
def test_permissive_licences_are_taken(licences: ModuleType, licence: str) -> None:
    assert licences.is_permissive(licence)


@pytest.mark.parametrize(
    "licence",
    [
        "",
        "GPL-2+",
        "GNU General Public License v3 or later (GPLv3+)",
        "LGPL-2.1-only",
        "MPL-2.0",
        "MIT AND LGPL-3.0",
    ],
)
def test_other_licences_and_none_are_left_out(licences: ModuleType, licence: str) -> None:
    assert not licences.is_permissive(licence)


@pytest.mark.parametrize(
    ("path", "text", "licence"),
    [
        ("x-1.0.dist-info/METADATA", WHEEL, "BSD License"),
        ("package/package.json", json.dumps({"license": "ISC"}), "ISC"),
        ("package/package.json", json.dumps(["not", "an", "object"]), None),
        ("package/node_modules/y/package.json", json.dumps({"license": "ISC"}), None),
        ("debian/copyright", DEBIAN, "LGPL-2.1+"),
        ("x-1.0/LICENSE.txt", "Permission is hereby granted, free of charge, to any person", "MIT"),
        ("x-1.0/x.py", "License: MIT", None),
    ],
)
def test_the_licence_of_the_whole_package_is_found(
    licences: ModuleType, path: str, text: str, licence: str | None
) -> None:
    assert licences.licence_in(path, text) == licence
