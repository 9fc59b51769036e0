CREATE PROCEDURE [dbo].[Stock_Reserve]
    @OrderId INT
AS
BEGIN
    SET NOCOUNT ON;

    UPDATE s
    SET s.[Reserved]  = s.[Reserved] + wanted.[Quantity],
        s.[UpdatedAt] = SYSUTCDATETIME()
    OUTPUT inserted.[ProductId], inserted.[Reserved] - deleted.[Reserved], N'reserve'
        INTO [audit].[StockMovement] ([ProductId], [Delta], [Reason])
    FROM [dbo].[StockLevel] AS s
        INNER JOIN
        (
            SELECT [ProductId], SUM([Quantity]) AS [Quantity]
            FROM [dbo].[OrderLine]
            WHERE [OrderId] = @OrderId
            GROUP BY [ProductId]
        ) AS wanted ON wanted.[ProductId] = s.[ProductId];

    -- Selling below zero is allowed, the buyer decides what to do about it.
    IF EXISTS
    (
        SELECT 1
        FROM [dbo].[StockLevel] AS s
            INNER JOIN [dbo].[OrderLine] AS l ON l.[ProductId] = s.[ProductId]
        WHERE l.[OrderId] = @OrderId AND s.[Reserved] > s.[OnHand]
    )
        PRINT N'Some products of this order are short of stock.';
END;
