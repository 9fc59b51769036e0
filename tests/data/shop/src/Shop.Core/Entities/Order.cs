using System.ComponentModel.DataAnnotations.Schema;

namespace Shop.Core.Entities;

public class Order
{
    public int OrderId { get; set; }

    public int CustomerId { get; set; }

    public Customer? Customer { get; set; }

    public DateTime OrderedAt { get; set; }

    public OrderStatus Status { get; set; }

    /// <summary>The customer's own order number; repeated on the invoice.</summary>
    public string? PurchaseReference { get; set; }

    public string Currency { get; set; } = "EUR";

    public List<OrderLine> Lines { get; set; } = [];

    public bool CanBeInvoiced => Status is OrderStatus.Placed or OrderStatus.Shipped;
}

[Table("OrderLine")]
public class OrderLine
{
    public int OrderLineId { get; set; }

    public int OrderId { get; set; }

    public int LineNumber { get; set; }

    public int ProductId { get; set; }

    public Product? Product { get; set; }

    public int Quantity { get; set; }

    public decimal UnitPrice { get; set; }

    public decimal DiscountPercent { get; set; }
}

/// <summary>Stored as a TINYINT; the stored procedures use the numbers, so never renumber.</summary>
public enum OrderStatus : byte
{
    Draft = 0,
    Placed = 1,
    Shipped = 2,
    Invoiced = 3,
    Cancelled = 9,
}
