"""Where a server of language models is, and the key to show there."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from ragduck.errors import ModelError

OPENAI_URL = "https://api.openai.com/v1"
OWN_URL = "RAGDUCK_LLM_BASE_URL"
OWN_KEY = "RAGDUCK_LLM_API_KEY"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """The base URL of an OpenAI-compatible server, and its key, which no text made here contains."""

    base_url: str
    api_key: str | None = field(default=None, repr=False)

    @classmethod
    def find(cls, base_url: str | None = None, *, environment: Mapping[str, str] | None = None) -> Endpoint:
        """Take the address given, else RAGDUCK_LLM_BASE_URL, else OPENAI_BASE_URL, else OpenAI's.

        RAGDUCK_LLM_API_KEY is shown to any of them, OPENAI_API_KEY only where OPENAI_BASE_URL or OpenAI is asked.
        """
        variables = os.environ if environment is None else environment
        shared = _address(variables.get("OPENAI_BASE_URL", "")) or OPENAI_URL
        url = _address(base_url or "") or _address(variables.get(OWN_URL, "")) or shared
        key = variables.get(OWN_KEY, "").strip()
        if not key and url in (shared, OPENAI_URL):
            key = variables.get("OPENAI_API_KEY", "").strip()
        return cls(url, key or None)

    def __post_init__(self) -> None:
        """Refuse an address or a key that no request could be made with."""
        if not is_web_address(self.base_url):
            raise ModelError(
                "the address of the language model is no plain http or https URL"
                " (without user, password and query)",
                hint=f"set {OWN_URL}, for example to http://127.0.0.1:8080/v1; keys belong into {OWN_KEY}",
            )
        if self.api_key and not (self.api_key.isascii() and self.api_key.isprintable()):
            raise ModelError(f"the key of {self.base_url} holds characters that no header can carry")
        if self.api_key is None and self.base_url == OPENAI_URL:
            raise ModelError(
                f"there is no key for {OPENAI_URL}",
                hint=f"set OPENAI_API_KEY, or {OWN_URL} to another server",
            )


def is_web_address(url: str) -> bool:
    """Tell whether a URL is plain: http or https, a host, and nothing that could be secret."""
    try:
        parts = urlsplit(url)
        has_host = bool(parts.hostname) and parts.port != 0 and "@" not in parts.netloc
    except ValueError:
        return False
    is_plain = (
        not parts.query and not parts.fragment and url.isascii() and url.isprintable() and " " not in url
    )
    return parts.scheme in ("http", "https") and has_host and is_plain


def _address(text: str) -> str:
    return text.strip().rstrip("/")
