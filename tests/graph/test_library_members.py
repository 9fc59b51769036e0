"""A member of something of a library's type is of a library: no method declared here is meant by its name alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

CodeEdges = Callable[[str, str | Mapping[str, str]], set[tuple[str, str, str]]]

TYPES = """
public interface IDb { void Detach(Order order); }
public class Order : Entity { }
public class Context : DbContext, IDb { public void Detach(Order order) { } }
public static class Help {
    public static void Arrange(this Panel panel) { }
    public static void Weigh(this Order order) { }
}
"""


def called(code_edges: CodeEdges, statement: str, *, head: str = "A") -> set[str]:
    """Return what a statement calls by its name alone."""
    code = f"class {head} {{ IAdapter adapter; void Run(Context own, Order order, object it) {{ {statement} }} }}"
    edges = code_edges("Calls", TYPES + code)
    return {to for source, to, rule in edges if source == "A.Run" and rule == "only visible name"}


@pytest.mark.parametrize(
    "receiver",
    [
        "((IAdapter)own).Objects",
        "(own as IAdapter).Objects",
        "adapter.Objects",
        "adapter?.Objects.State",
        "new Adapter().Objects",
        "((Adapter<int>)it).Objects",
    ],
)
def test_a_member_of_a_library_has_no_method_that_is_declared_here(
    code_edges: CodeEdges, receiver: str
) -> None:
    assert called(code_edges, f"{receiver}.Detach(order);") == set()


def test_what_a_member_of_a_library_has_can_extend_others_of_libraries(code_edges: CodeEdges) -> None:
    assert called(code_edges, "adapter.Objects.Arrange();") == {"Help.Arrange"}
    assert called(code_edges, "adapter.Objects.Weigh();") == set()


@pytest.mark.parametrize(
    "receiver",
    [
        "Unknown.Objects",
        "own.Objects",
        "order.Holder.Objects",
        "((dynamic)it).Objects",
        "it.Objects",
        "((Adapter<Order>)it).Objects",
        "((T)it).Objects",
        "((Adapter<T>)it).Objects",
        "(order, it).Item3.Objects",
        "adapter.Read().Objects",
        "adapter.Rows[0].Objects",
    ],
)
def test_what_may_be_of_a_type_declared_here_is_meant_by_its_name(
    code_edges: CodeEdges, receiver: str
) -> None:
    assert called(code_edges, f"{receiver}.Detach(order);", head="A<T>") == {"IDb.Detach"}


def test_in_other_languages_types_of_others_can_have_more_members(code_edges: CodeEdges) -> None:
    files = {
        "web/user.ts": "export class User { promote(level: number) { } }",
        "web/a.ts": "import { User } from './user';\nfunction run(request: Request) { request.user.promote(1); }",
    }

    assert ("web.a.run", "web.user.User.promote", "only visible name") in code_edges("Calls", files)
