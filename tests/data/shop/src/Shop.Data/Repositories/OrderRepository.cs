using System.Data;
using Microsoft.Data.SqlClient;
using Dapper;
using Shop.Core.Abstractions;
using Shop.Core.Entities;
using Shop.Core.Models;

namespace Shop.Data.Repositories;

public sealed class OrderRepository : RepositoryBase<Order>, IOrderRepository
{
    private const string DetailView = "[dbo].[Order Details]";

    public OrderRepository(ISqlConnectionFactory connections)
        : base(connections)
    {
    }

    /// <summary>Places an order in one round trip. Plain ADO.NET, as table-valued parameters are clearer that way.</summary>
    public async Task<PlacedOrder> PlaceAsync(NewOrder order, CancellationToken cancellationToken = default)
    {
        await using var connection = await Connections.OpenAsync(cancellationToken);
        await using var command = new SqlCommand("dbo.Order_Place", connection) { CommandType = CommandType.StoredProcedure };

        command.Parameters.AddWithValue("@CustomerId", order.CustomerId);
        command.Parameters.AddWithValue("@PurchaseReference", (object?)order.PurchaseReference ?? DBNull.Value);
        command.Parameters.AddWithValue("@InvoiceNow", order.InvoiceNow);

        var lines = command.Parameters.AddWithValue("@Lines", ToTable(order.Lines));
        lines.SqlDbType = SqlDbType.Structured;
        lines.TypeName = "dbo.OrderLineList";

        var orderId = command.Parameters.Add("@OrderId", SqlDbType.Int);
        orderId.Direction = ParameterDirection.Output;
        var invoiceId = command.Parameters.Add("@InvoiceId", SqlDbType.Int);
        invoiceId.Direction = ParameterDirection.Output;

        await command.ExecuteNonQueryAsync(cancellationToken);
        return new PlacedOrder((int)orderId.Value, invoiceId.Value as int?);
    }

    /// <summary>The picking list of the warehouse.</summary>
    public async Task<IReadOnlyList<(string Sku, string Product, int Quantity)>> ReadPickingListAsync(int orderId, CancellationToken cancellationToken = default)
    {
        await using var connection = await Connections.OpenAsync(cancellationToken);
        var rows = await connection.QueryAsync<(string, string, int)>(
            $"SELECT [Sku], [Product], [Quantity] FROM {DetailView} WHERE [OrderId] = @orderId ORDER BY [LineNumber]",
            new { orderId });
        return rows.AsList();
    }

    private static DataTable ToTable(IEnumerable<NewOrderLine> lines)
    {
        // Columns in the order of dbo.OrderLineList: they are matched by position, not by name.
        var table = new DataTable();
        table.Columns.Add("LineNumber", typeof(int));
        table.Columns.Add("ProductId", typeof(int));
        table.Columns.Add("Quantity", typeof(int));
        table.Columns.Add("DiscountPercent", typeof(decimal));

        var number = 0;
        foreach (var line in lines)
        {
            table.Rows.Add(++number, line.ProductId, line.Quantity, line.DiscountPercent);
        }

        return table;
    }
}
