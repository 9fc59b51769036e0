using Shop.Core.Abstractions;
using Shop.Core.Entities;
using Shop.Core.Import;
using Xunit;

namespace Shop.Tests;

public class ZamówienieImporterTests
{
    private static readonly Dictionary<string, int> Products = new() { ["SCR-4X40"] = 11, ["DRL-0812"] = 12 };

    [Fact]
    public async Task Wiersze_z_tym_samym_numerem_tworzą_jedno_zamówienie()
    {
        var result = await ImportAsync(
            "klient;numer zamówienia;indeks;ilość;rabat",
            "K-1002;ZAM/7/2024;SCR-4X40;10;12,5 %",
            "K-1002;ZAM/7/2024;DRL-0812;1;",
            ";;;;");

        var order = Assert.Single(result.Zamówienia);
        Assert.Equal("ZAM/7/2024", order.PurchaseReference);
        Assert.Equal([12.5m, 0m], order.Lines.Select(line => line.DiscountPercent));
    }

    [Theory]
    [InlineData("K-9999;ZAM/1;SCR-4X40;1", "Nieznany klient")]
    [InlineData("K-1002;ZAM/1;???;1", "Nieznany indeks")]
    [InlineData("K-1002;ZAM/1;SCR-4X40;minus jeden", "Niepoprawna ilość")]
    [InlineData("K-1002;ZAM/1", "Oczekiwano")]
    public async Task Zły_wiersz_jest_opisany(string line, string opis)
    {
        var result = await ImportAsync(line);

        Assert.False(result.Powodzenie);
        Assert.StartsWith(opis, Assert.Single(result.Błędy).Opis);
    }

    private static Task<WynikImportu> ImportAsync(params string[] lines) =>
        new ZamówienieImporter(new FakeCustomers(), Products).ImportAsync(new StringReader(string.Join('\n', lines)));

    private sealed class FakeCustomers : ICustomerRepository
    {
        public Task<int?> FindIdByNumberAsync(string customerNumber, CancellationToken cancellationToken = default) =>
            Task.FromResult<int?>(customerNumber == "K-1002" ? 2 : null);

        public Task<Customer?> ReadByIdAsync(int id, CancellationToken cancellationToken = default) => throw new NotSupportedException();

        public Task<IReadOnlyList<Customer>> FindByNameAsync(string text, CancellationToken cancellationToken = default) =>
            throw new NotSupportedException();

        public Task<bool> ExistsAsync(int id, CancellationToken cancellationToken = default) => throw new NotSupportedException();
    }
}
