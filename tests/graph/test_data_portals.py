"""What asks a data portal of CSLA for an object runs the data access methods of its class."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

CodeEdges = Callable[[str, str | Mapping[str, str]], set[tuple[str, str, str]]]

RULE = "data portal"
ORDER = """
    public class Order : BusinessBase<Order> {
        [Fetch] private void Load(int id, [Inject] IOrderDal dal) {}
        [Fetch] private void LoadAll(string a, string b) {}
        [Create] private Task CreateAsync([Inject] OrderContext context) {}
        [Insert] private void Insert([Inject] IOrderDal dal) {}
        [Update] private void Update([Inject] IOrderDal dal) {}
        [DeleteSelf] private void DeleteSelf() {}
        [Delete] private void Remove(int id) {}
    }
    public class Line : BusinessBase<Line> {
        [FetchChild] private void Fetch(LineDto dto) {}
        [InsertChild] private void Insert(Order order) {}
        private void Child_Update(Order order) {}
    }
    public class Bill : BusinessBase<Bill> {
        protected void DataPortal_Fetch(int id) {}
        private void DataPortal_Execute() {}
    }
    public class LongBill : Bill {}
"""


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("IDataPortal<Order> portal; Task Go() => portal.FetchAsync(1);", {"Order.Load"}),
        ("Order Go(IDataPortal<Order> portal) => portal.Fetch(1, 2);", {"Order.LoadAll"}),
        ("Order Go(IDataPortal<Order> portal) => portal.Create();", {"Order.CreateAsync"}),
        ("void Go(IDataPortal<Order> portal) { portal.Delete(1); }", {"Order.Remove"}),
        (
            "Task Go(IDataPortal<Order> portal, Order order) => portal.UpdateAsync(order);",
            {"Order.Insert", "Order.Update", "Order.DeleteSelf"},
        ),
        ("void Go(Order order) { order.SaveAsync(); }", {"Order.Insert", "Order.Update", "Order.DeleteSelf"}),
        ("Line Go(IChildDataPortal<Line> portal, LineDto dto) => portal.FetchChild(dto);", {"Line.Fetch"}),
        (
            "void Go(IChildDataPortal<Line> portal, Line line) { portal.UpdateChild(line, null); }",
            {"Line.Insert", "Line.Child_Update"},
        ),
        ("Bill Go() => DataPortal.Fetch<Bill>(1);", {"Bill.DataPortal_Fetch"}),
        ("Bill Go() => Csla.DataPortal.Fetch<LongBill>(1);", {"Bill.DataPortal_Fetch"}),
        ("Task Go(IDataPortalFactory all) => all.GetPortal<Order>().FetchAsync(1);", {"Order.Load"}),
        (
            "Task Go(IDataPortal<Bill> portal, Bill bill) => portal.ExecuteAsync(bill);",
            {"Bill.DataPortal_Execute"},
        ),
        ("void Go(IPortal<Order> portal) { portal.Fetch(1); }", set()),
        ("T Go<T>(IDataPortal<T> portal) => portal.Fetch(1);", set()),
        ("void Go(IDataPortal<Order> portal) { portal.Reset(1); }", set()),
        ("void Go(LineDto dto) { dto.Save(); }", set()),
    ],
)
def test_who_asks_a_data_portal_runs_the_methods_of_the_class(
    code_edges: CodeEdges, body: str, expected: set[str]
) -> None:
    caller = f"class Desk {{ {body} }} class LineDto {{ public void Insert() {{}} }}"

    edges = code_edges("Calls", {"Shop/Order.cs": ORDER, "Shop/Desk.cs": caller})

    assert {edge[1] for edge in edges if edge[2] == RULE and edge[0] == "Desk.Go"} == expected
