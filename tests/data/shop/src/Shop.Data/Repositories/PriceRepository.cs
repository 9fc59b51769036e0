using Dapper;
using Shop.Core.Entities;

namespace Shop.Data.Repositories;

public sealed class PriceRepository(ISqlConnectionFactory connections)
    : RepositoryBase<PriceListItem>(connections, DatabaseSchema.Sales)
{
    /// <summary>Asks the database for the price it would put on an order line.</summary>
    public async Task<decimal> CurrentPriceAsync(int productId, int customerId, DateOnly onDate, CancellationToken cancellationToken = default)
    {
        await using var connection = await Connections.OpenAsync(cancellationToken);
        return await connection.ExecuteScalarAsync<decimal>(
            "SELECT dbo.fn_CurrentPrice(@productId, @customerId, @onDate)",
            new { productId, customerId, onDate });
    }

    /// <summary>Closes the prices of a list that are still open-ended.</summary>
    public async Task<int> CloseListAsync(string priceList, DateOnly lastDay, CancellationToken cancellationToken = default)
    {
        await using var connection = await Connections.OpenAsync(cancellationToken);
        return await connection.ExecuteAsync(
            "UPDATE sales.PriceListItem " +
            "SET ValidTo = @lastDay " +
            "WHERE PriceList = @priceList AND ValidTo IS NULL",
            new { priceList, lastDay });
    }
}
