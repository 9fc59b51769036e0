using System.Data;
using Dapper;
using Shop.Core.Abstractions;
using Shop.Core.Models;

namespace Shop.Data.Repositories;

public sealed class PaymentRepository(ISqlConnectionFactory connections) : IPaymentRepository
{
    public async Task<ImportResult> ImportAsync(IReadOnlyCollection<BankTransaction> transactions, CancellationToken cancellationToken = default)
    {
        var table = new DataTable();
        table.Columns.Add("BankTransactionId", typeof(string));
        table.Columns.Add("ReceivedOn", typeof(DateTime));
        table.Columns.Add("Amount", typeof(decimal));
        table.Columns.Add("Currency", typeof(string));
        table.Columns.Add("Reference", typeof(string));
        foreach (var t in transactions)
        {
            table.Rows.Add(t.BankTransactionId, t.ReceivedOn.ToDateTime(TimeOnly.MinValue), t.Amount, t.Currency, t.Reference);
        }

        await using var connection = await connections.OpenAsync(cancellationToken);
        return await connection.QuerySingleAsync<ImportResult>(
            "dbo.Payment_Import",
            new { Transactions = table.AsTableValuedParameter("dbo.BankTransactionList") },
            commandType: CommandType.StoredProcedure);
    }

    public async Task<bool> RematchAsync(int paymentId, CancellationToken cancellationToken = default)
    {
        await using var connection = await connections.OpenAsync(cancellationToken);
        await connection.ExecuteAsync("EXEC dbo.Payment_Match @PaymentId = @paymentId", new { paymentId });
        return await connection.ExecuteScalarAsync<bool>(
            "SELECT CAST(CASE WHEN InvoiceId IS NULL THEN 0 ELSE 1 END AS BIT) FROM dbo.Payment WHERE PaymentId = @paymentId",
            new { paymentId });
    }
}
