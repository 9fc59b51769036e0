-- Takes a bank statement. Sending the same statement twice changes nothing (BankTransactionId).
CREATE PROCEDURE [dbo].[Payment_Import]
    @Transactions [dbo].[BankTransactionList] READONLY
AS
BEGIN
    SET NOCOUNT, XACT_ABORT ON;

    DECLARE @Imported TABLE ([PaymentId] INT NOT NULL PRIMARY KEY, [MergeAction] NVARCHAR (10) NOT NULL);

    MERGE INTO [dbo].[Payment] WITH (HOLDLOCK) AS target
    USING @Transactions AS source
        ON target.[BankTransactionId] = source.[BankTransactionId]
    WHEN MATCHED AND target.[InvoiceId] IS NULL AND target.[Reference] <> source.[Reference] THEN
        UPDATE SET [Reference] = source.[Reference]
    WHEN NOT MATCHED BY TARGET THEN
        INSERT ([ReceivedOn], [Amount], [Currency], [Reference], [BankTransactionId])
        VALUES (source.[ReceivedOn], source.[Amount], source.[Currency], source.[Reference], source.[BankTransactionId])
    OUTPUT inserted.[PaymentId], $action INTO @Imported ([PaymentId], [MergeAction]);

    DECLARE @PaymentId INT;

    DECLARE fresh CURSOR LOCAL FAST_FORWARD FOR
        SELECT [PaymentId] FROM @Imported ORDER BY [PaymentId];

    OPEN fresh;
    FETCH NEXT FROM fresh INTO @PaymentId;
    WHILE @@FETCH_STATUS = 0
    BEGIN
        EXEC [dbo].[Payment_Match] @PaymentId = @PaymentId;
        FETCH NEXT FROM fresh INTO @PaymentId;
    END;
    CLOSE fresh;
    DEALLOCATE fresh;

    SELECT
        COUNT(*)                                                    AS [Imported],
        COUNT(CASE WHEN p.[InvoiceId] IS NOT NULL THEN 1 END)       AS [Matched]
    FROM @Imported AS i
        INNER JOIN [dbo].[Payment] AS p ON p.[PaymentId] = i.[PaymentId];
END;
