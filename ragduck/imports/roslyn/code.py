"""Read chunks.json: members and types with the names that the own parser would give them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ragduck.imports.roslyn.bundle import Bundle
from ragduck.imports.roslyn.fields import Fields
from ragduck.imports.roslyn.paths import Roots
from ragduck.imports.roslyn.texts import read_array

KINDS = {"METHOD": "METHOD", "CONSTRUCTOR": "METHOD", "OPERATOR": "METHOD", "PROPERTY": "PROPERTY"}
NO_NAMESPACE = frozenset({"", "NoNamespace", "<global namespace>"})
NO_CLASS = frozenset({"", "NoClass", "NoType"})
PROTECTION = frozenset({"AclTags", "acl_tags", "acl_allow", "security", "classification_labels"})
TYPE = "Type"
ROLLUP = "TypeRollup"
_LABEL = re.compile(
    r"\s{0,20}// (Namespace|Class|Type|TypeFqn|ChunkKind|MemberKind):[ \t]{0,5}((?!//)[^\s]{1,500})?"
)
_DECLARED = re.compile(
    r"^[ \t]{0,40}namespace[ \t]{1,10}([\w.]{1,300})[ \t]{0,10}[;{]?[ \t]{0,10}$", re.MULTILINE
)
_PART = re.compile(r" \[part \d{1,6}/\d{1,6}\]$")
_DOTTED = re.compile(r"\w+(?:\.\w+)*")
_HEAD = 4000  # characters in which a namespace is looked for
_BLANK_START = re.compile(r"(?:[ \t]*\n)+")


class CodeRecord(NamedTuple):
    """A member, or a type as a whole when ``member`` is empty; ``type_name`` has nested types as `Outer.Inner`.

    ``type_key`` is the type's full name, empty for a member outside of types; ``full_name`` that of the member, or of
    the type.
    """

    identity: str
    record: int
    path: str
    namespace: str
    type_name: str
    member: str
    type_key: str
    full_name: str
    member_kind: str
    signature: str
    text: str
    project: str
    base_type: str
    interfaces: tuple[str, ...]

    @property
    def kind(self) -> str:
        """METHOD, PROPERTY or TYPE."""
        return KINDS.get(self.member_kind.upper(), "METHOD") if self.member else "TYPE"


def read_code(bundle: Bundle, roots: Roots) -> Iterator[CodeRecord]:
    """Yield the records of chunks.json in the order of the file; those without text or file are left out."""
    for number, raw in read_array(bundle.files, bundle.chunks, ledger=bundle.ledger) if bundle.chunks else ():
        fields = Fields(raw, file=bundle.chunks, line=number, ledger=bundle.ledger)
        note_protection(fields)
        record = _record(fields, roots)
        if record is not None:
            yield record


def note_protection(fields: Fields) -> None:
    """Tell what was meant to keep some readers away: a store has no readers that it could tell apart."""
    for name in sorted(PROTECTION) if fields.has_any(PROTECTION) else ():
        if fields.has(name):
            tags = ", ".join(fields.texts(name)) if name != "security" else _security(fields)
            if tags:
                fields.left_out(name, field=name, message=f"whoever reads the store reads it: {tags}")


def _security(fields: Fields) -> str:
    found = fields.nested("security")
    return ", ".join((*found.texts("acl_tags"), *found.texts("classification_labels"))) if found else ""


def _record(fields: Fields, roots: Roots) -> CodeRecord | None:
    path = path_of(fields, roots, "RepoRelativePath", "repo_relative_path", "File", "source_file")
    labels, text = split_header(fields.text("Text", "text"))
    if not path or not text.strip():
        fields.left_out("empty record", field="Text" if path else "File")
        return None
    names = _Names(fields, labels=labels, text=text)
    type_key = dotted(names.namespace, names.type_name) if names.type_name else ""
    return CodeRecord(
        identity=fields.identity("Id") or fields.identity("id"),
        record=fields.line,
        path=path,
        namespace=names.namespace,
        type_name=names.type_name,
        member=names.member,
        type_key=type_key,
        full_name=dotted(type_key or names.namespace, names.member),
        member_kind=TYPE if names.is_type else names.kind,
        signature=names.signature,
        text=text,
        project=fields.name("ProjectName", "project_name"),
        base_type=fields.name("BaseType"),
        interfaces=fields.texts("ImplementedInterfaces"),
    )


def path_of(fields: Fields, roots: Roots, *names: str) -> str:
    """Return the first path that a record gives, below the repository's root."""
    for name in names:
        raw = fields.text(name)[:2000]
        clean = roots.clean(raw) if raw else None
        if clean is not None and clean.path:
            if clean.repair:
                fields.repaired(clean.repair, field=name, message=f"{raw} is read as {clean.path}")
            return clean.path
    return ""


