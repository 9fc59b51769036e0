"""The model's own WordPiece tokenizer, built from its vocabulary."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tokenizers import Tokenizer

MAX_TOKENS = 256  # what the model was trained for, [CLS] and [SEP] included
VOCABULARY = Path(__file__).parent / "vocab.txt"
UNKNOWN = "[UNK]"
SPECIAL_TOKENS = ["[PAD]", UNKNOWN, "[CLS]", "[SEP]", "[MASK]"]


def load_tokenizer() -> Tokenizer:
    """Build the tokenizer; it cuts at ``MAX_TOKENS`` and does not pad."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    words = VOCABULARY.read_text(encoding="utf-8").rstrip("\n").split("\n")
    vocabulary = {word: index for index, word in enumerate(words)}
    wordpiece = models.WordPiece(vocabulary, unk_token=UNKNOWN, max_input_chars_per_word=100)
    tokenizer = Tokenizer(wordpiece)
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        special_tokens=[("[CLS]", vocabulary["[CLS]"]), ("[SEP]", vocabulary["[SEP]"])],
    )
    tokenizer.add_special_tokens(SPECIAL_TOKENS)
    tokenizer.enable_truncation(MAX_TOKENS)
    return tokenizer
