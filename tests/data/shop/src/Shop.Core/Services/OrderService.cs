using Shop.Core.Abstractions;
using Shop.Core.Models;

namespace Shop.Core.Services;

public interface IOrderService
{
    Task<PlacedOrder> PlaceAsync(NewOrder order, CancellationToken cancellationToken = default);
}

public sealed class OrderService : IOrderService
{
    private const int MaxLines = 500;

    private readonly IOrderRepository _orders;
    private readonly ICustomerRepository _customers;

    public OrderService(IOrderRepository orders, ICustomerRepository customers)
    {
        _orders = orders;
        _customers = customers;
    }

    public async Task<PlacedOrder> PlaceAsync(NewOrder order, CancellationToken cancellationToken = default)
    {
        Validate(order);

        // The procedure checks this again under a lock; here it is for the better message.
        var customer = await _customers.ReadByIdAsync(order.CustomerId, cancellationToken)
            ?? throw new NotFoundException("Customer", order.CustomerId);
        if (customer.IsBlocked)
        {
            throw new InvalidOperationException($"{customer.Name} is blocked after the final notice.");
        }

        return await _orders.PlaceAsync(order with { Lines = Combine(order.Lines) }, cancellationToken);
    }

    private static void Validate(NewOrder order)
    {
        if (order.Lines.Count is 0 or > MaxLines)
        {
            throw new ArgumentException($"Select between 1 and {MaxLines} products from the catalogue.", nameof(order));
        }

        if (order.Lines.Any(line => line.Quantity <= 0))
        {
            throw new ArgumentException("Quantities are positive.", nameof(order));
        }
    }

    /// <summary>Puts lines of the same product and discount together; the web form makes one per click.</summary>
    private static IReadOnlyList<NewOrderLine> Combine(IEnumerable<NewOrderLine> lines) =>
        lines
            .GroupBy(line => (line.ProductId, line.DiscountPercent))
            .Select(group => new NewOrderLine(group.Key.ProductId, group.Sum(line => line.Quantity), group.Key.DiscountPercent))
            .ToList();
}
