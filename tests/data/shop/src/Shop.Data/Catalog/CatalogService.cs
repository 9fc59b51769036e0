using Microsoft.EntityFrameworkCore;
using Shop.Core.Abstractions;
using Shop.Core.Entities;
using Shop.Core.Services;

namespace Shop.Data.Catalog;

/// <summary>Products and prices. Small tables, so Entity Framework is good enough.</summary>
public sealed class CatalogService(ShopDbContext db) : ICatalogService
{
    public async Task<decimal> GetPriceAsync(int productId, int? customerId, DateOnly onDate, CancellationToken cancellationToken = default)
    {
        var items = await db.PriceListItems
            .Where(item => item.ProductId == productId && (item.CustomerId == customerId || item.CustomerId == null))
            .ToListAsync(cancellationToken);

        var best = items
            .Where(item => item.IsValidOn(onDate))
            .OrderBy(item => item.CustomerId is null)
            .ThenByDescending(item => item.ValidFrom)
            .FirstOrDefault();
        if (best is not null)
        {
            return best.Price;
        }

        var product = await db.Products.FindAsync([productId], cancellationToken)
            ?? throw new NotFoundException("Product", productId);
        return product.UnitPrice;
    }

    public async Task SetCustomerPriceAsync(
        int productId,
        int customerId,
        decimal price,
        DateOnly validFrom,
        CancellationToken cancellationToken = default)
    {
        var current = await db.PriceListItems.SingleOrDefaultAsync(
            item => item.ProductId == productId && item.CustomerId == customerId && item.ValidTo == null,
            cancellationToken);

        if (current is not null && current.ValidFrom >= validFrom)
        {
            db.PriceListItems.Remove(current);
        }
        else if (current is not null)
        {
            current.ValidTo = validFrom.AddDays(-1);
        }

        db.PriceListItems.Add(new PriceListItem
        {
            PriceList = "customer",
            ProductId = productId,
            CustomerId = customerId,
            Price = price,
            ValidFrom = validFrom,
        });

        await db.SaveChangesAsync(cancellationToken);
    }

    public Task<int> DiscontinueAsync(string skuPrefix, CancellationToken cancellationToken = default) =>
        db.Products
            .Where(product => product.Sku.StartsWith(skuPrefix) && !product.IsDiscontinued)
            .ExecuteUpdateAsync(set => set.SetProperty(product => product.IsDiscontinued, true), cancellationToken);

    /// <summary>What has to be bought: available stock below the reorder point.</summary>
    public async Task<IReadOnlyList<Product>> ReadShortageAsync(CancellationToken cancellationToken = default) =>
        await db.Products
            .FromSqlRaw("""
                SELECT p.*
                FROM dbo.Product AS p
                INNER JOIN dbo.StockLevel AS s ON s.ProductId = p.ProductId
                WHERE s.OnHand - s.Reserved < s.ReorderPoint
                """)
            .Include(product => product.Stock)
            .AsNoTracking()
            .ToListAsync(cancellationToken);
}
