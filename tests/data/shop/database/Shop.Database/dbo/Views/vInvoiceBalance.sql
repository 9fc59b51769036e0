/*
    What is still open on each invoice that counts.
    Drafts, cancelled invoices and credit notes are left out.
*/
CREATE VIEW dbo.vInvoiceBalance
AS
SELECT
    i.InvoiceId,
    i.InvoiceNumber,
    i.CustomerId,
    i.IssuedOn,
    i.DueDate,
    i.Status,
    i.Currency,
    i.DunningLevel,
    i.GrossTotal,
    CAST(ISNULL(paid.Amount, 0) AS DECIMAL(12, 2))                AS PaidAmount,
    CAST(i.GrossTotal - ISNULL(paid.Amount, 0) AS DECIMAL(12, 2)) AS OpenAmount
FROM dbo.Invoice AS i
LEFT JOIN (
    SELECT p.InvoiceId, SUM(p.Amount) AS Amount
    FROM dbo.Payment AS p
    WHERE p.InvoiceId IS NOT NULL
    GROUP BY p.InvoiceId
) AS paid
    ON paid.InvoiceId = i.InvoiceId
WHERE i.Status NOT IN (0, 4, 5);
