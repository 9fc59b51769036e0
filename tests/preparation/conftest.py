"""Fixtures for what is remembered from one run to the next."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ragduck.graph.rule_memory import Finding, RuleMemory
from ragduck.preparation import followed_types, tying


@pytest.fixture(scope="module")
def _without_a_threshold() -> Iterator[None]:
    """Let what is small be remembered, too."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tying, "SHARED_BYTES", 0)
        yield


@pytest.fixture(scope="module")
def _for_few_files() -> Iterator[None]:
    """Follow types to tell which of however few files can reach a member."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(followed_types, "WORTH_FILES", 0)
        yield


@pytest.fixture
def looked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of rules that look anew."""
    names: list[str] = []
    whole = RuleMemory._learn

    def noted(memory: RuleMemory, name: str, finding: Finding) -> Finding:
        names.append(name)
        return whole(memory, name, finding)

    monkeypatch.setattr(RuleMemory, "_learn", noted)
    return names
