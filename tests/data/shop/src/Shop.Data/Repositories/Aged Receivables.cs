using System.Data;
using Dapper;
using Shop.Core.Abstractions;
using Shop.Core.Models;
using Shop.Data.Generated;

namespace Shop.Data.Repositories;

/// <summary>The monthly report for finance.</summary>
public sealed class ReportRepository(ISqlConnectionFactory connections) : IReportRepository
{
    public async Task<IReadOnlyList<AgedReceivable>> AgedReceivablesAsync(
        DateOnly? asOf,
        string? currency,
        CancellationToken cancellationToken = default)
    {
        await using var connection = await connections.OpenAsync(cancellationToken);
        var rows = await connection.QueryAsync<AgedReceivable>(
            ProcedureNames.ReportAgedReceivables,
            new { AsOf = asOf, Currency = currency },
            commandType: CommandType.StoredProcedure);
        return rows.AsList();
    }

    public async Task<decimal> NetRevenueAsync(DateOnly month, string currency, CancellationToken cancellationToken = default)
    {
        await using var connection = await connections.OpenAsync(cancellationToken);
        return await connection.ExecuteScalarAsync<decimal?>(
            "SELECT Net FROM sales.vRevenueByMonth WHERE [Month] = @month AND Currency = @currency",
            new { month, currency }) ?? 0m;
    }
}
