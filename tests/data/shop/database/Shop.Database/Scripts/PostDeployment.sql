/*
    Runs after every deployment, so everything here has to bear being run again.
    The demo rows are for development only: $(Environment) comes from the publish profile.
*/
SET NOCOUNT ON;
GO

MERGE [dbo].[TaxRate] AS t
USING (VALUES
    (N'DE19', 19.00, '2021-01-01'),
    (N'DE7',   7.00, '2021-01-01'),
    (N'PL23', 23.00, '2011-01-01'),
    (N'EU0',   0.00, '1993-01-01')
) AS s ([Code], [Percentage], [ValidFrom])
    ON t.[Code] = s.[Code] AND t.[ValidFrom] = s.[ValidFrom]
WHEN NOT MATCHED THEN
    INSERT ([Code], [Percentage], [ValidFrom]) VALUES (s.[Code], s.[Percentage], s.[ValidFrom]);
GO

IF '$(Environment)' <> 'Development'
    SET NOEXEC ON;
GO

IF NOT EXISTS (SELECT 1 FROM [dbo].[Customer])
    INSERT INTO [dbo].[Customer] ([CustomerNumber], [Name], [Email], [VatId], [Currency], [PaymentTermDays], [CreditLimit])
    VALUES
        (N'K-1001', N'Müller & Söhne GmbH',        N'rechnung@mueller.example', N'DE000000001', 'EUR', 14, 5000),
        (N'K-1002', N'Żółw i Spółka sp. z o.o.',   N'faktury@zolw.example',     N'PL0000000002', 'PLN', 30, NULL),
        (N'K-1003', N'O''Brien''s Hardware; Ltd',  NULL,                        NULL,           'EUR', 7,  250);
GO

INSERT INTO [dbo].[Product] ([Sku], [Name], [UnitPrice], [TaxRateId])
SELECT v.[Sku], v.[Name], v.[UnitPrice], r.[TaxRateId]
FROM (VALUES
    (N'SCR-4X40', N'Wood screw 4x40, box of 200', 8.90,  N'DE19'),
    (N'DRL-0812', N'Drill bit set 8-12 mm',       34.50, N'DE19'),
    (N'BOK-0001', N'The joiner''s handbook',      29.00, N'DE7')
) AS v ([Sku], [Name], [UnitPrice], [TaxCode])
    INNER JOIN [dbo].[TaxRate] AS r ON r.[Code] = v.[TaxCode]
WHERE NOT EXISTS (SELECT 1 FROM [dbo].[Product] AS p WHERE p.[Sku] = v.[Sku]);
GO

-- The trigger on Product has made the rows.
UPDATE [dbo].[StockLevel] SET [OnHand] = 100, [ReorderPoint] = 20 WHERE [OnHand] = 0;
GO

SET NOEXEC OFF;
GO
