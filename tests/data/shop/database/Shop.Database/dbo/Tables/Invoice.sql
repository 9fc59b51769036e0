CREATE TABLE [dbo].[Invoice]
(
    [InvoiceId]        INT             NOT NULL IDENTITY (1, 1),
    [InvoiceNumber]    NVARCHAR (20)   NOT NULL,
    [CustomerId]       INT             NOT NULL,
    [OrderId]          INT             NULL,      -- null: invoices typed in by hand and credit notes
    [IssuedOn]         DATE            NOT NULL,
    [DueDate]          DATE            NOT NULL,
    [Status]           TINYINT         NOT NULL CONSTRAINT [DF_Invoice_Status] DEFAULT (0),
    [Currency]         CHAR (3)        NOT NULL,
    [NetTotal]         DECIMAL (12, 2) NOT NULL CONSTRAINT [DF_Invoice_NetTotal] DEFAULT (0),
    [TaxTotal]         DECIMAL (12, 2) NOT NULL CONSTRAINT [DF_Invoice_TaxTotal] DEFAULT (0),
    [GrossTotal]       AS ([NetTotal] + [TaxTotal]) PERSISTED NOT NULL,
    [DunningLevel]     TINYINT         NOT NULL CONSTRAINT [DF_Invoice_DunningLevel] DEFAULT (0),
    [CancelsInvoiceId] INT             NULL,
    [CreatedAt]        DATETIME2 (0)   NOT NULL CONSTRAINT [DF_Invoice_CreatedAt] DEFAULT (SYSUTCDATETIME()),

    CONSTRAINT [PK_Invoice] PRIMARY KEY CLUSTERED ([InvoiceId] ASC),
    CONSTRAINT [UQ_Invoice_InvoiceNumber] UNIQUE ([InvoiceNumber]),
    CONSTRAINT [CK_Invoice_DueDate] CHECK ([DueDate] >= [IssuedOn]),
    CONSTRAINT [FK_Invoice_Customer] FOREIGN KEY ([CustomerId]) REFERENCES [dbo].[Customer] ([CustomerId]),
    CONSTRAINT [FK_Invoice_Order] FOREIGN KEY ([OrderId]) REFERENCES [dbo].[Order] ([OrderId]),
    /* a credit note points at the invoice it cancels */
    CONSTRAINT [FK_Invoice_CancelsInvoice] FOREIGN KEY ([CancelsInvoiceId]) REFERENCES [dbo].[Invoice] ([InvoiceId])
);
