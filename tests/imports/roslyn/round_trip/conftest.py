"""What a bundle should be after a round trip, worked out from what was given and the repairs that are documented."""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import pytest

CODE, SQL = "regular_code_bundle/", "sql_code_bundle/"
BODIES = "docs/bodies/"
CHANGES = ("createsTables", "dropsTables", "addsColumns", "dropsColumns", "renamesColumns", "addsForeignKeys",
           "dropsForeignKeys")  # fmt: skip
KINDS = {"Procedure": "PROC", "View": "VIEW", "Table": "TABLE"}
CALLED = {"VIEW": "ReadsFrom", "TABLE": "ReadsFrom", "PROC": "Executes", "FUNC": "Calls"}
OF_RAGDUCK = {  # further fields that are written, and mean nothing to other readers
    "chunks": ("ChunkKind", "TypeFqn", "MemberKind", "PartIndex", "PartCount", "IsDataTypeLike"),
    "bodies": ("database", "project", "memberKind"),
    "meta": ("GeneratedBy", "RepoName"),
}
_LABEL = re.compile(r"// (Namespace|Class|Type): (\S+) ")
_DECLARED = re.compile(r"^namespace ([\w.]+)", re.MULTILINE)

Row = dict[str, str]
Edge = tuple[str, str, str]


@dataclass(frozen=True)
class Repairs:
    """Repairs of one bundle that depend on what its SQL and C# mean."""

    classes: Mapping[object, str] = field(default_factory=dict)  # NoClass: by Id, the class of the signature
    bases: Mapping[str, str] = field(default_factory=dict)  # base types that only an entity's text tells
    keys: Mapping[str, str] = field(default_factory=dict)  # SQL: keys, schemas of migrations, unknown kinds
    relations: Mapping[Edge, str] = field(default_factory=dict)  # inline SQL that does not read; calls
    dropped: frozenset[Edge] = frozenset()  # false reads, self foreign keys
    added: tuple[Row, ...] = ()  # edges: foreign keys of columns, changes that only a summary tells
    nodes: tuple[Row, ...] = ()  # ends of those


@dataclass(frozen=True)
class Contents:
    """All files of a bundle, taken apart so that they can be compared."""

    meta: Mapping[str, Any]
    chunks: list[dict[str, Any]]
    dependencies: Mapping[str, list[Any]]
    bodies: list[dict[str, Any]]
    nodes: list[Row]
    edges: list[Row]


def files_of(path: Path) -> dict[str, str]:
    """Return the texts of a zip by their names."""
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name).decode("utf-8-sig") for name in archive.namelist()}


def written_contents(files: Mapping[str, str]) -> Contents:
    """Take apart what was written; what ragduck adds for itself is left out."""
    bodies = [json.loads(line) for line in files[f"{SQL}docs/sql_bodies.jsonl"].splitlines()]
    for body in bodies:
        body.update({name: sorted(body[name], key=str) for name in CHANGES if name in body})
    return Contents(
        meta=without(json.loads(files["repo_meta.json"]), OF_RAGDUCK["meta"]),
        chunks=[without(record, OF_RAGDUCK["chunks"]) for record in json.loads(files[f"{CODE}chunks.json"])],
        dependencies={
            caller: sorted(targets, key=str)
            for caller, targets in json.loads(files[f"{CODE}dependencies.json"]).items()
        },
        bodies=in_order(without(body, OF_RAGDUCK["bodies"]) for body in bodies),
        nodes=in_order(csv_rows(files[f"{SQL}graph/nodes.csv"])),
        edges=in_order(csv_rows(files[f"{SQL}graph/edges.csv"])),
    )


def csv_rows(text: str) -> Iterator[Row]:
    yield from csv.DictReader(io.StringIO(text, newline=""))


