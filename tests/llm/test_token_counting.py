"""Tokens, counted by a tokenizer file or estimated from above."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragduck.embed.minilm.tokenizer import load_tokenizer
from ragduck.errors import ModelError
from ragduck.llm.protocol import Message
from ragduck.llm.tokens import count_messages, estimate_tokens, token_counter

ROOT = Path(__file__).parents[2]
SHOP = ROOT / "tests" / "data" / "shop"
STRETCH = 800  # characters


def stretches() -> list[str]:
    """Return stretches of code and prose, the same in every run."""
    files = sorted(
        [*SHOP.rglob("*.cs"), *SHOP.rglob("*.sql"), *SHOP.rglob("*.md"), *ROOT.glob("ragduck/*.py")]
    )
    texts = [path.read_text("utf-8", "replace") for path in files]
    return [text[start : start + STRETCH] for text in texts for start in range(0, len(text), STRETCH)]


def test_the_estimate_is_no_smaller_than_the_count_of_a_real_tokenizer() -> None:
    tokenizer = load_tokenizer()
    tokenizer.no_truncation()
    samples = [text for text in stretches() if len(text) > 100]

    ratios = sorted(
        estimate_tokens(text) / len(tokenizer.encode(text, add_special_tokens=False).ids) for text in samples
    )

    assert len(ratios) >= 100
    assert sum(ratio < 1 for ratio in ratios) <= len(ratios) // 100
    assert ratios[len(ratios) // 2] < 1.6


def test_nothing_takes_no_tokens() -> None:
    assert estimate_tokens("") == 0


def test_digits_and_signs_count_one_each() -> None:
    assert estimate_tokens("(12){}") == 1 + 6


def test_humps_of_an_identifier_count_on_their_own() -> None:
    assert estimate_tokens("OrderService") == 1 + 2 + 2


@given(st.text(max_size=300), st.text(max_size=300))
def test_a_text_takes_at_least_as_many_tokens_as_its_beginning(text: str, more: str) -> None:
    assert estimate_tokens(f"{text}\n{more}") >= estimate_tokens(text)


def test_a_long_line_is_counted_at_once() -> None:
    assert estimate_tokens("a" * 1_000_000) == 250_001


def test_a_tokenizer_file_counts_instead_of_the_estimate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "tokenizer.json"
    load_tokenizer().save(str(path))
    monkeypatch.setenv("RAGDUCK_LLM_TOKENIZER", str(path))

    assert token_counter()("hello " * 600) == 600


def test_a_tokenizer_file_that_is_none_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAGDUCK_LLM_TOKENIZER", str(tmp_path / "none.json"))

    with pytest.raises(ModelError, match=r"none\.json"):
        token_counter()


def test_messages_count_with_what_a_template_puts_around_them() -> None:
    messages = [Message("system", "a"), Message("user", "b")]

    assert count_messages(messages, len) == 1 + 1 + 3 * 8
