-- No foreign key to Invoice on purpose: the trail has to outlive the row.
CREATE TABLE [audit].[InvoiceChange]
(
    [InvoiceChangeId] BIGINT        NOT NULL IDENTITY (1, 1),
    [InvoiceId]       INT           NOT NULL,
    [Action]          CHAR (1)      NOT NULL,
    [OldStatus]       TINYINT       NULL,
    [NewStatus]       TINYINT       NULL,
    [ChangedAt]       DATETIME2 (3) NOT NULL CONSTRAINT [DF_InvoiceChange_ChangedAt] DEFAULT (SYSUTCDATETIME()),
    [ChangedBy]       SYSNAME       NOT NULL CONSTRAINT [DF_InvoiceChange_ChangedBy] DEFAULT (SUSER_SNAME()),
    CONSTRAINT [PK_InvoiceChange] PRIMARY KEY CLUSTERED ([InvoiceChangeId] ASC),
    CONSTRAINT [CK_InvoiceChange_Action] CHECK ([Action] IN ('I', 'U', 'D'))
);
