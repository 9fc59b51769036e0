"""Take the heads of declarations apart: attributes, modifiers, names, parameters, clauses."""

from __future__ import annotations

from dataclasses import dataclass, field

from ragduck.parse.vb.expressions import Code, Piece
from ragduck.parse.vb.names import find_word, spelled
from ragduck.parse.vb.tokens import ESCAPED, MARK, WORD

ACCESS = {"public": "public", "private": "private", "protected": "protected", "friend": "internal"}
MODIFIERS = {
    **ACCESS,
    "shared": "static", "overrides": "override", "overridable": "virtual", "mustoverride": "abstract",
    "mustinherit": "abstract", "notinheritable": "sealed", "notoverridable": "sealed", "shadows": "new",
    "overloads": "", "readonly": "readonly", "writeonly": "", "partial": "partial", "async": "async",
    "iterator": "", "withevents": "", "default": "", "dim": "", "const": "const", "static": "",
    "widening": "implicit", "narrowing": "explicit", "custom": "",
}  # fmt: skip
_CLAUSES = frozenset(("handles", "implements"))
_PARAMETER = frozenset(("byval", "byref", "optional", "paramarray"))


@dataclass(slots=True)
class Head:
    """What stands before the keyword of a declaration; ``at`` is where that is."""

    attributes: list[Piece] = field(default_factory=list)
    modifiers: list[str] = field(default_factory=list)
    at: int = 0
    extends: bool = False

    def has(self, word: str) -> bool:
        """Say whether a modifier is written, by its word in Visual Basic."""
        return word in self.modifiers

    def written(self, *, access: str, drop: frozenset[str] = frozenset(), is_shared: bool = False) -> str:
        """Return the modifiers of C#, ``access`` if none says who may see it, `partial` last."""
        words = [MODIFIERS[word] for word in self.modifiers if MODIFIERS[word] and word not in drop]
        if access and not any(word in ACCESS for word in self.modifiers):
            words.insert(0, access)
        if is_shared and "static" not in words and "const" not in words:
            words.append("static")
        words.sort(key=lambda word: word == "partial")
        return "".join(f"{word} " for word in dict.fromkeys(words))


def read_head(code: Code) -> Head:
    """Read attributes and modifiers at the beginning of a statement."""
    head, high = Head(), len(code.tokens)
    while head.at < high:
        token = code.tokens[head.at]
        if token.kind == MARK and token.text in ("<", "<>") and not head.modifiers:
            after = _attributes(code, head.at, head)
            if after <= head.at:
                break
            head.at = after
        elif token.kind == WORD and token.word in MODIFIERS and not _is_name(code, head.at):
            head.modifiers.append(token.word)
            head.at += 1
        else:
            break
    return head


def _is_name(code: Code, at: int) -> bool:
    """Say whether a word that may be a modifier is the name of what is assigned or called."""
    return code.word(at + 1) in ("=", ".", "(", ":=") or (
        code.word(at) != "dim" and code.word(at + 1) == "as"
    )


def _attributes(code: Code, at: int, head: Head) -> int:
    """Read `<A(x), B>`; return where it ends."""
    end, depth = at + 1, 0
    while end < len(code.tokens) and (depth or code.word(end) != ">"):
        if code.partners[end] > end:
            end = min(code.partners[end], len(code.tokens) - 1)
        end += 1
    if end >= len(code.tokens):
        return at
    for first, last in code.parts(at + 1, end):
        target = ""
        if code.word(first + 1) == ":":
            target, first = f"{code.word(first)}: ", first + 2
        name, after = code.type_at(first, last, is_made=True)
        if not name:
            continue
        head.extends = head.extends or name.rpartition(".")[2] in ("Extension", "ExtensionAttribute")
        head.attributes.append((code.line(first), f"[{target}{name}("))
        if code.word(after) == "(":
            head.attributes.extend(_attribute_arguments(code, after + 1, code.end_of(after, last)))
        head.attributes.append((code.line(last), ")]"))
    return end + 1


def _attribute_arguments(code: Code, low: int, high: int) -> list[Piece]:
    out: list[Piece] = []
    for position, (first, last) in enumerate(code.parts(low, high)):
        if position:
            out.append((code.line(first), ","))
        if code.word(first + 1) == ":=" and first + 2 < last:
            out.append((code.line(first), f"{spelled(code.tokens[first].text)} ="))
            first += 2
        out.extend(code.expression(first, last))
    return out


@dataclass(slots=True)
class Signature:
    """What follows the keyword of a method, property, event, delegate or operator."""

    name: str
    generics: str = ""
    constraints: str = ""
    parameters: list[Piece] = field(default_factory=list)
    has_parameters: bool = False
    type: str = ""
    makes: tuple[int, int] | None = None  # `As New T(…)`
    value: tuple[int, int] | None = None  # what follows `=`
    handles: tuple[str, ...] = ()


