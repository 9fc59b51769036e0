-- =============================================
-- Places an order: header, lines, stock, and the invoice at once for customers who pay in advance.
-- Raises 50010 (blocked), 50011 (no lines), 50012 (credit limit).
-- =============================================
CREATE PROCEDURE [dbo].[Order_Place]
    @CustomerId        INT,
    @PurchaseReference NVARCHAR (60) = NULL,
    @Lines             [dbo].[OrderLineList] READONLY,
    @InvoiceNow        BIT = 0,
    @OrderId           INT OUTPUT,
    @InvoiceId         INT = NULL OUTPUT
AS
BEGIN
    SET NOCOUNT, XACT_ABORT ON;

    DECLARE @Currency CHAR (3), @CreditLimit DECIMAL (12, 2), @IsBlocked BIT, @Today DATE = SYSUTCDATETIME();

    SELECT @Currency = [Currency], @CreditLimit = [CreditLimit], @IsBlocked = [IsBlocked]
    FROM [dbo].[Customer]
    WHERE [CustomerId] = @CustomerId;

    IF @Currency IS NULL OR @IsBlocked = 1
        THROW 50010, N'The customer does not exist or is blocked.', 1;

    IF NOT EXISTS (SELECT 1 FROM @Lines)
        THROW 50011, N'An order needs at least one line.', 1;

    BEGIN TRANSACTION;

    INSERT INTO [dbo].[Order] ([CustomerId], [Status], [PurchaseReference], [Currency])
    VALUES (@CustomerId, 1, @PurchaseReference, @Currency);

    SET @OrderId = SCOPE_IDENTITY();

    INSERT INTO [dbo].[OrderLine] ([OrderId], [LineNumber], [ProductId], [Quantity], [UnitPrice], [DiscountPercent])
    SELECT
        @OrderId,
        line.[LineNumber],
        line.[ProductId],
        line.[Quantity],
        [dbo].[fn_CurrentPrice](line.[ProductId], @CustomerId, @Today),
        line.[DiscountPercent]
    FROM @Lines AS line;

    IF @CreditLimit IS NOT NULL AND @CreditLimit <
    (
        SELECT SUM([dbo].[fn_LineAmount](l.[Quantity], l.[UnitPrice], l.[DiscountPercent]))
        FROM [dbo].[OrderLine] AS l
        WHERE l.[OrderId] = @OrderId
    ) + ISNULL((SELECT SUM(item.[OpenAmount]) FROM [dbo].[fn_OpenItems](@CustomerId) AS item), 0)
        THROW 50012, N'The order exceeds the credit limit of the customer.', 1;

    EXECUTE [dbo].[Stock_Reserve] @OrderId = @OrderId;

    IF @InvoiceNow = 1
        EXECUTE [dbo].[Invoice_Create] @OrderId = @OrderId, @IssuedOn = @Today, @InvoiceId = @InvoiceId OUTPUT;

    COMMIT TRANSACTION;
END;
