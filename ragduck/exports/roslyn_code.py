"""Write the members of a branch as chunks.json and dependencies.json have them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from ragduck.exports.roslyn_branch import CSHARP, Branch, ChunkFacts, EdgeFacts, NodeFacts
from ragduck.imports.roslyn.pieces import UP_ALONE

MEMBERS = {"METHOD": "Method", "PROPERTY": "Property", "DBSET": "Property"}
METHODS = ("Method", "Constructor", "Operator")
TYPES = ("TYPE", "MIGRATION")
DEPENDENCY = "RoslynIndexer dependency"
ORIGIN = re.compile(r"(.{1,500}), line (\d{1,10})")  # signature of inline SQL of a bundle
_HEAD = 3000  # characters in which a declaration begins
_BASE = re.compile(r"(?:[A-Za-z_]\w{0,100}\.){0,10}([A-Za-z_]\w{0,100})")


class Entry(NamedTuple):
    """A member or a type as a whole, at its lines; overloads are entries of one key."""

    key: str
    source_file: str
    start: int
    text: str
    member_kind: str
    signature: str
    project: str


class TypeName(NamedTuple):
    """A type's name taken apart; ``path`` has nested types as `Outer.Inner`."""

    namespace: str
    path: str

    @property
    def full_name(self) -> str:
        """The name with its namespace."""
        return ".".join(part for part in self if part)


class CodePart:
    """The entries of a branch with their ids, in order of files and lines."""

    def __init__(self, branch: Branch) -> None:
        self._branch = branch
        self._types = {
            node.full_name for node in branch.nodes.values() if node.is_csharp and node.kind in TYPES
        }
        self._inline = {
            (chunk.node_key, chunk.source_file, chunk.start_line)
            for chunk in branch.chunks
            if chunk.file_type == "inline_sql" and ORIGIN.fullmatch(chunk.signature or "")
        }
        self.entries = sorted(
            self._all_entries(), key=lambda entry: (entry.source_file, entry.start, entry.key)
        )
        self.ids: dict[str, int] = {}
        for number, entry in enumerate(self.entries, start=1):
            if entry.key.rpartition("|")[2] in MEMBERS:
                self.ids.setdefault(entry.key, number)

    def records(self) -> Iterator[dict[str, Any]]:
        """Yield the records of chunks.json."""
        bases = self._bases()
        for number, entry in enumerate(self.entries, start=1):
            yield self._record(number, entry, bases)

    def dependencies(self) -> dict[str, list[int | str]]:
        """Return who calls whom, by id; calls of the database that came from such a file go back to it."""
        calls: dict[int, list[int | str]] = defaultdict(list)
        for edge in self._branch.edges:
            caller = self.ids.get(edge.from_key)
            if caller is None:
                continue
            if edge.rule == DEPENDENCY:
                calls[caller].append(f"SQL:{edge.to_key.rpartition('|')[0]}")
            elif edge.relation == "Calls" and edge.to_key in self.ids:
                calls[caller].append(self.ids[edge.to_key])
        return {str(caller): list(dict.fromkeys(calls[caller])) for caller in sorted(calls)}

    def type_name(self, full_name: str) -> TypeName:
        """Take a type's name apart: what lies around it and is no type is its namespace."""
        outer = full_name
        while (around := outer.rpartition(".")[0]) in self._types:
            outer = around
        namespace = outer.rpartition(".")[0]
        return TypeName(namespace, full_name[len(namespace) + 1 :] if namespace else full_name)

    def _all_entries(self) -> Iterator[Entry]:
        covered: set[str] = set()
        pieces: dict[tuple[str, str], list[Entry]] = defaultdict(list)
        for run in _runs(self._branch.chunks):
            first = run[0]
            node = self._branch.nodes.get(first.node_key)
            kind = first.node_key.rpartition("|")[2]
            if first.element_type == UP_ALONE:
                covered.add(first.node_key)
            elif kind in MEMBERS and first.member:
                covered.add(first.node_key)
                yield self._entry(run, member_kind=_member_kind(kind, first.member_kind))
            elif kind in TYPES and node is not None and node.role != "ENTITY":
                pieces[first.node_key, first.source_file].append(self._entry(run, member_kind="TypeRollup"))
        for parts in pieces.values():
            yield parts[0]._replace(text="\n\n".join(part.text for part in parts))
        for node in self._branch.nodes.values():
            is_member = node.is_csharp and node.kind in MEMBERS and not node.is_external
            if is_member and node.key not in covered and not self._is_only_told(node):
                yield self._packed(node)

    def _is_only_told(self, node: NodeFacts) -> bool:
        """Tell a member of a bundle of which no text was there but SQL in its strings, if any."""
        is_inline = (node.key, node.source_file, node.start_line) in self._inline
        return is_inline or not self._branch.text_of(node).strip()

    def _entry(self, run: Sequence[ChunkFacts], *, member_kind: str) -> Entry:
        first, last = run[0], run[-1]
        text = self._branch.text(first.source_file, start=first.start_line, end=last.end_line)
        return Entry(
            first.node_key,
            first.source_file,
            first.start_line,
            text,
            member_kind,
            first.signature or "",
            first.project or "",
        )

    def _packed(self, node: NodeFacts) -> Entry:
        """Return a small member that has no chunk of its own."""
        return Entry(
            node.key,
            node.source_file or "",
            node.start_line or 1,
            self._branch.text_of(node),
            MEMBERS[node.kind],
            "",
            node.project or "",
        )

    def _record(self, number: int, entry: Entry, bases: dict[str, tuple[str, list[str]]]) -> dict[str, Any]:
        full_name = entry.key.removeprefix(CSHARP).rpartition("|")[0]
        is_type = entry.member_kind == "TypeRollup"
        owner, member = (full_name, "") if is_type else _split(full_name, self._types)
        name = self.type_name(owner) if owner in self._types else TypeName(owner, "")
        simple = name.path.rpartition(".")[2] or "NoClass"
        base, interfaces = bases.get(owner, ("object", []))
        namespace = name.namespace or "NoNamespace"
        written = member.removeprefix("operator ") if entry.member_kind == "Operator" else member
        header = f"// Namespace: {namespace} // Class: {simple} // Type: {entry.member_kind} "
        return {
            "Id": number,
            "File": PurePosixPath(entry.source_file).name,
            "Class": simple,
            "Member": simple if is_type else written,
            "Type": entry.member_kind,
            "Signature": f"{name.full_name}#TYPE_ROLLUP"
            if is_type
            else f"{namespace}.{simple}.{entry.signature or member}",
            "Text": f"{header}\n{entry.text.rstrip()}",
            "ChunkKind": "type_rollup" if is_type else entry.member_kind.lower(),
            "TypeFqn": name.full_name if name.path else "",
            "MemberKind": "" if is_type else entry.member_kind.lower(),
            "PartIndex": 0 if is_type else 1,
            "PartCount": 0 if is_type else 1,
            "IsDataTypeLike": False,
            "ProjectName": entry.project,
            "BaseType": base,
            "ImplementedInterfaces": interfaces,
            "Branch": self._branch.branch,
            "HeadSha": self._branch.commit,
            "RepoRelativePath": entry.source_file,
        }

    def _bases(self) -> dict[str, tuple[str, list[str]]]:
        """Return base type and interfaces of types as they are written there, else by their simple names."""
        bases: dict[str, str] = {}
        interfaces: dict[str, list[str]] = defaultdict(list)
        told = [edge for edge in self._branch.edges if _is_base(edge)]
        for edge in told:
            if edge.relation == "Inherits":
                bases.setdefault(_full_name(edge.from_key), _base_name(edge))
        for node in self._branch.nodes.values():
            if node.is_csharp and node.kind in TYPES and not node.is_external and node.full_name not in bases:
                written = _written_base(self._branch.text_of(node), node.name)
                if written:
                    bases[node.full_name] = written
        for edge in told:
            owner, base = _full_name(edge.from_key), _base_name(edge)
            if base != bases.get(owner):
                interfaces[owner].append(base)
        return {
            owner: (bases.get(owner, "object"), interfaces[owner]) for owner in {*bases, *interfaces.keys()}
        }


