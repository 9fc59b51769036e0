namespace Shop.Core.Entities;

/// <summary>
/// The life of an invoice. "Overdue" is not a status: it follows from the due date,
/// see <see cref="Invoice.IsOverdue(DateOnly)"/>.
/// </summary>
public enum InvoiceStatus : byte
{
    Draft = 0,
    Issued = 1,
    PartiallyPaid = 2,
    Paid = 3,
    Cancelled = 4,
    CreditNote = 5,
}
