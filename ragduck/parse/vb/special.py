"""Write the expressions that begin with a word of their own: `New`, casts, conditions, lambdas."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ragduck.parse.vb.names import find_word, spelled
from ragduck.parse.vb.queries import query
from ragduck.parse.vb.tokens import WORD
from ragduck.parse.vb.type_names import MAX_DEPTH

if TYPE_CHECKING:
    from ragduck.parse.vb.expressions import Code, Piece

Special = Callable[["Code", int, int, "list[Piece]", int], int]
FAR = 200  # tokens from `TypeOf` to its `Is`
_ASSIGNS = frozenset(("=", "+=", "-=", "*=", "/=", "\\=", "^=", "&=", "<<=", ">>="))
ASSIGNMENTS = {"\\=": "/=", "^=": "*=", "&=": "+="}
_STATEMENTS = frozenset(
    (
        *("if", "throw", "return", "for", "while", "do", "raiseevent", "addhandler", "removehandler"),
        *("dim", "exit", "using", "with", "select", "try", "synclock", "goto", "continue"),
    )
)
_HANDLING = {"addhandler": "+=", "removehandler": "-="}


def new(code: Code, at: int, high: int, out: list[Piece], depth: int) -> int:
    """Write `New T(…) With {…}`, `New T() {…}`, `New With {…}`."""
    line = code.line(at)
    if code.word(at + 1) == "with" and code.word(at + 2) == "{":
        end = code.end_of(at + 2, high)
        out.append((line, "new {"))
        out.extend(assigned(code, at + 3, end, depth=depth + 1))
        code.close(end, high, out)
        return end + 1
    written, after = code.type_at(at + 1, high, is_made=True)
    if not written:
        return at + 1
    end = after - 1
    if after < high and code.word(after) == "(":
        end = code.end_of(after, high)
        if code.word(end + 1) == "{" and end + 1 < high:
            return _array(code, written, end + 1, high, out, depth)
        out.append((line, f"new {written}("))
        out.extend(code.arguments(after + 1, end, depth=depth + 1))
        if end < high:
            out.append((code.line(end), ")"))
    else:
        out.append((line, f"new {written}()"))
    return _initializer(code, end + 1, high, out, depth)


def _array(code: Code, written: str, at: int, high: int, out: list[Piece], depth: int) -> int:
    end = code.end_of(at, high)
    out.append((code.line(at), f"new {written}[] {{"))
    out.extend(code.elements(at + 1, end, depth=depth + 1))
    code.close(end, high, out)
    return end + 1


def _initializer(code: Code, at: int, high: int, out: list[Piece], depth: int) -> int:
    if at + 1 >= high or code.word(at) not in ("with", "from") or code.word(at + 1) != "{":
        return at
    end = code.end_of(at + 1, high)
    out.append((code.line(at + 1), "{"))
    if code.word(at) == "with":
        out.extend(assigned(code, at + 2, end, depth=depth + 1))
    else:
        out.extend(code.elements(at + 2, end, depth=depth + 1))
    code.close(end, high, out)
    return end + 1


def assigned(code: Code, low: int, high: int, *, depth: int = 0) -> list[Piece]:
    """Return `.A = x, Key .B = y` as `A = x, B = y`."""
    out: list[Piece] = []
    for position, (first, last) in enumerate(code.parts(low, high)):
        if position:
            out.append((code.line(first - 1), ","))
        first += code.word(first) == "key"
        if code.word(first) == "." and first + 2 < last and code.word(first + 2) == "=":
            out.append((code.line(first), f"{spelled(code.tokens[first + 1].text)} ="))
            first += 3
        out.extend(code.expression(first, last, depth=depth))
    return out


def cast(code: Code, at: int, high: int, out: list[Piece], depth: int) -> int:
    """Write `CType(x, T)` and `TryCast(x, T)`."""
    if code.word(at + 1) != "(":
        return at
    end = code.end_of(at + 1, high)
    parts = code.parts(at + 2, end)
    if len(parts) != 2:
        return at
    written, _ = code.type_at(parts[1][0], end)
    value = code.expression(*parts[0], depth=depth + 1)
    if code.word(at) == "trycast":
        out.append((code.line(at), "(("))
        out.extend(value)
        out.append((code.line(end), f") as {written})"))
    else:
        out.append((code.line(at), f"(({written or 'object'})("))
        out.extend(value)
        out.append((code.line(end), "))"))
    return end + 1


def condition(code: Code, at: int, high: int, out: list[Piece], depth: int) -> int:
    """Write `If(a, b, c)`, `IIf(a, b, c)` and `If(a, b)`."""
    if code.word(at + 1) != "(":
        return at
    end = code.end_of(at + 1, high)
    parts = code.parts(at + 2, end)
    if len(parts) not in (2, 3):
        return at
    marks = ("?", ":") if len(parts) == 3 else ("??",)
    out.append((code.line(at), "("))
    for position, part in enumerate(parts):
        if position:
            out.append((code.line(part[0]), marks[position - 1]))
        out.append((code.line(part[0]), "("))
        out.extend(code.expression(*part, depth=depth + 1))
        out.append((code.line(part[1]), ")"))
    out.append((code.line(end), ")"))
    return end + 1


def get_type(code: Code, at: int, high: int, out: list[Piece], _depth: int) -> int:
    """Write `GetType(T)`."""
    if code.word(at + 1) != "(" or at + 1 >= high:
        return at
    end = code.end_of(at + 1, high)
    written, _ = code.type_at(at + 2, end)
    out.append((code.line(at), f"typeof({written})" if written else "GetType()"))
    return end + 1


def type_of(code: Code, at: int, high: int, out: list[Piece], depth: int) -> int:
    """Write `TypeOf x Is T`."""
    found = find_word(code.tokens, code.partners, at + 1, min(at + FAR, high), frozenset(("is", "isnot")))
    if found < 0:
        return at
    written, after = code.type_at(found + 1, high)
    out.extend(code.expression(at + 1, found, depth=depth + 1))
    out.append((code.line(found), f"is {'not ' if code.word(found) == 'isnot' else ''}{written}"))
    return max(after, found + 1)


def function(code: Code, at: int, high: int, out: list[Piece], depth: int) -> int:
    """Write a lambda; of one whose statements follow there is only the head."""
    if code.word(at + 1) != "(":
        return at
    end = code.end_of(at + 1, high)
    out.append((code.line(at), f"({lambda_parameters(code, at + 2, end)}) =>"))
    after = end + 1
    if code.word(after) == "as" and after < high:
        _, after = code.type_at(after + 1, high)
    if code.word(at) == "sub":
        out.extend(single_statement(code, after, high, depth=depth + 1))
    else:
        out.extend(code.expression(after, high, depth=depth + 1))
    return high


def lambda_parameters(code: Code, low: int, high: int) -> str:
    """Return the parameters of a lambda, with their types if all have one."""
    names, types = [], []
    for first, last in code.parts(low, high):
        while first < last and code.word(first) in ("byval", "byref", "optional"):
            first += 1
        if first >= last:
            continue
        name = code.tokens[first].text
        typed, _ = code.type_at(first + 2, last) if code.word(first + 1) == "as" else ("", first)
        code.names.declare(name, typed or "Func")
        names.append(spelled(name))
        types.append(typed)
    if names and all(types):
        return ", ".join(f"{type_} {name}" for type_, name in zip(types, names, strict=True))
    return ", ".join(names)


def single_statement(code: Code, low: int, high: int, *, depth: int = 0) -> list[Piece]:
    """Return a statement that assigns or calls, without its semicolon."""
    while code.word(low) in ("call",) and low < high:
        low += 1
    if low < high and code.tokens[low].kind == WORD and (code.word(low) in _STATEMENTS or depth > MAX_DEPTH):
        return _in_braces(code, low, high, depth=depth)
    sign = find_word(code.tokens, code.partners, low, high, _ASSIGNS)
    if sign <= low:
        return called(code.expression(low, high, depth=depth))
    left = target(code, low, sign)
    mark = code.word(sign)
    return [
        *left,
        (code.line(sign), ASSIGNMENTS.get(mark, mark)),
        *code.expression(sign + 1, high, depth=depth),
    ]


def _in_braces(code: Code, low: int, high: int, *, depth: int) -> list[Piece]:
    """Return a statement that begins with a word of its own; of loops and the like only that there is one."""
    line, last, word = code.line(low), code.line(high - 1), code.word(low)
    if word == "if" and depth <= MAX_DEPTH:
        return _condition(code, low, high, depth=depth)
    if word in _HANDLING:
        parts = code.parts(low + 1, high)
        if len(parts) == 2:
            event, handler = (code.expression(*part, depth=depth) for part in parts)
            return [(line, "{"), *event, (line, _HANDLING[word]), *handler, (last, "; }")]
    if word in ("return", "throw") and low + 1 < high:
        return [(line, f"{{ {word} "), *code.expression(low + 1, high, depth=depth), (last, "; }")]
    if word == "raiseevent":
        return [(line, "{"), *called(code.expression(low + 1, high, depth=depth)), (last, "; }")]
    return [(line, "{ }")]


def _condition(code: Code, low: int, high: int, *, depth: int) -> list[Piece]:
    """Return `If … Then … Else …` on one line."""
    then = find_word(code.tokens, code.partners, low + 1, high, frozenset(("then",)))
    if then < 0:
        return [(code.line(low), "{ }")]
    otherwise = find_word(code.tokens, code.partners, then + 1, high, frozenset(("else",)))
    end = otherwise if otherwise > 0 else high
    out = [
        (code.line(low), "{ if ("),
        *code.expression(low + 1, then, depth=depth),
        (code.line(then), ") {"),
        *single_statement(code, then + 1, end, depth=depth + 1),
        (code.line(end - 1), "; }"),
    ]
    if otherwise > 0:
        out.append((code.line(otherwise), "else {"))
        out.extend(single_statement(code, otherwise + 1, high, depth=depth + 1))
        out.append((code.line(high - 1), "; }"))
    return [*out, (code.line(high - 1), "}")]


def target(code: Code, low: int, high: int) -> list[Piece]:
    """Return what is assigned to; the last brackets of it ask for an element."""
    if code.word(high - 1) == ")":
        opening = code.openings.get(high - 1, -1)
        if opening > low:
            return [
                *without_call(code.expression(low, opening)),
                (code.line(opening), "["),
                *code.arguments(opening + 1, high - 1),
                (code.line(high - 1), "]"),
            ]
    return without_call(code.expression(low, high))


def without_call(pieces: list[Piece]) -> list[Piece]:
    """Take the brackets off that were added to the name of a method: it is assigned to."""
    if pieces and pieces[-1][1].endswith("()") and len(pieces[-1][1]) > 2:
        line, text = pieces[-1]
        return [*pieces[:-1], (line, text[:-2])]
    return pieces


def called(pieces: list[Piece]) -> list[Piece]:
    """Add brackets to a name that stands as a statement."""
    if (
        pieces
        and (pieces[-1][1][-1:].isalnum() or pieces[-1][1].endswith(("_", ">")))
        and pieces[-1][1][-2:] != "=>"
    ):
        return [*pieces, (pieces[-1][0], "()")]
    return pieces


def _skip(_code: Code, at: int, _high: int, _out: list[Piece], _depth: int) -> int:
    return at + 1


def _global(code: Code, at: int, _high: int, _out: list[Piece], _depth: int) -> int:
    return at + 2 if code.word(at + 1) == "." else at


SPECIAL: dict[str, Special] = {
    "new": new,
    "if": condition,
    "iif": condition,
    "ctype": cast,
    "directcast": cast,
    "trycast": cast,
    "gettype": get_type,
    "typeof": type_of,
    "function": function,
    "sub": function,
    "from": query,
    "aggregate": query,
    "addressof": _skip,
    "iterator": _skip,
    "global": _global,
}
