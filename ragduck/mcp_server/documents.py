"""What clients attach to a conversation: facts of the store, its schema, and files that it holds."""

from __future__ import annotations

import re
from urllib.parse import unquote

from mcp_types import Resource, ResourceTemplate

from ragduck.errors import UsageError
from ragduck.mcp_server.arguments import InfoArguments
from ragduck.mcp_server.live_store import OpenStore
from ragduck.mcp_server.reply import reply_text
from ragduck.mcp_server.tools.info import info

INFO_URI = "ragduck://info"
SCHEMA_URI = "ragduck://schema"
SOURCE_URI = re.compile(r"ragduck://source/(?P<repo>[^/]+)/(?P<branch>[^/]+)/(?P<path>.+)")
MIME_TYPE = "text/plain"

RESOURCES = (
    Resource(
        uri=INFO_URI,
        name="info",
        title="What the store holds",
        description="Repositories and branches, how fresh they are, counts.",
        mime_type=MIME_TYPE,
    ),
    Resource(
        uri=SCHEMA_URI,
        name="schema",
        title="Tables and macros of the store",
        description="What the tool sql can ask.",
        mime_type=MIME_TYPE,
    ),
)
TEMPLATES = (
    ResourceTemplate(
        uri_template="ragduck://source/{repo}/{branch}/{+path}",
        name="source",
        title="A file as it was prepared",
        description="The whole text of a file; a slash in the name of a repository or branch is written %2F.",
        mime_type=MIME_TYPE,
    ),
)


def document(opened: OpenStore, uri: str) -> str:
    """Return the text of a resource. Raises UsageError when there is none of that address."""
    if uri == INFO_URI:
        return info(opened, InfoArguments()).text
    if uri == SCHEMA_URI:
        return info(opened, InfoArguments(about="schema")).text
    asked = SOURCE_URI.fullmatch(uri)
    if asked is None:
        raise UsageError(
            f"there is no resource {uri!r:.200}",
            hint="ragduck://source/REPO/BRANCH/PATH, see info for branches",
        )
    repo, branch, path = (unquote(part) for part in asked.groups())
    for file in opened.store.text_of(path):
        is_file = file["source_file"] == path and file["element_type"] == "lines"
        if is_file and (file["repo"], file["branch"]) == (repo, branch):
            return reply_text(file["text"])
    raise UsageError(f"{repo}, {branch} has no file {path!r:.200}", hint="search for it with path_glob")