def split_header(text: str) -> tuple[dict[str, str], str]:
    """Take the labels off the front of a text: `// Namespace: Shop // Class: Order // Type: Method `.

    The text that is left begins with its first line that is not blank.
    """
    labels: dict[str, str] = {}
    at = 0
    while (found := _LABEL.match(text, at)) is not None and found[1] not in labels:
        labels[found[1]] = found[2] or ""
        at = found.end()
    rest = text[at:]
    if labels:
        rest = rest[2:] if rest.startswith("  ") else rest.removeprefix(" ")
    blank = _BLANK_START.match(rest)
    return labels, rest[blank.end() if blank else 0 :].rstrip()


class _Names:
    """Works out what a record is called from all places that say so."""

    def __init__(self, fields: Fields, *, labels: dict[str, str], text: str) -> None:
        self._fields = fields
        self._written = _PART.sub("", fields.name("Signature", "signature"))
        self.kind = fields.name("Type", "type", "symbol_type") or "Method"
        self.is_type = self.kind == ROLLUP or self._written.endswith("#TYPE_ROLLUP")
        self.member = "" if self.is_type else fields.name("Member", "member", "member_name")
        if self.kind == "Operator" and not self.member[:1].isalpha():
            self.member = f"operator {self.member}"
        written_type = fields.name("Class", "class", "class_name") or labels.get("Class", "")
        full = fields.name("TypeFqn") or labels.get("TypeFqn", "")
        self.namespace = self._namespace(labels, text, written_type, full)
        self.type_name = self._type_name(written_type, full)
        core = self._core(written_type, full)
        self.signature = "" if self.is_type or core == self.member else core

    def _namespace(self, labels: dict[str, str], text: str, written_type: str, full: str) -> str:
        told = labels.get("Namespace", "")
        if told not in NO_NAMESPACE:
            return told
        if full.endswith(f".{written_type}") and written_type:
            return full[: -len(written_type) - 1]
        if full:
            return ""
        declared = _DECLARED.search(text[:_HEAD])
        found = declared[1].strip(".") if declared else self._signed_namespace(written_type)
        if found and told:
            self._fields.repaired("NoNamespace", field="Text", message=f"{written_type} is in {found}")
        return found

    def _signed_namespace(self, written_type: str) -> str:
        """Return what stands before the class in `Shop.Services.OrderService.void OrderService.Place()`."""
        before, found, _ = self._written.partition(f".{written_type}.") if written_type else ("", "", "")
        is_name = found and _DOTTED.fullmatch(before) is not None
        return before if is_name and before not in NO_NAMESPACE else ""

    def _type_name(self, written_type: str, full: str) -> str:
        if full:
            inside = full.startswith(f"{self.namespace}.") and self.namespace
            return full[len(self.namespace) + 1 :] if inside else full
        if written_type not in NO_CLASS:
            return written_type
        found = self._signed_type(written_type)
        if found:
            self._fields.repaired("NoClass", field="Class", message=f"{self.member} is of {found}")
        return found

    def _signed_type(self, written_type: str) -> str:
        """Return `Money` of `Shop.NoClass.decimal Money.Add(Money other)`: the class of structs is left out."""
        core = self._core(written_type, "").partition("(")[0][-500:]
        found = re.search(rf"(\w+)(?:<[\w, ]{{1,200}}>)?\.{re.escape(self.member)}(?!\w)", core)
        return found[1] if found is not None and self.member else ""

    def _core(self, written_type: str, full: str) -> str:
        """Return the signature without the name of the type that RoslynIndexer puts before it."""
        for prefix in (full, *(f"{ns}.{written_type}" for ns in (self._spelled_namespace(), "NoNamespace"))):
            if prefix and self._written.startswith(f"{prefix}."):
                return self._written[len(prefix) + 1 :]
        return self._written

    def _spelled_namespace(self) -> str:
        return self.namespace or "NoNamespace"


def dotted(outer: str, inner: str) -> str:
    """Join two names, either of which may be empty."""
    return f"{outer}.{inner}" if outer and inner else outer or inner


def with_namespace(record: CodeRecord, namespace: str) -> CodeRecord:
    """Return a record under the namespace that another record of the same type gives."""
    type_key = dotted(namespace, record.type_name) if record.type_name else ""
    full_name = dotted(type_key or namespace, record.member)
    return record._replace(namespace=namespace, type_key=type_key, full_name=full_name)
