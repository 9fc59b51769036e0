"""From a decoded document to chunks: an outline of its symbols, then runs of whole lines."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module

from ragduck.facts import FileFacts, StatementFacts
from ragduck.model import Document, Outline, ParsedDocument, ParseProblem
from ragduck.parse.chunk import ChunkSettings, chunks_of
from ragduck.parse.inline_sql import inline_sql_chunks

__all__ = ["ChunkSettings", "parse_document", "parse_plainly"]

LARGE_GENERATED = 50_000  # characters; designers of migrations reach a megabyte each and name nothing new
MODEL_SNAPSHOT = "ModelSnapshot.cs"  # of Entity Framework: one per context says where each entity is kept
MIGRATION_MODEL = "BuildTargetModel"  # a designer repeats what the whole model was like then
# What designers make of a database: contexts, mapped classes, and the commands of adapters of data sets.
DATA_ACCESS = re.compile(
    r":\s{0,200}(?:global::)?[\w.]{0,200}(?:DbContext|ObjectContext|DataContext|DataConnection)\b"
    r"|\[(?:global::)?[\w.]{0,200}\bTable(?:Attribute)?\(|\bCommandText\s{0,20}="
)
DATA_ACCESS_IN_BASIC = re.compile(
    r"\bInherits\s{1,20}(?:Global\.)?[\w.]{0,200}(?:DbContext|ObjectContext|DataContext|DataConnection)\b"
    r"|<(?:Global\.)?[\w.]{0,200}\bTable(?:Attribute)?\(|\bCommandText\s{0,20}=",
    re.IGNORECASE,
)
OF_NET = frozenset(("csharp", "visualbasic"))
GENERATED_CHUNK = 4  # times the usual size

OUTLINERS = {
    "csharp": "csharp",
    "visualbasic": "visualbasic",
    "python": "python",
    "typescript": "typescript",
    "tsx": "typescript",
    "javascript": "typescript",
    "vue": "components",
    "svelte": "components",
    "java": "java",
    "go": "go",
    "razor": "razor",
    "webforms": "webforms",
    "sql": "sql",
    "markdown": "markdown",
}

# Marks of clients of web services: attributes of their methods, and a base; of NSwag's, how they make addresses.
ASKS_SERVICE = re.compile(r"(?:.*\.)?(?:Soap(?:Document|Rpc)Method|OperationContract)")
SERVICE_CLIENT = re.compile(r"\bClientBase\s?(?:<|\(\s?Of\b)", re.IGNORECASE)
SENDS_REQUESTS = re.compile(r"\burl_ = this\.baseUrl\b|\burlBuilder_\.Append\(")


def parse_document(document: Document, *, settings: ChunkSettings) -> ParsedDocument:
    """Cut a document into chunks; what a parser cannot read is kept as plain text and reported.

    Large generated files are cut by size alone: they are found by keyword, and not worth parsing but for what they
    tell of tables and requests and, of C# and Visual Basic, for their types: uses of these would be taken for those
    of namesakes.
    """
    is_large = document.file_class == "generated" and len(document.text) > LARGE_GENERATED
    is_telling = is_large and (_tells_of_tables(document) or _sends_requests(document))
    if is_large and not (is_telling or _is_of_net(document)):
        return _parsed(document, Outline(), settings=_wide(settings))
    try:
        outline = _outliner(document.language)(document)
    except Exception as error:  # a parser's bug must not cost the user the file
        return parse_plainly(document, settings=settings, reason=f"{type(error).__name__}: {error}")
    if is_large:
        facts = outline.facts if is_telling else _types_of(outline)
        return _parsed(document, replace(outline, symbols=(), facts=facts), settings=_wide(settings))
    return _parsed(document, outline, settings=settings)


def _tells_of_tables(document: Document) -> bool:
    if document.path.endswith(MODEL_SNAPSHOT):
        return True
    tells = {"csharp": DATA_ACCESS, "visualbasic": DATA_ACCESS_IN_BASIC}.get(document.language)
    if tells is None or MIGRATION_MODEL in document.text:
        return False
    return tells.search(document.text) is not None


def _sends_requests(document: Document) -> bool:
    return document.language in ("typescript", "csharp") and SENDS_REQUESTS.search(document.text) is not None


def _is_of_net(document: Document) -> bool:
    return document.language in OF_NET and MIGRATION_MODEL not in document.text


def _types_of(outline: Outline) -> FileFacts | None:
    """Return the facts of a file without those of members: there are thousands, and nobody asks for them.

    Methods of clients of web services are kept: without them nobody would be known to ask the service.
    """
    facts = outline.facts
    if facts is None:
        return None
    clients = {
        one.owner for one in facts.members for mark in one.attributes if ASKS_SERVICE.fullmatch(mark.name)
    }
    clients.update(one.key for one in facts.types if any(map(SERVICE_CLIENT.search, one.bases)))
    members = tuple(one for one in facts.members if one.kind == "METHOD" and one.owner in clients)
    keys = {one.key for one in members}
    calls = tuple(one for one in facts.calls if one.source in keys) if keys else ()
    return facts._replace(members=members, statements=StatementFacts(calls=calls))


def _wide(settings: ChunkSettings) -> ChunkSettings:
    return replace(settings, max_chars=settings.max_chars * GENERATED_CHUNK)


def parse_plainly(document: Document, *, settings: ChunkSettings, reason: str) -> ParsedDocument:
    """Cut a document by size alone, and report why no parser was of use."""
    problem = ParseProblem(document.path, 1, reason, passing=True)
    return _parsed(document, Outline(problems=(problem,)), settings=settings)


def _parsed(document: Document, outline: Outline, *, settings: ChunkSettings) -> ParsedDocument:
    facts = outline.facts or FileFacts(
        document.path, document.language, document.file_class, document.project, lines=document.last_line
    )
    read_as = replace(document, language=facts.language) if _is_handler(document, facts) else document
    chunks = chunks_of(read_as, outline, settings=settings)
    inline = inline_sql_chunks(read_as, outline, facts, settings=settings)
    return ParsedDocument(document, (*chunks, *inline), outline.problems, facts)


def _is_handler(document: Document, facts: FileFacts) -> bool:
    """Whether a file that is not one of C# by name has declared as C# does."""
    return document.language == "webforms" and facts.language == "csharp"


def _outliner(language: str) -> Callable[[Document], Outline]:
    module = import_module(f"ragduck.parse.{OUTLINERS.get(language, 'config')}")
    outline: Callable[[Document], Outline] = module.outline
    return outline
