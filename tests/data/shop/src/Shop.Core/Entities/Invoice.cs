using System.ComponentModel.DataAnnotations;

namespace Shop.Core.Entities;

/// <summary>A bill to a customer for one order, or a credit note that cancels such a bill.</summary>
/// <remarks>
/// Invoices are made by <c>dbo.Invoice_Create</c> and are not deleted, only cancelled.
/// The sums are in <c>Invoice.Totals.cs</c>.
/// </remarks>
public partial class Invoice
{
    public int InvoiceId { get; set; }

    /// <summary>Gapless per database: <c>RE-2024-001234</c> for invoices, <c>GS-001235</c> for credit notes.</summary>
    [MaxLength(20)]
    public required string InvoiceNumber { get; set; }

    public int CustomerId { get; set; }

    public Customer? Customer { get; set; }

    public int? OrderId { get; set; }

    public Order? Order { get; set; }

    public DateOnly IssuedOn { get; set; }

    public DateOnly DueDate { get; set; }

    public InvoiceStatus Status { get; set; }

    public string Currency { get; set; } = "EUR";

    /// <summary>0 = never reminded, 3 = final notice sent.</summary>
    public byte DunningLevel { get; set; }

    public int? CancelsInvoiceId { get; set; }

    public Invoice? CancelsInvoice { get; set; }

    public DateTime CreatedAt { get; private set; }

    public List<InvoiceLine> Lines { get; set; } = [];

    public List<Payment> Payments { get; set; } = [];
}
