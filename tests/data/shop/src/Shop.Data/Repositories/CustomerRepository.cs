using Dapper;
using Shop.Core.Abstractions;
using Shop.Core.Entities;

namespace Shop.Data.Repositories;

public sealed class CustomerRepository(ISqlConnectionFactory connections)
    : RepositoryBase<Customer>(connections), ICustomerRepository
{
    public async Task<IReadOnlyList<Customer>> FindByNameAsync(string text, CancellationToken cancellationToken = default)
    {
        const string sql = @"
            SELECT TOP (20) c.CustomerId, c.CustomerNumber, c.Name, c.Email, c.Currency, c.PaymentTermDays, c.IsBlocked
            FROM dbo.Customer AS c
            WHERE c.Name LIKE @pattern OR c.CustomerNumber LIKE @pattern
            ORDER BY c.Name";

        await using var connection = await Connections.OpenAsync(cancellationToken);
        var rows = await connection.QueryAsync<Customer>(sql, new { pattern = $"%{Escape(text)}%" });
        return rows.AsList();
    }

    public async Task<int?> FindIdByNumberAsync(string customerNumber, CancellationToken cancellationToken = default)
    {
        await using var connection = await Connections.OpenAsync(cancellationToken);
        return await connection.ExecuteScalarAsync<int?>(
            "SELECT CustomerId FROM dbo.Customer WHERE CustomerNumber = @customerNumber", new { customerNumber });
    }

    private static string Escape(string text) => text.Replace("[", "[[]").Replace("%", "[%]").Replace("_", "[_]");
}
