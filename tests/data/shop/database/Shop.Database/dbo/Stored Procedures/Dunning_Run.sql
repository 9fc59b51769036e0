-- Reminds customers of invoices that are late: 7, 21 and 35 days after the due date.
-- One level per run and invoice, so nobody jumps from nothing to the final notice.
CREATE PROCEDURE [dbo].[Dunning_Run]
    @AsOf   DATE,
    @DryRun BIT = 0
AS
BEGIN
    SET NOCOUNT, XACT_ABORT ON;

    CREATE TABLE #Due
    (
        [InvoiceId] INT             NOT NULL PRIMARY KEY,
        [Level]     TINYINT         NOT NULL,
        [Fee]       DECIMAL (12, 2) NOT NULL
    );

    WITH Late AS
    (
        SELECT b.[InvoiceId], b.[DunningLevel], DATEDIFF(DAY, b.[DueDate], @AsOf) AS [Days]
        FROM [dbo].[vInvoiceBalance] AS b
        WHERE b.[OpenAmount] > 0 AND b.[DueDate] < @AsOf
    )
    INSERT INTO #Due ([InvoiceId], [Level], [Fee])
    SELECT [InvoiceId], [DunningLevel] + 1, CASE [DunningLevel] WHEN 0 THEN 0 WHEN 1 THEN 5 ELSE 12.50 END
    FROM Late
    WHERE ([DunningLevel] = 0 AND [Days] >= 7)
       OR ([DunningLevel] = 1 AND [Days] >= 21)
       OR ([DunningLevel] = 2 AND [Days] >= 35);

    IF @DryRun = 0
    BEGIN
        BEGIN TRANSACTION;

        INSERT [dbo].[DunningNotice] ([InvoiceId], [Level], [Fee], [SentOn])
        SELECT d.[InvoiceId], d.[Level], d.[Fee], @AsOf
        FROM #Due AS d;

        UPDATE i
        SET i.[DunningLevel] = d.[Level]
        FROM [dbo].[Invoice] i
            INNER JOIN #Due d ON d.[InvoiceId] = i.[InvoiceId];

        -- The final notice blocks the customer.
        UPDATE [dbo].[Customer]
        SET [IsBlocked] = 1
        WHERE [CustomerId] IN
        (
            SELECT i.[CustomerId]
            FROM [dbo].[Invoice] AS i
                INNER JOIN #Due AS d ON d.[InvoiceId] = i.[InvoiceId]
            WHERE d.[Level] = 3
        );

        COMMIT TRANSACTION;

        DECLARE @Subject NVARCHAR (255) = CONCAT(N'Dunning run of ', CONVERT(NCHAR (10), @AsOf, 23));
        EXEC msdb.dbo.sp_send_dbmail
            @profile_name = N'shop',
            @recipients   = N'accounting@shop.example',
            @subject      = @Subject,
            @body         = N'The letters are ready. Update the print queue from the intranet.';
    END;

    SELECT [InvoiceId], [Level], [Fee] FROM #Due ORDER BY [InvoiceId];
END;
