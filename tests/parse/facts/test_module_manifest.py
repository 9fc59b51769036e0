"""What the manifest of a module of DotNetNuke registers."""

from __future__ import annotations

import pytest

from ragduck.facts import BUSINESS_CONTROLLER, MODULE_CONTROL, ViewFact
from ragduck.model import Document
from ragduck.parse.facts.module_manifest import facts_of_module_manifest

MANIFEST = """<dotnetnuke type="Package" version="5.0">
  <businessControllerClass>Shop.Controller, Shop</businessControllerClass>
  <!-- <moduleControl><controlSrc>DesktopModules/Shop/Gone.ascx</controlSrc></moduleControl> -->
  <moduleControl>
    <controlKey />
    <controlSrc>DesktopModules/Shop/View.ascx</controlSrc>
  </moduleControl>
  <moduleControl>
    <controlSrc>DesktopModules/Shop/Edit.ascx</controlSrc>
    <controlKey>Edit</controlKey>
  </moduleControl>
  <moduleControl>
    <controlKey>Old</controlKey>
    <controlSrc>Shop.OldView, Shop</controlSrc>
  </moduleControl>
</dotnetnuke>
"""
OLD = """<?xml version="1.0"?>
<dotnetnuke version="3.0"><folders><folder><modules><module><controls>
  <control><key>Edit</key><src>Edit.ascx</src></control>
  <control><src>View.ascx</src></control>
</controls></module></modules></folder></folders></dotnetnuke>
"""


def views_of(text: str, path: str = "Shop/Shop.dnn") -> tuple[ViewFact, ...]:
    """Return what a file registers."""
    facts = facts_of_module_manifest(Document(path, text, "xml", "dnn", "config", len(text), 0, "Shop"))
    return facts.views if facts is not None else ()


def test_controls_are_registered_by_key_and_the_class_by_its_name() -> None:
    assert views_of(MANIFEST) == (
        ViewFact("Shop.Controller", BUSINESS_CONTROLLER, 2),
        ViewFact(" DesktopModules/Shop/View.ascx", MODULE_CONTROL, 6),
        ViewFact("Edit DesktopModules/Shop/Edit.ascx", MODULE_CONTROL, 9),
    )


def test_the_format_of_old_versions_is_read() -> None:
    assert views_of(OLD) == (
        ViewFact("Edit Edit.ascx", MODULE_CONTROL, 3),
        ViewFact(" View.ascx", MODULE_CONTROL, 4),
    )


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("Shop/Shop.xml", MANIFEST),
        ("Shop/Shop.dnn", MANIFEST.replace("dotnetnuke", "other")),
        ("Shop/Shop.dnn", "<dotnetnuke />"),
    ],
)
def test_other_files_register_nothing(path: str, text: str) -> None:
    assert views_of(text, path) == ()
