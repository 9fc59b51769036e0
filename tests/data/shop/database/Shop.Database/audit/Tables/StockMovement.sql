-- Target of OUTPUT ... INTO, so it may have neither foreign keys nor triggers.
CREATE TABLE [audit].[StockMovement]
(
    [StockMovementId] BIGINT        NOT NULL IDENTITY (1, 1) CONSTRAINT [PK_StockMovement] PRIMARY KEY,
    [ProductId]       INT           NOT NULL,
    [Delta]           INT           NOT NULL,
    [Reason]          NVARCHAR (40) NOT NULL,
    [OccurredAt]      DATETIME2 (3) NOT NULL CONSTRAINT [DF_StockMovement_OccurredAt] DEFAULT (SYSUTCDATETIME())
);
