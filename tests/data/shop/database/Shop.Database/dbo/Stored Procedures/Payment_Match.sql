CREATE PROCEDURE dbo.Payment_Match
    @PaymentId INT
AS
BEGIN
    SET NOCOUNT ON;

    DROP TABLE IF EXISTS #Candidate;

    ;WITH OpenInvoice AS
    (
        -- The number has to stand in the reference as it is printed: RE-2024-001234.
        SELECT b.InvoiceId, b.CustomerId, b.OpenAmount, b.DueDate, p.Amount
        FROM dbo.Payment AS p
        JOIN dbo.vInvoiceBalance AS b
            ON b.Currency = p.Currency
           AND p.Reference LIKE N'%' + b.InvoiceNumber + N'%'
        WHERE p.PaymentId = @PaymentId
          AND p.InvoiceId IS NULL
          AND b.OpenAmount > 0
    ),
    Ranked AS
    (
        SELECT InvoiceId, CustomerId, OpenAmount, Amount,
               ROW_NUMBER() OVER (ORDER BY ABS(OpenAmount - Amount), DueDate) AS Position
        FROM OpenInvoice
    )
    SELECT InvoiceId, CustomerId, OpenAmount, Amount
    INTO #Candidate
    FROM Ranked
    WHERE Position = 1;

    UPDATE p
    SET p.InvoiceId  = c.InvoiceId,
        p.CustomerId = c.CustomerId,
        p.MatchedAt  = SYSUTCDATETIME()
    FROM dbo.Payment AS p
    CROSS JOIN #Candidate AS c
    WHERE p.PaymentId = @PaymentId;

    -- 3 = paid, 2 = partly paid
    UPDATE i
    SET i.Status = CASE WHEN c.Amount >= c.OpenAmount THEN 3 ELSE 2 END
    FROM dbo.Invoice AS i
    JOIN #Candidate AS c ON c.InvoiceId = i.InvoiceId;
END;
