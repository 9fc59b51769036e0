using System.ComponentModel.DataAnnotations;
using Shop.Core.Entities;

namespace Shop.Web.Models;

public sealed record CreateInvoiceRequest([Range(1, int.MaxValue)] int OrderId, DateOnly? IssuedOn);

public sealed record CancelInvoiceRequest([Required, StringLength(200)] string Reason);

public sealed record AssignPaymentRequest(int InvoiceId);

/// <summary>What the invoice API returns; amounts as they are printed.</summary>
public sealed record InvoiceDto(int Id, string Number, string Status, DateOnly DueDate, decimal Gross, string Open)
{
    public static InvoiceDto From(Invoice invoice, string open) =>
        new(invoice.InvoiceId, invoice.InvoiceNumber, invoice.Status.ToString(), invoice.DueDate, invoice.GrossTotal, open);
}

public sealed class OrderFormModel
{
    [Required]
    public int CustomerId { get; set; }

    [StringLength(60)]
    public string? PurchaseReference { get; set; }

    public bool InvoiceNow { get; set; }

    public List<OrderFormLine> Lines { get; set; } = [];

    public sealed class OrderFormLine
    {
        public int ProductId { get; set; }

        [Range(1, 10_000)]
        public int Quantity { get; set; } = 1;
    }
}
