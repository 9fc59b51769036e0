using System.Data;
using Dapper;
using Microsoft.EntityFrameworkCore;
using Shop.Core.Abstractions;
using Shop.Core.Models;
using Shop.Data.Generated;

namespace Shop.Data.Repositories;

public sealed class DunningRepository(ISqlConnectionFactory connections, ShopDbContext db) : IDunningRepository
{
    public async Task<IReadOnlyList<DunningProposal>> RunAsync(DateOnly asOf, bool dryRun, CancellationToken cancellationToken = default)
    {
        await using var connection = await connections.OpenAsync(cancellationToken);
        var proposals = await connection.QueryAsync<DunningProposal>(new CommandDefinition(
            ProcedureNames.DunningRun,
            new { AsOf = asOf, DryRun = dryRun },
            commandTimeout: 300,
            commandType: CommandType.StoredProcedure,
            cancellationToken: cancellationToken));
        return proposals.AsList();
    }

    /// <summary>Removes the notices of an invoice and sets its level back.</summary>
    public async Task<int> ForgiveAsync(int invoiceId, CancellationToken cancellationToken = default)
    {
        await using var transaction = await db.Database.BeginTransactionAsync(cancellationToken);

        var removed = await db.DunningNotice
            .Where(notice => notice.InvoiceId == invoiceId)
            .ExecuteDeleteAsync(cancellationToken);

        await db.Database.ExecuteSqlRawAsync(
            "UPDATE dbo.Invoice SET DunningLevel = 0 WHERE InvoiceId = {0}", [invoiceId], cancellationToken);

        await transaction.CommitAsync(cancellationToken);
        return removed;
    }
}
