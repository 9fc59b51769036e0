"""`ragduck search --rerank`: what cannot be done is said with the next command."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def test_an_unknown_reranker_is_named_with_what_to_give(invoke: Any, shop_store: Path) -> None:
    result = invoke("search", shop_store, "orders", "--rerank", "best")

    assert (result.exit_code, result.stdout) == (1, "")
    assert "error: there is no reranker 'best'" in result.stderr
    assert "hint: give a HuggingFace name such as cross-encoder/" in result.stderr


def test_a_pool_out_of_bounds_is_a_mistake_of_usage(invoke: Any, shop_store: Path) -> None:
    result = invoke("search", shop_store, "orders", "--rerank", "a/b", "--rerank-pool", "0")

    assert result.exit_code == 2
    assert "rerank_pool is 0" in result.stderr


def test_a_pool_without_a_reranker_is_refused(invoke: Any, shop_store: Path) -> None:
    result = invoke("search", shop_store, "orders", "--rerank-pool", "7")

    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.splitlines() == [
        "error: --rerank-pool counts for nothing without --rerank MODEL",
        "hint: add --rerank MODEL, or leave out --rerank-pool",
    ]
