CREATE TABLE [dbo].[DunningNotice]
(
    [DunningNoticeId] INT             NOT NULL IDENTITY (1, 1),
    [InvoiceId]       INT             NOT NULL,
    [Level]           TINYINT         NOT NULL,
    [Fee]             DECIMAL (12, 2) NOT NULL,
    [SentOn]          DATE            NOT NULL,
    CONSTRAINT [PK_DunningNotice] PRIMARY KEY CLUSTERED ([DunningNoticeId] ASC),
    CONSTRAINT [UQ_DunningNotice_InvoiceId_Level] UNIQUE ([InvoiceId], [Level]),
    CONSTRAINT [CK_DunningNotice_Level] CHECK ([Level] BETWEEN 1 AND 3),
    CONSTRAINT [FK_DunningNotice_Invoice] FOREIGN KEY ([InvoiceId]) REFERENCES [dbo].[Invoice] ([InvoiceId])
);
