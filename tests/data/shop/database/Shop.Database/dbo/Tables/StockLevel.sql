-- One row per product, made by the trigger on Product.
CREATE TABLE [dbo].[StockLevel]
(
    [ProductId]    INT           NOT NULL
        CONSTRAINT [PK_StockLevel] PRIMARY KEY
        CONSTRAINT [FK_StockLevel_Product] FOREIGN KEY REFERENCES [dbo].[Product] ([ProductId]) ON DELETE CASCADE,
    [OnHand]       INT           NOT NULL CONSTRAINT [DF_StockLevel_OnHand] DEFAULT (0),
    [Reserved]     INT           NOT NULL CONSTRAINT [DF_StockLevel_Reserved] DEFAULT (0),
    [ReorderPoint] INT           NOT NULL CONSTRAINT [DF_StockLevel_ReorderPoint] DEFAULT (0),
    [UpdatedAt]    DATETIME2 (0) NOT NULL CONSTRAINT [DF_StockLevel_UpdatedAt] DEFAULT (SYSUTCDATETIME()),
    CONSTRAINT [CK_StockLevel_Reserved] CHECK ([Reserved] >= 0)
);
