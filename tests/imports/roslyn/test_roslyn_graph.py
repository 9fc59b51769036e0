"""What the graph of a bundle becomes once its known faults are repaired."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from ragduck.imports.contract import Imported
from ragduck.model import Edge, Node

Read = Callable[[Any], Imported]
LOAD = "csharp:Shop.Services.OrderService.Load|METHOD"
PLACE = "csharp:Shop.Services.OrderService.Place|METHOD"


def edges_of(imported: Imported) -> set[tuple[str, str, str]]:
    return {(edge.from_key, edge.relation, edge.to_key) for edge in imported.graph.edges}


def edge_of(imported: Imported, from_key: str, relation: str, to_key: str) -> Edge:
    found = [
        edge
        for edge in imported.graph.edges
        if (edge.from_key, edge.relation, edge.to_key) == (from_key, relation, to_key)
    ]
    return found[0]


def node_of(imported: Imported, key: str) -> Node:
    return {node.node_key: node for node in imported.graph.nodes}[key]


def repaired(imported: Imported, rule: str) -> list[int]:
    return [each.line for each in imported.findings if (each.outcome, each.rule) == ("repaired", rule)]


def test_both_ends_of_every_edge_are_nodes(imported: Read, shop_bundle: Any) -> None:
    graph = imported(shop_bundle).graph
    keys = {node.node_key for node in graph.nodes}

    assert all({edge.from_key, edge.to_key} <= keys for edge in graph.edges)


def test_places_lie_within_imported_documents(imported: Read, shop_bundle: Any) -> None:
    read = imported(shop_bundle)
    lines = {each.document.path: len(each.document.lines) for each in read.documents}

    assert all(1 <= edge.line <= lines.get(edge.source_file, 1) for edge in read.graph.edges)
    for node in read.graph.nodes:
        assert (
            node.is_external
            or 1 <= (node.start_line or 0) <= (node.end_line or 0) <= lines[node.source_file or ""]
        )


def test_calls_come_from_the_dependencies(imported: Read, shop_bundle: Any) -> None:
    edge = edge_of(imported(shop_bundle), PLACE, "Calls", LOAD)

    assert (edge.source_file, edge.line, edge.rule) == (
        "src/Shop.Services/OrderService.cs",
        3,
        "RoslynIndexer Calls",
    )


def test_calls_to_members_without_a_chunk_are_named(imported: Read, shop_bundle: Any) -> None:
    found = [each for each in imported(shop_bundle).findings if each.rule == "call to an unknown member"]

    assert [(each.file, each.line, each.field) for each in found] == [
        ("regular_code_bundle/dependencies.json", 1, "3")
    ]


def test_calls_of_the_database_lead_to_its_objects(imported: Read, fake_bundle: Any) -> None:
    read = imported(fake_bundle)

    assert ("csharp:Fake.Shipping.Ship.Run|METHOD", "Executes", "dbo.proc_GetShipment|PROC") in edges_of(read)


def test_calls_between_views_are_reads(imported: Read, fake_bundle: Any) -> None:
    assert ("dbo.proc_GetShipment|PROC", "ReadsFrom", "dbo.view_Shipments|VIEW") in edges_of(
        imported(fake_bundle)
    )


def test_bases_and_interfaces_are_told(imported: Read, shop_bundle: Any) -> None:
    edges = edges_of(imported(shop_bundle))
    own = "csharp:Shop.Services.OrderService|TYPE"

    assert (own, "Inherits", "csharp:ServiceBase|TYPE") in edges
    assert (own, "Implements", "csharp:Shop.Services.IOrderService|TYPE") in edges


def test_files_contain_types_and_types_contain_members(imported: Read, shop_bundle: Any) -> None:
    edges = edges_of(imported(shop_bundle))
    own = "csharp:Shop.Services.OrderService|TYPE"

    assert ("file:src/Shop.Services/OrderService.cs|FILE", "Contains", own) in edges
    assert (own, "Contains", LOAD) in edges
    assert ("file:db/tables/001.sql|FILE", "Contains", "dbo.Order|TABLE") in edges


def test_roles_are_told(imported: Read, shop_bundle: Any) -> None:
    read = imported(shop_bundle)

    assert node_of(read, "csharp:Shop.Data.Order|TYPE").role == "ENTITY"
    assert node_of(read, "csharp:Shop.Data.ShopContext|TYPE").role == "DBCONTEXT"
    assert node_of(read, "csharp:Shop.Services.OrderService|TYPE").role == "JOB"
    assert node_of(read, "csharp:Shop.Data.AddAudit|MIGRATION").role == "MIGRATION"


def test_actions_of_controllers_have_their_role(
    imported: Read, code_bundle: Callable[..., Any], make_member: Callable[..., Any]
) -> None:
    record = make_member(
        1, "Shop", "HomeController", "Index", "public void Index() { }", BaseType="Controller"
    )
    read = imported(code_bundle(record))

    assert node_of(read, "csharp:Shop.HomeController|TYPE").role == "CONTROLLER"
    assert node_of(read, "csharp:Shop.HomeController.Index|METHOD").role == "ACTION"


def test_dangling_table_or_view_is_resolved_by_name(imported: Read, shop_bundle: Any) -> None:
    read = imported(shop_bundle)

    assert (LOAD, "ReadsFrom", "dbo.Customer|TABLE") in edges_of(read)
    assert 13 in repaired(read, "dangling TABLE_OR_VIEW")


def test_table_or_view_that_nothing_defines_is_external(
    imported: Read, shop_bundle: Any, make_edge: Callable[..., Any]
) -> None:
    shop_bundle.edges.append(make_edge("dbo.Order_Place|PROC", "dbo.Elsewhere|TABLE_OR_VIEW", "ReadsFrom"))
    node = node_of(imported(shop_bundle), "dbo.Elsewhere|TABLE")

    assert node.is_external


def test_names_are_found_whatever_their_case(
    imported: Read, shop_bundle: Any, make_edge: Callable[..., Any]
) -> None:
    shop_bundle.edges.append(make_edge("dbo.Order_Place|PROC", "DBO.CUSTOMER|TABLE_OR_VIEW", "ReadsFrom"))

    assert "DBO.CUSTOMER|TABLE" not in {node.node_key for node in imported(shop_bundle).graph.nodes}


def test_false_read_beside_a_write_is_dropped(imported: Read, shop_bundle: Any) -> None:
    read = imported(shop_bundle)

    assert ("dbo.Order_Place|PROC", "WritesTo", "dbo.Order|TABLE") in edges_of(read)
    assert ("dbo.Order_Place|PROC", "ReadsFrom", "dbo.Order|TABLE") not in edges_of(read)
    assert repaired(read, "false read") == [5]


def test_true_read_beside_a_write_is_kept(imported: Read, shop_bundle: Any) -> None:
    shop_bundle.bodies[2]["body"] += "\nSELECT Id FROM dbo.[Order];"

    assert ("dbo.Order_Place|PROC", "ReadsFrom", "dbo.Order|TABLE") in edges_of(imported(shop_bundle))


def test_read_beside_a_write_without_a_body_is_less_sure(imported: Read, shop_bundle: Any) -> None:
    del shop_bundle.bodies[2]
    edge = edge_of(imported(shop_bundle), "dbo.Order_Place|PROC", "ReadsFrom", "dbo.Order|TABLE")

    assert edge.confidence < 1


def test_self_foreign_key_of_a_shared_batch_is_dropped(imported: Read, shop_bundle: Any) -> None:
    read = imported(shop_bundle)

    assert ("dbo.Customer|TABLE", "ForeignKey", "dbo.Customer|TABLE") not in edges_of(read)
    assert repaired(read, "self foreign key") == [3]


def test_self_foreign_key_that_the_table_declares_is_kept(imported: Read, shop_bundle: Any) -> None:
    shop_bundle.bodies[0]["body"] = (
        "CREATE TABLE dbo.Customer (Id INT, Boss INT REFERENCES dbo.Customer (Id))"
    )

    assert ("dbo.Customer|TABLE", "ForeignKey", "dbo.Customer|TABLE") in edges_of(imported(shop_bundle))


def test_foreign_key_of_another_table_of_the_batch_is_dropped(
    imported: Read, shop_bundle: Any, make_edge: Callable[..., Any], make_object: Callable[..., Any],
    make_node: Callable[..., Any],
) -> None:  # fmt: skip
    file = "tables\\001.sql"
    shop_bundle.bodies.append(make_object("TABLE", "Note", "CREATE TABLE dbo.Note (Id INT)"))
    shop_bundle.nodes.append(make_node("dbo.Note|TABLE", file=file))
    shop_bundle.edges.append(make_edge("dbo.Note|TABLE", "dbo.Customer|TABLE", "ForeignKey", file=file))
    read = imported(shop_bundle)

    assert ("dbo.Note|TABLE", "ForeignKey", "dbo.Customer|TABLE") not in edges_of(read)
    assert repaired(read, "foreign key of another table") == [16]


def test_foreign_keys_have_nodes_as_in_the_own_graph(imported: Read, shop_bundle: Any) -> None:
    read = imported(shop_bundle)
    key = "dbo.FK_Order_Customer|FOREIGN_KEY"

    assert ("dbo.Order|TABLE", "Contains", key) in edges_of(read)
    assert (key, "Uses", "dbo.Customer|TABLE") in edges_of(read)
    assert edge_of(read, "dbo.Order|TABLE", "ForeignKey", "dbo.Customer|TABLE").detail == "FK_Order_Customer"
    assert node_of(read, key).start_line == 11


def test_foreign_key_of_a_column_is_added(imported: Read, shop_bundle: Any) -> None:
    shop_bundle.bodies[1]["body"] = "CREATE TABLE dbo.[Order] (CustomerId INT REFERENCES dbo.Customer (Id))"
    shop_bundle.edges = shop_bundle.edges[1:]
    read = imported(shop_bundle)

    assert ("dbo.Order|TABLE", "ForeignKey", "dbo.Customer|TABLE") in edges_of(read)
    assert repaired(read, "foreign key of a column") == [2]


def test_schema_of_a_migration_is_that_of_its_summary(imported: Read, shop_bundle: Any) -> None:
    read = imported(shop_bundle)
    migration = "csharp:Shop.Data.AddAudit|MIGRATION"

    assert (migration, "SchemaChange", "sales.Audit|TABLE") in edges_of(read)
    assert "dbo.Audit|TABLE" not in {node.node_key for node in read.graph.nodes}
    assert repaired(read, "schema of a migration") == [11]


def test_changes_of_a_migration_say_what_was_done(imported: Read, shop_bundle: Any) -> None:
    done = {
        (edge.to_key, edge.rule.removeprefix("RoslynIndexer "), edge.detail)
        for edge in imported(shop_bundle).graph.edges
        if edge.relation == "SchemaChange"
    }

    assert done == {
        ("sales.Audit|TABLE", "create table", ""),
        ("sales.Audit|TABLE", "add foreign key", "FK_Audit_Order"),
        ("sales.Order|TABLE", "add column", "Note"),
        ("sales.Order|TABLE", "rename column", "Old -> New"),
    }


def test_table_that_a_migration_creates_has_a_place(imported: Read, shop_bundle: Any) -> None:
    node = node_of(imported(shop_bundle), "sales.Audit|TABLE")

    assert (node.source_file, node.is_external) == ("src/Shop.Services/AddAudit.cs", False)


def test_duplicate_edges_are_one(imported: Read, shop_bundle: Any) -> None:
    read = imported(shop_bundle)

    assert repaired(read, "duplicate edge") == [9]
    assert edge_of(read, "csharp:Shop.Data.Order|TYPE", "MapsTo", "dbo.Order|TABLE").sites == 1


def test_sets_and_entities_get_their_full_names(imported: Read, shop_bundle: Any) -> None:
    edges = edges_of(imported(shop_bundle))

    assert ("csharp:Shop.Data.ShopContext.Orders|DBSET", "MapsTo", "dbo.Order|TABLE") in edges
    assert ("csharp:Shop.Data.Order|TYPE", "MapsTo", "dbo.Order|TABLE") in edges


def test_inline_sql_that_writes_is_a_write(imported: Read, shop_bundle: Any) -> None:
    for record in shop_bundle.bodies[-2:]:
        record["body"] = "UPDATE dbo.[Order] SET CustomerId = 1 WHERE Id = 2"
    edges = edges_of(imported(shop_bundle))

    assert (LOAD, "WritesTo", "dbo.Order|TABLE") in edges
    assert (LOAD, "ReadsFrom", "dbo.Order|TABLE") not in edges


def test_batch_of_a_script_is_its_file(
    imported: Read, shop_bundle: Any, make_edge: Callable[..., Any]
) -> None:
    batch = "dbo.__batch__:001.sql:3|BATCH"
    shop_bundle.edges.append(
        make_edge(batch, "dbo.Order|TABLE", "WritesTo", file="C:\\repos\\shop\\db\\tables\\001.sql")
    )

    assert ("file:db/tables/001.sql|FILE", "WritesTo", "dbo.Order|TABLE") in edges_of(imported(shop_bundle))


def test_key_may_be_an_expression_of_code(
    imported: Read, shop_bundle: Any, make_edge: Callable[..., Any]
) -> None:
    key = "dbo.NameManager.GetTableName(typeof(X) | 1)|TABLE"
    shop_bundle.edges.append(make_edge("csharp:Order|ENTITY", key, "MapsTo"))
    node = node_of(imported(shop_bundle), key)

    assert (node.kind, node.schema, node.is_external) == ("TABLE", "dbo", True)


def test_graph_json_fills_what_the_csv_lacks(imported: Read, shop_bundle: Any) -> None:
    edge = {
        "From": "dbo.Order_Place|PROC",
        "To": "dbo.Sequence1|SEQUENCE",
        "Relation": "Uses",
        "ToKind": "SEQUENCE",
    }
    shop_bundle.extra["sql_code_bundle/graph/graph.json"] = json.dumps({"nodes": [], "edges": [edge]})
    edges = edges_of(imported(shop_bundle))

    assert ("dbo.Order_Place|PROC", "Uses", "dbo.Sequence1|SEQUENCE") in edges
    assert ("dbo.Order_Place|PROC", "WritesTo", "dbo.Order|TABLE") in edges


def test_graph_json_alone_is_enough(imported: Read, shop_bundle: Any) -> None:
    row = shop_bundle.edges[2]
    edge = {"From": row[0], "To": row[1], "Relation": row[2], "ToKind": row[3], "File": None, "Batch": 0}
    shop_bundle.nodes, shop_bundle.edges = [], []
    shop_bundle.extra["sql_code_bundle/graph/graph.json"] = json.dumps({"nodes": [], "edges": [edge]})

    assert ("dbo.Order_Place|PROC", "WritesTo", "dbo.Order|TABLE") in edges_of(imported(shop_bundle))


def test_node_that_no_edge_names_is_kept(
    imported: Read, shop_bundle: Any, make_node: Callable[..., Any]
) -> None:
    shop_bundle.nodes.append(make_node("dbo.Lonely|SYNONYM"))

    assert node_of(imported(shop_bundle), "dbo.Lonely|SYNONYM").is_external


def test_unknown_relation_is_a_use(imported: Read, shop_bundle: Any, make_edge: Callable[..., Any]) -> None:
    shop_bundle.edges.append(make_edge("dbo.Order_Place|PROC", "dbo.Customer|TABLE", "Touches"))
    read = imported(shop_bundle)

    assert ("dbo.Order_Place|PROC", "Uses", "dbo.Customer|TABLE") in edges_of(read)
    assert repaired(read, "unknown relation") == [16]


def test_edge_keeps_the_file_of_its_row_and_the_line_there_that_names_the_other_end(
    imported: Read, shop_bundle: Any
) -> None:
    edge = edge_of(imported(shop_bundle), "csharp:Shop.Data.Order|TYPE", "MapsTo", "dbo.Order|TABLE")

    assert (edge.source_file, edge.line) == ("src/Shop.Services/ShopContext.cs", 1)


def test_what_has_a_file_but_no_text_is_not_external(imported: Read, shop_bundle: Any) -> None:
    read = imported(shop_bundle)
    node = node_of(read, "dbo.Bill|SYNONYM")

    assert (node.source_file, node.is_external) == ("db/synonyms/Bill.sql", False)
    assert ("file:db/synonyms/Bill.sql|FILE", "Contains", "dbo.Bill|SYNONYM") in edges_of(read)


def test_batch_and_domain_are_told_where_an_object_is_defined(imported: Read, shop_bundle: Any) -> None:
    edge = edge_of(imported(shop_bundle), "file:db/tables/001.sql|FILE", "Contains", "dbo.Order|TABLE")

    assert edge.detail == "batch 0, domain tables"


def test_edge_of_a_batch_tells_which(imported: Read, shop_bundle: Any) -> None:
    edge = edge_of(imported(shop_bundle), "file:db/scripts/deploy.sql|FILE", "WritesTo", "dbo.Customer|TABLE")

    assert edge.detail == "from dbo.__batch__:deploy.sql:1|BATCH in scripts"


def test_kind_that_nobody_knows_is_told(imported: Read, shop_bundle: Any) -> None:
    edge = edge_of(imported(shop_bundle), "dbo.Order_Place|PROC", "Executes", "dbo.Order_Log|PROC")

    assert edge.detail == "to UNKNOWN"


def test_object_is_found_by_the_key_of_its_record(imported: Read, fake_bundle: Any) -> None:
    fake_bundle.bodies[1]["name"] = "view_AllShipments"

    found = edges_of(imported(fake_bundle))

    assert ("dbo.proc_GetShipment|PROC", "ReadsFrom", "dbo.view_AllShipments|VIEW") in found


def test_dot_within_a_name_is_no_schema(
    imported: Read, shop_bundle: Any, make_object: Callable[..., Any]
) -> None:
    shop_bundle.bodies.append(make_object("TABLE", "Order.Line", "CREATE TABLE dbo.[Order.Line] (Id INT)"))
    node = node_of(imported(shop_bundle), "dbo.Order.Line|TABLE")

    assert (node.schema, node.name) == ("dbo", "Order.Line")


def test_constant_that_holds_sql_stays_a_field(imported: Read, shop_bundle: Any) -> None:
    for body in shop_bundle.bodies[-2:]:
        body |= {"methodFullName": "Shop.Services.OrderService.Sql", "memberKind": "Field"}

    assert node_of(imported(shop_bundle), "csharp:Shop.Services.OrderService.Sql|FIELD").kind == "FIELD"


def test_base_with_type_arguments_is_told_as_written(imported: Read, shop_bundle: Any) -> None:
    for chunk in shop_bundle.chunks[:3]:
        chunk["BaseType"] = "ServiceBase<Order>"
    edge = edge_of(
        imported(shop_bundle), "csharp:Shop.Services.OrderService|TYPE", "Inherits", "csharp:ServiceBase|TYPE"
    )

    assert edge.detail == "ServiceBase<Order>"


def test_type_within_a_type_is_contained_in_it(imported: Read, shop_bundle: Any) -> None:
    entity = next(body for body in shop_bundle.bodies if body["kind"] == "ENTITY")
    entity["typeFullName"] = "Shop.Data.Outer.Order"

    assert (
        "csharp:Shop.Data.Outer|TYPE", "Contains", "csharp:Shop.Data.Outer.Order|TYPE"
    ) in edges_of(imported(shop_bundle))  # fmt: skip
