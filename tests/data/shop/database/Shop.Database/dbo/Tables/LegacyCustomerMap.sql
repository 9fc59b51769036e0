-- Left from the move off the AS/400 in 2019. Kept because the auditors asked for it once.
CREATE TABLE [dbo].[LegacyCustomerMap]
(
    [LegacyCode] NVARCHAR (12) NOT NULL CONSTRAINT [PK_LegacyCustomerMap] PRIMARY KEY,
    [CustomerId] INT           NOT NULL CONSTRAINT [FK_LegacyCustomerMap_Customer] REFERENCES [dbo].[Customer] ([CustomerId]),
    [ImportedAt] DATETIME2 (0) NOT NULL
);
