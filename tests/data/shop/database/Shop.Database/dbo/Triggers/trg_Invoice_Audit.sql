CREATE TRIGGER [dbo].[trg_Invoice_Audit]
ON [dbo].[Invoice]
AFTER INSERT, UPDATE, DELETE
AS
BEGIN
    SET NOCOUNT ON;

    INSERT INTO [audit].[InvoiceChange] ([InvoiceId], [Action], [OldStatus], [NewStatus])
    SELECT
        COALESCE(new.[InvoiceId], old.[InvoiceId]),
        CASE WHEN old.[InvoiceId] IS NULL THEN 'I' WHEN new.[InvoiceId] IS NULL THEN 'D' ELSE 'U' END,
        old.[Status],
        new.[Status]
    FROM inserted AS new
        FULL OUTER JOIN deleted AS old ON old.[InvoiceId] = new.[InvoiceId]
    -- Totals change on every recalculation; only a change of status is worth a row.
    WHERE new.[InvoiceId] IS NULL
       OR old.[InvoiceId] IS NULL
       OR new.[Status] <> old.[Status];
END;
