"""Hash what other files can see of a file: an edit within a method leaves that as it is."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from typing import TypeAlias

from ragduck.facts.code import ADDRESS, PARAMETER, PROGRAM, MemberFact, TypeFact, ViewFact
from ragduck.facts.files import PROJECT, FileFacts

DIGEST_BYTES = 16
NO_DECLARATIONS = bytes(DIGEST_BYTES)
LEADING = ("action", "route", "link", "partial", "component", "view component")  # to other views, and to code
UNASKED = frozenset((ADDRESS, PARAMETER, PROGRAM, *LEADING))  # views of which no statement makes use
_Placed: TypeAlias = TypeFact | MemberFact | ViewFact
PLACES = frozenset(("line", "end_line"))  # where something stands means nothing to other files


def declarations_digest(file: FileFacts) -> bytes:
    """Hash the declarations of a file; all zeros for one of which no statement elsewhere can make use.

    It is the same in every process, while a pickle of the same facts depends on the order of its sets.
    """
    imports = file.imports if file.language != "sql" else ()  # there they are databases
    gives_base = any(view.how == "inherits" for view in file.views)  # a Web.config, to the views below
    root_namespace = file.module if file.language == "csharp" else ""  # a project, to the components below
    is_project = file.path.lower().endswith(PROJECT)  # that it is there counts for what stands above it
    if not (imports or file.types or file.members or gives_base or root_namespace or is_project):
        return NO_DECLARATIONS
    seen = (
        file.path, file.language, file.file_class, file.project, file.module, imports,
        [list(_said(one)) for one in file.types], [list(_said(one)) for one in file.members],
        [(view.name, view.how) for view in file.views if view.how not in UNASKED],
    )  # fmt: skip
    return hashlib.blake2b(_bytes_of(repr(seen)), digest_size=DIGEST_BYTES).digest()


def beside_digest(file: FileFacts, *, declarations: bytes) -> bytes:
    """Hash all that rules for code can see of a file without its statements, beside what ``declarations`` tell.

    Lines count as far as one thing stands before, after or beside another. What a file defines of a database, and
    names of it, is for other rules. Empty where there is nothing to tell.
    """
    placed: tuple[Iterable[_Placed], ...] = (file.types, file.members, file.views)
    lines = [one.line for each in placed for one in each]
    place_of = {line: place for place, line in enumerate(sorted(set(lines)))}
    seen: tuple[object, ...] = tuple(place_of[line] for line in lines)
    if declarations == NO_DECLARATIONS:
        seen += ((file.path, file.language, file.file_class, file.project, file.module),)
    if file.language == "sql":
        seen += file.imports
    if any(view.how in UNASKED for view in file.views):
        seen += tuple(list(_said(view)) for view in file.views)
    elif declarations == NO_DECLARATIONS:
        seen += tuple((view.name, view.how) for view in file.views)
    return hashlib.blake2b(_bytes_of(repr(seen)), digest_size=DIGEST_BYTES).digest() if seen else b""


def changed_members(before: FileFacts, now: FileFacts) -> frozenset[str] | None:
    """Return the names of the members that a file declares otherwise than before; None where that is not all.

    Types, imports and views have to be what they were, and so has the order of members that share a name.
    """
    if declarations_digest(before._replace(members=())) != declarations_digest(now._replace(members=())):
        return None
    old, new = _said_by_name(before), _said_by_name(now)
    return frozenset(name for name in old.keys() | new.keys() if old.get(name) != new.get(name))


def other_members(before: FileFacts, now: FileFacts) -> tuple[MemberFact, ...] | None:
    """Return the members that types in a file declare otherwise than before, as they were and as they are.

    None where that is not all that can be seen of the file beside statements, or where a member is of no type in it.
    """
    names = changed_members(before, now)
    if names is None or _without(names, before) != _without(names, now):
        return None
    members = tuple(one for one in (*before.members, *now.members) if one.name in names)
    return members if {one.owner for one in members} <= {one.key for one in now.types} else None


def _without(names: AbstractSet[str], file: FileFacts) -> tuple[bytes, bytes]:
    """Hash what can be seen of a file beside statements and members of some names."""
    rest = file._replace(members=tuple(one for one in file.members if one.name not in names))
    declarations = declarations_digest(rest)
    return declarations, beside_digest(rest, declarations=declarations)


def _said_by_name(file: FileFacts) -> dict[str, list[list[object]]]:
    found: dict[str, list[list[object]]] = {}
    for member in file.members:
        found.setdefault(member.name, []).append(list(_said(member)))
    return found


def _said(declared: _Placed) -> Iterator[object]:
    for name, value in zip(declared._fields, declared, strict=True):
        if name not in PLACES:
            yield sorted(value) if isinstance(value, frozenset) else value


def _bytes_of(text: str) -> bytes:
    return text.encode("utf-8", errors="surrogatepass")
