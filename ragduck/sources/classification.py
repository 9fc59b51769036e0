"""Sort files into source, test, generated, migration, config, docs and vendored."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ragduck.model import FileClass
from ragduck.sources.languages import file_type_of, language_of

_VENDORED_FOLDERS = frozenset(
    ("vendor", "third_party", "third-party", "thirdparty", "3rdparty", "node_modules", "bower_components")
)
_VERSIONED_LIBRARY = re.compile(
    r"[-.]v?\d+\.\d+(?:\.\d+)?(?:[-.](?:min|slim|debug|vsdoc|intellisense))*\.(?:js|css)$"
)
_LIBRARY = re.compile(
    r"(?:jquery(?:-ui|\.validate(?:\.unobtrusive)?)?|bootstrap(?:-theme|\.bundle|\.esm)?"
    r"|angular|knockout|modernizr|lodash|underscore|toastr|d3|moment|select2|font-awesome)\.(?:js|css)"
)
# Not at the top, where a release was unpacked.
_VERSIONED_FOLDER = re.compile(r"[a-z][a-z0-9._-]{0,60}-v?\d{1,4}\.\d{1,4}\.\d{1,4}")
_WEB_FILES = (".js", ".mjs", ".css", ".scss", ".sass", ".less")
_NUGET_FOLDER = re.compile(r"(?:^|/)packages/[^/]+\.\d+\.\d+(?:\.\d+)*/")

_GENERATED_NAME = re.compile(
    r"(?:\.g|\.g\.i|\.generated|\.designer|\.assemblyinfo|assemblyattributes|modelsnapshot)\.(?:cs|vb|fs)$"
    r"|(?:^|/)\d{15}_[^/]*\.resx$"  # the model that a migration of Entity Framework 6 keeps beside it
    r"|(?:_pb2(?:_grpc)?\.pyi?|\.pb(?:\.gw)?\.go|_generated\.go|\.generated\.[jt]sx?|publicapi\.(?:un)?shipped\.txt)$"
)
_GENERATED_MARK = re.compile(
    r"<auto-?generated|@generated\b|\bcode generated\b.{0,200}\bdo not (?:edit|modify)"
    r"|\bgenerated (?:by|from|file|code)\b.{0,200}\bdo not (?:edit|modify)",
    re.IGNORECASE,
)
_COMMENT_OPENERS = ("//", "/*", "*", "#", "--", "<!--", "'", "@*", ";")
_HEAD_LINES = 20
_HEAD_CHARACTERS = 4_000

_MIGRATION_CLASS = re.compile(
    r"\bclass\s{1,20}\w{1,200}\s{0,20}(?:\([^)]{0,500}\)\s{0,20})?:\s{0,20}[\w.]{0,200}Migration(?:Base)?\b"
)
_MIGRATION_IN_BASIC = re.compile(r"\bInherits\s{1,20}[\w.]{0,200}Migration(?:Base)?\b", re.IGNORECASE)
_MIGRATION_APIS = ("MigrationBuilder", "DbMigration", "FluentMigrator")
_MIGRATION_FOLDER = re.compile(
    r"(?:^|/)(?:(?:dbscripts|db_scripts|upgradescripts)[^/]*|[^/]*migrations|migration)(?:/|$)"
)
_DATED_SCRIPT = re.compile(
    r"(?:\d{4}-\d{2}-\d{2}|\d{8,14}|(?:[vru]\d+(?:[._]\d+)*|b\d+(?:[._]\d+)*_)_)[_.-]?[^/]*\.p?sql$|[^/]*\.(?:up|down)\.sql$"
)
_VERSION_SCRIPT = re.compile(
    r"(?!un|de|rollback|down|revert|remove|drop)(?:[a-z]{1,20}[._-]?)?\d{1,4}(?:[._]\d{1,5}){2,3}\.[a-z]{2,20}"
)
_REPEATABLE = "r__"  # of Flyway and Evolve, run again when it changes: it says what is there
_NUMBERED_NAME = re.compile(r"\d{3,}[_.-]")
_SCRIPT_LANGUAGES = frozenset(("python", "typescript", "javascript", "go", "ruby", "php", "java"))

_TEST_FOLDER = re.compile(
    r"(?:^|/)(?:(?i:tests?|__tests__|specs?|e2e|testdata|test[-_]data)"
    r"|[^/]*(?:[._-][Tt]|[a-z0-9]T)ests?"
    r"|[^/]*\.[Tt]ests?\.[^/]*)/"  # `Shop.Tests.Common` is what test projects share
)
_TEST_NAME = re.compile(
    r"(?:^|/)(?:test_[^/]*\.py|conftest\.py|[^/]*_test\.(?:py|go)|[^/]*\.(?:spec|test)\.[^./]+"
    r"|[^/]*[a-z0-9](?:Tests?|TestCase|Specs?)\.(?:cs|vb|fs|java|kt))$"
)

_CONFIG_LANGUAGES = frozenset(("json", "yaml", "toml", "ini", "xml", "dockerfile", "makefile", "groovy"))
_CONFIG_NAME = re.compile(
    r"(?:requirements[^/]*\.txt|cmakelists\.txt|robots\.txt|codeowners|\.[^/.]*(?:ignore|attributes|rc)|[^/]*\.(?:sln|dockerignore))$"
)
_DOCS_LANGUAGES = frozenset(("markdown", "restructuredtext", "asciidoc"))
_DOCS_NAME = re.compile(r"(?:[^/]*\.txt|licen[sc]e[^/]*|notice|changelog|authors|copying|contributing)$")


@dataclass(frozen=True, slots=True)
class Classification:
    """What kind of file it is: how to parse it, how to filter it, how to rank it."""

    language: str
    file_type: str
    file_class: FileClass


def classify(path: str, text: str) -> Classification:
    """Judge a file by its path, and by its text where the path leaves it open."""
    name = path.rpartition("/")[2]
    language = language_of(name, text)
    return Classification(
        language=language,
        file_type=file_type_of(name, language),
        file_class=_file_class(path, text=text, language=language),
    )


def _file_class(path: str, *, text: str, language: str) -> FileClass:
    """Take the first that holds; what nobody here wrote comes before what it was written for."""
    if _is_vendored(path):
        return "vendored"
    if _is_generated(path, text=text, language=language):
        return "generated"
    if _is_migration(path, text=text, language=language):
        return "migration"
    if _TEST_FOLDER.search(path) or _TEST_NAME.search(path):
        return "test"
    name = path.rpartition("/")[2].lower()
    if language in _CONFIG_LANGUAGES or _CONFIG_NAME.fullmatch(name):
        return "config"
    if language in _DOCS_LANGUAGES or (language == "text" and _DOCS_NAME.fullmatch(name)):
        return "docs"
    return "source"


def _is_vendored(path: str) -> bool:
    """Look for folders of foreign code; exact case, as ``Views/Vendor`` is a shop's own supplier pages."""
    folders = path.split("/")[:-1]
    if not _VENDORED_FOLDERS.isdisjoint(folders):
        return True
    lowered = path.lower()
    is_of_web = lowered.endswith(_WEB_FILES)
    return (
        "wwwroot/lib/" in lowered
        or (is_of_web and any(map(_VERSIONED_FOLDER.fullmatch, lowered.split("/")[1:-1])))
        or _VERSIONED_LIBRARY.search(lowered) is not None
        or _LIBRARY.fullmatch(lowered.rpartition("/")[2]) is not None
        or _NUGET_FOLDER.search(lowered) is not None
    )


