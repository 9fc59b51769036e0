CREATE TABLE [dbo].[TaxRate]
(
    [TaxRateId]  INT           NOT NULL IDENTITY (1, 1),
    [Code]       NVARCHAR (10) NOT NULL,
    [Percentage] DECIMAL (5, 2) NOT NULL,
    [ValidFrom]  DATE          NOT NULL,
    [ValidTo]    DATE          NULL,
    CONSTRAINT [PK_TaxRate] PRIMARY KEY CLUSTERED ([TaxRateId] ASC),
    CONSTRAINT [UQ_TaxRate_Code_ValidFrom] UNIQUE ([Code], [ValidFrom]),
    CONSTRAINT [CK_TaxRate_Percentage] CHECK ([Percentage] BETWEEN 0 AND 100)
);
