-- The name has a space because the Excel sheets of the warehouse query it by that name.
CREATE VIEW [dbo].[Order Details]
AS
SELECT
    o.[OrderId],
    o.[OrderedAt],
    o.[Status],
    c.[CustomerNumber],
    c.[Name]        AS [Customer],
    l.[LineNumber],
    p.[Sku],
    p.[Name]        AS [Product],
    l.[Quantity],
    l.[UnitPrice],
    l.[DiscountPercent],
    [dbo].[fn_LineAmount](l.[Quantity], l.[UnitPrice], l.[DiscountPercent]) AS [Net Amount]
FROM [dbo].[Order] AS o
    INNER JOIN [dbo].[Customer] AS c ON c.[CustomerId] = o.[CustomerId]
    INNER JOIN [dbo].[OrderLine] AS l ON l.[OrderId] = o.[OrderId]
    INNER JOIN [dbo].[Product] AS p ON p.[ProductId] = l.[ProductId];
