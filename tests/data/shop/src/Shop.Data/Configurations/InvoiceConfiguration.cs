using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Metadata.Builders;
using Shop.Core.Entities;

namespace Shop.Data.Configurations;

public sealed class InvoiceConfiguration : IEntityTypeConfiguration<Invoice>
{
    public void Configure(EntityTypeBuilder<Invoice> builder)
    {
        // Without HasTrigger, EF would use OUTPUT, which SQL Server refuses on a table with triggers.
        builder.ToTable("Invoice", DatabaseSchema.Default, table => table.HasTrigger("trg_Invoice_Audit"));

        builder.HasKey(invoice => invoice.InvoiceId);
        builder.HasIndex(invoice => invoice.InvoiceNumber).IsUnique();
        builder.Property(invoice => invoice.Currency).HasColumnType("char(3)");
        builder.Property(invoice => invoice.NetTotal).HasPrecision(12, 2);
        builder.Property(invoice => invoice.TaxTotal).HasPrecision(12, 2);
        builder.Property(invoice => invoice.GrossTotal)
            .HasPrecision(12, 2)
            .HasComputedColumnSql("[NetTotal] + [TaxTotal]", stored: true);
        builder.Property(invoice => invoice.CreatedAt).HasDefaultValueSql("SYSUTCDATETIME()");

        builder.HasOne(invoice => invoice.Customer)
            .WithMany()
            .HasForeignKey(invoice => invoice.CustomerId)
            .OnDelete(DeleteBehavior.Restrict);
        builder.HasOne(invoice => invoice.Order).WithMany().HasForeignKey(invoice => invoice.OrderId);
        builder.HasOne(invoice => invoice.CancelsInvoice).WithMany().HasForeignKey(invoice => invoice.CancelsInvoiceId);
        builder.HasMany(invoice => invoice.Payments).WithOne().HasForeignKey(payment => payment.InvoiceId);

        builder.Ignore(invoice => invoice.PaidAmount);
        builder.Ignore(invoice => invoice.OpenAmount);
    }
}

public sealed class InvoiceLineConfiguration : IEntityTypeConfiguration<InvoiceLine>
{
    public void Configure(EntityTypeBuilder<InvoiceLine> builder)
    {
        builder.ToTable("InvoiceLine");
        builder.Property(line => line.Description).HasMaxLength(400);
        builder.Property(line => line.UnitPrice).HasPrecision(12, 2);
        builder.Property(line => line.DiscountPercent).HasPrecision(5, 2);
        builder.Property(line => line.NetAmount).HasPrecision(12, 2);
        builder.HasOne<Invoice>().WithMany(invoice => invoice.Lines).HasForeignKey(line => line.InvoiceId);
        builder.HasOne<Product>().WithMany().HasForeignKey(line => line.ProductId);
        builder.HasOne(line => line.TaxRate).WithMany().HasForeignKey(line => line.TaxRateId);
    }
}
