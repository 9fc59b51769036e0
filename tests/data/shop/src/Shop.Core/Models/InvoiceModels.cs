using Shop.Core.Entities;

namespace Shop.Core.Models;

/// <summary>One row of <c>dbo.vInvoiceBalance</c> with the customer's name; the order of the columns matters to Dapper.</summary>
public sealed record InvoiceSummary(
    int InvoiceId,
    string InvoiceNumber,
    string CustomerName,
    DateOnly DueDate,
    InvoiceStatus Status,
    string Currency,
    decimal GrossTotal,
    decimal OpenAmount);

/// <summary>The same view as Entity Framework sees it, without a key.</summary>
public sealed class InvoiceBalance
{
    public int InvoiceId { get; set; }

    public string InvoiceNumber { get; set; } = "";

    public int CustomerId { get; set; }

    public DateOnly DueDate { get; set; }

    public InvoiceStatus Status { get; set; }

    public string Currency { get; set; } = "";

    public decimal GrossTotal { get; set; }

    public decimal PaidAmount { get; set; }

    public decimal OpenAmount { get; set; }
}

public sealed record InvoiceFilter(string? Text = null, InvoiceStatus? Status = null, bool OverdueOnly = false, int Page = 1)
{
    public const int PageSize = 50;

    public int Offset => (Math.Max(Page, 1) - 1) * PageSize;
}

public sealed record OpenItem(int InvoiceId, string InvoiceNumber, DateOnly DueDate, string Currency, decimal OpenAmount, int DaysOverdue);

public sealed record NewOrderLine(int ProductId, int Quantity, decimal DiscountPercent = 0m);

public sealed record NewOrder(int CustomerId, IReadOnlyList<NewOrderLine> Lines, string? PurchaseReference = null, bool InvoiceNow = false);

public readonly record struct PlacedOrder(int OrderId, int? InvoiceId);

public sealed record BankTransaction(string BankTransactionId, DateOnly ReceivedOn, decimal Amount, string Currency, string Reference);

public sealed record ImportResult(int Imported, int Matched);

public sealed record DunningProposal(int InvoiceId, byte Level, decimal Fee);

public sealed record AgedReceivable(string CustomerNumber, string Name, string Currency, decimal NotDue, decimal Days1To30, decimal Over30);