def _is_base(edge: EdgeFacts) -> bool:
    ends = (edge.from_key.rpartition("|")[2], edge.to_key.rpartition("|")[2])
    is_of_types = edge.from_key.startswith(CSHARP) and all(end in TYPES for end in ends)
    return is_of_types and edge.relation in ("Inherits", "Implements")


def _full_name(key: str) -> str:
    return key.rpartition("|")[0].removeprefix(CSHARP)


def _base_name(edge: EdgeFacts) -> str:
    """Return a base as a bundle wrote it, `Repository<Order>`, else its simple name."""
    return edge.detail or _full_name(edge.to_key).rpartition(".")[2]


def _written_base(text: str, name: str) -> str:
    """Return the base class that a declaration writes: `PageModel`; empty for an interface or none."""
    found = re.search(rf"\b(?:class|record)\s{{1,20}}{re.escape(name)}\b([^{{;]{{0,1000}})", text[:_HEAD])
    after = found[1].partition("where ")[0].rpartition(":")[2] if found and ":" in found[1] else ""
    first = _BASE.match(after.strip())
    is_interface = first is not None and first[1][:1] == "I" and first[1][1:2].isupper()
    return first[1] if first is not None and not is_interface else ""


def _runs(chunks: Sequence[ChunkFacts]) -> Iterator[list[ChunkFacts]]:
    """Yield the chunks of each member: a long one has several, which follow each other or share a signature."""
    code = [chunk for chunk in chunks if chunk.file_type not in ("inline_sql", "sql")]
    for _, group in groupby(code, key=lambda chunk: (chunk.source_file, chunk.object_id)):
        run: list[ChunkFacts] = []
        for chunk in group:
            if run and not _continues(run[-1], chunk):
                yield run
                run = []
            run.append(chunk)
        yield run


def _continues(before: ChunkFacts, chunk: ChunkFacts) -> bool:
    follows = chunk.start_line == before.end_line + 1
    return follows or (chunk.signature is not None and chunk.signature == before.signature)


def _member_kind(kind: str, member_kind: str | None) -> str:
    return member_kind if kind == "METHOD" and member_kind in METHODS else MEMBERS[kind]


def _split(full_name: str, types: set[str]) -> tuple[str, str]:
    """Split a member's name after its type: names of explicit implementations have dots of their own."""
    at = full_name.find(".")
    best = full_name.rfind(".")
    found = -1
    while at >= 0:
        if full_name[:at] in types:
            found = at
        at = full_name.find(".", at + 1)
    split = found if found >= 0 else best
    return (full_name[:split], full_name[split + 1 :]) if split >= 0 else ("", full_name)
