using System.Globalization;
using Shop.Core.Abstractions;
using Shop.Core.Models;

namespace Shop.Core.Import;

/// <summary>Błąd w jednym wierszu pliku; pozostałe wiersze są wczytywane dalej.</summary>
public sealed record BłądWiersza(int Wiersz, string Opis);

/// <summary>Wynik importu: gotowe zamówienia i lista błędów.</summary>
public sealed record WynikImportu(IReadOnlyList<NewOrder> Zamówienia, IReadOnlyList<BłądWiersza> Błędy)
{
    public bool Powodzenie => Błędy.Count == 0;
}

/// <summary>
/// Wczytuje zamówienia z pliku CSV, jaki wysyłają polscy klienci
/// (<c>klient;numer zamówienia;indeks;ilość;rabat</c>).
/// </summary>
/// <remarks>
/// Imports orders from the semicolon separated files of our Polish customers. Lines with the same customer
/// and order number become one order. See docs/samples/zamowienia.csv for an example.
/// </remarks>
public sealed class ZamówienieImporter(ICustomerRepository customers, IReadOnlyDictionary<string, int> productIdsBySku)
{
    private static readonly CultureInfo Polish = CultureInfo.GetCultureInfo("pl-PL");

    public Task<WynikImportu> ImportAsync(string path, CancellationToken cancellationToken = default)
    {
        if (!File.Exists(path))
        {
            throw new FileNotFoundException("Nie ma takiego pliku.", path);
        }

        return ImportAsync(new StreamReader(path), cancellationToken);
    }

    public async Task<WynikImportu> ImportAsync(TextReader reader, CancellationToken cancellationToken = default)
    {
        var errors = new List<BłądWiersza>();
        var customerIds = new Dictionary<string, int?>(StringComparer.OrdinalIgnoreCase);
        var drafts = new Dictionary<(int CustomerId, string Reference), List<NewOrderLine>>();
        var lineNumber = 0;
        var headerSeen = false;

        while (await reader.ReadLineAsync(cancellationToken) is { } line)
        {
            lineNumber++;

            // Excel likes to add empty lines and a line of bare semicolons at the end.
            if (string.IsNullOrWhiteSpace(line.Replace(";", "")))
            {
                continue;
            }

            // Comments are ours: "# poprawione 12.03." and the like.
            if (line.StartsWith('#'))
            {
                continue;
            }

            var fields = line.Split(';');
            for (var i = 0; i < fields.Length; i++)
            {
                fields[i] = fields[i].Trim();
                if (fields[i].Length >= 2 && fields[i][0] == '"' && fields[i][^1] == '"')
                {
                    fields[i] = fields[i][1..^1].Replace("\"\"", "\"");
                }
            }

            if (!headerSeen)
            {
                headerSeen = true;
                if (fields[0].Equals("klient", StringComparison.OrdinalIgnoreCase))
                {
                    continue;
                }

                // No header: fine, the first line is an order line already.
            }

            if (fields.Length is < 4 or > 5)
            {
                errors.Add(new BłądWiersza(lineNumber, $"Oczekiwano 4 lub 5 pól, jest {fields.Length}."));
                continue;
            }

            var customerNumber = fields[0];
            if (!customerIds.TryGetValue(customerNumber, out var customerId))
            {
                customerId = await customers.FindIdByNumberAsync(customerNumber, cancellationToken);
                customerIds.Add(customerNumber, customerId);
            }

            if (customerId is null)
            {
                errors.Add(new BłądWiersza(lineNumber, $"Nieznany klient {customerNumber}."));
                continue;
            }

            var reference = fields[1];
            if (reference.Length is 0 or > 60)
            {
                errors.Add(new BłądWiersza(lineNumber, "Numer zamówienia jest pusty albo za długi."));
                continue;
            }

            if (!productIdsBySku.TryGetValue(fields[2], out var productId))
            {
                errors.Add(new BłądWiersza(lineNumber, $"Nieznany indeks {fields[2]}."));
                continue;
            }

            if (!int.TryParse(fields[3], NumberStyles.Integer | NumberStyles.AllowThousands, Polish, out var quantity) || quantity <= 0)
            {
                errors.Add(new BłądWiersza(lineNumber, $"Niepoprawna ilość '{fields[3]}'."));
                continue;
            }

            var discount = 0m;
            if (fields.Length == 5 && fields[4].Length > 0)
            {
                // "12,5" and "12,5 %" are both seen in the wild.
                var text = fields[4].TrimEnd('%', ' ');
                if (!decimal.TryParse(text, NumberStyles.Number, Polish, out discount) || discount is < 0 or > 50)
                {
                    errors.Add(new BłądWiersza(lineNumber, $"Niepoprawny rabat '{fields[4]}'."));
                    continue;
                }
            }

            var key = (customerId.Value, reference);
            if (!drafts.TryGetValue(key, out var lines))
            {
                lines = [];
                drafts.Add(key, lines);
            }

            lines.Add(new NewOrderLine(productId, quantity, discount));
        }

        var orders = drafts
            .Select(draft => new NewOrder(draft.Key.CustomerId, draft.Value, draft.Key.Reference))
            .OrderBy(order => order.CustomerId)
            .ThenBy(order => order.PurchaseReference, StringComparer.Ordinal)
            .ToList();

#if DEBUG
        // Makes a broken test file visible in the debugger's output.
        foreach (var error in errors)
        {
            System.Diagnostics.Debug.WriteLine($"{error.Wiersz}: {error.Opis}");
        }
#endif

        return new WynikImportu(orders, errors);
    }
}
