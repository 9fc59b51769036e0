using System.Data;
using Dapper;

namespace Shop.Data.Repositories;

/// <summary>
/// Reads one row by its key through the procedure <c>[schema].[Table_ReadById]</c>.
/// The table has the name of the entity unless a repository says otherwise.
/// </summary>
/// <typeparam name="T">The entity; its columns are the result set of the procedure.</typeparam>
public abstract class RepositoryBase<T>(ISqlConnectionFactory connections, string schema = DatabaseSchema.Default, string? table = null)
    where T : class
{
    protected ISqlConnectionFactory Connections { get; } = connections;

    protected string Schema { get; } = schema;

    protected string Table { get; } = table ?? typeof(T).Name;

    public virtual async Task<T?> ReadByIdAsync(int id, CancellationToken cancellationToken = default)
    {
        await using var connection = await Connections.OpenAsync(cancellationToken);
        return await connection.QuerySingleOrDefaultAsync<T>(new CommandDefinition(
            $"[{Schema}].[{Table}_ReadById]",
            new { Id = id },
            commandType: CommandType.StoredProcedure,
            cancellationToken: cancellationToken));
    }

    public async Task<bool> ExistsAsync(int id, CancellationToken cancellationToken = default)
    {
        await using var connection = await Connections.OpenAsync(cancellationToken);
        var sql = $"SELECT COUNT(1) FROM [{Schema}].[{Table}] WHERE [{Table}Id] = @id";
        return await connection.ExecuteScalarAsync<int>(sql, new { id }) > 0;
    }
}
