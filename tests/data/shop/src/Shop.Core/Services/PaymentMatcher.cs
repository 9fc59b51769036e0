using System.Text.RegularExpressions;
using Shop.Core.Entities;

namespace Shop.Core.Services;

public enum MatchQuality
{
    None,
    Possible,
    Certain,
}

public readonly record struct PaymentMatch(Invoice? Invoice, MatchQuality Quality)
{
    public static readonly PaymentMatch Nothing = new(null, MatchQuality.None);
}

/// <summary>
/// Proposes an invoice for a payment that <c>dbo.Payment_Match</c> could not place,
/// because the payer mistyped the number or left it out. A clerk confirms the proposal.
/// </summary>
public sealed partial class PaymentMatcher
{
    private const int CertainScore = 80;
    private const int PossibleScore = 50;

    public PaymentMatch Match(Payment payment, IReadOnlyCollection<Invoice> openInvoices)
    {
        if (payment.IsMatched || payment.Amount <= 0)
        {
            return PaymentMatch.Nothing;
        }

        var digits = DigitsOf(payment.Reference);
        var ranked = openInvoices
            .Where(invoice => invoice.IsOpen && invoice.Currency == payment.Currency)
            .Select(invoice => new Candidate(invoice, Score(invoice)))
            .OrderByDescending(candidate => candidate.Score)
            .ThenBy(candidate => candidate.Invoice.DueDate)
            .ToList();

        if (ranked.Count == 0 || ranked[0].Score < PossibleScore)
        {
            return PaymentMatch.Nothing;
        }

        // Two invoices that fit equally well are a question for a human being.
        var tie = ranked.Count > 1 && ranked[1].Score == ranked[0].Score;
        var quality = ranked[0].Score >= CertainScore && !tie ? MatchQuality.Certain : MatchQuality.Possible;
        return new PaymentMatch(ranked[0].Invoice, quality);

        int Score(Invoice invoice)
        {
            var score = 0;
            if (digits.Contains(DigitsOf(invoice.InvoiceNumber), StringComparison.Ordinal))
            {
                score += 60;
            }

            if (invoice.OpenAmount == payment.Amount)
            {
                score += 30;
            }

            if (invoice.CustomerId == payment.CustomerId)
            {
                score += 25;
            }

            return score;
        }
    }

    public PaymentMatch Match(Payment payment, Invoice onlyCandidate) => Match(payment, [onlyCandidate]);

    [GeneratedRegex(@"\D+")]
    private static partial Regex NonDigits();

    private static string DigitsOf(string text) => NonDigits().Replace(text, "");

    private sealed class Candidate(Invoice invoice, int score)
    {
        public Invoice Invoice { get; } = invoice;

        public int Score { get; } = score;
    }
}
