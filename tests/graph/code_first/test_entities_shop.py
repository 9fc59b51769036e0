"""The sample shop: what its facts say about entities, keys and who uses which table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

FACTS = Path(__file__).parents[2] / "data" / "shop_facts.json"


@pytest.fixture(scope="module")
def facts() -> dict[str, Any]:
    return json.loads(FACTS.read_text(encoding="utf-8"))


def test_every_entity_of_the_shop_maps_to_its_table(shop, facts):
    mapped = {
        (entity.removesuffix("|TYPE"), table.rpartition("|")[0])
        for entity, table in shop.pairs("MapsTo")
        if entity.endswith("|TYPE")
    }

    assert mapped == set(facts["entity_tables"].items())


def test_an_entity_without_a_key_maps_to_its_view(shop):
    assert shop.only("MapsTo", rule="ToView").to_key == "dbo.vInvoiceBalance|VIEW"


def test_every_set_of_the_context_maps_to_its_entity(shop):
    sets = {set_key for set_key, _ in shop.pairs("MapsTo", rule="DbSet")}

    assert len(sets) == 11
    assert "Shop.Data.ShopDbContext.DunningNotice|DBSET" in sets


def test_keys_that_code_declares_are_among_those_of_the_database(shop, facts):
    known = {tuple(key) for key in facts["foreign_keys"]}
    declared = {(a.rpartition("|")[0], b.rpartition("|")[0]) for a, b in shop.pairs("ForeignKey")}

    assert declared <= known
    assert known - declared == {
        ("dbo.LegacyCustomerMap", "dbo.Customer"),
        ("sales.PriceListItem", "dbo.Customer"),
    }


def test_readers_of_tables_are_those_that_query_them(shop):
    assert shop.pairs("ReadsFrom", rule="DbSet") | shop.pairs("ReadsFrom", rule="Include") == {
        ("ImportOrdersAsync|METHOD", "dbo.Product|TABLE"),
        ("Shop.Data.Catalog.CatalogService.GetPriceAsync|METHOD", "dbo.Product|TABLE"),
        ("Shop.Data.Catalog.CatalogService.GetPriceAsync|METHOD", "sales.PriceListItem|TABLE"),
        ("Shop.Data.Catalog.CatalogService.ReadShortageAsync|METHOD", "dbo.Product|TABLE"),
        ("Shop.Data.Catalog.CatalogService.ReadShortageAsync|METHOD", "dbo.StockLevel|TABLE"),
        ("Shop.Data.Catalog.CatalogService.SetCustomerPriceAsync|METHOD", "sales.PriceListItem|TABLE"),
        ("Shop.Web.Controllers.OrderController.Details|METHOD", "dbo.Customer|TABLE"),
        ("Shop.Web.Controllers.OrderController.Details|METHOD", "dbo.Order|TABLE"),
        ("Shop.Web.Controllers.OrderController.Details|METHOD", "dbo.OrderLine|TABLE"),
        ("Shop.Web.Controllers.OrderController.Details|METHOD", "dbo.Product|TABLE"),
        ("Shop.Web.Controllers.PaymentController.Assign|METHOD", "dbo.Invoice|TABLE"),
        ("Shop.Web.Controllers.PaymentController.Assign|METHOD", "dbo.Payment|TABLE"),
        ("Shop.Web.Controllers.PaymentController.Proposal|METHOD", "dbo.Invoice|TABLE"),
        ("Shop.Web.Controllers.PaymentController.Proposal|METHOD", "dbo.Payment|TABLE"),
        ("Shop.Web.Controllers.PaymentController.Unmatched|METHOD", "dbo.Payment|TABLE"),
        ("Shop.Web.Pages.Invoices.IndexModel.OnGetAsync|METHOD", "dbo.vInvoiceBalance|VIEW"),
    }


def test_writers_of_tables_are_those_that_change_them(shop):
    assert shop.pairs("WritesTo", rule="DbSet") == {
        ("Shop.Data.Catalog.CatalogService.DiscontinueAsync|METHOD", "dbo.Product|TABLE"),
        ("Shop.Data.Catalog.CatalogService.SetCustomerPriceAsync|METHOD", "sales.PriceListItem|TABLE"),
        ("Shop.Data.Repositories.DunningRepository.ForgiveAsync|METHOD", "dbo.DunningNotice|TABLE"),
    }


def test_loaded_entities_that_are_changed_and_saved_are_written(shop):
    assert shop.pairs("WritesTo", rule="tracked entity") == {
        ("Shop.Data.Catalog.CatalogService.SetCustomerPriceAsync|METHOD", "sales.PriceListItem|TABLE"),
        ("Shop.Web.Controllers.PaymentController.Assign|METHOD", "dbo.Invoice|TABLE"),
        ("Shop.Web.Controllers.PaymentController.Assign|METHOD", "dbo.Payment|TABLE"),
    }
