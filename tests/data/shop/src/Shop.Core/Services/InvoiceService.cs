using Microsoft.Extensions.Logging;
using Shop.Core.Abstractions;
using Shop.Core.Entities;
using Shop.Core.Models;

namespace Shop.Core.Services;

public interface IInvoiceService
{
    Task<Invoice> GetAsync(int invoiceId, CancellationToken cancellationToken = default);

    Task<int> CreateFromOrderAsync(int orderId, CancellationToken cancellationToken = default);

    Task<int> CreateFromOrderAsync(int orderId, DateOnly issuedOn, CancellationToken cancellationToken = default);

    Task<int> CancelAsync(int invoiceId, string reason, CancellationToken cancellationToken = default);

    IAsyncEnumerable<InvoiceSummary> GetOverdueAsync(decimal minimum, CancellationToken cancellationToken = default);
}

/// <summary>Thrown when something asked for is not in the database.</summary>
public sealed class NotFoundException(string what, object key) : Exception($"{what} {key} was not found.")
{
    public object Key { get; } = key;
}

/// <summary>Turns orders into invoices and takes invoices back.</summary>
public sealed class InvoiceService(
    IInvoiceRepository invoices,
    IOrderRepository orders,
    TimeProvider clock,
    ILogger<InvoiceService> logger) : IInvoiceService
{
    private DateOnly Today => DateOnly.FromDateTime(clock.GetUtcNow().UtcDateTime);

    public async Task<Invoice> GetAsync(int invoiceId, CancellationToken cancellationToken = default) =>
        await invoices.ReadByIdAsync(invoiceId, cancellationToken) ?? throw new NotFoundException("Invoice", invoiceId);

    /// <inheritdoc />
    public Task<int> CreateFromOrderAsync(int orderId, CancellationToken cancellationToken = default) =>
        CreateFromOrderAsync(orderId, Today, cancellationToken);

    /// <summary>Makes the invoice of an order.</summary>
    /// <param name="orderId">The order; it has to be placed or shipped.</param>
    /// <param name="issuedOn">The date on the invoice. The due date follows from the customer's payment term.</param>
    /// <param name="cancellationToken">Cancels the request, not an invoice that is already made.</param>
    /// <returns>The id of the invoice, also when the order had been invoiced before.</returns>
    public async Task<int> CreateFromOrderAsync(int orderId, DateOnly issuedOn, CancellationToken cancellationToken = default)
    {
        var order = await orders.ReadByIdAsync(orderId, cancellationToken)
            ?? throw new NotFoundException("Order", orderId);

        if (!order.CanBeInvoiced && order.Status != OrderStatus.Invoiced)
        {
            throw new InvalidOperationException($"Order {orderId} is {order.Status} and cannot be invoiced.");
        }

        if (issuedOn > Today)
        {
            throw new ArgumentOutOfRangeException(nameof(issuedOn), issuedOn, "An invoice cannot be dated in the future.");
        }

        var invoiceId = await invoices.CreateFromOrderAsync(orderId, issuedOn, cancellationToken);
        logger.LogInformation("Create invoice {InvoiceId} from order {OrderId}", invoiceId, orderId);
        return invoiceId;
    }

    public async Task<int> CancelAsync(int invoiceId, string reason, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(reason);

        var invoice = await GetAsync(invoiceId, cancellationToken);
        if (!invoice.IsOpen)
        {
            throw new InvalidOperationException($"Invoice {invoice.InvoiceNumber} is {invoice.Status}; write a credit note by hand.");
        }

        var creditNoteId = await invoices.CancelAsync(invoiceId, reason, cancellationToken);
        logger.LogWarning("Cancel invoice {InvoiceNumber} with credit note {CreditNoteId}: {Reason}", invoice.InvoiceNumber, creditNoteId, reason);
        return creditNoteId;
    }

    /// <summary>Streams overdue invoices, the oldest first, leaving out trifles below <paramref name="minimum"/>.</summary>
    public async IAsyncEnumerable<InvoiceSummary> GetOverdueAsync(
        decimal minimum,
        [System.Runtime.CompilerServices.EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        await foreach (var summary in invoices.StreamOverdueAsync(Today, cancellationToken))
        {
            if (summary.OpenAmount >= minimum)
            {
                yield return summary;
            }
        }
    }
}
