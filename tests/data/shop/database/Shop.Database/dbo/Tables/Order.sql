CREATE TABLE [dbo].[Order]
(
    [OrderId]           INT           NOT NULL IDENTITY (1, 1),
    [CustomerId]        INT           NOT NULL,
    [OrderedAt]         DATETIME2 (0) NOT NULL CONSTRAINT [DF_Order_OrderedAt] DEFAULT (SYSUTCDATETIME()),
    [Status]            TINYINT       NOT NULL CONSTRAINT [DF_Order_Status] DEFAULT (0), -- see Shop.Core.Entities.OrderStatus
    [PurchaseReference] NVARCHAR (60) NULL,
    [Currency]          CHAR (3)      NOT NULL,
    CONSTRAINT [PK_Order] PRIMARY KEY CLUSTERED ([OrderId] ASC),
    CONSTRAINT [FK_Order_Customer] FOREIGN KEY ([CustomerId]) REFERENCES [dbo].[Customer] ([CustomerId])
);
