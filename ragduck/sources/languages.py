"""Name the language and the file type that a path stands for."""

from __future__ import annotations

import re

from ragduck.sources.sql_scripts import is_sql_script

_EXTENSIONS = {
    "csharp": "cs csx",
    "razor": "cshtml razor",
    "webforms": "aspx ascx master asax ashx asmx svc",
    "visualbasic": "vb",
    "fsharp": "fs fsx fsi",
    "sql": "sql psql tsql ddl dml prc udf viw tab trg pks pkb",
    "python": "py pyi pyw",
    "typescript": "ts mts cts",
    "tsx": "tsx",
    "javascript": "js jsx mjs cjs",
    "java": "java",
    "go": "go",
    "kotlin": "kt kts",
    "scala": "scala",
    "c": "c h",
    "cpp": "cpp cc cxx hpp hh hxx",
    "rust": "rs",
    "ruby": "rb rake",
    "php": "php",
    "swift": "swift",
    "shell": "sh bash zsh",
    "powershell": "ps1 psm1 psd1",
    "batch": "bat cmd",
    "markdown": "md mdx markdown",
    "restructuredtext": "rst",
    "asciidoc": "adoc asciidoc",
    "json": "json jsonc json5 jsonl ndjson ipynb webmanifest",
    "yaml": "yaml yml",
    "toml": "toml",
    "ini": "ini cfg conf properties editorconfig env",
    "xml": (
        "xml xsd xsl xslt xaml axaml config csproj vbproj fsproj sqlproj proj props targets resx nuspec slnx wsdl"
        " dtsx rdl rdlc rsd edmx dbml pubxml ruleset manifest dnn"
    ),
    "vue": "vue",
    "svelte": "svelte",
    "html": "html htm xhtml hbs mustache ejs mjml",
    "css": "css scss sass less",
    "protobuf": "proto",
    "graphql": "graphql gql",
}
_LANGUAGE_OF_EXTENSION = {
    extension: language for language, extensions in _EXTENSIONS.items() for extension in extensions.split()
}
_LANGUAGE_OF_NAME = {
    "dockerfile": "dockerfile",
    "containerfile": "dockerfile",
    "makefile": "makefile",
    "jenkinsfile": "groovy",
    "readme": "markdown",
    "gemfile": "ruby",
    "rakefile": "ruby",
}
_FILE_TYPE_OF_EXTENSION = {
    "cshtml": "razor",
    "yml": "yaml",
    "htm": "html",
    "markdown": "md",
    "mdx": "md",
    "jsx": "js",
    "mjs": "js",
    "cjs": "js",
    "mts": "ts",
    "cts": "ts",
    "pyi": "py",
    "pyw": "py",
    "csx": "cs",
    "psql": "sql",
    "tsql": "sql",
    "jsonc": "json",
    "json5": "json",
    "ini": "config",
    "cfg": "config",
    "conf": "config",
    "properties": "config",
    "editorconfig": "config",
    "env": "config",
}
_XML_HEAD = 300
_TEMPLATE_EXTENSIONS = frozenset(("example", "sample", "template", "dist"))
_INTERPRETER = re.compile(r"#!.*\b(python|node|bash|zsh|sh|ruby|pwsh)[\d.]*\b")
_LANGUAGE_OF_INTERPRETER = {
    "python": "python",
    "node": "javascript",
    "ruby": "ruby",
    "pwsh": "powershell",
}


def extension_of(name: str) -> str:
    """Return what follows the last dot, lower-case; ``app.config.example`` counts as ``config``."""
    *stems, extension = name.lower().split(".")
    if extension in _TEMPLATE_EXTENSIONS and len(stems) > 1:
        return stems[-1]
    return extension if stems else ""


def language_of(name: str, text: str) -> str:
    """Name the language by extension, by well-known file name, else by how the text begins."""
    extension = extension_of(name)
    if extension in _LANGUAGE_OF_EXTENSION:
        language = _LANGUAGE_OF_EXTENSION[extension]
        return "sql" if language == "xml" and is_sql_script(text) else language
    stem = name.lower().partition(".")[0]
    if stem in _LANGUAGE_OF_NAME:
        return _LANGUAGE_OF_NAME[stem]
    if text.startswith("#!"):
        match = _INTERPRETER.match(text[:200].partition("\n")[0])
        if match is not None:
            return _LANGUAGE_OF_INTERPRETER.get(match[1], "shell")
    is_xml = text.startswith("<?xml") or (text.startswith("<") and "xmlns" in text[:_XML_HEAD])
    if is_xml:
        return "xml"
    return "sql" if is_sql_script(text) else "text"


def file_type_of(name: str, language: str) -> str:
    """Return the type that filters know: ``cs``, ``razor``, ``sql``, ``config`` …, else the extension."""
    extension = extension_of(name)
    if language == "sql":
        return "sql"
    if not extension:
        return "txt" if language == "text" else language
    return _FILE_TYPE_OF_EXTENSION.get(extension, extension)
