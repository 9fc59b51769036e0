CREATE TABLE [dbo].[Customer]
(
    [CustomerId]       INT             NOT NULL IDENTITY (1, 1),
    [CustomerNumber]   NVARCHAR (20)   NOT NULL,
    [Name]             NVARCHAR (200)  NOT NULL,
    [Email]            NVARCHAR (254)  NULL,
    [VatId]            NVARCHAR (20)   NULL,
    [Currency]         CHAR (3)        NOT NULL CONSTRAINT [DF_Customer_Currency] DEFAULT ('EUR'),
    [PaymentTermDays]  INT             NOT NULL CONSTRAINT [DF_Customer_PaymentTermDays] DEFAULT (14),
    [CreditLimit]      DECIMAL (12, 2) NULL,
    -- The foreign key to CustomerContact is added by Scripts/AddCustomerForeignKeys.sql:
    -- the two tables point at each other and one of them has to come first.
    [PrimaryContactId] INT             NULL,
    [IsBlocked]        BIT             NOT NULL CONSTRAINT [DF_Customer_IsBlocked] DEFAULT (0),
    [CreatedAt]        DATETIME2 (0)   NOT NULL CONSTRAINT [DF_Customer_CreatedAt] DEFAULT (SYSUTCDATETIME()),
    CONSTRAINT [PK_Customer] PRIMARY KEY CLUSTERED ([CustomerId] ASC),
    CONSTRAINT [UQ_Customer_CustomerNumber] UNIQUE ([CustomerNumber])
);
