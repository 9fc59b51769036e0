"""Read string literals, interpolations and concatenations, and note the strings that may matter."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tree_sitter import Node

from ragduck.facts import (
    ADDRESSES,
    UNKNOWN,
    Call,
    Choice,
    Expression,
    Member,
    Name,
    NameOf,
    StringFact,
    Text,
    Typed,
)
from ragduck.parse.facts.csharp_lines import on_lines
from ragduck.parse.facts.csharp_reader import Local, Reader
from ragduck.parse.facts.csharp_strings import (
    HOLE,
    has_letter,
    interpolated_texts,
    is_about_database,
    may_matter,
    plain_string,
    raw_string,
    verbatim_string,
)
from ragduck.parse.facts.csharp_values import bounded, is_string, joined
from ragduck.parse.treesitter import last_row

COMMAND_TEXT = "CommandText"
# Members that are given constants and parameters, too
NAMES_TEXT = frozenset((COMMAND_TEXT, "DestinationTableName", "TypeName"))
MAX_FACTS = 20  # strings put into one local that wait to be given to a call
ASSIGNMENT = "assignment_expression"
BOOL = Typed("bool")
STRING_TYPES = frozenset(("string", "string?", "String", "String?"))
Row = list[tuple[str, Node]]
_FORMATS = frozenset(("string.Format", "String.Format"))
_COMPARISONS = frozenset(("==", "!=", "<", ">", "<=", ">=", "&&", "||"))
_NOT_A_HOLE = frozenset(
    ("interpolation_brace", "interpolation_alignment_clause", "interpolation_format_clause", "comment")
)


def note_string(
    reader: Reader,
    value: Expression,
    *,
    node: Node,
    call: Call | None = None,
    assigned_to: str = "",
    is_certain: bool = False,
) -> None:
    """Note a string where it stands, or where the local got it that is given to a database call.

    What a StringBuilder holds is noted where it is asked for. Other locals have noted what they hold before, unless
    it is changed where it is given to the call.
    """
    if node.type == ASSIGNMENT:
        return  # noted with what it is assigned to
    name, local = local_behind(reader, node)
    is_builder = local is not None and local.text is not None
    is_noted = local is not None and len(local.facts) >= (MAX_FACTS if is_builder else 1)
    if local is None:
        local = reader.locals.get(changed_local(reader, node))
    if not (names_text(value) or has_letter(value) if is_certain else not is_noted and may_matter(value)):
        return
    lines = (node.start_point.row + 1, last_row(node) + 1)
    if local is not None and local.line:
        lines = (local.line, local.end_line)
        for index in local.facts if is_certain else ():
            reader.strings[index] = None
    if local is not None and is_builder and not is_certain:
        reader.locals[name] = local._replace(facts=(*local.facts, len(reader.strings)))
    add_string(reader, value, lines=lines, call=call, assigned_to=assigned_to)


def add_string(
    reader: Reader, value: Expression, *, lines: tuple[int, int], call: Call | None, assigned_to: str
) -> None:
    """Add a string to the facts."""
    reader.strings.append(StringFact(reader.origin, bounded(value), *lines, call, assigned_to))


def is_command_text(value: Expression, *, name: str) -> bool:
    """Say whether a value is a string, or stands for one because of what it is put into."""
    return is_string(value) or (name in NAMES_TEXT and names_text(value))


def is_certain_in(name: str) -> bool:
    """Say whether every string that is put into a member of this name matters."""
    return is_about_database(name) or name in NAMES_TEXT or name in ADDRESSES


def names_text(value: Expression) -> bool:
    """Say whether a value is a constant, field or parameter that may hold a text."""
    if isinstance(value, Typed):
        return bool(value.name) and value.type in STRING_TYPES
    while isinstance(value, Member):
        value = value.receiver
    return isinstance(value, Name)


def local_behind(reader: Reader, node: Node) -> tuple[str, Local | None]:
    """Return the local that a string comes from: `sql`, or the `builder` of `builder.ToString()`."""
    if node.type == "identifier":
        name = reader.name(node)
        return name, reader.locals.get(name)
    if node.type != "invocation_expression" or node.children[0].type != "member_access_expression":
        return "", None
    first = node.children[0].children[0]
    name = reader.name(first) if first.type == "identifier" else ""
    local = reader.locals.get(name)
    return (name, local) if local is not None and local.text is not None else ("", None)


def changed_local(reader: Reader, node: Node) -> str:
    """Return the local of which its methods make a text: `sql` of `sql.Replace("a", b).Trim()`; "" for any other."""
    while node.type == "invocation_expression" and node.children[0].type == "member_access_expression":
        node = node.children[0].children[0]
    return reader.name(node) if node.type == "identifier" else ""


def formatted_local(reader: Reader, node: Node) -> str:
    """Return the local that is the template of a format: `sql` of `string.Format(sql, a)`; "" for any other."""
    if node.type != "invocation_expression" or reader.text(node.children[0]) not in _FORMATS:
        return ""
    first = next((child for child in node.children[-1].children if child.is_named), None)
    return reader.name(first) if first is not None else ""


def literal_reader(decode: Callable[[str], str]) -> Callable[[Reader, Node], Expression]:
    """Return how a kind of string literal is read."""

    def read_literal(reader: Reader, node: Node) -> Expression:
        return Text(decode(reader.literal(node)))

    return read_literal


def read_interpolation(reader: Reader, node: Node) -> Expression:
    """Put an interpolated string together."""
    written, holes, end = [], [], node.start_byte
    for child in node.children:
        if child.type == "interpolation":
            written.append(reader.source[end : child.start_byte])
            holes.append(_hole(reader, child))
            end = child.end_byte
    written.append(reader.source[end : node.end_byte])
    texts = interpolated_texts(HOLE.join(piece.decode("utf-8", "replace") for piece in written))
    parts: list[Expression] = [Text(texts[0])]
    for hole, text in zip(holes, texts[1:], strict=False):
        parts.extend((hole, Text(text)))
    return joined(parts)


def _hole(reader: Reader, node: Node) -> Expression:
    value: Expression = UNKNOWN
    for child in node.children:
        if child.is_named and child.type not in _NOT_A_HOLE:
            value = reader.value(child)
    return bounded(value)


def read_row(reader: Reader, row: Row) -> Expression:
    """Read a row of operators from the left, however long; strings are put together."""
    return sum_of(
        (operator, reader.value(operand), first_line_of(reader, operand)) for operator, operand in row
    )


def row_of(node: Node) -> Row:
    """Return the operands of a row of operators, each with the operator before it; before the first is none."""
    rights: list[tuple[str, Node]] = []
    while node.type == "binary_expression":
        children = [child for child in node.children if child.type != "comment"]
        if len(children) < 3:
            break
        rights.append((children[-2].type, children[-1]))
        node = children[0]
    return [("", node), *reversed(rights)]


def first_line_of(reader: Reader, node: Node) -> int:
    """Return the line on which a text begins: of a local, or what calls make of it, where that got its text."""
    local = reader.locals.get(changed_local(reader, node))
    return local.line if local is not None and local.line else node.start_point.row + 1


def sum_of(row: Iterable[tuple[str, Expression, int]]) -> Expression:
    """Return what a row of operators results in, from the values with the operators before them and their lines."""
    parts: list[tuple[Expression, int]] = []
    for operator, value, line in row:
        if operator in ("", "+"):
            parts.append((value, line))
        else:
            parts = [(BOOL if operator in _COMPARISONS else UNKNOWN, line)]
    return _joined(parts)


def _joined(parts: list[tuple[Expression, int]]) -> Expression:
    first = parts[0][0]
    if len(parts) == 1:
        return first
    if any(_is_textual(part) for part, _ in parts):
        return joined(on_lines([(bounded(part), line) for part, line in parts]))
    return first if isinstance(first, Typed) else UNKNOWN


def _is_textual(value: Expression) -> bool:
    if isinstance(value, Typed):
        return value.type in STRING_TYPES
    return isinstance(value, NameOf) or is_string(value)


def starts_with(reader: Reader, node: Node, *, name: str) -> bool:
    """Say whether an expression adds to a local: `name + …`, `name ?? …`."""
    while node.type == "binary_expression" and node.children:
        node = node.children[0]
    return node.type == "identifier" and reader.name(node) == name


def keeps_value(value: Expression) -> bool:
    """Say whether a local of type string may be replaced by its value: also by `GetTableName<Order>()`."""
    return is_string(value) or isinstance(value, Name | NameOf | Choice) or _names_table(value)


def _names_table(value: Expression) -> bool:
    if not isinstance(value, Call) or not value.type_arguments:
        return False
    return isinstance(value.function, Name | Member) and "tablename" in value.function.name.lower()


TEXTS = {
    "string_literal": literal_reader(plain_string),
    "verbatim_string_literal": literal_reader(verbatim_string),
    "raw_string_literal": literal_reader(raw_string),
    "interpolated_string_expression": read_interpolation,
}
