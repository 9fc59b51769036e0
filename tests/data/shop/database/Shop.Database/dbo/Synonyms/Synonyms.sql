-- Finance calls a customer a debtor; their spreadsheets use this name.
CREATE SYNONYM [dbo].[Debtor] FOR [dbo].[Customer];
GO

-- Invoices older than ten years live in a database of their own on the same server.
CREATE SYNONYM [dbo].[InvoiceArchive] FOR [ShopArchive].[dbo].[Invoice];
GO
