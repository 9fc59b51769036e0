using System.ComponentModel.DataAnnotations;
using System.ComponentModel.DataAnnotations.Schema;

namespace Shop.Core.Entities;

/// <summary>A company or person who buys from the shop and receives invoices.</summary>
public class Customer
{
    public int CustomerId { get; set; }

    /// <summary>The number printed on letters, e.g. <c>K-1001</c>. Never changes.</summary>
    [MaxLength(20)]
    public required string CustomerNumber { get; set; }

    [MaxLength(200)]
    public required string Name { get; set; }

    [MaxLength(254)]
    public string? Email { get; set; }

    [MaxLength(20)]
    public string? VatId { get; set; }

    public string Currency { get; set; } = "EUR";

    public int PaymentTermDays { get; set; } = 14;

    /// <summary>What the customer may owe at any one time; <see langword="null"/> means no limit.</summary>
    public decimal? CreditLimit { get; set; }

    public int? PrimaryContactId { get; set; }

    public CustomerContact? PrimaryContact { get; set; }

    /// <summary>Set by the third dunning level. A blocked customer cannot order.</summary>
    public bool IsBlocked { get; set; }

    public DateTime CreatedAt { get; private set; }

    public List<CustomerContact> Contacts { get; } = [];

    public List<Order> Orders { get; } = [];
}

[Table("CustomerContact")]
public class CustomerContact
{
    public int CustomerContactId { get; set; }

    public int CustomerId { get; set; }

    public required string FullName { get; set; }

    public string? Email { get; set; }

    public string? Phone { get; set; }
}
