CREATE TYPE [dbo].[OrderLineList] AS TABLE
(
    [LineNumber]      INT            NOT NULL PRIMARY KEY,
    [ProductId]       INT            NOT NULL,
    [Quantity]        INT            NOT NULL,
    [DiscountPercent] DECIMAL (5, 2) NOT NULL DEFAULT (0)
);
