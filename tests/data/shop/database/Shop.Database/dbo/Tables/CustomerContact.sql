CREATE TABLE [dbo].[CustomerContact]
(
    [CustomerContactId] INT            NOT NULL IDENTITY (1, 1) CONSTRAINT [PK_CustomerContact] PRIMARY KEY,
    [CustomerId]        INT            NOT NULL CONSTRAINT [FK_CustomerContact_Customer] REFERENCES [dbo].[Customer] ([CustomerId]),
    [FullName]          NVARCHAR (120) NOT NULL,
    [Email]             NVARCHAR (254) NULL,
    [Phone]             NVARCHAR (40)  NULL
);
