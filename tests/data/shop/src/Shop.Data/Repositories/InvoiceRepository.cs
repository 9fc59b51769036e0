using System.Data;
using System.Runtime.CompilerServices;
using Dapper;
using Shop.Core.Abstractions;
using Shop.Core.Entities;
using Shop.Core.Models;
using Shop.Data.Generated;

namespace Shop.Data.Repositories;

/// <summary>Invoices through stored procedures and, for lists, plain SQL.</summary>
public sealed class InvoiceRepository(ISqlConnectionFactory connections)
    : RepositoryBase<Invoice>(connections, "dbo", "Invoice"), IInvoiceRepository
{
    private const string SelectLines = @"
        SELECT l.InvoiceLineId, l.InvoiceId, l.LineNumber, l.ProductId, l.TaxRateId, l.Description,
               l.Quantity, l.UnitPrice, l.DiscountPercent, l.NetAmount
        FROM dbo.InvoiceLine AS l
        WHERE l.InvoiceId = @id
        ORDER BY l.LineNumber;

        SELECT PaymentId, InvoiceId, CustomerId, ReceivedOn, Amount, Currency, Reference, BankTransactionId, MatchedAt
        FROM dbo.Payment
        WHERE InvoiceId = @id;";

    public override async Task<Invoice?> ReadByIdAsync(int id, CancellationToken cancellationToken = default)
    {
        var invoice = await base.ReadByIdAsync(id, cancellationToken);
        if (invoice is null)
        {
            return null;
        }

        await using var connection = await Connections.OpenAsync(cancellationToken);
        await using var sets = await connection.QueryMultipleAsync(SelectLines, new { id });
        invoice.Lines.AddRange(await sets.ReadAsync<InvoiceLine>());
        invoice.Payments.AddRange(await sets.ReadAsync<Payment>());
        return invoice;
    }

    public async Task<int> CreateFromOrderAsync(int orderId, DateOnly issuedOn, CancellationToken cancellationToken = default)
    {
        var parameters = new DynamicParameters(new { OrderId = orderId, IssuedOn = issuedOn });
        parameters.Add("InvoiceId", dbType: DbType.Int32, direction: ParameterDirection.Output);

        await using var connection = await Connections.OpenAsync(cancellationToken);
        await connection.ExecuteAsync(ProcedureNames.InvoiceCreate, parameters, commandType: CommandType.StoredProcedure);
        return parameters.Get<int>("InvoiceId");
    }

    public async Task<int> CancelAsync(int invoiceId, string reason, CancellationToken cancellationToken = default)
    {
        var parameters = new DynamicParameters(new { InvoiceId = invoiceId, Reason = reason });
        parameters.Add("CreditNoteId", dbType: DbType.Int32, direction: ParameterDirection.Output);

        await using var connection = await Connections.OpenAsync(cancellationToken);
        await connection.ExecuteAsync(ProcedureNames.InvoiceCancel, parameters, commandType: CommandType.StoredProcedure);
        return parameters.Get<int>("CreditNoteId");
    }

    public async Task<IReadOnlyList<InvoiceSummary>> SearchAsync(InvoiceFilter filter, CancellationToken cancellationToken = default)
    {
        const string sql = """
            SELECT b.InvoiceId, b.InvoiceNumber, c.Name AS CustomerName, b.DueDate, b.Status, b.Currency, b.GrossTotal, b.OpenAmount
            FROM dbo.vInvoiceBalance AS b
            INNER JOIN dbo.Customer AS c ON c.CustomerId = b.CustomerId
            WHERE (@Text IS NULL OR b.InvoiceNumber LIKE @Text + '%' OR c.Name LIKE '%' + @Text + '%')
              AND (@Status IS NULL OR b.Status = @Status)
              AND (@OverdueOnly = 0 OR (b.OpenAmount > 0 AND b.DueDate < CAST(SYSUTCDATETIME() AS DATE)))
            ORDER BY b.InvoiceId DESC
            OFFSET @Offset ROWS FETCH NEXT @PageSize ROWS ONLY
            """;

        await using var connection = await Connections.OpenAsync(cancellationToken);
        var rows = await connection.QueryAsync<InvoiceSummary>(
            sql,
            new { filter.Text, filter.Status, filter.OverdueOnly, filter.Offset, InvoiceFilter.PageSize });
        return rows.AsList();
    }

    public async Task<IReadOnlyList<OpenItem>> ReadOpenItemsAsync(int customerId, CancellationToken cancellationToken = default)
    {
        await using var connection = await Connections.OpenAsync(cancellationToken);
        var items = await connection.QueryAsync<OpenItem>(
            "SELECT InvoiceId, InvoiceNumber, DueDate, Currency, OpenAmount, DaysOverdue FROM dbo.fn_OpenItems(@customerId) ORDER BY DueDate",
            new { customerId });
        return items.AsList();
    }

    public async IAsyncEnumerable<InvoiceSummary> StreamOverdueAsync(
        DateOnly asOf,
        [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        await using var connection = await Connections.OpenAsync(cancellationToken);
        var rows = connection.QueryUnbufferedAsync<InvoiceSummary>(
            """
            select b.InvoiceId, b.InvoiceNumber, c.Name as CustomerName, b.DueDate, b.Status, b.Currency, b.GrossTotal, b.OpenAmount
            from [dbo].[vInvoiceBalance] b
            join [dbo].[Customer] c on c.CustomerId = b.CustomerId
            where b.OpenAmount > 0 and b.DueDate < @asOf
            order by b.DueDate, b.InvoiceId
            """,
            new { asOf });

        await foreach (var row in rows.WithCancellation(cancellationToken))
        {
            yield return row;
        }
    }
}
