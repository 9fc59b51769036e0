using Shop.Core.Entities;
using Shop.Core.Models;

namespace Shop.Core.Extensions;

public static class InvoiceExtensions
{
    /// <summary>What is still to be paid, with its currency.</summary>
    public static Währung OpenBalance(this Invoice invoice) => new(invoice.OpenAmount, invoice.Currency);

    public static IEnumerable<Invoice> Overdue(this IEnumerable<Invoice> invoices, DateOnly today) =>
        invoices.Where(invoice => invoice.IsOverdue(today)).OrderBy(invoice => invoice.DueDate);

    public static int DaysOverdue(this Invoice invoice, DateOnly today) =>
        invoice.IsOverdue(today) ? today.DayNumber - invoice.DueDate.DayNumber : 0;

    /// <summary>Groups what is open by how late it is: not due, up to 30 days, more.</summary>
    public static (decimal NotDue, decimal UpTo30, decimal Over30) Age(this IEnumerable<Invoice> invoices, DateOnly today)
    {
        decimal notDue = 0, upTo30 = 0, over30 = 0;
        foreach (var invoice in invoices.Where(i => i.IsOpen))
        {
            switch (invoice.DaysOverdue(today))
            {
                case 0:
                    notDue += invoice.OpenAmount;
                    break;
                case <= 30:
                    upTo30 += invoice.OpenAmount;
                    break;
                default:
                    over30 += invoice.OpenAmount;
                    break;
            }
        }

        return (notDue, upTo30, over30);
    }
}
