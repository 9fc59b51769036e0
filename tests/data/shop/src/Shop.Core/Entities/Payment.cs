namespace Shop.Core.Entities;

/// <summary>A line of a bank statement.</summary>
public class Payment
{
    public int PaymentId { get; set; }

    public int? InvoiceId { get; set; }

    public int? CustomerId { get; set; }

    public DateOnly ReceivedOn { get; set; }

    public decimal Amount { get; set; }

    public string Currency { get; set; } = "EUR";

    /// <summary>What the payer wrote. With luck it has the invoice number in it.</summary>
    public string Reference { get; set; } = "";

    public required string BankTransactionId { get; set; }

    public DateTime? MatchedAt { get; set; }

    public bool IsMatched => InvoiceId is not null;
}
