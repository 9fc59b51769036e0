"""Cut pairs of text and code out of a file: doc comment and code, name and body, heading and paragraph."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module

from ragduck.model import Document, Outline, Symbol
from ragduck.parse import OUTLINERS
from ragduck.parse.outliner import outline_of
from ragduck.sources.classification import classify

LANGUAGES = frozenset(
    {"python", "csharp", "typescript", "tsx", "javascript", "java", "go", "sql", "markdown"}
)
LEFT_OUT = frozenset({"generated", "vendored", "config", "test"})
LONGEST_CODE = 1_200  # characters; more than a model of bags of words profits from
LONGEST_TEXT = 320
FEWEST_CODE = 40
FEWEST_UNSAID = 120  # of code without a comment, to have something to go with its name
DOC_END = re.compile(
    r"\n\s*(?:@\w|:\w+[^:\n]{0,40}:|<(?:param|returns|remarks|exception|example|typeparam|value)|>>>|"
    r"(?:Args|Arguments|Parameters|Params|Returns?|Yields|Raises|Examples?|Notes?|See Also|Keyword Args)\b"
    r"[^\n]{0,20}\n)"
)
MARKUP = re.compile(r"</?[A-Za-z][^<>\n]{0,120}>|\{@\w+\s+([^{}]{0,80})\}|:\w+:(?=`)|[`*|#]+")
SEE = re.compile(r'<(?:see|seealso|paramref|c)\s+\w+="([^"]{0,80})"\s*/>')
C_LEADS = ("//", "/*", "[", "@")
C_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
C_MARKS = re.compile(r"^\s*(?:/\*+!?|\*+/|\*|//+[/!]?)|\*+/\s*$", re.MULTILINE)
SQL_COMMENT = re.compile(r"/\*.*?\*/|--[^\n]*", re.DOTALL)
SQL_MARKS = re.compile(r"^\s*(?:/\*+|\*+/|\*+|--+)|\*+/\s*$|[-=*]{3,}", re.MULTILINE)
PYTHON_DOC = re.compile(r':\s*(?:#[^\n]*)?\n\s*[rRuUbB]{0,2}("""|\'\'\')(.*?)\1', re.DOTALL)
FOREIGN = re.compile(r"newtonsoft|messagepack|\bdapper\b", re.IGNORECASE)
NO_TEXT = re.compile(
    r"copyright|licen[sc]e|all rights reserved|inheritdoc|auto-?generated|todo|fixme", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Pair:
    """A text that describes, and what it describes; ``title`` is the name or the heading path."""

    kind: str
    language: str
    title: str
    text: str
    code: str


def pairs_of(path: str, source: str) -> Iterator[Pair]:
    """Yield the pairs of one file; nothing of files that are generated, vendored or about what is evaluated on."""
    kind = classify(path, source)
    if kind.language not in LANGUAGES or kind.file_class in LEFT_OUT or FOREIGN.search(path):
        return
    if FOREIGN.search(source) and kind.language == "csharp":
        return
    document = Document(path, source, kind.language, kind.file_type, kind.file_class, len(source), 0)
    lines = document.lines
    for symbol, owner in _flat(_outline(document).symbols, ""):
        pair = _pair_of(symbol, owner, lines, kind.language)
        if pair is not None:
            yield pair


def _outline(document: Document) -> Outline:
    """Outline without the facts for the graph, which cost more than half of the time."""
    module = import_module(f"ragduck.parse.{OUTLINERS[document.language]}")
    if document.language in ("sql", "markdown"):
        plain: Outline = module.outline(document)
        return plain
    return outline_of(document, getattr(module, document.language.upper(), None) or module.GRAMMAR)


def _flat(symbols: tuple[Symbol, ...], owner: str) -> Iterator[tuple[Symbol, str]]:
    for symbol in symbols:
        yield symbol, owner
        yield from _flat(symbol.children, symbol.name)


def _pair_of(symbol: Symbol, owner: str, lines: list[str], language: str) -> Pair | None:
    if symbol.element_type == "section":
        return _section_pair(symbol, lines)
    if symbol.element_type in ("file", "script") or not symbol.name:
        return None
    source = "\n".join(lines[symbol.start_line - 1 : symbol.end_line][:60])
    if language == "python":
        doc, code = _split_python(source)
    elif language == "sql":
        above = lines[max(0, symbol.start_line - 12) : symbol.start_line - 1]
        doc, code = _split_sql(above, source)
    else:
        doc, code = _split_c(source)
    code = code.strip()[:LONGEST_CODE]
    if len(code) < FEWEST_CODE:
        return None
    text = summary_of(doc)
    if not text and (len(code) < FEWEST_UNSAID or code.count("\n") < 2):
        return None
    title = symbol.qualified_name if language == "sql" else f"{owner}.{symbol.name}".strip(".")
    return Pair("doc" if text else "name", language, title[:100], text, code)


def _section_pair(symbol: Symbol, lines: list[str]) -> Pair | None:
    body = "\n".join(lines[symbol.start_line : symbol.end_line])
    body = re.sub(r"```.*?```|~~~.*?~~~", " ", body, flags=re.DOTALL).split("\n#")[0]
    text = " ".join(MARKUP.sub(" ", re.sub(r"\]\([^)\n]{0,300}\)", "] ", body)).split())[:600]
    title = " ".join(MARKUP.sub(" ", symbol.qualified_name).split())
    if len(text) < 80 or len(title) < 4 or NO_TEXT.search(title) or not title.isascii():
        return None
    return Pair("section", "markdown", title[:160], "", text)


def _split_python(source: str) -> tuple[str, str]:
    found = PYTHON_DOC.search(source)
    if not found or source[: found.start()].count("\n") > 12:
        return "", source
    return found[2], source[: found.start() + 1] + source[found.end() :]


def _split_c(source: str) -> tuple[str, str]:
    """Split before the first line that is neither comment nor attribute nor annotation."""
    lines = source.split("\n")
    is_inside, first = False, 0
    for first, line in enumerate(lines):  # noqa: B007
        text = line.strip()
        if not is_inside and text and not text.startswith(C_LEADS):
            break
        opens, closes = text.rfind("/*"), text.rfind("*/")
        is_inside = opens > closes if max(opens, closes) >= 0 else is_inside
    comments = C_COMMENT.findall("\n".join(lines[:first]))
    return "\n".join(C_MARKS.sub(" ", comment) for comment in comments), "\n".join(lines[first:])


def _split_sql(above: list[str], source: str) -> tuple[str, str]:
    lead: list[str] = []
    for line in reversed(above):
        if not line.strip() or not line.lstrip().startswith(("--", "/*", "*")):
            break
        lead.append(line)
    comments = SQL_COMMENT.findall("\n".join([*reversed(lead), source[:1_500]]))
    doc = "\n".join(SQL_MARKS.sub(" ", comment) for comment in comments[:6])
    return doc, SQL_COMMENT.sub(" ", source[:4_000])


def summary_of(doc: str) -> str:
    """Return the first paragraph of a doc comment as plain words; empty when it says nothing."""
    plain = MARKUP.sub(
        lambda match: f" {match[1] or ''} ", SEE.sub(r"\1", DOC_END.split("\n" + doc, maxsplit=1)[0])
    )
    paragraphs = [" ".join(part.split()) for part in re.split(r"\n\s*\n", plain)]
    text = next((part for part in paragraphs if part), "")[:LONGEST_TEXT]
    letters = sum(character.isalpha() and character.isascii() for character in text)
    if len(text.split()) < 2 or letters < 0.6 * len(text) or NO_TEXT.search(text):
        return ""
    return text
