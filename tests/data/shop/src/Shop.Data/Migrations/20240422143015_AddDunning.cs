using Microsoft.EntityFrameworkCore.Migrations;

#nullable disable

namespace Shop.Data.Migrations
{
    /// <inheritdoc />
    public partial class AddDunning : Migration
    {
        /// <inheritdoc />
        protected override void Up(MigrationBuilder migrationBuilder)
        {
            migrationBuilder.AddColumn<byte>(
                name: "DunningLevel",
                schema: "dbo",
                table: "Invoice",
                type: "tinyint",
                nullable: false,
                defaultValue: (byte)0);

            migrationBuilder.AddColumn<bool>(
                name: "IsBlocked",
                schema: "dbo",
                table: "Customer",
                type: "bit",
                nullable: false,
                defaultValue: false);

            migrationBuilder.CreateTable(
                name: "DunningNotice",
                schema: "dbo",
                columns: table => new
                {
                    DunningNoticeId = table.Column<int>(type: "int", nullable: false)
                        .Annotation("SqlServer:Identity", "1, 1"),
                    InvoiceId = table.Column<int>(type: "int", nullable: false),
                    Level = table.Column<byte>(type: "tinyint", nullable: false),
                    Fee = table.Column<decimal>(type: "decimal(12,2)", nullable: false),
                    SentOn = table.Column<DateOnly>(type: "date", nullable: false)
                },
                constraints: table =>
                {
                    table.PrimaryKey("PK_DunningNotice", x => x.DunningNoticeId);
                    table.ForeignKey(
                        name: "FK_DunningNotice_Invoice",
                        column: x => x.InvoiceId,
                        principalSchema: "dbo",
                        principalTable: "Invoice",
                        principalColumn: "InvoiceId");
                });

            migrationBuilder.CreateIndex(
                name: "UQ_DunningNotice_InvoiceId_Level",
                schema: "dbo",
                table: "DunningNotice",
                columns: new[] { "InvoiceId", "Level" },
                unique: true);
        }

        /// <inheritdoc />
        protected override void Down(MigrationBuilder migrationBuilder)
        {
            migrationBuilder.DropTable(name: "DunningNotice", schema: "dbo");
            migrationBuilder.DropColumn(name: "IsBlocked", schema: "dbo", table: "Customer");
            migrationBuilder.DropColumn(name: "DunningLevel", schema: "dbo", table: "Invoice");
        }
    }
}
