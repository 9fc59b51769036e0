"""Properties that load what they hold themselves."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from ragduck.facts import FileFacts
from ragduck.graph.entities.lazy_loading import loading_properties
from ragduck.graph.types.catalog import Catalog

FactsOf = Callable[[Mapping[str, str]], list[FileFacts]]

LINES = "csharp:Order.Lines|PROPERTY"
LOADING = "List<Line> Lines => LazyLoader.Load(this, ref _lines);"


@pytest.mark.parametrize(
    ("member", "found"),
    [
        (LOADING, {LINES}),
        ("List<Line> Lines { get => _lines ?? LazyLoader.Load(this, ref _lines); }", {LINES}),
        ("List<Line> Lines() => LazyLoader.Load(this, ref _lines);", set()),
        ("List<Line> Lines => LazyLoader.Fetch(this, ref _lines);", set()),
        ("List<Line> Lines => LazyLoader.Load(_parent, ref _lines);", set()),
        ("List<Line> Lines => LazyLoader.Load(this);", set()),
    ],
)
def test_a_property_loads_itself_if_it_hands_on_its_object_and_its_field(
    facts_of: FactsOf, member: str, found: set[str]
) -> None:
    code = f"class Order {{ {member} void Read() {{ File.Load(path); }} }}"

    assert loading_properties(Catalog(facts_of({"Shop/Order.cs": code}))) == found


def test_those_of_tests_and_of_other_languages_do_not_count(facts_of: FactsOf) -> None:
    files = {
        "Shop.Tests/OrderTests.cs": f"class Order {{ {LOADING} }}",
        "Web/order.ts": "export class Order { get lines() { return this.loader.Load(this, 'lines'); } }",
    }

    facts = facts_of(files)

    assert {one.source for file in facts for one in file.calls} == {
        LINES,
        "typescript:Web.order.Order.lines|PROPERTY",
    }
    assert loading_properties(Catalog(facts)) == set()
