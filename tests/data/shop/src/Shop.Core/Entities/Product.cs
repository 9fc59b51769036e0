using System.ComponentModel.DataAnnotations.Schema;

namespace Shop.Core.Entities;

[Table("Product")]
public class Product
{
    public int ProductId { get; set; }

    public required string Sku { get; set; }

    public required string Name { get; set; }

    /// <summary>Net list price, used when no <see cref="PriceListItem"/> applies.</summary>
    public decimal UnitPrice { get; set; }

    public int TaxRateId { get; set; }

    public TaxRate? TaxRate { get; set; }

    public bool IsDiscontinued { get; set; }

    public StockLevel? Stock { get; set; }

    public override string ToString() => $"{Sku} {Name}";
}

[Table("TaxRate")]
public class TaxRate
{
    public int TaxRateId { get; set; }

    public required string Code { get; set; }

    public decimal Percentage { get; set; }

    public DateOnly ValidFrom { get; set; }

    public DateOnly? ValidTo { get; set; }
}

/// <summary>How much of a product is in the warehouse and how much of that is promised.</summary>
public class StockLevel
{
    public int ProductId { get; set; }

    public int OnHand { get; set; }

    public int Reserved { get; set; }

    public int ReorderPoint { get; set; }

    public DateTime UpdatedAt { get; set; }

    public int Available => OnHand - Reserved;
}
