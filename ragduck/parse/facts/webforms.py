"""Read facts off Web Forms: the file is a type that derives from its code-behind; its data sources run SQL.

Pages and controls are compiled to classes of their own, which is why their code sees what the class behind declares.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ragduck.facts import (
    ADDRESS,
    OPENED_FORM,
    Argument,
    Call,
    FileFacts,
    Import,
    Member,
    Name,
    StatementFacts,
    StringFact,
    Text,
    TypeFact,
    ViewFact,
)
from ragduck.model import Document, Symbol
from ragduck.parse.facts.markup_code import Body, Piece, markup_type, member_facts
from ragduck.parse.tagged_text import Attribute, Element
from ragduck.parse.webforms_text import WebFormText

LANGUAGE = "webforms"
MAIN = ("page", "control", "master", "application")  # directives of what derives from a class
SERVED = {
    "webhandler": "class",
    "webservice": "class",
    "servicehost": "service",
}  # of what stands for a class
COMMANDS = ("select", "insert", "update", "delete")
METHODS = (*(f"{name}method" for name in COMMANDS), "selectcountmethod", "callingdatamethods")
SQL_SOURCES = ("sqldatasource", "accessdatasource")
OBJECT_SOURCE = "objectdatasource"
LINKS = ("navigateurl", "postbackurl", "href")
SHOWN = {
    "form": "action",
    **dict.fromkeys(("iframe", "frame", "img", "script"), "src"),
}  # links of tags of HTML
STORED_PROCEDURE = Member(Name("CommandType"), "StoredProcedure")

_CLASS = re.compile(r"[^\W\d][\w.+]*+")
_ARGUMENTS = re.compile(r"<[\w.+,<>?\[\] ]{1,500}>")
_ENDS = " \t\n;"  # of an expression
_EVENT = re.compile(r"on(?!client)[a-z]\w*+")
_IDENTIFIER = re.compile(r"[^\W\d]\w*+")
# A comment would end what is put behind it; strings are matched, so that no address in one counts as a comment.
_COMMENT = re.compile(r"""@"(?:[^"]|"")*+"?|"(?:\\.|[^"\\\n])*+"?|'(?:\\.|[^'\\\n])'|//[^\n]*+""")
_INCLUDE = re.compile(
    r"""<!--\s*+#include\s++(?:file|virtual)\s*+=\s*+["'](?P<path>[^"'<>]{1,300}+)["']""", re.IGNORECASE
)
_FROM_ROOT = re.compile(r"\s*+~/\w")
_MAX_ADDRESS = 300
_FORM = re.compile(r"[^?#]{1,300}?\.(?:aspx|ascx|master|ashx)\b", re.IGNORECASE)


def webform_facts(form: WebFormText, document: Document, *, component: Symbol) -> FileFacts:
    """Read the facts of one file, of which the outline knows the type."""
    key = f"{LANGUAGE}:{component.qualified_name}|TYPE"
    body = Body(_body_of(form), key=key)
    rows = [Piece(form.line(block.start) - 1, form.text[block.start : block.end]) for block in form.scripts]
    pieces = sorted((*rows, *body.functions))
    members = member_facts(document, pieces, component=component, key=key, language=LANGUAGE)
    strings = tuple(_commands(form, key=key))
    statements = members.statements.unpacked().joined(body.reader.found())
    return members._replace(
        imports=tuple(imports(form)),
        types=(_type_fact(form, component, key=key), *members.types),
        statements=statements.joined(StatementFacts(strings=strings)),
        views=tuple(views(form)),
    )


def imports(form: WebFormText) -> Iterator[Import]:
    """Yield the namespaces that a file opens."""
    for directive in form.directives:
        if directive.name == "import" and directive.get("namespace"):
            yield Import(directive.get("namespace"))


def is_at_server(tag: Element) -> bool:
    """Say whether the server makes a control of a tag."""
    return tag.get("runat").lower() == "server"


def class_of(written: str) -> str:
    """Return the name of a class as directives write it, without its assembly."""
    found = _CLASS.match(written.strip())
    return found[0].replace("+", ".") if found is not None else ""


def _body_of(form: WebFormText) -> str:
    """Return what runs as the page is rendered, each piece at its own lines."""
    pieces: list[str] = []
    row = 0
    for block in form.code:
        code = _COMMENT.sub(_without_comment, form.text[block.start : block.end])
        start = form.line(block.start) - 1
        pieces.append("\n" * (start - row))
        pieces.append(f"return {code.rstrip(_ENDS)};" if block.mark else f"{code} ")
        row = start + pieces[-1].count("\n")
    return "".join(pieces)


def _without_comment(match: re.Match[str]) -> str:
    return "" if match[0].startswith("//") else match[0]


