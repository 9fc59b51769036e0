"""Files whose statements name nothing that rules about data look for stay packed; others are read."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from ragduck.facts import FileFacts, Mentions, StatementFacts
from ragduck.graph.build import stored_among

FactsOf = Callable[[Mapping[str, str]], list[FileFacts]]

CONTEXT = """
    class Order { public int Id { get; set; } public List<Line> Lines { get; set; } }
    class Line { public int Id { get; set; } public string Name { get; set; } }
    class ShopDb : DbContext { public DbSet<Order> Orders { get; set; } public DbSet<Line> Rows { get; set; } }
"""


class Counting:
    """Statements that count how often they are unpacked."""

    def __init__(self, facts: StatementFacts) -> None:
        self._facts = facts
        self.times = 0

    def unpacked(self) -> StatementFacts:
        self.times += 1
        return self._facts

    def mentions(self) -> Mentions:
        return self._facts.mentions()


@pytest.mark.parametrize(
    "does",
    [
        "var all = Known.Orders;",
        "foreach (var one in (isOld ? Old.Rows : null)) Show(one);",
        "db.Set<Order>();",
        "anything.Add(new Order());",
        "order.Lines.Clear();",
        "DbSet<Order> own = Find(); own.Print();",
        'Run("select * from Orders");',
        "connection.Query(text);",
    ],
)
def test_what_may_reach_data_is_read(facts_of: FactsOf, does: str) -> None:
    assert times_read(facts_of, does) > 0


@pytest.mark.parametrize("does", ["desk.Show(1);", "var name = desk.Name;", "desk.Kind = Kind.Fast;", ""])
def test_the_rest_stays_packed(facts_of: FactsOf, does: str) -> None:
    assert times_read(facts_of, does) == 0


def times_read(facts_of: FactsOf, does: str) -> int:
    """Return how often the statements of a class are unpacked that does something."""
    files = facts_of(
        {
            "Shop/Data.cs": CONTEXT,
            "Shop/Desk.cs": f"class Desk {{ void Do(ShopDb db, Order order, Desk desk) {{ {does} }} }}",
        }
    )
    counting = Counting(files[1].statements.unpacked())

    stored_among([files[0], files[1]._replace(statements=counting)])

    return counting.times