def _is_generated(path: str, *, text: str, language: str) -> bool:
    if _GENERATED_NAME.search(path.lower()):
        return True
    if language in _DOCS_LANGUAGES:
        return False
    return any(
        line.lstrip().startswith(_COMMENT_OPENERS) and _GENERATED_MARK.search(line)
        for line in text[:_HEAD_CHARACTERS].split("\n")[:_HEAD_LINES]
    )


def _is_migration(path: str, *, text: str, language: str) -> bool:
    lowered = path.lower()
    folder, _, name = lowered.rpartition("/")
    in_folder = _MIGRATION_FOLDER.search(folder) is not None
    if language in ("csharp", "visualbasic"):
        declares = _MIGRATION_CLASS if language == "csharp" else _MIGRATION_IN_BASIC
        uses_api = any(api in text for api in _MIGRATION_APIS)
        return (in_folder or uses_api) and declares.search(text) is not None
    if language == "sql":
        if name.startswith(_REPEATABLE):
            return False
        return in_folder or any(pattern.fullmatch(name) for pattern in (_DATED_SCRIPT, _VERSION_SCRIPT))
    if language not in _SCRIPT_LANGUAGES:
        return False
    is_alembic = folder.endswith("versions") and "down_revision" in text
    return is_alembic or (in_folder and _NUMBERED_NAME.match(name) is not None)
