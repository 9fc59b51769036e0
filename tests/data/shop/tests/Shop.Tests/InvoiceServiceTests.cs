using System.Runtime.CompilerServices;
using Microsoft.Extensions.Logging.Abstractions;
using Microsoft.Extensions.Time.Testing;
using Shop.Core.Abstractions;
using Shop.Core.Entities;
using Shop.Core.Models;
using Shop.Core.Services;
using Xunit;

namespace Shop.Tests;

public class InvoiceServiceTests
{
    private readonly FakeInvoices _invoices = new();
    private readonly FakeOrders _orders = new();
    private readonly FakeTimeProvider _clock = new(new DateTimeOffset(2024, 6, 14, 10, 0, 0, TimeSpan.Zero));
    private readonly InvoiceService _service;

    public InvoiceServiceTests()
    {
        _service = new InvoiceService(_invoices, _orders, _clock, NullLogger<InvoiceService>.Instance);
    }

    [Fact]
    public async Task A_placed_order_is_invoiced_today()
    {
        _orders.Add(new Order { OrderId = 7, Status = OrderStatus.Placed });

        var invoiceId = await _service.CreateFromOrderAsync(7);

        Assert.Equal(1, invoiceId);
        Assert.Equal((7, new DateOnly(2024, 6, 14)), _invoices.Created.Single());
    }

    [Theory]
    [InlineData(OrderStatus.Draft)]
    [InlineData(OrderStatus.Cancelled)]
    public async Task An_order_that_is_not_placed_is_refused(OrderStatus status)
    {
        _orders.Add(new Order { OrderId = 8, Status = status });

        await Assert.ThrowsAsync<InvalidOperationException>(() => _service.CreateFromOrderAsync(8));

        Assert.Empty(_invoices.Created);
    }

    [Fact]
    public async Task An_invoice_is_not_dated_in_the_future()
    {
        _orders.Add(new Order { OrderId = 9, Status = OrderStatus.Shipped });

        await Assert.ThrowsAsync<ArgumentOutOfRangeException>(() => _service.CreateFromOrderAsync(9, new DateOnly(2024, 6, 15)));
    }

    [Fact]
    public async Task A_paid_invoice_cannot_be_cancelled()
    {
        _invoices.Stored = new Invoice { InvoiceId = 3, InvoiceNumber = "RE-2024-001003", Status = InvoiceStatus.Paid };

        var error = await Assert.ThrowsAsync<InvalidOperationException>(() => _service.CancelAsync(3, "wrong address"));

        Assert.Contains("RE-2024-001003", error.Message);
    }

    [Fact]
    public async Task Trifles_are_left_out_of_the_overdue_list()
    {
        var numbers = new List<string>();
        await foreach (var summary in _service.GetOverdueAsync(minimum: 5m))
        {
            numbers.Add(summary.InvoiceNumber);
        }

        Assert.Equal(["RE-2024-001000"], numbers);
    }

    private sealed class FakeOrders : IOrderRepository
    {
        private readonly Dictionary<int, Order> _byId = [];

        public void Add(Order order) => _byId.Add(order.OrderId, order);

        public Task<Order?> ReadByIdAsync(int id, CancellationToken cancellationToken = default) =>
            Task.FromResult(_byId.GetValueOrDefault(id));

        public Task<PlacedOrder> PlaceAsync(NewOrder order, CancellationToken cancellationToken = default) =>
            throw new NotSupportedException();
    }

    private sealed class FakeInvoices : IInvoiceRepository
    {
        public List<(int OrderId, DateOnly IssuedOn)> Created { get; } = [];

        public Invoice? Stored { get; set; }

        public Task<Invoice?> ReadByIdAsync(int id, CancellationToken cancellationToken = default) => Task.FromResult(Stored);

        public Task<int> CreateFromOrderAsync(int orderId, DateOnly issuedOn, CancellationToken cancellationToken = default)
        {
            Created.Add((orderId, issuedOn));
            return Task.FromResult(Created.Count);
        }

        public Task<int> CancelAsync(int invoiceId, string reason, CancellationToken cancellationToken = default) =>
            Task.FromResult(invoiceId + 1);

        public Task<IReadOnlyList<InvoiceSummary>> SearchAsync(InvoiceFilter filter, CancellationToken cancellationToken = default) =>
            Task.FromResult<IReadOnlyList<InvoiceSummary>>([]);

        public Task<IReadOnlyList<OpenItem>> ReadOpenItemsAsync(int customerId, CancellationToken cancellationToken = default) =>
            Task.FromResult<IReadOnlyList<OpenItem>>([]);

        public async IAsyncEnumerable<InvoiceSummary> StreamOverdueAsync(
            DateOnly asOf,
            [EnumeratorCancellation] CancellationToken cancellationToken = default)
        {
            await Task.Yield();
            yield return Summary("RE-2024-001000", 120m);
            yield return Summary("RE-2024-001001", 0.03m);

            InvoiceSummary Summary(string number, decimal open) =>
                new(1, number, "Müller & Söhne GmbH", asOf.AddDays(-10), InvoiceStatus.Issued, "EUR", 120m, open);
        }
    }
}