def without(record: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return {name: value for name, value in record.items() if name not in names}


def in_order(records: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Sort records: RoslynIndexer's order is that of a walk, and no reader goes by it."""
    return sorted(map(dict, records), key=lambda record: json.dumps(record, sort_keys=True))


class Expectation:
    """Applies the documented repairs to the records of a bundle."""

    def __init__(
        self, bundle: Any, *, branch: str, repairs: Repairs, paths: Mapping[str, str], made: str
    ) -> None:
        self._given = bundle
        self._made = made
        self._branch = branch
        self._repairs = repairs
        self._body_paths = paths  # as written, by key: names of files are the writer's own
        roots = [bundle.meta.get("RepositoryRoot"), bundle.manifest.get("sqlRoot")]
        self._roots = [root.replace("\\", "/") + "/" for root in roots if root]
        self._scripts = bundle.manifest.get("sqlRoot", "").replace("\\", "/")
        self._numbers: dict[object, int] = {}
        self._keys = {
            body["key"]: f"{body['schema']}.{body['name']}|{KINDS.get(body['kind'], body['kind'])}"
            for body in bundle.bodies
            if body["key"].startswith("SQL:")
        } | dict(repairs.keys)

    def contents(self) -> Contents:
        chunks = self._chunks()
        bodies = in_order(self._bodies())
        nodes = list(self._nodes())
        edges = in_order(self._edges(nodes))
        nodes += self._ends(nodes, edges)
        return Contents(self._meta(), chunks, self._calls(), bodies, in_order(nodes), edges)

    def _meta(self) -> dict[str, Any]:
        """The branch is the name of the zip; folders of the maker's machine are left out."""
        root = self._given.meta.get("RepositoryRoot", "").replace("\\", "/")
        return {
            "Branch": self._branch,
            "HeadSha": self._given.meta.get("HeadSha", ""),
            "RepositoryRoot": self._given.meta.get("RepoName") or root.rpartition("/")[2],
            "GeneratedAtUtc": self._given.meta.get("GeneratedAtUtc", self._made),  # else that of prepare
        }

    def path(self, raw: str) -> str:
        """Paths are below the root of the repository, with forward slashes."""
        plain = raw.replace("\\", "/")
        root = next((root for root in self._roots if plain.startswith(root)), "")
        below = plain.removeprefix(root)
        if plain.lower().endswith(".sql") and self._scripts and not root and ":" not in plain:
            return self.path(f"{self._scripts}/{plain}")
        return re.sub(r"(^|/)\.\./", r"\1", re.sub(r"^[A-Za-z]:/", "", below)).lstrip("/")

    def _chunks(self) -> list[dict[str, Any]]:
        """Members are numbered by file; those built for several frameworks are there once."""
        found: list[tuple[str, object, dict[str, Any], tuple[str, ...]]] = []
        first: dict[tuple[str, ...], object] = {}
        for given in sorted(self._given.chunks, key=lambda one: (str(one["Id"]).rjust(20), 0)):
            record, name = self._member(given)
            same = (record["RepoRelativePath"], *name, record["Signature"], record["Text"])
            if not record["Text"].partition("\n")[2].strip():
                continue  # a record without a text is left out
            if same in first:
                self._numbers[given["Id"]] = self._numbers_later(first[same])
                continue
            first[same] = given["Id"]
            found.append((record["RepoRelativePath"], given["Id"], record, name))
        found.sort(key=lambda one: one[0])
        by_name: dict[tuple[str, ...], int] = {}
        aliases = {identity: of for identity, of in self._numbers.items() if isinstance(of, _Alias)}
        for number, (_, identity, record, name) in enumerate(found, start=1):
            record["Id"] = number
            self._numbers[identity] = by_name.setdefault(name, number)  # overloads are one node
        for identity, alias in aliases.items():
            self._numbers[identity] = self._numbers[alias.identity]
        return [record for _, _, record, _ in found]

    def _numbers_later(self, identity: object) -> int:
        return _Alias(identity)

    def _member(self, given: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[str, ...]]:
        """Line ends are plain, the header has its own line, blank lines and spaces around a text are left out."""
        text = given["Text"].replace("\r\n", "\n")
        labels, at = {}, 0
        while (label := _LABEL.match(text, at)) is not None and label[1] not in labels:
            labels[label[1]], at = label[2], label.end()
        code = re.sub(r"\A(?:[ \t]*\n)+", "", text[at:].removeprefix(" ") if labels else text).rstrip()
        declared = _DECLARED.search(code)
        namespace = labels.get("Namespace") or (declared[1] if declared else "NoNamespace")
        owner = self._repairs.classes.get(given["Id"], given["Class"])
        kind = given.get("Type", "Method")
        written = given.get("Signature", "").removeprefix(f"{namespace}.{given['Class']}.") or given["Member"]
        base = self._repairs.bases.get(f"{namespace}.{owner}", given.get("BaseType") or "object")
        path = self.path(given.get("RepoRelativePath") or given["File"])
        record = {
            "Id": 0,
            "File": path.rpartition("/")[2],
            "Class": owner,
            "Member": given["Member"],
            "Type": kind,
            "Signature": f"{namespace}.{owner}.{written}",
            "Text": f"// Namespace: {namespace} // Class: {owner} // Type: {kind} \n{code}",
            "ProjectName": given.get("ProjectName", ""),
            "BaseType": base,
            "ImplementedInterfaces": sorted(set(given.get("ImplementedInterfaces", ()))),
            "Branch": self._branch,
            "HeadSha": self._given.meta.get("HeadSha", ""),
            "RepoRelativePath": path,
        }
        return record, (namespace, owner, given["Member"])

    def _calls(self) -> dict[str, list[Any]]:
        """Calls of what is not there, and of oneself, are left out."""
        calls: dict[str, set[Any]] = {}
        for caller, targets in self._given.dependencies.items():
            number = next(
                (self._numbers[key] for key in (caller, _number(caller)) if key in self._numbers), 0
            )
            for target in targets if number else ():
                called = self._numbers.get(target, number)
                if str(target).startswith("SQL:"):
                    key = self._keys.get(target, target)
                    called = "SQL:" + key.removeprefix("SQL:").rpartition("|")[0] if "|" in key else key
                if called != number:
                    calls.setdefault(str(number), set()).add(called)
        ordered = sorted(calls, key=int)
        return {caller: sorted(calls[caller], key=str) for caller in ordered}

    def _bodies(self) -> Iterator[dict[str, Any]]:
        seen: set[object] = set()
        for given in self._given.bodies:
            record = without(given, ("AclTags", *OF_RAGDUCK["bodies"]))  # access tags are left out
            record["body"] = given["body"].replace("\r\n", "\n").strip("\n").rstrip()
            record["kind"] = KINDS.get(given["kind"], given["kind"])
            record["file"] = self.path(given["file"])
            record["key"] = self._key(given["key"])
            if record["kind"] == "InlineSQL":
                record["relativePath"] = record["file"]
            identity = json.dumps(record, sort_keys=True)
            if not record["body"] or identity in seen:
                continue  # without a text, or the same again: inline SQL has a row for each table
            seen.add(identity)
            if record["kind"] not in ("InlineSQL", "ENTITY", "MIGRATION"):
                record.setdefault("domain", record["file"].split("/")[1])  # the folder below that of all
            for name in CHANGES:
                if name in record:
                    record[name] = sorted(record[name], key=str)
            yield record | {"bodyPath": self._path_of(record)}

    def _path_of(self, record: Mapping[str, Any]) -> str:
        return self._body_paths.get(json.dumps([record["key"], record["file"], record["body"]]), "")

    def _key(self, written: str) -> str:
        return self._keys.get(written, written)

    def _nodes(self) -> Iterator[Row]:
        """A node that only stands for the end of an edge that was repaired is left out; keys are there once."""
        paths = {
            body["key"]: body["bodyPath"]
            for body in reversed(list(self._bodies()))
            if body["kind"] != "InlineSQL"
        }
        seen: set[str] = set()
        told = {row[0] for row in self._given.nodes}
        for given in self._given.nodes:
            key = self._key(given[0])
            if key in seen or (key != given[0] and key in told):
                continue
            seen.add(key)
            _, _, name, schema, file, batch, domain, _ = given
            if key != given[0]:
                schema = key.partition(".")[0]
            yield {
                "key": key, "kind": key.rpartition("|")[2], "name": name, "schema": schema, "file": self.path(file),
                "batch": batch, "domain": domain, "body_path": paths.get(key, ""),
            }  # fmt: skip
        yield from self._repairs.nodes
        for body in () if self._given.nodes else self._bodies():
            row = {name: body[name] for name in ("key", "kind", "name", "schema", "file", "domain")}
            yield row | {"batch": "0", "body_path": body["bodyPath"]}

    def _ends(self, nodes: list[Row], edges: list[dict[str, Any]]) -> list[Row]:
        """Ends of edges for which there is no node get one: RoslynIndexer leaves those of inline SQL dangling."""
        missing = {edge["to"] for edge in edges} - {node["key"] for node in nodes}
        return [
            {
                "key": key, "kind": key.rpartition("|")[2], "schema": key.partition(".")[0], "file": "", "batch": "",
                "name": key.rpartition("|")[0].partition(".")[2], "domain": "(external)", "body_path": "",
            }
            for key in missing
        ]  # fmt: skip

    def _edges(self, nodes: list[Row]) -> Iterator[Row]:
        """Duplicates are there once; an edge that names no file has that of its ends."""
        files = {node["key"]: node["file"] for node in nodes}
        seen: set[Edge] = set()
        for given in self._given.edges:
            from_key, to_key = self._key(given[0]), self._key(given[1])
            told = CALLED.get(to_key.rpartition("|")[2], given[2]) if given[2] == "calls" else given[2]
            same = (from_key, to_key, self._repairs.relations.get((from_key, to_key, told), told))
            if (from_key, to_key, given[2]) in self._repairs.dropped or same in seen:
                continue
            seen.add(same)
            file, batch = (self.path(given[4]), given[5]) if len(given) > 3 else ("", "0")
            yield {
                "from": from_key, "to": to_key, "relation": same[2], "to_kind": to_key.rpartition("|")[2],
                "file": file or files.get(from_key) or files.get(to_key, ""), "batch": batch,
            }  # fmt: skip
        yield from self._repairs.added


@dataclass(frozen=True)
class _Alias:
    identity: object


def _number(text: str) -> object:
    return int(text) if text.isdigit() else text


def assert_equal(written: Path, bundle: Any, *, repairs: Repairs) -> None:
    """Compare every file and field of a zip with what the bundle should have become."""
    files = files_of(written)
    found = written_contents(files)
    paths = {json.dumps([body["key"], body["file"], body["body"]]): body["bodyPath"] for body in found.bodies}
    made = found.meta["GeneratedAtUtc"]
    expected = Expectation(bundle, branch=written.stem, repairs=repairs, paths=paths, made=made).contents()

    for part in fields(Contents):
        was, wanted = getattr(found, part.name), getattr(expected, part.name)
        assert was == wanted, difference(was, wanted)
    assert_files_agree(files, found)


def difference(found: Any, expected: Any) -> str:
    """Say only what differs: records of one side, fields of an object."""
    one, other = ({json.dumps(item, sort_keys=True) for item in _items(side)} for side in (found, expected))
    return "\n".join(("written:", *sorted(one - other), "expected:", *sorted(other - one)))


def _items(side: Any) -> Iterable[Any]:
    return side.items() if isinstance(side, Mapping) else side


def assert_files_agree(files: Mapping[str, str], found: Contents) -> None:
    """Compare the files that repeat what others say."""
    graph = json.loads(files[f"{SQL}graph/graph.json"])
    manifest = json.loads(files[f"{SQL}manifest.json"])
    bodies = {name.removeprefix(SQL): text for name, text in files.items() if BODIES in name}

    for name, rows in (("nodes", found.nodes), ("edges", found.edges)):
        assert in_order(graph[name]) == in_order(map(titled, rows))
        assert manifest["counts"][name] == len(rows)
    assert manifest["counts"]["docs"] == len(found.bodies)
    assert (manifest["sqlRoot"], manifest["codeRoots"]) == (
        "",
        [],
    )  # folders of the maker's machine are left out
    assert bodies == {body["bodyPath"]: body["body"] + "\n" for body in found.bodies}


def titled(row: Row) -> Row:
    """Name fields as graph.json does: `body_path` is `BodyPath`."""
    return {"".join(part.capitalize() for part in name.split("_")): value for name, value in row.items()}


@pytest.fixture(scope="session")
def equal() -> Callable[..., None]:
    """Compare what was written with what was given."""
    return assert_equal


@pytest.fixture(scope="session")
def repairs() -> type[Repairs]:
    """Make repairs of one bundle."""
    return Repairs
