using Microsoft.Extensions.Logging;
using Shop.Core.Abstractions;
using Shop.Core.Models;

namespace Shop.Core.Services;

public sealed class DunningOptions
{
    public const string Section = "Dunning";

    /// <summary>The hour of the day, UTC, at which the nightly run starts.</summary>
    public int RunAtHour { get; set; } = 3;

    public bool Enabled { get; set; } = true;
}

/// <summary>Sends reminders for overdue invoices in three levels.</summary>
public sealed class DunningService(IDunningRepository dunning, ILogger<DunningService> logger)
{
    public async Task<IReadOnlyList<DunningProposal>> RunAsync(DateOnly asOf, bool dryRun, CancellationToken cancellationToken = default)
    {
        if (asOf.DayOfWeek is DayOfWeek.Saturday or DayOfWeek.Sunday)
        {
            logger.LogInformation("No dunning on a weekend: {AsOf}", asOf);
            return [];
        }

        var proposals = await dunning.RunAsync(asOf, dryRun, cancellationToken);
        logger.LogInformation("Dunning of {AsOf}: {Count} notices, fees {Fees}", asOf, proposals.Count, proposals.Sum(p => p.Fee));
        return proposals;
    }

    /// <summary>Takes all reminders of an invoice back, e.g. after a phone call.</summary>
    public async Task<bool> ForgiveAsync(int invoiceId, CancellationToken cancellationToken = default) =>
        await dunning.ForgiveAsync(invoiceId, cancellationToken) > 0;
}
