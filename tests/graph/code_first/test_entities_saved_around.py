"""Where a system saves around its handlers, what they load and change is written without a word of saving."""

from __future__ import annotations

import pytest

MODEL = """
    namespace Shop;
    [Table("Order")] public class Order { public int Total { get; set; } public void Cancel() { Total = 0; } }
    public class ShopContext : DbContext { public DbSet<Order> Orders { get; set; } }
    public interface ICommandHandler<T> { Task Handle(T command); }
    public class CancelHandler : ICommandHandler<Cancel>
    {
        private readonly ShopContext _db;
        public async Task Handle(Cancel command)
        {
            BODY
        }
        private void Change(Order order) { order.Total = 1; }
        private Order Made() { return new Order { Total = 1 }; }
        private Order Read() { return _db.Orders.AsNoTracking().First(); }
        private Order Load() { return _db.Orders.First(); }
    }
    public record Cancel(int Id);
"""
DECORATOR = """
    namespace Shop;
    public class SavingDecorator<T>(ICommandHandler<T> decorated, ShopContext db) : ICommandHandler<T>
    {
        public async Task Handle(T command) { await decorated.Handle(command); await db.SaveChangesAsync(); }
    }
"""
UNIT_OF_WORK = """
    namespace Shop;
    public class SavingDecorator<T>(ICommandHandler<T> decorated, IUnitOfWork unit) : ICommandHandler<T>
    {
        public async Task Handle(T command) { await decorated.Handle(command); await unit.CommitAsync(default); }
    }
    public interface IUnitOfWork { Task CommitAsync(CancellationToken token = default, Guid? commandId = null); }
    public class UnitOfWork(ShopContext db) : IUnitOfWork
    {
        public Task CommitAsync(CancellationToken token = default, Guid? commandId = null)
        {
            return db.SaveChangesAsync(token);
        }
    }
"""
BEHAVIOR = """
    namespace Shop;
    public class SavingBehavior<T, R>(ShopContext db) : IPipelineBehavior<T, R>
    {
        public async Task<R> Handle(T command, Next<R> next)
        {
            var result = await next();
            await db.SaveChangesAsync();
            return result;
        }
    }
"""
MIDDLEWARE = """
    namespace Shop;
    public class SavingMiddleware(RequestDelegate next)
    {
        public async Task InvokeAsync(HttpContext context, ShopContext db) { await next(context); db.SaveChanges(); }
    }
"""
PACKAGE = "namespace Shop; class Startup { void Configure(IApplicationBuilder app) { app.UseUnitOfWork(); } }"
OTHER = """
    namespace Shop;
    public class Importer(ShopContext db) { public void Run() { db.SaveChanges(); } }
    public class Unit(IUnit inner, ShopContext db) : IUnit { public void Save() { db.SaveChanges(); } }
    public interface IUnit { void Save(); }
"""
LOADED = "var order = await _db.Orders.FirstAsync(o => o.Id == command.Id); order.Cancel();"


def written(graph_of, body: str, around: str) -> set[tuple[str, float]]:
    """Return by which rule, and how surely, the handler writes a table."""
    graph = graph_of({"Shop/Model.cs": MODEL.replace("BODY", body), "Shop/Around.cs": around})
    return {
        (edge.rule, edge.confidence)
        for edge in graph.edges
        if edge.relation == "WritesTo" and edge.from_key == "csharp:Shop.CancelHandler.Handle|METHOD"
    }


@pytest.mark.parametrize("around", [DECORATOR, UNIT_OF_WORK, BEHAVIOR, MIDDLEWARE, PACKAGE])
def test_what_is_loaded_and_changed_is_saved_around(graph_of, around):
    assert written(graph_of, LOADED, around) == {("tracked entity", 0.5)}


@pytest.mark.parametrize(
    "body",
    [
        "var order = await _db.Orders.FirstAsync(o => o.Id == command.Id); order.Total = 1;",
        "var order = await _db.Orders.FirstAsync(o => o.Id == command.Id); Change(order);",
        "var order = Load(); order.Cancel();",
    ],
)
def test_it_may_be_changed_in_any_way(graph_of, body):
    assert written(graph_of, body, DECORATOR) == {("tracked entity", 0.5)}


@pytest.mark.parametrize(
    "body",
    [
        "var order = _db.Orders.AsNoTracking().First(); order.Cancel();",
        "var order = new Order(); order.Cancel();",
        "var order = Made(); order.Cancel();",
        "var order = Read(); order.Cancel();",
    ],
)
def test_what_no_context_keeps_track_of_is_not_saved(graph_of, body):
    assert written(graph_of, body, DECORATOR) == set()


def test_who_saves_elsewhere_saves_nothing_around(graph_of):
    assert written(graph_of, LOADED, OTHER) == set()


def test_a_middleware_may_save_what_is_its_own(graph_of):
    audit = "public class AuditContext : DbContext { public DbSet<Entry> Entries { get; } } public class Entry { }"

    assert written(graph_of, LOADED, MIDDLEWARE.replace("ShopContext db", "AuditContext db") + audit) == set()
