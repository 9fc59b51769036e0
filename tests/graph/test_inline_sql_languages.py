"""The same rules read the strings of Python, TypeScript, Java and Go."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from ragduck.facts import FileFacts
from ragduck.graph.database.graph import DatabaseCatalog
from ragduck.graph.inline_sql.graph import inline_sql_graph
from ragduck.graph.types.catalog import Catalog

FactsOf = Callable[[Mapping[str, str]], list[FileFacts]]
EdgesOf = Callable[[Mapping[str, str]], set[tuple[str, str, str]]]


@pytest.fixture
def edges_of(facts_of: FactsOf) -> EdgesOf:
    """Return from, relation and to of the edges of files."""

    def edges(files: Mapping[str, str]) -> set[tuple[str, str, str]]:
        facts = facts_of(files)
        graph = inline_sql_graph(Catalog(facts), DatabaseCatalog(facts))
        return {(edge.from_key, edge.relation, edge.to_key) for edge in graph.edges}

    return edges


def test_python_runs_statements_through_cursors(edges_of: EdgesOf) -> None:
    code = """
        TABLE = "orders"

        def read(cursor, log):
            cursor.execute("SELECT a FROM customers WHERE id = %s", (1,))
            cursor.execute("INSERT INTO %s (a) VALUES (1)" % TABLE)
            cursor.execute(f"DELETE FROM {TABLE} WHERE id = ?", (1,))
            cursor.execute("select * from lines where id = {}".format(1))
            cursor.callproc("dbo.order_read", [1])
            log.info("Select a customer from the list")
    """
    source = "python:shop.orders.read|METHOD"

    assert edges_of({"shop/orders.py": code}) == {
        (source, "ReadsFrom", "dbo.customers|TABLE"),
        (source, "WritesTo", "dbo.orders|TABLE"),
        (source, "ReadsFrom", "dbo.lines|TABLE"),
        (source, "Executes", "dbo.order_read|PROC"),
    }


def test_python_constants_belong_to_the_functions_that_use_them(edges_of: EdgesOf) -> None:
    files = {
        "shop/sql.py": 'READ = """\nSELECT a\nFROM orders"""\n',
        "shop/orders.py": "from shop.sql import READ\n\ndef read(cursor):\n    cursor.execute(READ)\n",
    }

    assert edges_of(files) == {("python:shop.orders.read|METHOD", "ReadsFrom", "dbo.orders|TABLE")}


def test_typescript_runs_statements_and_tagged_templates(edges_of: EdgesOf) -> None:
    code = """
        const LIST = `SELECT * FROM orders WHERE id = $1`;
        export class Repo {
          async read(id: number) {
            await this.pool.query(LIST, [id]);
            await this.prisma.$queryRaw`SELECT * FROM stock WHERE id = ${id}`;
            await knex.raw("DELETE FROM carts WHERE id = ?", [id]);
            console.log("select a customer from the list");
          }
        }
    """
    source = "typescript:repo.Repo.read|METHOD"

    assert edges_of({"src/repo.ts": code}) == {
        (source, "ReadsFrom", "dbo.orders|TABLE"),
        (source, "ReadsFrom", "dbo.stock|TABLE"),
        (source, "WritesTo", "dbo.carts|TABLE"),
    }


def test_java_runs_statements_but_entity_queries_are_none(edges_of: EdgesOf) -> None:
    code = """
        package shop;
        public class Repo {
          private static final String LIST = "SELECT * FROM orders " + "WHERE id = ?";
          @Query("select o from Invoice o where o.id = :id") Object find(long id);
          @Query(value = "SELECT * FROM invoices WHERE id = ?1", nativeQuery = true) Object raw(long id);
          void read(int id) {
            jdbc.query(LIST, mapper, id);
            jdbc.update("UPDATE stock SET n = ? WHERE id = ?", 1, id);
            con.prepareCall("{call dbo.order_read(?)}");
            em.createQuery("select o from Invoice o where o.id = :id");
          }
        }
    """
    source = "java:shop.Repo.read|METHOD"

    assert edges_of({"src/shop/Repo.java": code}) == {
        (source, "ReadsFrom", "dbo.orders|TABLE"),
        (source, "WritesTo", "dbo.stock|TABLE"),
        (source, "Executes", "dbo.order_read|PROC"),
        ("java:shop.Repo.raw|METHOD", "ReadsFrom", "dbo.invoices|TABLE"),
    }


def test_go_runs_statements(edges_of: EdgesOf) -> None:
    code = """
        package pkg

        const list = "SELECT * FROM orders"

        func (r *Repo) Read(id int) {
            r.db.Query(list)
            r.db.Exec("UPDATE stock SET n = 1 WHERE id = $1", id)
            log.Printf("select %d from the list", id)
        }
    """
    source = "go:pkg.Repo.Read|METHOD"

    assert edges_of({"pkg/repo.go": code}) == {
        (source, "ReadsFrom", "dbo.orders|TABLE"),
        (source, "WritesTo", "dbo.stock|TABLE"),
    }
