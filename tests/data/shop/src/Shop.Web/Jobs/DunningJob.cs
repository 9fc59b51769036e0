using Microsoft.Extensions.Options;
using Shop.Core.Services;

namespace Shop.Web.Jobs;

/// <summary>Starts the dunning run once a night.</summary>
public sealed class DunningJob(
    IServiceScopeFactory scopes,
    IOptionsMonitor<DunningOptions> options,
    TimeProvider clock,
    ILogger<DunningJob> logger) : BackgroundService
{
    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        while (!stoppingToken.IsCancellationRequested)
        {
            await Task.Delay(UntilNextRun(), clock, stoppingToken);
            if (!options.CurrentValue.Enabled)
            {
                continue;
            }

            try
            {
                using var scope = scopes.CreateScope();
                var dunning = scope.ServiceProvider.GetRequiredService<DunningService>();
                await dunning.RunAsync(DateOnly.FromDateTime(clock.GetUtcNow().UtcDateTime), dryRun: false, stoppingToken);
            }
            catch (Exception exception) when (exception is not OperationCanceledException)
            {
                // Tomorrow is another day; the run picks up what this one missed.
                logger.LogError(exception, "The dunning run failed");
            }
        }
    }

    private TimeSpan UntilNextRun()
    {
        var now = clock.GetUtcNow();
        var next = new DateTimeOffset(now.Date, TimeSpan.Zero).AddHours(options.CurrentValue.RunAtHour);
        return (next > now ? next : next.AddDays(1)) - now;
    }
}
