/*
    Makes the invoice of an order.

    An order has one invoice; asking again returns the one that is there, so that a
    double click or a retry after a timeout does no harm.
*/
CREATE PROCEDURE [dbo].[Invoice_Create]
    @OrderId   INT,
    @IssuedOn  DATE = NULL,
    @InvoiceId INT OUTPUT
AS
BEGIN
    SET NOCOUNT, XACT_ABORT ON;

    SET @IssuedOn = ISNULL(@IssuedOn, CAST(SYSUTCDATETIME() AS DATE));
    SET @InvoiceId = NULL;

    BEGIN TRANSACTION;

    SELECT @InvoiceId = [InvoiceId]
    FROM [dbo].[Invoice] WITH (UPDLOCK, HOLDLOCK)
    WHERE [OrderId] = @OrderId AND [Status] <> 4;

    IF @InvoiceId IS NOT NULL
    BEGIN
        COMMIT TRANSACTION;
        RETURN 0;
    END;

    DECLARE @Number NVARCHAR (20) =
        CONCAT(N'RE-', YEAR(@IssuedOn), N'-', FORMAT(NEXT VALUE FOR [dbo].[InvoiceNumberSeq], N'000000'));

    INSERT INTO [dbo].[Invoice] ([InvoiceNumber], [CustomerId], [OrderId], [IssuedOn], [DueDate], [Status], [Currency])
    SELECT @Number, o.[CustomerId], o.[OrderId], @IssuedOn, DATEADD(DAY, c.[PaymentTermDays], @IssuedOn), 1, o.[Currency]
    FROM [dbo].[Order] AS o
        INNER JOIN [dbo].[Customer] AS c ON c.[CustomerId] = o.[CustomerId]
    WHERE o.[OrderId] = @OrderId AND o.[Status] IN (1, 2);

    IF @@ROWCOUNT = 0
        THROW 50020, N'The order does not exist or cannot be invoiced in its state.', 1;

    SET @InvoiceId = SCOPE_IDENTITY();

    INSERT INTO [dbo].[InvoiceLine]
        ([InvoiceId], [LineNumber], [ProductId], [TaxRateId], [Description], [Quantity], [UnitPrice], [DiscountPercent], [NetAmount])
    SELECT
        @InvoiceId,
        l.[LineNumber],
        l.[ProductId],
        p.[TaxRateId],
        CONCAT(p.[Sku], N' ', p.[Name]),
        l.[Quantity],
        l.[UnitPrice],
        l.[DiscountPercent],
        [dbo].[fn_LineAmount](l.[Quantity], l.[UnitPrice], l.[DiscountPercent])
    FROM [dbo].[OrderLine] AS l
        INNER JOIN [dbo].[Product] AS p ON p.[ProductId] = l.[ProductId]
    WHERE l.[OrderId] = @OrderId;

    EXECUTE [dbo].[Invoice_Recalculate] @InvoiceId = @InvoiceId;

    UPDATE [dbo].[Order] SET [Status] = 3 WHERE [OrderId] = @OrderId;

    COMMIT TRANSACTION;
    RETURN 0;
END;
