namespace Shop.Core.Entities;

public class InvoiceLine
{
    public int InvoiceLineId { get; set; }

    public int InvoiceId { get; set; }

    public int LineNumber { get; set; }

    /// <summary>Null for text lines such as freight.</summary>
    public int? ProductId { get; set; }

    public int TaxRateId { get; set; }

    public TaxRate? TaxRate { get; set; }

    public string Description { get; set; } = "";

    public int Quantity { get; set; }

    public decimal UnitPrice { get; set; }

    public decimal DiscountPercent { get; set; }

    public decimal NetAmount { get; set; }
}
