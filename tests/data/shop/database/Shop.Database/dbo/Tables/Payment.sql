-- A line of a bank statement. InvoiceId stays null until the payment is matched.
CREATE TABLE dbo.Payment (
    PaymentId         INT            NOT NULL IDENTITY (1, 1),
    InvoiceId         INT            NULL,
    CustomerId        INT            NULL,
    ReceivedOn        DATE           NOT NULL,
    Amount            DECIMAL(12, 2) NOT NULL,
    Currency          CHAR(3)        NOT NULL,
    Reference         NVARCHAR(140)  NOT NULL CONSTRAINT DF_Payment_Reference DEFAULT (N''),
    BankTransactionId NVARCHAR(64)   NOT NULL,
    MatchedAt         DATETIME2(0)   NULL,
    CONSTRAINT PK_Payment PRIMARY KEY (PaymentId),
    CONSTRAINT UQ_Payment_BankTransactionId UNIQUE (BankTransactionId),
    CONSTRAINT FK_Payment_Invoice FOREIGN KEY (InvoiceId) REFERENCES dbo.Invoice (InvoiceId),
    CONSTRAINT FK_Payment_Customer FOREIGN KEY (CustomerId) REFERENCES dbo.Customer (CustomerId)
);
