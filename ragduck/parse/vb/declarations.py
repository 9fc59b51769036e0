"""Write the declarations of Visual Basic as C# has them: namespaces, types and their members."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ragduck.parse.vb import properties
from ragduck.parse.vb.blocks import (
    ACCESSOR,
    ENUM,
    EVENT,
    INTERFACE,
    METHOD,
    NAMESPACE,
    TYPE,
    Block,
    Blocks,
)
from ragduck.parse.vb.expressions import Code, Piece
from ragduck.parse.vb.heads import Head, Signature, read_generics, read_head, read_signature
from ragduck.parse.vb.names import Names, find_word, spelled
from ragduck.parse.vb.statements import Statements
from ragduck.parse.vb.tokens import Token
from ragduck.parse.vb.variables import declared, read_variables
from ragduck.parse.vb.writer import Writer

GLOBAL = "global"  # the namespace around all
TYPES = {
    "class": "class",
    "module": "static class",
    "structure": "struct",
    "interface": "interface",
    "enum": "enum",
}
NOT_ON_CONSTANTS = frozenset(("readonly", "shared"))
NOT_ON_METHODS = frozenset(("partial",))
OPERATORS = {
    "=": "==",
    "<>": "!=",
    "&": "+",
    "\\": "/",
    "^": "^",
    "not": "!",
    "and": "&",
    "or": "|",
    "xor": "^",
}
OPERATORS |= {"mod": "%", "istrue": "true", "isfalse": "false", "like": "=="}
_EQUALS = frozenset(("=",))
_OF_INTERFACE = frozenset(("implements",))


_EVENT_ACCESSORS = ("addhandler", "removehandler", "raiseevent")


class Declarations:
    """Write declarations one after the other, and note where each stands.

    ``heads`` has the first and last lines of what declares, ``modules`` the names of modules, ``handled`` the methods
    that handle events of controls, with the line and the events. ``namespaces`` are the outermost ones
    as they are written.
    """

    def __init__(self, writer: Writer, blocks: Blocks, names: Names, statements: Statements) -> None:
        self.writer = writer
        self.blocks = blocks
        self.names = names
        self.statements = statements
        self.namespaces: list[str] = []
        self.heads: list[tuple[int, int]] = []
        self.modules: list[str] = []
        self.handled: list[tuple[str, int, tuple[str, ...]]] = []

    def write(self, tokens: list[Token], following: Sequence[Token], *, opens_lambda: bool = False) -> bool:
        """Write a declaration; False where it is none. ``following`` are the tokens of the next line."""
        code = self.statements.code(tokens)
        head = read_head(code)
        if head.at >= len(tokens):
            self.writer.put_all(head.attributes)
            return bool(head.attributes or head.modifiers)
        word = code.word(head.at)
        write = _WRITERS.get(word)
        around = self.blocks.declaring
        if tokens[0].word != "end":
            self._note(code.line(head.at), tokens[-1].line, word)
        if around is not None and around.kind == ENUM and not head.modifiers and word != "end":
            return self._enum_member(code, head)
        is_name = code.word(head.at + 1) in ("=", ".") or (
            code.word(head.at + 1) == "(" and word != "property"
        )
        if write is not None and not (is_name and not self._may_have_brackets(word)):
            return write(self, code, head, following)
        is_field = bool(head.modifiers) or (
            around is not None and code.word(head.at + 1) in ("as", ",", "=", "(")
        )
        if is_field and self.blocks.type_around() is not None:
            return self._fields(code, head, opens_lambda=opens_lambda)
        return False

    def _may_have_brackets(self, word: str) -> bool:
        """Say whether brackets may follow a word that begins a declaration: those of an accessor of an event, too."""
        block = self.blocks.innermost
        is_in_event = block is not None and block.kind in (EVENT, ACCESSOR)
        return word in ("operator", "set", "get") or (is_in_event and word in _EVENT_ACCESSORS)

    def _note(self, first: int, last: int, word: str) -> None:
        if word in ("inherits", "implements") and self.heads:
            self.heads[-1] = (self.heads[-1][0], last)
        elif not self.heads or first > self.heads[-1][0]:
            self.heads.append((first, last))

    # namespaces and types

    def namespace(self, code: Code, head: Head, _following: Sequence[Token]) -> bool:
        """Open a namespace; its name is written as it stands."""
        names = [token.text for token in code.tokens[head.at + 1 :]]
        if not self.blocks.open:
            self.namespaces.append("".join(names))
        if names[:1] and names[0].lower() == GLOBAL:
            names = names[2:]
        name = "".join(names)
        self.writer.put(code.line(0), f"namespace {name or '_'} {{")
        self.blocks.push(Block(NAMESPACE, "namespace", name=name))
        return True

    def type_(self, code: Code, head: Head, _following: Sequence[Token]) -> bool:
        """Open a type; its bases may follow on the next lines."""
        word, at = code.word(head.at), head.at + 1
        if at >= len(code.tokens):
            return False
        self.close_members(code.line(0))
        name = code.tokens[at].text
        around = self.blocks.type_around()
        is_nested = around is not None and around.kind not in (NAMESPACE,)
        generics, constraints = "", ""
        if code.word(at + 1) == "(" and code.word(at + 2) == "of":
            generics, constraints = read_generics(code, at + 1)
        self.writer.put_all(head.attributes)
        modifiers = head.written(access="public" if is_nested else "")
        self.writer.put(code.line(head.at), f"{_split(modifiers, TYPES[word])} {spelled(name)}{generics}")
        kind = {"enum": ENUM, "interface": INTERFACE}.get(word, TYPE)
        if word == "module":
            self.modules.append(".".join([*(block.name for block in self.blocks.open if block.name), name]))
        as_ = find_word(code.tokens, code.partners, at, len(code.tokens), frozenset(("as",)))
        if word == "enum" and as_ > 0:
            self.writer.put(code.line(as_), f": {code.type_at(as_ + 1, len(code.tokens))[0]}")
        block = Block(kind, word, awaits=True, name=name, is_shared=word == "module", receiver=constraints)
        self.blocks.push(block)
        return True

    def bases(self, code: Code, head: Head, _following: Sequence[Token]) -> bool:
        """Write `Inherits` and `Implements` behind the head of their type."""
        block = self.blocks.innermost
        if block is None or not block.awaits or block.kind == ENUM:
            return True
        for low, high in code.parts(head.at + 1, len(code.tokens)):
            written, _ = code.type_at(low, high)
            if written:
                self.writer.put(code.line(low), f"{', ' if block.closing == '} ' else ': '}{written}")
                block.closing = "} "  # a base is written
        return True

    def open_type(self, line: int) -> None:
        """Write the brace of a type whose bases are all known."""
        block = self.blocks.innermost
        if block is not None and block.awaits:
            block.awaits = False
            self.writer.put(line, f"{block.receiver} {{".lstrip())
            block.receiver = ""

    def close_members(self, line: int) -> None:
        """Close what a declaration cannot stand in."""
        self.statements.close(self.blocks.close_members(), line)

    def is_abstract(self) -> bool:
        """Say whether members have no statements: those of an interface."""
        around = self.blocks.type_around()
        return around is not None and around.kind == INTERFACE

    def is_shared(self) -> bool:
        """Say whether all members are static: those of a module."""
        around = self.blocks.type_around()
        return around is not None and around.is_shared

    def access(self) -> str:
        """Return who may see a member that does not say it."""
        return "" if self.is_abstract() else "public"

    # members

    def method(self, code: Code, head: Head, _following: Sequence[Token]) -> bool:
        """Open a method or constructor; those without statements end with their line."""
        self.close_members(code.line(0))
        self.names.begin()
        self.statements.begin_member()
        word = code.word(head.at)
        found = read_signature(code, head.at + 1, extends=head.extends)
        around = self.blocks.type_around()
        is_made = found.name.lower() == "new" and code.tokens[head.at + 1].word == "new"
        returned = "void" if word == "sub" else found.type or "object"
        name = spelled(found.name)
        if is_made and around is not None:
            returned, name = "", spelled(around.name)
        self.writer.put_all(head.attributes)
        is_shared = self.is_shared() and not (is_made and head.has("shared"))
        modifiers = head.written(access=self.access(), drop=NOT_ON_METHODS, is_shared=is_shared)
        if is_made and head.has("shared"):
            modifiers = "static "
        self.writer.put(code.line(head.at), f"{modifiers}{returned} {name}{found.generics}(")
        self.writer.put_all(found.parameters)
        self.writer.put(self.writer.line, f"){found.constraints}")
        if found.handles:
            self.handled.append((found.name, code.line(head.at), found.handles))
        if self.is_abstract() or head.has("mustoverride"):
            self.writer.put(self.writer.line, ";")
            return True
        block = Block(METHOD, word, awaits=is_made, name=found.name if word == "function" else "")
        if not is_made:
            self.writer.put(self.writer.line, "{")
        self.blocks.push(block)
        return True

    def hands_on(self, tokens: list[Token]) -> bool:
        """Write `MyBase.New(…)` at the beginning of a constructor as what it hands on; else open its brace."""
        block = self.blocks.innermost
        if block is None or not block.awaits or block.kind != METHOD:
            return False
        block.awaits = False
        code = self.statements.code(tokens)
        words = [token.word for token in tokens[:3]]
        if len(words) == 3 and words[0] in ("mybase", "me", "myclass") and words[1:] == [".", "new"]:
            self.writer.put(code.line(0), f": {'base' if words[0] == 'mybase' else 'this'}(")
            if code.word(3) == "(":
                self.writer.put_all(code.arguments(4, code.end_of(3, len(tokens))))
            self.writer.put(self.writer.line, ") {")
            return True
        self.writer.put(code.line(0), "{")
        return False

    def declare_(self, code: Code, head: Head, _following: Sequence[Token]) -> bool:
        """Write `Declare Function F Lib "x" (…) As T`."""
        at = head.at + 1 + (code.word(head.at + 1) in ("auto", "ansi", "unicode"))
        opening = next((i for i in range(at, len(code.tokens)) if code.word(i) == "("), -1)
        if at + 1 >= len(code.tokens):
            return False
        self.names.begin()
        found = read_signature(code, opening - 1) if opening > 0 else Signature("")
        returned = "void" if code.word(at) == "sub" else found.type or "object"
        modifiers = head.written(access="public")
        self.writer.put(
            code.line(0), f"{modifiers}static extern {returned} {spelled(code.tokens[at + 1].text)}("
        )
        self.writer.put_all(found.parameters)
        self.writer.put(self.writer.line, ");")
        return True

    def operator(self, code: Code, head: Head, _following: Sequence[Token]) -> bool:
        """Open an operator."""
        self.close_members(code.line(0))
        self.names.begin()
        self.statements.begin_member()
        if head.at + 1 >= len(code.tokens):
            return False
        found = read_signature(code, head.at + 1)
        sign = code.word(head.at + 1)
        modifiers = head.written(access="public")
        text = (
            f"operator {found.type}"
            if sign == "ctype"
            else f"{found.type or 'object'} operator {OPERATORS.get(sign, sign)}"
        )
        self.writer.put(code.line(0), f"{modifiers}{text}(")
        self.writer.put_all(found.parameters)
        self.writer.put(self.writer.line, ") {")
        self.blocks.push(Block(METHOD, "operator"))
        return True

    def delegate(self, code: Code, head: Head, _following: Sequence[Token]) -> bool:
        """Write a delegate."""
        if head.at + 2 >= len(code.tokens):
            return False
        self.names.begin()
        found = read_signature(code, head.at + 2)
        returned = "void" if code.word(head.at + 1) == "sub" else found.type or "object"
        self.writer.put_all(head.attributes)
        modifiers = head.written(access="public" if self.blocks.type_around() else "")
        self.writer.put(
            code.line(head.at), f"{modifiers}delegate {returned} {spelled(found.name)}{found.generics}("
        )
        self.writer.put_all(found.parameters)
        self.writer.put(self.writer.line, f"){found.constraints};")
        return True

    def _enum_member(self, code: Code, head: Head) -> bool:
        self.writer.put_all(head.attributes)
        self.writer.put(code.line(head.at), spelled(code.tokens[head.at].text))
        if code.word(head.at + 1) == "=":
            self.writer.put(code.line(head.at), "=")
            self.writer.put_all(code.expression(head.at + 2, len(code.tokens)))
        self.writer.put(self.writer.line, ",")
        return True

    def _fields(self, code: Code, head: Head, *, opens_lambda: bool) -> bool:
        self.close_members(code.line(0))
        is_constant = head.has("const")
        drop = NOT_ON_CONSTANTS if is_constant else frozenset[str]()
        access = "private"
        around = self.blocks.type_around()
        if around is not None and around.word == "structure":
            access = "public"
        modifiers = head.written(access=access, drop=drop, is_shared=self.is_shared() and not is_constant)
        for variable in read_variables(code, head.at, len(code.tokens)):
            self.names.declare_field(variable.name, variable.type)
            self.writer.put_all(head.attributes)
            pieces = declared(variable, prefix=modifiers, default=_kind_of(variable.value))
            self.statements.put(variable.line, "", pieces, ";")
        if opens_lambda:
            self.statements.open_lambda(code.line(len(code.tokens)))
        return True


def _split(modifiers: str, word: str) -> str:
    """Put `partial` where C# wants it: last before the word of the type."""
    if "partial" in modifiers and word.startswith("static"):
        return modifiers.replace("partial ", "") + "static partial class"
    return modifiers + word


def _kind_of(value: list[Piece]) -> str:
    """Return the type of a field or constant that has none."""
    text = value[0][1] if value else ""
    return "string" if text[:1] in ('"', "@") else "int" if text[:1].isdigit() else "object"


Write = Callable[[Declarations, Code, Head, Sequence[Token]], bool]
_WRITERS: dict[str, Write] = {
    "namespace": Declarations.namespace,
    **dict.fromkeys(TYPES, Declarations.type_),
    "inherits": Declarations.bases,
    "implements": Declarations.bases,
    "sub": Declarations.method,
    "function": Declarations.method,
    "declare": Declarations.declare_,
    "operator": Declarations.operator,
    "delegate": Declarations.delegate,
    "property": properties.property_,
    "get": properties.accessor,
    "set": properties.accessor,
    **dict.fromkeys(_EVENT_ACCESSORS, properties.raise_accessor),
    "event": properties.event,
}
