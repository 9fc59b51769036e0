using Shop.Core.Entities;
using Shop.Core.Models;

namespace Shop.Core.Abstractions;

public interface ICustomerRepository
{
    Task<Customer?> ReadByIdAsync(int id, CancellationToken cancellationToken = default);

    Task<IReadOnlyList<Customer>> FindByNameAsync(string text, CancellationToken cancellationToken = default);

    Task<bool> ExistsAsync(int id, CancellationToken cancellationToken = default);

    Task<int?> FindIdByNumberAsync(string customerNumber, CancellationToken cancellationToken = default);
}

public interface IOrderRepository
{
    Task<Order?> ReadByIdAsync(int id, CancellationToken cancellationToken = default);

    Task<PlacedOrder> PlaceAsync(NewOrder order, CancellationToken cancellationToken = default);
}

public interface IInvoiceRepository
{
    Task<Invoice?> ReadByIdAsync(int id, CancellationToken cancellationToken = default);

    /// <summary>Returns the id of the order's invoice, making it if there is none yet.</summary>
    Task<int> CreateFromOrderAsync(int orderId, DateOnly issuedOn, CancellationToken cancellationToken = default);

    /// <summary>Returns the id of the credit note.</summary>
    Task<int> CancelAsync(int invoiceId, string reason, CancellationToken cancellationToken = default);

    Task<IReadOnlyList<InvoiceSummary>> SearchAsync(InvoiceFilter filter, CancellationToken cancellationToken = default);

    Task<IReadOnlyList<OpenItem>> ReadOpenItemsAsync(int customerId, CancellationToken cancellationToken = default);

    IAsyncEnumerable<InvoiceSummary> StreamOverdueAsync(DateOnly asOf, CancellationToken cancellationToken = default);
}

public interface IPaymentRepository
{
    Task<ImportResult> ImportAsync(IReadOnlyCollection<BankTransaction> transactions, CancellationToken cancellationToken = default);

    /// <summary>Tries again to find the invoice of a payment that is not matched.</summary>
    Task<bool> RematchAsync(int paymentId, CancellationToken cancellationToken = default);
}

public interface IDunningRepository
{
    Task<IReadOnlyList<DunningProposal>> RunAsync(DateOnly asOf, bool dryRun, CancellationToken cancellationToken = default);

    Task<int> ForgiveAsync(int invoiceId, CancellationToken cancellationToken = default);
}

public interface IReportRepository
{
    Task<IReadOnlyList<AgedReceivable>> AgedReceivablesAsync(DateOnly? asOf, string? currency, CancellationToken cancellationToken = default);
}

public interface ICatalogService
{
    Task<decimal> GetPriceAsync(int productId, int? customerId, DateOnly onDate, CancellationToken cancellationToken = default);

    Task SetCustomerPriceAsync(int productId, int customerId, decimal price, DateOnly validFrom, CancellationToken cancellationToken = default);

    Task<int> DiscontinueAsync(string skuPrefix, CancellationToken cancellationToken = default);
}
