"""Name what is told of all files together, so that it can be noted which file asks for what of it.

What statements use depends on this, part by part. A part has a key, of which the absence says something, too.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping

EVERYWHERE = "everywhere"  # the key of what may matter to any file
DIGEST_BYTES = 10
_CALLED, _IN_GRAPH = "called ", "in graph "


def of_service(key: str) -> str:
    """Name what containers are told of a service."""
    return f"service {key}"


def of_project(path: str) -> str:
    """Name how a project is related to others by references."""
    return f"project {path}"


def of_implementation(key: str) -> str:
    """Name that a container is told of an implementation."""
    return f"implementation {key}"


def of_message(key: str) -> str:
    """Name the handlers of a message."""
    return f"message {key}"


def of_kind(key: str) -> str:
    """Name that something of a type may be any message."""
    return f"kind {key}"


def of_sender(key: str, parameters: Iterable[str]) -> str:
    """Name what one of the methods that share a key sends for its callers."""
    return " ".join(("sender", key, *parameters))


def of_called(name: str) -> str:
    """Name that a method that is called like this sends something; who calls one is told by mentions."""
    return _CALLED + name


def of_topic(topic: str) -> str:
    """Name who subscribed to a topic."""
    return f"topic {topic}"


def of_queue(queue: str) -> str:
    """Name who is triggered by a queue."""
    return f"queue {queue}"


def of_property(key: str) -> str:
    """Name that a property acts."""
    return f"property {key}"


def in_graph(key: str) -> str:
    """Name the key that a declaration has in the graph."""
    return _IN_GRAPH + key


def digest(value: object) -> str:
    """Hash what is told of one thing, the same in every process."""
    content = repr(value).encode("utf-8", errors="surrogatepass")
    return hashlib.blake2b(content, digest_size=DIGEST_BYTES).hexdigest()


def told_otherwise(before: Mapping[str, str], now: Mapping[str, str]) -> frozenset[str]:
    """Return the keys of what is told otherwise."""
    return frozenset(key for key, _ in before.items() ^ now.items())


def called_otherwise(keys: Iterable[str]) -> frozenset[str]:
    """Return the names of methods among keys."""
    return frozenset(key.removeprefix(_CALLED) for key in keys if key.startswith(_CALLED))


def renamed_otherwise(before: Mapping[str, str], now: Mapping[str, str]) -> dict[str, str]:
    """Return the keys that declarations have in the graph now by those that they had, where they are others."""
    keys = (key for key in told_otherwise(before, now) if key.startswith(_IN_GRAPH))
    own = {key: key.removeprefix(_IN_GRAPH) for key in keys}
    return {before.get(key, declared): now.get(key, declared) for key, declared in own.items()}
