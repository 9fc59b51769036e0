using System.Data;
using Dapper;
using Microsoft.Data.SqlClient;

namespace Shop.Data;

public interface ISqlConnectionFactory
{
    /// <summary>Opens a connection; the caller disposes of it.</summary>
    Task<SqlConnection> OpenAsync(CancellationToken cancellationToken = default);
}

public sealed class SqlConnectionFactory(string connectionString) : ISqlConnectionFactory
{
    static SqlConnectionFactory() => SqlMapper.AddTypeHandler(new DateOnlyHandler());

    public async Task<SqlConnection> OpenAsync(CancellationToken cancellationToken = default)
    {
        var connection = new SqlConnection(connectionString);
        await connection.OpenAsync(cancellationToken);
        return connection;
    }

    /// <summary>Dapper does not know <see cref="DateOnly"/> by itself.</summary>
    private sealed class DateOnlyHandler : SqlMapper.TypeHandler<DateOnly>
    {
        public override DateOnly Parse(object value) => DateOnly.FromDateTime((DateTime)value);

        public override void SetValue(IDbDataParameter parameter, DateOnly value)
        {
            parameter.DbType = DbType.Date;
            parameter.Value = value.ToDateTime(TimeOnly.MinValue);
        }
    }
}
