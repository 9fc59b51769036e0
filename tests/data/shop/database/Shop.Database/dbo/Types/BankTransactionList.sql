CREATE TYPE [dbo].[BankTransactionList] AS TABLE
(
    [BankTransactionId] NVARCHAR (64)   NOT NULL PRIMARY KEY,
    [ReceivedOn]        DATE            NOT NULL,
    [Amount]            DECIMAL (12, 2) NOT NULL,
    [Currency]          CHAR (3)        NOT NULL,
    [Reference]         NVARCHAR (140)  NOT NULL
);
