-- Prices agreed with one customer, or for everybody on the list when CustomerId is null.
CREATE TABLE [sales].[PriceListItem]
(
    [PriceListItemId] INT             NOT NULL IDENTITY (1, 1),
    [PriceList]       NVARCHAR (30)   NOT NULL,
    [ProductId]       INT             NOT NULL,
    [CustomerId]      INT             NULL,
    [Price]           DECIMAL (12, 2) NOT NULL,
    [ValidFrom]       DATE            NOT NULL,
    [ValidTo]         DATE            NULL,
    CONSTRAINT [PK_PriceListItem] PRIMARY KEY CLUSTERED ([PriceListItemId] ASC),
    CONSTRAINT [FK_PriceListItem_Product] FOREIGN KEY ([ProductId]) REFERENCES [dbo].[Product] ([ProductId]),
    CONSTRAINT [FK_PriceListItem_Customer] FOREIGN KEY ([CustomerId]) REFERENCES [dbo].[Customer] ([CustomerId])
);
