"""Singular and plural of names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragduck.graph.entities.plurals import variants


@pytest.mark.parametrize(
    ("one", "many"),
    [
        ("Customer", "Customers"),
        ("Category", "Categories"),
        ("Address", "Addresses"),
        ("Box", "Boxes"),
        ("Status", "Statuses"),
        ("Key", "Keys"),
        ("Person", "People"),
        ("OrderLine", "OrderLines"),
        ("SalesPerson", "SalesPeople"),
        ("Child", "Children"),
        ("order_line", "order_lines"),
        ("Index", "Indices"),
        ("Shelf", "Shelves"),
    ],
)
def test_each_number_of_a_name_leads_to_the_other(one, many):
    assert many in variants(one)
    assert one in variants(many)


@pytest.mark.parametrize("name", ["", "_", "1", "名前", "Table_"])
def test_what_does_not_end_in_a_word_has_no_other_number(name):
    assert variants(name) == ()


@given(st.text(max_size=200))
def test_a_name_is_no_variant_of_itself_and_variants_are_few(name):
    found = variants(name)

    assert name not in found
    assert len(found) <= 5
