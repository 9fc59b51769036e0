namespace Shop.Core.Entities;

public partial class Invoice
{
    public decimal NetTotal { get; private set; }

    public decimal TaxTotal { get; private set; }

    public decimal GrossTotal { get; private set; }

    public decimal PaidAmount => Payments.Sum(payment => payment.Amount);

    public decimal OpenAmount => GrossTotal - PaidAmount;

    public bool IsOpen => Status is InvoiceStatus.Issued or InvoiceStatus.PartiallyPaid;

    public bool IsOverdue(DateOnly today) => IsOpen && DueDate < today;

    /// <summary>Adds the lines up again, rounding per line as <c>dbo.Invoice_Recalculate</c> does.</summary>
    public void RecalculateTotals()
    {
        NetTotal = Lines.Sum(line => line.NetAmount);
        TaxTotal = Lines.Sum(line => Round(line.NetAmount * (line.TaxRate?.Percentage ?? 0m) / 100m));
        GrossTotal = NetTotal + TaxTotal;

        // T-SQL ROUND rounds half away from zero, .NET rounds half to even unless told.
        static decimal Round(decimal value) => Math.Round(value, 2, MidpointRounding.AwayFromZero);
    }

    /// <summary>Books a payment on this invoice and moves the status along.</summary>
    /// <exception cref="InvalidOperationException">The invoice is not open, or the currency differs.</exception>
    public void ApplyPayment(Payment payment)
    {
        if (!IsOpen)
        {
            throw new InvalidOperationException($"Invoice {InvoiceNumber} is {Status} and takes no payment.");
        }

        if (payment.Currency != Currency)
        {
            throw new InvalidOperationException($"Payment in {payment.Currency}, invoice {InvoiceNumber} in {Currency}.");
        }

        payment.InvoiceId = InvoiceId;
        payment.CustomerId = CustomerId;
        payment.MatchedAt = DateTime.UtcNow;
        Payments.Add(payment);
        Status = OpenAmount <= 0 ? InvoiceStatus.Paid : InvoiceStatus.PartiallyPaid;
    }
}
