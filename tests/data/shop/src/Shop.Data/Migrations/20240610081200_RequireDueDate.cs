using Microsoft.EntityFrameworkCore.Infrastructure;
using Microsoft.EntityFrameworkCore.Migrations;

namespace Shop.Data.Migrations;

/// <summary>
/// Written by hand: old invoices get a due date before the column becomes mandatory,
/// and what was kept for the first year after the move goes.
/// </summary>
[DbContext(typeof(ShopDbContext))]
[Migration("20240610081200_RequireDueDate")]
public class RequireDueDate : Migration
{
    protected override void Up(MigrationBuilder migrationBuilder)
    {
        migrationBuilder.Sql(@"
UPDATE i
SET i.DueDate = DATEADD(DAY, c.PaymentTermDays, i.IssuedOn)
FROM dbo.Invoice AS i
    INNER JOIN dbo.Customer AS c ON c.CustomerId = i.CustomerId
WHERE i.DueDate IS NULL;");

        migrationBuilder.AlterColumn<DateOnly>(
            name: "DueDate",
            schema: "dbo",
            table: "Invoice",
            type: "date",
            nullable: false,
            oldClrType: typeof(DateOnly),
            oldType: "date",
            oldNullable: true);

        migrationBuilder.DropColumn(name: "LegacyNumber", schema: "dbo", table: "Invoice");

        // Replaced by customer prices, see docs/adr/0003.
        migrationBuilder.DropTable(name: "DiscountCode", schema: "sales");

        migrationBuilder.Sql("""
            IF NOT EXISTS (SELECT 1 FROM sys.check_constraints WHERE name = 'CK_Invoice_DueDate')
                ALTER TABLE dbo.Invoice ADD CONSTRAINT CK_Invoice_DueDate CHECK (DueDate >= IssuedOn);
            """);
    }

    protected override void Down(MigrationBuilder migrationBuilder) =>
        throw new NotSupportedException("The due dates and the discount codes cannot be brought back.");
}
