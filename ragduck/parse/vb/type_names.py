"""Write the types of Visual Basic as C# has them."""

from __future__ import annotations

from collections.abc import Sequence

from ragduck.parse.vb.names import TYPES, spelled, split_at
from ragduck.parse.vb.tokens import ESCAPED, MARK, WORD, Token

MAX_DEPTH = 40  # of brackets and type arguments


def type_at(
    tokens: Sequence[Token],
    partners: Sequence[int],
    low: int,
    high: int,
    *,
    is_made: bool = False,
    depth: int = 0,
) -> tuple[str, int]:
    """Return the type that begins at a token and where it ends; empty where none does.

    ``is_made`` says that it follows `New`: brackets behind it hold arguments.
    """
    if depth > MAX_DEPTH or low >= high:
        return "", low
    if tokens[low].text == "(" and tokens[low].kind == MARK:
        return _tuple(tokens, partners, low, high, depth=depth)
    written, at = _named(tokens, partners, low, high, depth=depth)
    if not written:
        return "", low
    if at < high and tokens[at].word == "?":
        written, at = f"{written}?", at + 1
    while not is_made and at < high and tokens[at].word == "(" and _is_rank(tokens, partners, at):
        written += "[" + "," * (partners[at] - at - 1) + "]"
        at = partners[at] + 1
    return written, at


def _named(
    tokens: Sequence[Token], partners: Sequence[int], low: int, high: int, *, depth: int
) -> tuple[str, int]:
    at, names = low, ""
    while at < high and tokens[at].kind in (WORD, ESCAPED):
        token = tokens[at]
        name = token.text if token.kind == WORD else spelled(token.text)
        is_alone = not names and not (at + 1 < high and tokens[at + 1].word == ".")
        if is_alone and token.word in TYPES:
            name = TYPES[token.word]
        elif token.kind == WORD:
            name = spelled(name)
        is_global = not names and token.word == "global"
        names += "" if is_global else name
        at += 1
        if at + 1 < high and tokens[at].word == "(" and tokens[at + 1].word == "of":
            names += _arguments(tokens, partners, at, depth=depth)
            at = min(partners[at] + 1, high)
        if at + 1 < high and tokens[at].word == "." and tokens[at + 1].kind in (WORD, ESCAPED):
            names += "" if is_global else "."
            at += 1
        else:
            break
    return names, at


def _arguments(tokens: Sequence[Token], partners: Sequence[int], at: int, *, depth: int) -> str:
    end = min(partners[at], len(tokens))
    parts = split_at(tokens, partners, at + 2, end, mark=",")
    written = [type_at(tokens, partners, low, high, depth=depth + 1)[0] for low, high in parts]
    return "<" + ", ".join(written) + ">" if all(written) else "<" + "," * (len(parts) - 1) + ">"


def _tuple(
    tokens: Sequence[Token], partners: Sequence[int], low: int, high: int, *, depth: int
) -> tuple[str, int]:
    end = min(partners[low], high)
    members = []
    for first, last in split_at(tokens, partners, low + 1, end, mark=","):
        is_named = first + 1 < last and tokens[first + 1].word == "as"
        written, _ = type_at(tokens, partners, first + 2 * is_named, last, depth=depth + 1)
        members.append(
            f"{written or 'object'} {spelled(tokens[first].text)}" if is_named else written or "object"
        )
    return "(" + ", ".join(members) + ")", min(end + 1, high)


def _is_rank(tokens: Sequence[Token], partners: Sequence[int], at: int) -> bool:
    """Say whether brackets hold nothing but commas."""
    end = partners[at]
    return end < len(tokens) and all(token.word == "," for token in tokens[at + 1 : end])
