using System.ComponentModel.DataAnnotations.Schema;

namespace Shop.Core.Entities;

/// <summary>A price for a product that holds for one customer, or for all when there is no customer.</summary>
[Table("PriceListItem", Schema = "sales")]
public class PriceListItem
{
    public int PriceListItemId { get; set; }

    public string PriceList { get; set; } = "standard";

    [ForeignKey(nameof(Product))]
    public int ProductId { get; set; }

    public Product? Product { get; set; }

    public int? CustomerId { get; set; }

    public decimal Price { get; set; }

    public DateOnly ValidFrom { get; set; }

    public DateOnly? ValidTo { get; set; }

    public bool IsValidOn(DateOnly day) => ValidFrom <= day && (ValidTo is null || ValidTo >= day);
}
