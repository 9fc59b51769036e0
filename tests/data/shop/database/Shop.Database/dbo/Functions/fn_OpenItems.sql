CREATE FUNCTION dbo.fn_OpenItems (@CustomerId INT)
RETURNS TABLE
AS
RETURN
(
    SELECT b.InvoiceId, b.InvoiceNumber, b.DueDate, b.Currency, b.OpenAmount,
           DATEDIFF(DAY, b.DueDate, GETDATE()) AS DaysOverdue
    FROM dbo.vInvoiceBalance AS b
    WHERE b.CustomerId = @CustomerId
      AND b.OpenAmount <> 0
);