def read_signature(code: Code, at: int, *, extends: bool = False) -> Signature:
    """Read a name, type parameters, parameters, type, value and clauses."""
    high = len(code.tokens)
    found = Signature(code.tokens[at].text if at < high else "")
    clause = find_word(code.tokens, code.partners, at + 1, high, _CLAUSES)
    end = clause if clause >= 0 else high
    at += 1
    if code.word(at) == "(" and code.word(at + 1) == "of":
        found.generics, found.constraints = read_generics(code, at)
        at = code.end_of(at, end) + 1
    if code.word(at) == "(" and at < end:
        close = code.end_of(at, end)
        found.has_parameters = close > at + 1
        found.parameters = read_parameters(code, at + 1, close, extends=extends)
        at = close + 1
    if code.word(at) == "as" and at < end:
        if code.word(at + 1) == "new":
            found.makes = (at + 1, end)
            found.type, at = code.type_at(at + 2, end, is_made=True)
            at = end
        else:
            while at + 1 < end and code.word(at + 1) == "<":
                closing = find_word(code.tokens, code.partners, at + 1, end, frozenset((">",)))
                at = closing if closing > 0 else end
            found.type, at = code.type_at(at + 1, end)
    if code.word(at) == "=" and at < end:
        found.value = (at + 1, end)
    found.handles = tuple(_handled(code, clause, high))
    return found


def _handled(code: Code, clause: int, high: int) -> list[str]:
    if clause < 0 or code.word(clause) != "handles":
        return []
    parts = code.parts(clause + 1, high)
    return ["".join(token.text for token in code.tokens[first:last]) for first, last in parts]


def read_generics(code: Code, at: int) -> tuple[str, str]:
    """Return `<T>` and `where T : …` of the type parameters in brackets."""
    end = code.end_of(at, len(code.tokens))
    names, constraints = [], ""
    for first, last in code.parts(at + 2, end):
        if code.word(first) in ("in", "out") and last - first > 1:
            first += 1
        if first >= last:
            continue
        name = spelled(code.tokens[first].text)
        names.append(name)
        if code.word(first + 1) == "as":
            bounds = _bounds(code, first + 2, last)
            constraints += f" where {name} : {', '.join(bounds)}" if bounds else ""
    return f"<{', '.join(names)}>" if names else "", constraints


def _bounds(code: Code, low: int, high: int) -> list[str]:
    parts = code.parts(low + 1, code.end_of(low, high)) if code.word(low) == "{" else [(low, high)]
    bounds = []
    for first, last in parts:
        word = code.word(first)
        special = {"class": "class", "structure": "struct", "new": "new()"}.get(word)
        bounds.append(special or code.type_at(first, last)[0])
    return sorted((bound for bound in bounds if bound), key=lambda bound: bound == "new()")


def read_parameters(code: Code, low: int, high: int, *, extends: bool = False) -> list[Piece]:
    """Return parameters, and know them as what their names stand for."""
    out: list[Piece] = []
    for position, (first, last) in enumerate(code.parts(low, high)):
        if position:
            out.append((code.line(first), ","))
        out.extend(_parameter(code, first, last, is_this=extends and not position))
    return out


def _parameter(code: Code, first: int, last: int, *, is_this: bool) -> list[Piece]:
    words = set()
    while first < last and (code.word(first) in _PARAMETER or code.word(first) == "<"):
        if code.word(first) == "<":
            closing = find_word(code.tokens, code.partners, first, last, frozenset((">",)))
            first = closing + 1 if closing > 0 else last
            continue
        words.add(code.word(first))
        first += 1
    if first >= last or code.tokens[first].kind not in (WORD, ESCAPED):
        return [(code.line(first), "object _")]
    name, line, at = code.tokens[first].text, code.line(first), first + 1
    rank = ""
    if code.word(at) == "?":
        rank, at = "?", at + 1
    if code.word(at) == "(":
        rank, at = rank + "[]", code.end_of(at, last) + 1
    type_ = "object"
    if code.word(at) == "as" and at < last:
        written, at = code.type_at(at + 1, last)
        type_ = written or type_
    type_ += rank
    code.names.declare(name, type_)
    prefix = (
        "this " if is_this else "params " if "paramarray" in words else "ref " if "byref" in words else ""
    )
    out: list[Piece] = [(line, f"{prefix}{type_} {spelled(name)}")]
    if code.word(at) == "=" and at < last:
        out.append((code.line(at), "="))
        out.extend(code.expression(at + 1, last))
    return out
