CREATE TABLE [dbo].[OrderLine]
(
    [OrderLineId]     INT             NOT NULL IDENTITY (1, 1),
    [OrderId]         INT             NOT NULL,
    [LineNumber]      INT             NOT NULL,
    [ProductId]       INT             NOT NULL,
    [Quantity]        INT             NOT NULL,
    [UnitPrice]       DECIMAL (12, 2) NOT NULL,
    [DiscountPercent] DECIMAL (5, 2)  NOT NULL CONSTRAINT [DF_OrderLine_DiscountPercent] DEFAULT (0),
    CONSTRAINT [PK_OrderLine] PRIMARY KEY CLUSTERED ([OrderLineId] ASC),
    CONSTRAINT [UQ_OrderLine_OrderId_LineNumber] UNIQUE ([OrderId], [LineNumber]),
    CONSTRAINT [CK_OrderLine_Quantity] CHECK ([Quantity] > 0),
    CONSTRAINT [FK_OrderLine_Order] FOREIGN KEY ([OrderId]) REFERENCES [dbo].[Order] ([OrderId]) ON DELETE CASCADE,
    CONSTRAINT [FK_OrderLine_Product] FOREIGN KEY ([ProductId]) REFERENCES [dbo].[Product] ([ProductId])
);
