using Shop.Core.Entities;
using Shop.Core.Extensions;
using Shop.Core.Models;
using Shop.Core.Services;
using Xunit;

namespace Shop.Tests;

public class PaymentMatcherTests
{
    private readonly PaymentMatcher _matcher = new();

    [Theory]
    [InlineData("RE 2024 001042 thank you")]
    [InlineData("Rg.Nr. 2024-001042")]
    public void Number_and_amount_make_a_certain_match(string reference)
    {
        var match = _matcher.Match(Payment(119m, reference), [Invoice("RE-2024-001042", 100m), Invoice("RE-2024-001043", 50m)]);

        Assert.Equal(MatchQuality.Certain, match.Quality);
        Assert.Equal("RE-2024-001042", match.Invoice!.InvoiceNumber);
    }

    [Fact]
    public void The_amount_alone_is_not_enough()
    {
        var match = _matcher.Match(Payment(119m, "your bill"), Invoice("RE-2024-001042", 100m));

        Assert.Equal(PaymentMatch.Nothing, match);
    }

    [Fact]
    public void Another_currency_never_matches()
    {
        var payment = Payment(119m, "RE-2024-001042");
        payment.Currency = "PLN";

        Assert.Equal(MatchQuality.None, _matcher.Match(payment, Invoice("RE-2024-001042", 100m)).Quality);
    }

    [Fact]
    public void A_part_payment_leaves_the_rest_open()
    {
        var invoice = Invoice("RE-2024-001042", 100m);

        invoice.ApplyPayment(Payment(19m, ""));

        Assert.Equal(InvoiceStatus.PartiallyPaid, invoice.Status);
        Assert.Equal(new Währung(100m, "EUR"), invoice.OpenBalance());
    }

    private static Payment Payment(decimal amount, string reference) =>
        new() { Amount = amount, Reference = reference, BankTransactionId = Guid.NewGuid().ToString("N"), ReceivedOn = new(2024, 6, 3) };

    private static Invoice Invoice(string number, decimal net)
    {
        var invoice = new Invoice
        {
            InvoiceNumber = number,
            CustomerId = 5,
            Status = InvoiceStatus.Issued,
            DueDate = new(2024, 6, 1),
            Lines = [new() { NetAmount = net, TaxRate = new() { Code = "DE19", Percentage = 19m } }],
        };
        invoice.RecalculateTotals();
        return invoice;
    }
}
