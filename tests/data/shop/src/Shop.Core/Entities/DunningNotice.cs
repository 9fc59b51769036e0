namespace Shop.Core.Entities;

/// <summary>A reminder that was sent for an overdue invoice.</summary>
public class DunningNotice
{
    public int DunningNoticeId { get; set; }

    public int InvoiceId { get; set; }

    public Invoice? Invoice { get; set; }

    public byte Level { get; set; }

    public decimal Fee { get; set; }

    public DateOnly SentOn { get; set; }
}
