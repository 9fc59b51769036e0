"""Settings are typed as the fields of SearchRequest are, whatever fields there are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import pytest

from ragduck.errors import UsageError
from ragduck.search import settings
from ragduck.search.settings import settings_of


@dataclass(frozen=True)
class Weights:
    name: float = 1.0
    depth: int | None = None


@dataclass(frozen=True)
class Request:
    text: str
    mode: str = "hybrid"
    pool: int = 10
    share: float = 0.5
    fused: bool = True
    limit: int | None = None
    kind: Literal["soft", "hard"] = "soft"
    relax: Sequence[str] = ()
    weights: Weights = field(default_factory=Weights)
    own_weights: Weights | None = None
    factors: Mapping[str, float] = field(default_factory=dict)


@pytest.fixture
def _request(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "SearchRequest", Request)


@pytest.mark.usefixtures("_request")
@pytest.mark.parametrize(
    ("pair", "expected"),
    [
        ("pool=20", {"pool": 20}),
        ("share=1", {"share": 1.0}),
        ("fused=off", {"fused": False}),
        ("limit=none", {"limit": None}),
        ("limit=5", {"limit": 5}),
        ("kind=hard", {"kind": "hard"}),
        ("relax=kind, schema", {"relax": ("kind", "schema")}),
        ('relax=["kind"]', {"relax": ("kind",)}),
        ("weights.name=2", {"weights": Weights(name=2.0)}),
        ("own_weights.depth=3", {"own_weights": Weights(depth=3)}),
        ('weights={"name": 3.0}', {"weights": Weights(name=3.0)}),
        ("factors.test=0.5", {"factors": {"test": 0.5}}),
        ('factors={"test": 0.5}', {"factors": {"test": 0.5}}),
    ],
)
def test_value_has_the_type_of_its_field(pair: str, expected: dict[str, Any]) -> None:
    assert settings_of([pair]) == expected


@pytest.mark.usefixtures("_request")
def test_parts_of_one_setting_are_put_together() -> None:
    assert settings_of(["weights.name=2", "weights.depth=4"]) == {"weights": Weights(name=2.0, depth=4)}


@pytest.mark.usefixtures("_request")
@pytest.mark.parametrize(
    ("pair", "told"),
    [
        ("pool", "is not name=value"),
        ("pool=x", "pool cannot be 'x'"),
        ("fused=maybe", "fused cannot be 'maybe'"),
        ("kind=loud", "kind cannot be 'loud'"),
        ("pol=3", "there is no setting 'pol'"),
        ("weights.size=3", "there is no setting 'size' of weights"),
        ("pool.size=3", "pool has no parts"),
        ("mode=bm25", "mode is no setting"),
    ],
)
def test_setting_that_cannot_be_is_refused(pair: str, told: str) -> None:
    with pytest.raises(UsageError) as caught:
        settings_of([pair])

    assert told in caught.value.message
    assert caught.value.hint


def test_every_field_of_a_real_search_can_be_set() -> None:
    assert settings_of(["rrf_k=20", "use_rrf=no", "vector_weight=0.3", "where=end_line > 5"]) == {
        "rrf_k": 20, "use_rrf": False, "vector_weight": 0.3, "where": "end_line > 5",
    }  # fmt: skip


def test_settings_beside_the_fields_are_typed_too() -> None:
    others = {"reranker": str | None, "rerank_pool": int}

    assert settings_of(["reranker=tiny", "rerank_pool=20"], others=others) == {
        "reranker": "tiny", "rerank_pool": 20,
    }  # fmt: skip
