"""Remember what parsing found in a file, so that a file that did not change is not parsed again."""

from ragduck.parse_cache.folder import usable_cache_path
from ragduck.parse_cache.records import ParsedFile
from ragduck.parse_cache.remembered import Remembered, parsed_file

__all__ = ["ParsedFile", "Remembered", "parsed_file", "usable_cache_path"]
