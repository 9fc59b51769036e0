-- Run once after the first deployment. Customer and CustomerContact reference each other,
-- so this half of the pair cannot stand in the table script.
IF NOT EXISTS (SELECT 1 FROM sys.foreign_keys WHERE name = N'FK_Customer_PrimaryContact')
BEGIN
    ALTER TABLE [dbo].[Customer] WITH CHECK
        ADD CONSTRAINT [FK_Customer_PrimaryContact] FOREIGN KEY ([PrimaryContactId])
        REFERENCES [dbo].[CustomerContact] ([CustomerContactId]);
END
GO

ALTER TABLE [dbo].[Customer] CHECK CONSTRAINT [FK_Customer_PrimaryContact];
GO
