"""Write what the grammar of C# cannot read, names like `async` above all, so that it can; no byte moves."""

from __future__ import annotations

import re

# Modifiers of which what follows says that they are names here: `if (async)`, `required = false`
_MODIFIERS = re.compile(rb"\b(?:async|partial|required|scoped|file)\b(?=\s*(?:[),:;?&|.}\]!]|=[^>]))")
# What an attribute can be for, as the first of a collection or index: `[property, other]`
_TARGETS = re.compile(rb"(?<=\[)(?:property|type|field|method|param|event|module|assembly)\b(?=\s*[],.(!?])")
# Assignments of C# 14: `values?[i] = value`, `order?.Customer.Name ??= name`
_CONDITIONAL = re.compile(rb"\?(?=(?:\.\w{1,100}|\[[^][\n]{1,100}\]){1,5}\s*(?:[-+*/%&|^]|\?\?)?=[^=>])")
# A brace before a value in a text that has quotes in its values: `$"{{{F("x")}}}"`
_BRACE = re.compile(rb"\{\{(?=\{[^{])")


def readable_words(source: bytes) -> bytes:
    """Write such words with a last letter that makes them plain names, and other such marks; no byte moves."""
    for pattern in (_MODIFIERS, _TARGETS):
        source = pattern.sub(_as_name, source)
    return _BRACE.sub(b"__", _CONDITIONAL.sub(b" ", source))


def _as_name(word: re.Match[bytes]) -> bytes:
    return word[0][:-1] + word[0][-1:].upper()
