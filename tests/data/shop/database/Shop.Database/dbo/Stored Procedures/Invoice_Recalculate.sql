CREATE PROCEDURE [dbo].[Invoice_Recalculate]
    @InvoiceId INT
AS
SET NOCOUNT ON;

WITH Totals AS
(
    SELECT
        l.[InvoiceId],
        SUM(l.[NetAmount])                                          AS [Net],
        SUM(ROUND(l.[NetAmount] * r.[Percentage] / 100.0, 2))       AS [Tax]
    FROM [dbo].[InvoiceLine] AS l
        INNER JOIN [dbo].[TaxRate] AS r ON r.[TaxRateId] = l.[TaxRateId]
    WHERE l.[InvoiceId] = @InvoiceId
    GROUP BY l.[InvoiceId]
)
UPDATE i
SET [NetTotal] = ISNULL(t.[Net], 0),
    [TaxTotal] = ISNULL(t.[Tax], 0)
FROM [dbo].[Invoice] AS i
    LEFT JOIN Totals AS t ON t.[InvoiceId] = i.[InvoiceId]
WHERE i.[InvoiceId] = @InvoiceId;
