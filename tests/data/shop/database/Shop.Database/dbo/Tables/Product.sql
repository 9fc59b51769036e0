CREATE TABLE [dbo].[Product]
(
    [ProductId]      INT             NOT NULL IDENTITY (1, 1),
    [Sku]            NVARCHAR (40)   NOT NULL,
    [Name]           NVARCHAR (200)  NOT NULL,
    [UnitPrice]      DECIMAL (12, 2) NOT NULL,
    [TaxRateId]      INT             NOT NULL REFERENCES [dbo].[TaxRate] ([TaxRateId]),
    [IsDiscontinued] BIT             NOT NULL CONSTRAINT [DF_Product_IsDiscontinued] DEFAULT (0),
    CONSTRAINT [PK_Product] PRIMARY KEY CLUSTERED ([ProductId] ASC),
    CONSTRAINT [UQ_Product_Sku] UNIQUE ([Sku])
);
GO

EXECUTE sp_addextendedproperty
    @name = N'MS_Description', @value = N'List price before customer prices, net of tax. See [sales].[PriceListItem].',
    @level0type = N'SCHEMA', @level0name = N'dbo',
    @level1type = N'TABLE',  @level1name = N'Product',
    @level2type = N'COLUMN', @level2name = N'UnitPrice';
GO
