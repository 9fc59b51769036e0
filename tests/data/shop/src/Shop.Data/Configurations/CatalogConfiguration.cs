using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Metadata.Builders;
using Shop.Core.Entities;

namespace Shop.Data.Configurations
{
    /// <summary>Customer, order and stock: everything that needs more than attributes can say.</summary>
    internal sealed class CustomerConfiguration : IEntityTypeConfiguration<Customer>
    {
        public void Configure(EntityTypeBuilder<Customer> builder)
        {
            builder.ToTable("Customer", "dbo");
            builder.HasIndex(customer => customer.CustomerNumber).IsUnique();
            builder.Property(customer => customer.Currency).HasColumnType("char(3)");
            builder.Property(customer => customer.CreditLimit).HasPrecision(12, 2);
            builder.Property(customer => customer.CreatedAt).HasDefaultValueSql("SYSUTCDATETIME()");
            builder.HasMany(customer => customer.Contacts).WithOne().HasForeignKey(contact => contact.CustomerId);
            builder.HasOne(customer => customer.PrimaryContact).WithMany().HasForeignKey(customer => customer.PrimaryContactId);
        }
    }

    internal sealed class OrderConfiguration : IEntityTypeConfiguration<Order>
    {
        public void Configure(EntityTypeBuilder<Order> builder)
        {
            builder.ToTable("Order");
            builder.Property(order => order.PurchaseReference).HasMaxLength(60);
            builder.HasOne(order => order.Customer).WithMany(customer => customer.Orders).HasForeignKey(order => order.CustomerId);
            builder.HasMany(order => order.Lines).WithOne().HasForeignKey(line => line.OrderId);
        }
    }

    // No ToTable: a type without a DbSet is mapped to the table of its own name.
    internal sealed class StockLevelConfiguration : IEntityTypeConfiguration<StockLevel>
    {
        public void Configure(EntityTypeBuilder<StockLevel> builder)
        {
            builder.HasKey(stock => stock.ProductId);
            builder.Ignore(stock => stock.Available);
            builder.HasOne<Product>().WithOne(product => product.Stock).HasForeignKey<StockLevel>(stock => stock.ProductId);
        }
    }
}
