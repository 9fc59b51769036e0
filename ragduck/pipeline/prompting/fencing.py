"""Put text that nobody vouches for into a prompt so that it can act neither as a prefix nor as an instruction."""

from __future__ import annotations

import re
from hashlib import sha256

from ragduck.pipeline.prompting.markers import marker_of, start_of_words

TOKEN_LENGTH = 12
_fence_line = re.compile(r"data\s*[0-9a-f]{10}", re.IGNORECASE)
# What servers may take for the end of a message and the beginning of another, wherever it stands in a prompt.
_control_token = re.compile(
    r"<[|｜][\w▁]{1,40}[|｜]>|</?(?:start|end)_of_turn>|\[/?(?:INST|SYSTEM_PROMPT)\]|<</?SYS>>|</?s>|<(?:bos|eos)>"
)


def fenced(text: str) -> str:
    """Stand a text between two lines that it does not contain; what stands between them is data.

    The lines are the same for the same text. Lines of the text that look like a prefix or a fence are escaped.
    """
    inside = escaped(text)
    token = _token(inside)
    return f"<<<DATA {token}\n{inside}\nDATA {token}>>>"


def escaped(text: str) -> str:
    """Put a backslash before each line that a reader could take for a protocol prefix or a fence.

    One within control tokens of chat templates, such as `<|im_start|>`, keeps a server from obeying them.
    """
    return "".join(_harmless(line) for line in without_control_tokens(text).splitlines(keepends=True))


def without_control_tokens(text: str) -> str:
    """Put a backslash into each control token of a chat template."""
    return _control_token.sub(lambda token: f"{token[0][0]}\\{token[0][1:]}", text)


def _harmless(line: str) -> str:
    if marker_of(line) is None and not _fence_line.match(start_of_words(line)):
        return line
    text = line.lstrip()
    return f"{line[: len(line) - len(text)]}\\{text}"


def _token(text: str) -> str:
    token = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:TOKEN_LENGTH]
    while token in text:
        token = sha256(f"{token}\n{text}".encode("utf-8", "surrogatepass")).hexdigest()[:TOKEN_LENGTH]
    return token


def unfenced(text: str) -> str:
    """Return a text without the fence lines that a model may have copied."""
    lines = text.splitlines(keepends=True)
    return "".join(line for line in lines if not _fence_line.match(start_of_words(line)))
