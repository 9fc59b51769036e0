"""Names built by interpolation are resolved through the class hierarchy."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from ragduck.facts import FileFacts
from ragduck.graph.database.graph import DatabaseCatalog
from ragduck.graph.inline_sql.graph import inline_sql_graph
from ragduck.graph.types.catalog import Catalog
from ragduck.model import Edge

FactsOf = Callable[[Mapping[str, str]], list[FileFacts]]
EdgesOf = Callable[[str], list[Edge]]

BASE = """
namespace Shop;
public class User { }
public class Order { }
public abstract class Repository<T>(object c, string schema = "dbo", string? table = null)
{
    protected string Schema { get; } = schema;
    protected string Table { get; } = table ?? typeof(T).Name;
    public virtual void Read(int id) =>
        db.Query($"[{Schema}].[{Table}_Read]", commandType: CommandType.StoredProcedure);
}
"""
READ_LINE = 9
USERS = "public class Users(object c) : Repository<User>(c) {{ {members} }}"


@pytest.fixture
def edges_of(facts_of: FactsOf) -> EdgesOf:
    def edges(code: str) -> list[Edge]:
        facts = facts_of({"Shop/A.cs": code})
        return list(inline_sql_graph(Catalog(facts), DatabaseCatalog(facts)).edges)

    return edges


def ends(edges: list[Edge]) -> set[tuple[str, str]]:
    return {(edge.from_key, edge.to_key) for edge in edges}


def test_a_base_string_leads_from_each_concrete_class(edges_of: EdgesOf) -> None:
    code = (
        BASE + USERS.format(members="") + 'class Orders(object c) : Repository<Order>(c, "sales", "Sale") { }'
    )

    assert ends(edges_of(code)) == {
        ("csharp:Shop.Users|TYPE", "dbo.User_Read|PROC"),
        ("csharp:Shop.Orders|TYPE", "sales.Sale_Read|PROC"),
    }


def test_the_evidence_is_the_line_of_the_string(edges_of: EdgesOf) -> None:
    (edge,) = edges_of(BASE + USERS.format(members=""))

    assert (edge.source_file, edge.line) == ("Shop/A.cs", READ_LINE)
    assert (edge.relation, edge.rule, edge.confidence) == ("Executes", "interpolated name", 0.9)


def test_a_string_of_the_concrete_class_leads_from_its_method(edges_of: EdgesOf) -> None:
    member = (
        'void Find() => db.Query($"[{Schema}].[{Table}_Find]", commandType: CommandType.StoredProcedure);'
    )
    code = BASE + USERS.format(members=member)

    assert ("csharp:Shop.Users.Find|METHOD", "dbo.User_Find|PROC") in ends(edges_of(code))


def test_abstract_classes_between_have_no_edges(edges_of: EdgesOf) -> None:
    code = (
        BASE
        + """
        public abstract class Audited<T>(object c) : Repository<T>(c, "audit") { }
        public class Users(object c) : Audited<User>(c) { }
    """
    )

    assert ends(edges_of(code)) == {("csharp:Shop.Users|TYPE", "audit.User_Read|PROC")}


def test_a_class_that_inherits_the_same_name_adds_nothing(edges_of: EdgesOf) -> None:
    code = BASE + USERS.format(members="") + "public class FakeUsers(object c) : Users(c) { }"

    assert ends(edges_of(code)) == {("csharp:Shop.Users|TYPE", "dbo.User_Read|PROC")}


def test_a_method_that_is_overridden_is_not_run(edges_of: EdgesOf) -> None:
    code = BASE + USERS.format(members="public override void Read(int id) { }")

    assert ends(edges_of(code)) == set()


def test_a_method_that_is_called_by_its_override_is_run(edges_of: EdgesOf) -> None:
    code = BASE + USERS.format(members="public override void Read(int id) { base.Read(id); }")

    assert ends(edges_of(code)) == {("csharp:Shop.Users|TYPE", "dbo.User_Read|PROC")}


def test_another_overload_overrides_nothing(edges_of: EdgesOf) -> None:
    code = BASE + USERS.format(members="public void Read(int id, int version) { }")

    assert ends(edges_of(code)) == {("csharp:Shop.Users|TYPE", "dbo.User_Read|PROC")}


def test_a_string_that_is_the_same_for_all_belongs_to_its_method(edges_of: EdgesOf) -> None:
    code = """
        abstract class Base(string schema = "dbo") { void Read() => db.Query($"SELECT Id FROM {schema}.Log"); }
        class A : Base { }
        class B() : Base() { }
    """

    assert ends(edges_of(code)) == {("csharp:Base.Read|METHOD", "dbo.Log|TABLE")}


def test_a_statement_is_put_together_for_each_class(edges_of: EdgesOf) -> None:
    code = """
        abstract class Base
        {
            protected abstract string Table { get; }
            int Count() => db.Query($"SELECT COUNT(*) FROM dbo.{Table}");
        }
        class Users : Base { protected override string Table => "User"; }
        class Orders : Base { protected override string Table => nameof(Orders); }
    """

    assert ends(edges_of(code)) == {
        ("csharp:Users|TYPE", "dbo.User|TABLE"),
        ("csharp:Orders|TYPE", "dbo.Orders|TABLE"),
    }


def test_a_derived_constructor_sets_the_name(edges_of: EdgesOf) -> None:
    code = """
        abstract class Base { protected string Table; void Read() => db.Query($"SELECT Id FROM dbo.{Table}"); }
        class Users : Base { public Users() { Table = "User"; } }
    """

    assert ends(edges_of(code)) == {("csharp:Users|TYPE", "dbo.User|TABLE")}


def test_a_name_that_stays_unknown_leads_nowhere(edges_of: EdgesOf) -> None:
    code = BASE + "public class Any<T>(object c) : Repository<T>(c) { }"

    assert edges_of(code) == []
