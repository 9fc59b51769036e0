"""The sample shop: what its migrations did, in order."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

FACTS = Path(__file__).parents[2] / "data" / "shop_facts.json"
INITIAL = "Shop.Data.Migrations.InitialInvoicing|MIGRATION"


@pytest.fixture(scope="module")
def facts() -> dict[str, Any]:
    return json.loads(FACTS.read_text(encoding="utf-8"))


def test_every_migration_of_the_shop_changes_tables(shop, facts):
    names = {key.rpartition("|")[0].rpartition(".")[2] for key, _ in shop.pairs("SchemaChange")}

    assert names == {name.partition("_")[2] for name in facts["migrations"]}


def test_tables_that_only_migrations_know_are_those_that_no_script_has(shop, facts):
    changed = {table.rpartition("|")[0] for _, table in shop.pairs("SchemaChange")}

    assert changed - set(facts["tables"]) == set(facts["migration_only_tables"])


def test_a_table_that_is_dropped_again_is_not_created(shop):
    assert shop.created == ()


def test_a_key_of_a_dropped_table_is_in_its_history_but_no_key_any_more(shop, facts):
    [(child, _)] = facts["migration_only_foreign_keys"]

    assert (INITIAL, f"{child}|TABLE") in shop.pairs("SchemaChange", rule="add foreign key")
    assert child not in {key.rpartition("|")[0] for key, _ in shop.pairs("ForeignKey")}


def test_changes_come_with_their_column_key_or_index(shop):
    assert [
        change for change in shop.changes() if change[1] in ("dbo.Invoice|TABLE", "sales.DiscountCode|TABLE")
    ] == [
        ("create table", "sales.DiscountCode|TABLE", ""),
        ("add foreign key", "sales.DiscountCode|TABLE", "FK_DiscountCode_Customer"),
        ("create table", "dbo.Invoice|TABLE", ""),
        ("add foreign key", "dbo.Invoice|TABLE", "FK_Invoice_Customer"),
        ("create index", "dbo.Invoice|TABLE", "IX_Invoice_InvoiceNumber"),
        ("add column", "dbo.Invoice|TABLE", "DunningLevel"),
        ("raw sql", "dbo.Invoice|TABLE", ""),
        ("alter column", "dbo.Invoice|TABLE", "DueDate"),
        ("drop column", "dbo.Invoice|TABLE", "LegacyNumber"),
        ("drop table", "sales.DiscountCode|TABLE", ""),
        ("alter table", "dbo.Invoice|TABLE", ""),
    ]


def test_raw_sql_of_a_migration_is_found_on_its_own_lines(shop):
    written = shop.only("WritesTo", rule="update")

    assert (written.from_key, written.to_key, written.line) == (
        "csharp:Shop.Data.Migrations.RequireDueDate|MIGRATION",
        "dbo.Invoice|TABLE",
        17,
    )
