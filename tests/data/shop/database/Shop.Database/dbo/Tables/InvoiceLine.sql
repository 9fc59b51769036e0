CREATE TABLE [dbo].[InvoiceLine]
(
    [InvoiceLineId]   INT             NOT NULL IDENTITY (1, 1),
    [InvoiceId]       INT             NOT NULL,
    [LineNumber]      INT             NOT NULL,
    [ProductId]       INT             NULL,
    [TaxRateId]       INT             NOT NULL CONSTRAINT [FK_InvoiceLine_TaxRate] FOREIGN KEY REFERENCES [dbo].[TaxRate],
    [Description]     NVARCHAR (400)  NOT NULL,
    [Quantity]        INT             NOT NULL,
    [UnitPrice]       DECIMAL (12, 2) NOT NULL,
    [DiscountPercent] DECIMAL (5, 2)  NOT NULL CONSTRAINT [DF_InvoiceLine_DiscountPercent] DEFAULT (0),
    [NetAmount]       DECIMAL (12, 2) NOT NULL,
    CONSTRAINT [PK_InvoiceLine] PRIMARY KEY CLUSTERED ([InvoiceLineId] ASC),
    CONSTRAINT [FK_InvoiceLine_Invoice] FOREIGN KEY ([InvoiceId]) REFERENCES [dbo].[Invoice] ([InvoiceId]) ON DELETE CASCADE,
    CONSTRAINT [FK_InvoiceLine_Product] FOREIGN KEY ([ProductId]) REFERENCES [dbo].[Product] ([ProductId])
);
