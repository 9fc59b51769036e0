-- Cancels an issued invoice with a credit note and gives the reserved stock back.
CREATE PROCEDURE [dbo].[Invoice_Cancel]
    @InvoiceId    INT,
    @Reason       NVARCHAR (200),
    @CreditNoteId INT OUTPUT
AS
BEGIN
    SET NOCOUNT, XACT_ABORT ON;

    DECLARE @OrderId INT, @Status TINYINT;

    SELECT @OrderId = [OrderId], @Status = [Status] FROM [dbo].[Invoice] WHERE [InvoiceId] = @InvoiceId;

    IF @Status IS NULL OR @Status NOT IN (1, 2)
        THROW 50021, N'Only an issued or partly paid invoice can be cancelled.', 1;

    BEGIN TRANSACTION;

    INSERT INTO [dbo].[Invoice]
        ([InvoiceNumber], [CustomerId], [IssuedOn], [DueDate], [Status], [Currency], [CancelsInvoiceId])
    SELECT
        CONCAT(N'GS-', FORMAT(NEXT VALUE FOR [dbo].[InvoiceNumberSeq], N'000000')),
        [CustomerId], CAST(SYSUTCDATETIME() AS DATE), CAST(SYSUTCDATETIME() AS DATE), 5, [Currency], [InvoiceId]
    FROM [dbo].[Invoice]
    WHERE [InvoiceId] = @InvoiceId;

    SET @CreditNoteId = SCOPE_IDENTITY();

    INSERT INTO [dbo].[InvoiceLine] ([InvoiceId], [LineNumber], [ProductId], [TaxRateId], [Description], [Quantity], [UnitPrice], [DiscountPercent], [NetAmount])
    SELECT @CreditNoteId, [LineNumber], [ProductId], [TaxRateId], LEFT(CONCAT(@Reason, N': ', [Description]), 400), -[Quantity], [UnitPrice], [DiscountPercent], -[NetAmount]
    FROM [dbo].[InvoiceLine]
    WHERE [InvoiceId] = @InvoiceId;

    EXEC Invoice_Recalculate @CreditNoteId;

    UPDATE [dbo].[Invoice] SET [Status] = 4 WHERE [InvoiceId] = @InvoiceId;

    -- What was paid already is open again and waits for a new match.
    UPDATE [dbo].[Payment] SET [InvoiceId] = NULL, [MatchedAt] = NULL WHERE [InvoiceId] = @InvoiceId;

    IF @OrderId IS NOT NULL
    BEGIN
        UPDATE [dbo].[Order] SET [Status] = 9 WHERE [OrderId] = @OrderId;
        EXEC Stock_Release @OrderId = @OrderId;
    END;

    COMMIT TRANSACTION;
END;
