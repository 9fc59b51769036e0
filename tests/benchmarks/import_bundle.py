"""Measure the import of a made-up RoslynIndexer bundle: seconds per stage, and the memory of the process.

Usage: import_bundle.py [--chunks 100000] [--keep FILE.zip]

Eight in ten chunks are members of classes, one in ten is a procedure, the rest are tables and inline SQL. A member
has a dozen lines and three calls.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

from prepare_speed import run_once

VERBS = [
    "Load",
    "Save",
    "Find",
    "Create",
    "Cancel",
    "Ship",
    "Price",
    "Merge",
    "Check",
    "Import",
    "Export",
    "Match",
    "Split",
    "Close",
    "Open",
    "Send",
]
NOUNS = [
    "Order",
    "Invoice",
    "Customer",
    "Payment",
    "Product",
    "Stock",
    "Tax",
    "Line",
    "Address",
    "Batch",
    "Report",
    "Route",
    "Price",
    "Note",
]
MEMBERS_OF_CLASS = 12
SEED = 7


class Maker:
    """Makes the records of a bundle of so many chunks."""

    def __init__(self, chunks: int) -> None:
        self._random = random.Random(SEED)
        self.members = chunks * 8 // 10
        self.procedures = chunks // 10
        self.tables = chunks // 20
        self.snippets = chunks - self.members - self.procedures - self.tables

    def _name(self, number: int) -> str:
        return f"{VERBS[number % len(VERBS)]}{NOUNS[number // 16 % len(NOUNS)]}{number}"

    def _table(self, number: int) -> str:
        return f"{NOUNS[number % len(NOUNS)]}{number}"

    def chunks(self) -> Iterator[dict[str, object]]:
        """Yield the members."""
        for number in range(1, self.members + 1):
            owner = f"{NOUNS[number // MEMBERS_OF_CLASS % len(NOUNS)]}Service{number // MEMBERS_OF_CLASS}"
            namespace = f"Shop.Area{number % 40}"
            yield {
                "Id": number, "File": f"{owner}.cs", "Class": owner, "Member": self._name(number), "Type": "Method",
                "Signature": f"{namespace}.{owner}.void {owner}.{self._name(number)}(int id)",
                "Text": f"// Namespace: {namespace} // Class: {owner} // Type: Method {self._code(number)}",
                "ProjectName": f"Shop.Area{number % 40}", "BaseType": "object",
                "ImplementedInterfaces": [f"I{owner}"], "Branch": "main", "HeadSha": "0" * 40,
                "RepoRelativePath": f"src\\Area{number // 1200}\\{owner}.cs",
            }  # fmt: skip

    def _code(self, number: int) -> str:
        words = self._random.choices(VERBS, k=8)
        nouns = self._random.choices(NOUNS, k=8)
        body = "\r\n".join(
            f"            var {noun.lower()}{place} = this.{verb}{noun}(id, {self._random.randrange(99)});"
            for place, (verb, noun) in enumerate(zip(words, nouns, strict=True))
        )
        return (
            f"\r\n        public void {self._name(number)}(int id)\r\n        {{\r\n{body}\r\n        }}\r\n"
        )

    def dependencies(self) -> dict[str, list[int]]:
        """Return three calls for each member."""
        return {
            str(number): self._random.sample(range(1, self.members + 1), 3)
            for number in range(1, self.members + 1)
        }

    def bodies(self) -> Iterator[dict[str, object]]:
        """Yield tables, procedures and inline SQL."""
        for number in range(self.tables):
            name, parent = self._table(number), self._table(self._random.randrange(self.tables))
            body = (
                f"CREATE TABLE dbo.{name} (\n    Id INT NOT NULL,\n    ParentId INT,\n    CONSTRAINT FK_{name} "
                f"FOREIGN KEY (ParentId) REFERENCES dbo.{parent} (Id)\n)"
            )
            yield self._object("TABLE", name, body)
        for number in range(self.procedures):
            table, read = self._table(number % self.tables), self._table(number * 7 % self.tables)
            body = (
                f"CREATE PROCEDURE dbo.{self._name(number)} @Id INT AS\nBEGIN\n"
                f"    UPDATE dbo.{table} SET ParentId = 1 WHERE Id = @Id;\n    SELECT * FROM dbo.{read};\nEND"
            )
            yield self._object("PROC", self._name(number), body)
        for number in range(1, self.snippets + 1):
            yield self._inline(number)

    def _object(self, kind: str, name: str, body: str) -> dict[str, object]:
        return {
            "key": f"dbo.{name}|{kind}", "kind": kind, "schema": "dbo", "name": name, "domain": "",
            "file": f"C:\\shop\\db\\{name}.sql", "body": body,
        }  # fmt: skip

    def _inline(self, number: int) -> dict[str, object]:
        owner = f"{NOUNS[number // MEMBERS_OF_CLASS % len(NOUNS)]}Service{number // MEMBERS_OF_CLASS}"
        method = f"Shop.Area{number % 40}.{owner}.{self._name(number)}"
        return {
            "key": method, "kind": "InlineSQL", "methodFullName": method, "bodyOrigin": "HotMethod",
            "namespace": f"Shop.Area{number % 40}", "typeFullName": method.rpartition(".")[0],
            "relativePath": f"Area{number // 1200}\\{owner}.cs", "file": "", "lineNumber": number % 500,
            "body": f"SELECT * FROM dbo.{self._table(number % self.tables)} WHERE Id = {number}",
        }  # fmt: skip

    def edges(self) -> Iterator[str]:
        """Yield the rows of edges.csv: writes with their false reads, reads of procedures and of methods."""
        yield "from,to,relation,to_kind,file,batch"
        for number in range(self.procedures):
            source = f"dbo.{self._name(number)}|PROC"
            written, read = self._table(number % self.tables), self._table(number * 7 % self.tables)
            yield f'"{source}","dbo.{written}|TABLE","WritesTo","TABLE","","0"'
            yield f'"{source}","dbo.{written}|TABLE_OR_VIEW","ReadsFrom","TABLE_OR_VIEW","","0"'
            yield f'"{source}","dbo.{read}|TABLE_OR_VIEW","ReadsFrom","TABLE_OR_VIEW","","0"'


def write_bundle(path: Path, *, chunks: int) -> None:
    """Write a bundle of so many chunks."""
    maker = Maker(chunks)
    meta = {"Branch": "main", "HeadSha": "0" * 40, "RepositoryRoot": "C:\\shop"}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("repo_meta.json", json.dumps(meta))
        archive.writestr("regular_code_bundle/chunks.json", json.dumps(list(maker.chunks()), indent=2))
        archive.writestr("regular_code_bundle/dependencies.json", json.dumps(maker.dependencies(), indent=2))
        archive.writestr("sql_code_bundle/docs/sql_bodies.jsonl", "\n".join(map(json.dumps, maker.bodies())))
        archive.writestr("sql_code_bundle/graph/edges.csv", "\n".join(maker.edges()))


def main() -> None:
    """Print seconds, memory and what the store holds."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--chunks", type=int, default=100_000)
    parser.add_argument("--keep", type=Path, help="where the bundle is kept")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = arguments.keep or Path(folder) / "main.zip"
        start = perf_counter()
        write_bundle(path, chunks=arguments.chunks)
        print(f"made {path.stat().st_size / 1e6:.1f} MB in {perf_counter() - start:.1f} s")
        seconds, peak, found = run_once(path, "none")
        print(f"{seconds:6.1f} s  {peak / 2**20:7.0f} MiB  {found}")


if __name__ == "__main__":
    main()
