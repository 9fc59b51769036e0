"""Write expressions of Visual Basic as C# has them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ragduck.parse.vb.literals import interpolated_pieces, is_composed, plain_literal, quoted, xml_pieces
from ragduck.parse.vb.names import TYPES, Names, begins_query, partners_of, spelled, split_at
from ragduck.parse.vb.special import SPECIAL
from ragduck.parse.vb.tokens import (
    COMMENT,
    END,
    ESCAPED,
    INTERPOLATED,
    LITERALS,
    MARK,
    XML,
    Token,
    tokens_of,
)
from ragduck.parse.vb.type_names import MAX_DEPTH, type_at

Piece = tuple[int, str]  # a line, and what stands there

CONSTANTS = {
    "true": "true",
    "false": "false",
    "nothing": "null",
    "me": "this",
    "myclass": "this",
    "mybase": "base",
    **dict.fromkeys(("vbcrlf", "vbnewline", "vblf", "vbcr"), '"\\n"'),
    "vbtab": '"\\t"',
    "vbnullstring": '""',
}
CHARACTERS = frozenset(("chr", "chrw"))
OPERATORS = {
    "andalso": "&&", "and": "&&", "orelse": "||", "or": "||", "xor": "^", "not": "!", "mod": "%", "like": "==",
    "is": "==", "isnot": "!=", "await": "await", "async": "async",
}  # fmt: skip
MARKS = {"&": "+", "\\": "/", "=": "==", "<>": "!=", ":=": ":", "^": "*", "@": "", "?.": "?.", "#": ""}
CONVERSIONS = {
    "cbool": "bool", "cbyte": "byte", "cchar": "char", "cdate": "DateTime", "cdbl": "double", "cdec": "decimal",
    "cint": "int", "clng": "long", "cobj": "object", "csbyte": "sbyte", "cshort": "short", "csng": "float",
    "cstr": "string", "cuint": "uint", "culng": "ulong", "cushort": "ushort",
}  # fmt: skip
CASTS = frozenset(("ctype", "directcast", "trycast"))
# Members of .NET that have brackets only for an element, or are called without any.
INDEXED = frozenset(
    (
        *("rows", "tables", "columns", "cells", "items", "parameters", "controls", "session", "viewstate"),
        *("request", "querystring", "form", "cookies", "application", "cache", "appsettings"),
        *("connectionstrings", "relations"),
    )
)
CALLED = frozenset(
    (
        *("executereader", "executenonquery", "executescalar", "executexmlreader", "tostring"),
        *("createcommand", "savechanges", "tolist", "toarray", "open", "close", "dispose", "trim"),
        *("toupper", "tolower"),
    )
)
_NO_VALUE = frozenset(OPERATORS) | {
    "return",
    "new",
    "in",
    "of",
    "to",
    "step",
    "then",
    "else",
    "when",
    "until",
}


class Code:
    """The tokens of a statement, and what its names stand for.

    ``receiver`` is what members belong to that begin with a dot, within `With`.
    """

    def __init__(
        self, tokens: Sequence[Token], names: Names, *, receiver: str = "this", nesting: int = 0
    ) -> None:
        self.tokens = tokens
        self.partners = partners_of(tokens)
        self.openings = {end: at for at, end in enumerate(self.partners) if end >= 0}
        self.names = names
        self.receiver = receiver
        self.nesting = nesting

    def expression(self, low: int, high: int, *, depth: int = 0) -> list[Piece]:
        """Return an expression in C#."""
        if low >= high:
            return []
        if depth > MAX_DEPTH:
            return [(self.tokens[low].line, "null")]
        out: list[Piece] = []
        at = low
        while at < high:
            at = self._next(at, high, out, low=low, depth=depth)
        return out

    def line(self, at: int) -> int:
        """Return the line of a token."""
        return self.tokens[min(at, len(self.tokens) - 1)].line

    def word(self, at: int) -> str:
        """Return a word in lower case, or a mark; empty past the end."""
        return self.tokens[at].word if 0 <= at < len(self.tokens) else ""

    def end_of(self, at: int, high: int) -> int:
        """Return where the brackets end that begin at a token."""
        return min(self.partners[at], high)

    def close(self, at: int, high: int, out: list[Piece]) -> None:
        """Write a brace, unless the statements of a lambda come before it."""
        if at < high:
            out.append((self.line(at), "}"))

    def type_at(self, low: int, high: int, *, is_made: bool = False) -> tuple[str, int]:
        """Return the type that begins at a token, and where it ends."""
        return type_at(self.tokens, self.partners, low, high, is_made=is_made)

    def parts(self, low: int, high: int, mark: str = ",") -> list[tuple[int, int]]:
        """Return the stretches between marks outside of brackets."""
        return split_at(self.tokens, self.partners, low, high, mark=mark) if low < high else []

    def _next(self, at: int, high: int, out: list[Piece], *, low: int, depth: int) -> int:
        token = self.tokens[at]
        if token.kind in LITERALS:
            out.extend(self._literal(token))
            is_text = token.kind == XML and self.word(at + 1) == "." and self.word(at + 2) == "value"
            return at + 3 if is_text else at + 1
        if token.kind == ESCAPED:
            out.append((token.line, spelled(token.text)))
            return at + 1
        if token.kind == MARK:
            return self._mark(at, high, out, low=low, depth=depth)
        if at > low and self.word(at - 1) in (".", "?.", "!"):
            return self._member(at, high, out)
        return self._word(at, high, out, depth=depth)

    def _literal(self, token: Token) -> Iterator[Piece]:
        if not is_composed(token):
            yield token.line, plain_literal(token)
            return
        pieces = interpolated_pieces(token.text) if token.kind == INTERPOLATED else xml_pieces(token.text)
        line = token.line
        yield line, "("
        for position, (is_code, text) in enumerate(pieces):
            if position:
                yield line, "+"
            if is_code:
                yield line, "("
                yield from ((line + row - 1, part) for row, part in self._hole(text))
                yield line, ")"
            else:
                yield line, quoted(text)
            line += text.count("\n")
        yield line, ")"

    def _hole(self, text: str) -> list[Piece]:
        if self.nesting > 3:
            return [(1, "null")]
        tokens: list[Token] = []
        depth = 0
        for token in tokens_of(text):
            if token.word in (":", ",") and not depth:
                break  # what it is formatted by
            if token.word in ("(", "{"):
                depth += 1
            elif token.word in (")", "}") and depth:
                depth -= 1
            if token.kind not in (END, COMMENT):
                tokens.append(token)
        code = Code(tokens, self.names, receiver=self.receiver, nesting=self.nesting + 1)
        return code.expression(0, len(tokens)) or [(1, "null")]

    # marks

    def _mark(self, at: int, high: int, out: list[Piece], *, low: int, depth: int) -> int:
        token = self.tokens[at]
        if token.text == "(":
            return self._brackets(at, high, out, low=low, depth=depth)
        if token.text == "{":
            end = self.end_of(at, high)
            out.append((token.line, "new[] {"))
            out.extend(self.elements(at + 1, end, depth=depth + 1))
            self.close(end, high, out)
            return end + 1
        if token.text in (".", "!") and not self._ends_value(at - 1, low):
            out.append((token.line, self.receiver))
        if token.text == "!":
            name = self.tokens[at + 1].text if at + 1 < high else ""
            out.append((token.line, f"[{quoted(name)}]"))
            return at + 2
        if token.text == "?" and self.word(at + 1) == "(":
            return at + 1
        if token.text == ".":
            return self._dot(at, high, out)
        written = MARKS.get(token.text, token.text)
        if written and not (token.text == ")" and depth):
            out.append((token.line, written))
        return at + 1

    def _dot(self, at: int, high: int, out: list[Piece]) -> int:
        """Write a dot; those before the elements and attributes of XML are calls."""
        following = self.word(at + 1)
        if following in ("@", "<") or (following == "." and self.word(at + 2) == "."):
            end = at + 1
            while end < high and self.word(end) in ("@", "<", ".", ":"):
                end += 1
            name = self.tokens[end].text if end < high else ""
            call = "Attribute" if following == "@" else "Elements"
            out.append((self.line(at), f".{call}({quoted(name)})"))
            while end < high and following != "@" and self.word(end) != ">":
                end += 1
            return end + 1
        out.append((self.line(at), "."))
        return at + 1

    def _ends_value(self, at: int, low: int) -> bool:
        if at < low:
            return False
        token = self.tokens[at]
        if token.kind == MARK:
            return token.text in (")", "}", "?")
        is_member = at > low and self.word(at - 1) in (".", "!")
        return is_member or token.word not in _NO_VALUE

    def _brackets(self, at: int, high: int, out: list[Piece], *, low: int, depth: int) -> int:
        end = self.end_of(at, high)
        if self.word(at + 1) == "of":
            written, _ = type_at(self.tokens, self.partners, at - 1, min(end + 1, high), is_made=True)
            out.append((self.line(at), written[written.find("<") :] if "<" in written else ""))
            if self.word(at - 2) == "." and self.word(end + 1) == "." and end + 1 < high:
                out.append((self.line(at), "()"))  # a method that is called without brackets
            return end + 1
        is_call = self._ends_value(at - 1, low)
        opening, closing = "(", ")"
        if is_call and end > at + 1 and self._asks_for_element(at, low):
            opening, closing = "[", "]"
        out.append((self.line(at), opening))
        if is_call:
            out.extend(self.arguments(at + 1, end, depth=depth + 1))
        else:
            out.extend(self._inside(at + 1, end, depth=depth + 1))
        if end < high or opening == "[":
            out.append((self.line(end), closing))
        return end + 1

    def _inside(self, low: int, high: int, *, depth: int) -> list[Piece]:
        """Return an expression in brackets, or a tuple."""
        parts = self.parts(low, high)
        if len(parts) > 1 and not begins_query(self.tokens, low):
            return self.arguments(low, high, depth=depth)
        return self.expression(low, high, depth=depth)

    def _asks_for_element(self, at: int, low: int) -> bool:
        before = self.tokens[at - 1]
        if before.kind == MARK:
            opening = self.openings.get(at - 1, at)
            return before.text in (")", "}") and self.word(opening + 1) != "of"
        name = before.word or before.text.lower()
        if at - 2 >= low and self.word(at - 2) in (".", "?."):
            is_own = self.word(at - 3) == "me"
            return name in INDEXED or (is_own and self.names.holds_elements(name))
        return self.names.holds_elements(name) or (name in INDEXED and not self.names.is_function(name))

    def arguments(self, low: int, high: int, *, depth: int = 0) -> list[Piece]:
        """Return arguments, each with its name if it has one."""
        out: list[Piece] = []
        parts = [(low, high)] if begins_query(self.tokens, low) else self.parts(low, high)
        for position, (first, last) in enumerate(parts):
            if position:
                out.append((self.line(first - 1), ","))
            if first == last:
                out.append((self.line(first), "default"))
            elif last - first > 2 and self.word(first + 1) == ":=":
                out.append((self.line(first), f"{spelled(self.tokens[first].text)}:"))
                out.extend(self.expression(first + 2, last, depth=depth))
            else:
                out.extend(self.expression(first, last, depth=depth))
        return out

    def elements(self, low: int, high: int, *, depth: int = 0) -> list[Piece]:
        """Return the elements of a collection; those in braces stay in them."""
        out: list[Piece] = []
        for position, (first, last) in enumerate(self.parts(low, high)):
            if position:
                out.append((self.line(first - 1), ","))
            if (
                first < last
                and self.word(first) == "{"
                and self.partners[first] == last - 1
                and depth <= MAX_DEPTH
            ):
                out.append((self.line(first), "{"))
                out.extend(self.elements(first + 1, last - 1, depth=depth + 1))
                out.append((self.line(last - 1), "}"))
            else:
                out.extend(self.expression(first, last, depth=depth))
        return out

    # words

    def _member(self, at: int, high: int, out: list[Piece]) -> int:
        token = self.tokens[at]
        name = token.text
        is_own = self.word(at - 2) == "me"
        if is_own:
            name = self.names.fields.get(token.word) or self.names.functions.get(token.word) or name
        is_called = self.word(at + 1) == "(" and at + 1 < high
        if token.word == "newline" and is_called and self.end_of(at + 1, high) == at + 2:
            out.append((token.line, spelled(name)))  # a property, which Basic lets one call
            return at + 3
        named = self.word(at - 2) == "addressof" or (is_own and self.word(at - 3) == "addressof")
        adds = token.word in CALLED or (is_own and self.names.is_function(token.word))
        out.append((token.line, spelled(name) + ("()" if adds and not (is_called or named) else "")))
        return at + 1

    def _word(self, at: int, high: int, out: list[Piece], *, depth: int) -> int:
        token = self.tokens[at]
        word, has_brackets = token.word, at + 1 < high and self.word(at + 1) == "("
        if word in CONSTANTS:
            out.append((token.line, CONSTANTS[word]))
            return at + 1
        special = SPECIAL.get(word)
        if special is not None and not self.names.is_local(word):
            after = special(self, at, high, out, depth)
            if after > at:
                return after
        if word in OPERATORS:
            out.append((token.line, OPERATORS[word]))
            return at + 1
        if word == "nameof" and has_brackets:
            out.append((token.line, word))
            return at + 1
        if word in CONVERSIONS and has_brackets:
            end = self.end_of(at + 1, high)
            out.append((token.line, f"(({CONVERSIONS[word]})("))
            out.extend(self.expression(at + 2, end, depth=depth + 1))
            out.append((self.line(end), "))"))
            return end + 1
        if word in CHARACTERS and has_brackets and self.end_of(at + 1, high) == at + 3:
            number = self.tokens[at + 2].text
            if number in ("9", "10", "13"):
                out.append((token.line, CONSTANTS["vbtab" if number == "9" else "vblf"]))
                return at + 4
        if word in TYPES and not self.names.is_local(word):
            out.append((token.line, TYPES[word]))
            return at + 1
        written = self.names.written(token)
        is_named = self.word(at - 1) == "addressof"
        if not has_brackets and not is_named and self.names.is_function(word):
            written += "()"
        out.append((token.line, written))
        return at + 1