def _type_fact(form: WebFormText, component: Symbol, *, key: str) -> TypeFact:
    bases = [_base_in(one) for one in form.directives if one.name in MAIN]
    bases += [_class_in(one, "interface") for one in form.directives if one.name == "implements"]
    return markup_type(component, key=key, bases=bases)


def views(form: WebFormText) -> Iterator[ViewFact]:
    """Yield what directives and tags name: classes, other forms, handlers of events, methods of data sources."""
    namespaces: dict[str, list[str]] = {}
    for one in form.directives:
        if one.name in MAIN:
            yield from _of_main(one)
        elif one.name in SERVED and _class_in(one, SERVED[one.name]):
            yield ViewFact(_class_in(one, SERVED[one.name]), "class", one.line)
        elif one.name in ("register", "reference", "mastertype", "previouspagetype"):
            path = one.get("src") or one.get("virtualpath") or one.get("control") or one.get("page")
            if path:
                yield ViewFact(path, "control", one.line)
            if one.get("tagprefix") and one.get("namespace"):
                namespaces.setdefault(one.get("tagprefix").lower(), []).append(one.get("namespace"))
    seen: set[str] = set()
    for tag in form.elements:
        prefix, _, name = tag.name.rpartition(":")
        for namespace in namespaces.get(prefix.lower(), ()) if tag.name not in seen else ():
            yield ViewFact(f"{namespace}.{name}", "server control", tag.line)
        seen.add(tag.name)
        yield from _of_tag(tag)
    for match in _INCLUDE.finditer(form.text):
        yield ViewFact(match["path"].strip(), "include", form.line(match.start()))
    for match in OPENED_FORM.finditer(form.markup()):
        yield ViewFact(match["path"], "link", form.line(match.start()))


def _of_main(directive: Element) -> Iterator[ViewFact]:
    if _class_in(directive, "inherits"):
        line = directive.attributes["inherits"].line
        yield ViewFact(_class_in(directive, "inherits"), "inherits", line)
    if directive.get("autoeventwireup").lower() != "false":
        yield ViewFact("", "wired", directive.line)
    if directive.get("masterpagefile"):
        yield ViewFact(directive.get("masterpagefile"), "layout", directive.line)


def _class_in(directive: Element, attribute: str) -> str:
    """Return the class that a directive names."""
    return class_of(directive.get(attribute))


def _base_in(directive: Element) -> str:
    """Return the class that a form derives from, with type arguments: `ViewPage<Order>`."""
    name = _class_in(directive, "inherits")
    arguments = _ARGUMENTS.match(directive.get("inherits").strip(), len(name)) if name else None
    return f"{name}{arguments[0]}" if arguments is not None else name


def _of_tag(tag: Element) -> Iterator[ViewFact]:
    kind = tag.name.rpartition(":")[2].lower()
    for name in (*LINKS, *((SHOWN[kind],) if kind in SHOWN else ())):
        link = tag.attributes.get(name)
        found = _FORM.match(link.value.strip()) if link is not None else None
        if link is not None and found is not None and "://" not in found[0]:
            yield ViewFact(found[0], "link", link.line)
        elif link is not None and found is None and _FROM_ROOT.match(link.value):
            yield ViewFact(link.value.strip()[:_MAX_ADDRESS], ADDRESS, link.line)
    if not is_at_server(tag):
        return
    type_ = class_of(tag.get("typename")) if kind == OBJECT_SOURCE else ""
    for name, attribute in tag.attributes.items():
        value = attribute.value.strip()
        if not _IDENTIFIER.fullmatch(value):
            continue
        if name in METHODS and kind == OBJECT_SOURCE:
            if type_:
                yield ViewFact(f"{type_}.{value}", "data source", attribute.line)
        elif name in METHODS or _EVENT.fullmatch(name):
            yield ViewFact(value, "event", attribute.line)


def _commands(form: WebFormText, *, key: str) -> Iterator[StringFact]:
    """Yield the SQL, or the names of procedures, that data sources run."""
    for tag in form.elements:
        if tag.name.rpartition(":")[2].lower() not in SQL_SOURCES or not is_at_server(tag):
            continue
        for name in COMMANDS:
            command = tag.attributes.get(f"{name}command")
            if command is not None and command.value.strip():
                is_procedure = tag.get(f"{name}commandtype").lower() == "storedprocedure"
                yield _string(command, key=key, is_procedure=is_procedure)


def _string(command: Attribute, *, key: str, is_procedure: bool) -> StringFact:
    text = Text(command.value.strip() if is_procedure else command.value)
    if not is_procedure:
        return StringFact(key, text, command.line, command.end_line, assigned_to="CommandText")
    call = Call(Name("Execute"), (Argument(text), Argument(STORED_PROCEDURE, "commandType")))
    return StringFact(key, text, command.line, command.end_line, call)
