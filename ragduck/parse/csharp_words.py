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
# What a pointer points to, where that has parentheses: `*(p++) = value` and, elsewhere, `*(int*)p`
_POINTED_AND_SET = re.compile(rb"(?<=[;{}\s])\*\((\w{1,100})(?:\+\+|--)\)(?=[ \t]*[-+*/%&|^]?=[^=])")
_POINTED = re.compile(rb"([-=(\[,;{}+/%<>&|?:!][ \t]{0,20}|\breturn[ \t]{1,20})\*(?=\()")
# A value before quotes, `$@"""{name}"""`: in a verbatim text two are one of the text, in others three end it
_VALUE_BEFORE_QUOTES = re.compile(rb'\}"""')
_VERBATIM = (b'$@"', b'@$"')
_RAW = b'$"""'
MAX_TEXT = 500  # bytes before such quotes in which the text has to begin


def readable_words(source: bytes) -> bytes:
    """Write such words with a last letter that makes them plain names, and other such marks; no byte moves."""
    for pattern in (_MODIFIERS, _TARGETS):
        source = pattern.sub(_as_name, source)
    return _BRACE.sub(b"__", _CONDITIONAL.sub(b" ", source))


def readable_marks(source: bytes) -> bytes:
    """Write pointers and quotes otherwise that look like others of which the grammar knows all; no byte moves."""
    source = _POINTED_AND_SET.sub(_as_set, source)
    return _VALUE_BEFORE_QUOTES.sub(_as_end, _POINTED.sub(rb"\1 ", source))


def _as_name(word: re.Match[bytes]) -> bytes:
    return word[0][:-1] + word[0][-1:].upper()


def _as_set(pointed: re.Match[bytes]) -> bytes:
    return pointed[1].center(len(pointed[0]))


def _as_end(quotes: re.Match[bytes]) -> bytes:
    before = quotes.string[max(0, quotes.start() - MAX_TEXT) : quotes.start()]
    verbatim = max(before.rfind(mark) for mark in _VERBATIM)
    is_verbatim = verbatim >= 0 and before.rfind(_RAW) <= verbatim + 1  # `@$"""` holds that mark as well
    return b"}''\"" if is_verbatim else quotes[0]
