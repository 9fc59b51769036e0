"""Know what the names of a file and of a member stand for, whatever their case."""

from __future__ import annotations

from collections.abc import Sequence

from ragduck.parse.vb.tokens import ESCAPED, MARK, WORD, Token

TYPES = {
    "boolean": "bool", "byte": "byte", "sbyte": "sbyte", "char": "char", "date": "DateTime", "decimal": "decimal",
    "double": "double", "single": "float", "integer": "int", "uinteger": "uint", "long": "long", "ulong": "ulong",
    "short": "short", "ushort": "ushort", "string": "string", "object": "object",
}  # fmt: skip
# What is a word of C# but a name in Visual Basic.
_WORDS = frozenset(
    (
        *("abstract", "as", "base", "bool", "break", "byte", "case", "catch", "char", "checked", "class"),
        *("const", "continue", "decimal", "default", "delegate", "do", "double", "else", "enum", "event"),
        *("explicit", "extern", "false", "finally", "fixed", "float", "for", "foreach", "goto", "if"),
        *("implicit", "in", "int", "interface", "internal", "is", "lock", "long", "namespace", "new"),
        *("null", "object", "operator", "out", "override", "params", "private", "protected", "public"),
        *("readonly", "ref", "return", "sbyte", "sealed", "short", "sizeof", "stackalloc", "static"),
        *("string", "struct", "switch", "this", "throw", "true", "try", "typeof", "uint", "ulong"),
        *("unchecked", "unsafe", "ushort", "using", "virtual", "void", "volatile", "while", "ascending"),
        *("async", "await", "by", "descending", "dynamic", "equals", "file", "from", "global", "group"),
        *("into", "join", "let", "managed", "nameof", "not", "notnull", "on", "or", "and", "orderby"),
        *("partial", "record", "required", "scoped", "select", "unmanaged", "var", "when", "where"),
        *("with", "yield", "alias", "add", "remove", "get", "set", "init", "field", "extension"),
    )
)
_CALLABLE = ("func", "action", "predicate", "comparison", "converter")
_ENDS_CALLABLE = ("delegate", "handler", "callback")


def spelled(name: str) -> str:
    """Return a name as C# takes it."""
    return f"@{name}" if name in _WORDS else name


class Names:
    """What a file declares, and the locals and parameters of the member that is read.

    ``functions`` are called where they are named; ``element_holders`` are values: brackets behind them ask for an
    element. All by names in lower case.
    """

    def __init__(self) -> None:
        self.functions: dict[str, str] = {}
        self.fields: dict[str, str] = {}
        self.locals: dict[str, str] = {}
        self._holders: set[str] = set()
        self._held_fields: set[str] = set()

    def begin(self) -> None:
        """Forget the locals of the member before."""
        self.locals = {}
        self._holders = set()

    def declare(self, name: str, type_: str) -> None:
        """Know a local or parameter."""
        self.locals[name.lower()] = name
        if _holds_elements(type_):
            self._holders.add(name.lower())
        else:
            self._holders.discard(name.lower())

    def declare_field(self, name: str, type_: str) -> None:
        """Know a field of a type of the file."""
        self.fields.setdefault(name.lower(), name)
        if type_ and _holds_elements(type_):
            self._held_fields.add(name.lower())

    def written(self, token: Token) -> str:
        """Return a name that stands alone as its declaration has it."""
        low = token.word or token.text.lower()
        name = self.locals.get(low) or self.fields.get(low) or self.functions.get(low) or token.text
        return spelled(name)

    def is_local(self, low: str) -> bool:
        """Say whether a name is that of a local or parameter."""
        return low in self.locals

    def is_function(self, low: str) -> bool:
        """Say whether a name that stands alone is that of a method of the file."""
        return low in self.functions and low not in self.locals and low not in self.fields

    def holds_elements(self, low: str) -> bool:
        """Say whether brackets behind a name ask for an element."""
        if low in self.locals:
            return low in self._holders
        return low in self._held_fields


def _holds_elements(type_: str) -> bool:
    low = type_.lower().rpartition(".")[2]
    return not (low.startswith(_CALLABLE) or low.partition("<")[0].endswith(_ENDS_CALLABLE))


def partners_of(tokens: Sequence[Token]) -> list[int]:
    """Return for each opening bracket where its partner is, the end of the tokens where it has none."""
    partners = [-1] * len(tokens)
    opened: list[int] = []
    for position, token in enumerate(tokens):
        if token.kind != MARK:
            continue
        if token.text in ("(", "{"):
            opened.append(position)
        elif token.text in (")", "}") and opened:
            partners[opened.pop()] = position
    for position in opened:
        partners[position] = len(tokens)
    return partners


def split_at(
    tokens: Sequence[Token], partners: Sequence[int], low: int, high: int, *, mark: str
) -> list[tuple[int, int]]:
    """Return the stretches between marks that stand outside of brackets."""
    parts, start, at = [], low, low
    while at < high:
        token = tokens[at]
        if partners[at] > at:
            at = min(partners[at], high - 1) + 1
            continue
        if token.kind == MARK and token.text == mark:
            parts.append((start, at))
            start = at + 1
        at += 1
    parts.append((start, high))
    return parts


def find_word(
    tokens: Sequence[Token], partners: Sequence[int], low: int, high: int, words: frozenset[str]
) -> int:
    """Return where the first of some words or marks stands outside of brackets, -1 where none does.

    Names of members may be words: those after a dot are none.
    """
    at = low
    while at < high:
        token = tokens[at]
        if partners[at] > at:
            at = min(partners[at], high - 1) + 1
            continue
        is_member = at > low and token.kind == WORD and tokens[at - 1].word in (".", "?.")
        if token.word in words and not is_member:
            return at
        at += 1
    return -1


def begins_query(tokens: Sequence[Token], at: int) -> bool:
    """Say whether a query begins at a token: `From x In …`."""
    if at + 2 >= len(tokens) or tokens[at].word not in ("from", "aggregate"):
        return False
    return tokens[at + 1].kind in (WORD, ESCAPED) and tokens[at + 2].word in ("in", "as")
