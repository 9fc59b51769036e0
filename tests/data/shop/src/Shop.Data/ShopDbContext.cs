using Microsoft.EntityFrameworkCore;
using Shop.Core.Entities;
using Shop.Core.Models;

namespace Shop.Data;

/// <summary>
/// Entity Framework's view of the database: pages and the catalogue use it. What has to be fast or
/// atomic goes through the repositories and their stored procedures instead (docs/adr/0002).
/// </summary>
public class ShopDbContext(DbContextOptions<ShopDbContext> options) : DbContext(options)
{
    public DbSet<Customer> Customers { get; set; } = null!;

    public DbSet<Product> Products { get; set; } = null!;

    public DbSet<TaxRate> TaxRates => Set<TaxRate>();

    public DbSet<PriceListItem> PriceListItems => Set<PriceListItem>();

    public DbSet<Order> Orders { get; set; } = null!;

    public DbSet<OrderLine> OrderLines { get; set; } = null!;

    public DbSet<Invoice> Invoices { get; set; } = null!;

    public DbSet<InvoiceLine> InvoiceLines { get; set; } = null!;

    public DbSet<Payment> Payments { get; set; } = null!;

    // Mapped by convention: the table has the name of this property.
    public DbSet<DunningNotice> DunningNotice { get; set; } = null!;

    public DbSet<InvoiceBalance> InvoiceBalances => Set<InvoiceBalance>();

    protected override void OnModelCreating(ModelBuilder modelBuilder)
    {
        modelBuilder.HasDefaultSchema(DatabaseSchema.Default);
        modelBuilder.ApplyConfigurationsFromAssembly(typeof(ShopDbContext).Assembly);

        modelBuilder.Entity<Payment>(payment =>
        {
            payment.ToTable("Payment");
            payment.Property(p => p.Amount).HasPrecision(12, 2);
            payment.HasIndex(p => p.BankTransactionId).IsUnique();
            payment.HasOne<Customer>().WithMany().HasForeignKey(p => p.CustomerId);
        });

        modelBuilder.Entity<InvoiceBalance>().HasNoKey().ToView("vInvoiceBalance");

        modelBuilder.HasSequence<long>("InvoiceNumberSeq").StartsAt(1000);
    }
}
