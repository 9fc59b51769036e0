-- Owned by finance, deployed by hand: they change it more often than we release.
-- sqlcmd -S localhost -d Shop -E -i Reporting.sql

CREATE OR ALTER VIEW [sales].[vRevenueByMonth]
AS
    SELECT
        DATEFROMPARTS(YEAR(i.[IssuedOn]), MONTH(i.[IssuedOn]), 1) AS [Month],
        i.[Currency],
        COUNT_BIG(*)       AS [Invoices],
        SUM(i.[NetTotal])  AS [Net],
        SUM(i.[TaxTotal])  AS [Tax]
    FROM [dbo].[Invoice] AS i
    WHERE i.[Status] NOT IN (0, 4)
    GROUP BY DATEFROMPARTS(YEAR(i.[IssuedOn]), MONTH(i.[IssuedOn]), 1), i.[Currency];
GO

CREATE OR ALTER PROCEDURE [dbo].[Report_AgedReceivables]
    @AsOf     DATE = NULL,
    @Currency CHAR (3) = NULL
AS
BEGIN
    SET NOCOUNT ON;
    SET @AsOf = ISNULL(@AsOf, CAST(GETDATE() AS DATE));

    -- A filter that may be missing made a poor plan once; the text is fixed, the values are parameters.
    EXECUTE sp_executesql
        N'SELECT d.[CustomerNumber], d.[Name], b.[Currency],
                 SUM(CASE WHEN DATEDIFF(DAY, b.[DueDate], @AsOf) <= 0 THEN b.[OpenAmount] ELSE 0 END) AS [NotDue],
                 SUM(CASE WHEN DATEDIFF(DAY, b.[DueDate], @AsOf) BETWEEN 1 AND 30 THEN b.[OpenAmount] ELSE 0 END) AS [Days1To30],
                 SUM(CASE WHEN DATEDIFF(DAY, b.[DueDate], @AsOf) > 30 THEN b.[OpenAmount] ELSE 0 END) AS [Over30]
          FROM [dbo].[vInvoiceBalance] AS b
              INNER JOIN [dbo].[Debtor] AS d ON d.[CustomerId] = b.[CustomerId]
          WHERE b.[OpenAmount] <> 0 AND (@Currency IS NULL OR b.[Currency] = @Currency)
          GROUP BY d.[CustomerNumber], d.[Name], b.[Currency]
          ORDER BY [Over30] DESC
          OPTION (RECOMPILE)',
        N'@AsOf DATE, @Currency CHAR (3)',
        @AsOf = @AsOf, @Currency = @Currency;
END
GO
