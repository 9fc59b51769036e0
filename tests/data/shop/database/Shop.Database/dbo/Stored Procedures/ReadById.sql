-- The procedures behind RepositoryBase<T>.ReadByIdAsync: one per type, all named Table_ReadById, all with @Id.

CREATE PROCEDURE [dbo].[Customer_ReadById]
    @Id INT
AS
SET NOCOUNT ON;
SELECT [CustomerId], [CustomerNumber], [Name], [Email], [VatId], [Currency], [PaymentTermDays], [CreditLimit],
       [PrimaryContactId], [IsBlocked], [CreatedAt]
FROM [dbo].[Customer]
WHERE [CustomerId] = @Id;
GO

CREATE PROCEDURE [dbo].[Order_ReadById]
    @Id INT
AS
SET NOCOUNT ON;
SELECT [OrderId], [CustomerId], [OrderedAt], [Status], [PurchaseReference], [Currency]
FROM [dbo].[Order]
WHERE [OrderId] = @Id;
GO

CREATE PROCEDURE [dbo].[Invoice_ReadById]
    @Id INT
AS
SET NOCOUNT ON;
SELECT [InvoiceId], [InvoiceNumber], [CustomerId], [OrderId], [IssuedOn], [DueDate], [Status], [Currency],
       [NetTotal], [TaxTotal], [GrossTotal], [DunningLevel], [CancelsInvoiceId], [CreatedAt]
FROM [dbo].[Invoice]
WHERE [InvoiceId] = @Id;
GO
