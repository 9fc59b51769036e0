CREATE NONCLUSTERED INDEX [IX_Invoice_CustomerId_Status]
    ON [dbo].[Invoice] ([CustomerId] ASC, [Status] ASC)
    INCLUDE ([DueDate], [GrossTotal]);
GO

-- Only what dunning looks at: issued and partly paid.
CREATE NONCLUSTERED INDEX [IX_Invoice_DueDate_Open]
    ON [dbo].[Invoice] ([DueDate] ASC)
    WHERE [Status] IN (1, 2);
GO

CREATE NONCLUSTERED INDEX [IX_OrderLine_ProductId]
    ON [dbo].[OrderLine] ([ProductId] ASC);
GO

CREATE NONCLUSTERED INDEX [IX_Payment_InvoiceId]
    ON [dbo].[Payment] ([InvoiceId] ASC)
    INCLUDE ([Amount]);
GO

CREATE UNIQUE NONCLUSTERED INDEX [UX_PriceListItem_Product_Customer_ValidFrom]
    ON [sales].[PriceListItem] ([ProductId], [CustomerId], [ValidFrom]);
GO
