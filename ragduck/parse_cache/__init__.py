"""Remember what reading and parsing found in a file, so that a file that did not change needs neither."""

from ragduck.parse_cache.folder import usable_cache_path
from ragduck.parse_cache.keys import Content, code_fingerprint, content_of
from ragduck.parse_cache.remembered import FileRun, ParsedFile, Remembered, RunFacts, parsed_file
from ragduck.parse_cache.seen import SeenFiles, seen_file
from ragduck.parse_cache.table import ParsedFiles

__all__ = [
    "Content",
    "FileRun",
    "ParsedFile",
    "ParsedFiles",
    "Remembered",
    "RunFacts",
    "SeenFiles",
    "code_fingerprint",
    "content_of",
    "parsed_file",
    "seen_file",
    "usable_cache_path",
]
