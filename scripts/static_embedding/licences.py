"""Tell a package's licence from its metadata, and whether it lets anyone do anything."""

from __future__ import annotations

import json
import re
from pathlib import PurePosixPath

STATED = re.compile(
    r"^(?:License-Expression: |Classifier: License :: (?:OSI Approved :: )?|License: )([^\n]{2,160})",
    re.MULTILINE,
)
ALL_FILES = re.compile(r"^Files: ?\s?\*\s*$.*?^License: ([^\n]{2,80})", re.MULTILINE | re.DOTALL)
PERMISSIVE = re.compile(
    r"\b(?:mit|x11|expat|bsd|0bsd|apache|isc|psf|python[ -](?:software )?(?:foundation|2)?|zlib|libpng|unlicense|"
    r"cc0|postgres(?:ql)?|hpnd|bsl-1|boost|public[ -]domain|wtfpl|w3c|unicode|ncsa|zpl|zope|upl|mulan|biopython|"
    r"matplotlib|ms-pl|edl|afl|freely distributable|go$)",
    re.IGNORECASE,
)
RESTRICTED = re.compile(
    r"gpl|gnu |\bmpl|mozilla|\bepl|eclipse|cddl|eupl|sspl|busl|business source|elastic|commons clause|-sa\b|-nc\b|"
    r"sharealike|noncommercial|proprietary|commercial|server side|polyform|creative commons attribution",
    re.IGNORECASE,
)
PHRASES = (  # of the texts of licences, most telling first
    (r"GNU (?:LESSER |AFFERO |LIBRARY )?GENERAL PUBLIC", "GPL"),
    (r"Mozilla Public License", "MPL-2.0"),
    (r"Eclipse Public License", "EPL"),
    (r"Apache (?:Software )?License", "Apache-2.0"),
    (r"Permission is hereby granted, free of charge", "MIT"),
    (r"Redistribution and use in source and binary forms", "BSD"),
    (r"Permission to use, copy, modify, and(?:/or)? distribute", "ISC"),
    (r"This software is provided 'as-is', without any express or implied", "Zlib"),
    (r"PYTHON SOFTWARE FOUNDATION LICENSE", "PSF-2.0"),
    (r"PostgreSQL License", "PostgreSQL"),
)
LICENCE_TEXT = re.compile(r"^(?:licen[cs]e|copying)(?:[.-](?:txt|md|rst|mit|apache|bsd))*$", re.IGNORECASE)
METADATA = frozenset({"METADATA", "PKG-INFO", "package.json", "copyright"})


def is_licence_file(path: str) -> bool:
    """Whether a file of a package may tell the licence of the whole package."""
    name = PurePosixPath(path).name
    return name in METADATA or bool(LICENCE_TEXT.match(name))


def licence_in(path: str, text: str) -> str | None:
    """Return what a file says about the licence of its package, for what is vendored in it does not count."""
    file = PurePosixPath(path)
    if len(file.parts) > (4 if ".dist-info/" in path else 2):
        return None
    if file.name == "package.json":
        return _of_package_json(text)
    if file.name == "copyright":
        found = ALL_FILES.search(text) or STATED.search(text)
        return found[1].strip() if found else _from_phrases(text)
    if file.name in METADATA:
        stated = [match[1].strip() for match in STATED.finditer(text.split("\n\n")[0])]
        return next((line for line in stated if PERMISSIVE.search(line) or RESTRICTED.search(line)), None)
    return _from_phrases(text) if LICENCE_TEXT.match(file.name) else None


def _of_package_json(text: str) -> str | None:
    try:
        licence = json.loads(text).get("license")
    except (ValueError, AttributeError):
        return None
    return licence[:80] if isinstance(licence, str) else None


def _from_phrases(text: str) -> str | None:
    start = text[:20_000]
    found = [
        (match.start(), name)
        for phrase, name in PHRASES
        if (match := re.search(phrase, start, re.IGNORECASE))
    ]
    return min(found)[1] if found else None


def is_permissive(licence: str) -> bool:
    """Whether a licence asks for no more than to be named; of several to choose from one is enough."""
    choices = re.split(r"\s+or\s+(?!later)", licence, flags=re.IGNORECASE)
    return any(PERMISSIVE.search(choice) and not RESTRICTED.search(choice) for choice in choices)
