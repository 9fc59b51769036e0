using System.Data;
using Dapper;

namespace Shop.Data.Repositories;

/// <summary>Invoices of more than ten years ago, kept in the database ShopArchive.</summary>
public sealed class InvoiceArchiveRepository(ISqlConnectionFactory connections)
{
    public async Task<string?> FindNumberAsync(int invoiceId, CancellationToken cancellationToken = default)
    {
        await using var connection = await connections.OpenAsync(cancellationToken);
        return await connection.QuerySingleOrDefaultAsync<string>(
            @"SELECT a.InvoiceNumber FROM dbo.InvoiceArchive AS a WHERE a.InvoiceId = @invoiceId", new { invoiceId });
    }

    // The procedure was dropped when the archive moved to a server of its own; nobody has pressed the button since.
    public async Task<int> ArchiveAsync(DateOnly olderThan, CancellationToken cancellationToken = default)
    {
        await using var connection = await connections.OpenAsync(cancellationToken);
        return await connection.ExecuteAsync(
            "[dbo].[Invoice_Archive]",
            new { OlderThan = olderThan },
            commandTimeout: 600,
            commandType: CommandType.StoredProcedure);
    }
}
